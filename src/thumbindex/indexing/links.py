"""Where the lines of a page lead: the internal links laid over them, whose targets are exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from thumbindex.document import Document, Line, Link

__all__ = ["LineTargets", "line_targets"]

# A page whose header leads back to the contents has one such link; a contents page has many.
_MIN_LINKS = 3

LineTargets = Mapping[tuple[int, int], Link]


def line_targets(document: Document) -> LineTargets:
    """The link of each line (page, index), on pages that hold three or more links to later places."""
    by_page: dict[int, list[Link]] = defaultdict(list)
    for link in document.links:
        if 1 <= link.page <= link.target_page <= len(document.pages):
            by_page[link.page].append(link)
    return {
        (number, index): over
        for number, links in by_page.items()
        if len({link.target_page for link in links}) >= _MIN_LINKS
        for index, line in enumerate(document.page(number).lines)
        if (over := _link_over(line, links)) is not None
    }


def _link_over(line: Line, links: list[Link]) -> Link | None:
    middle = (line.box.y0 + line.box.y1) / 2
    over = (
        link
        for link in links
        if link.box.y0 <= middle <= link.box.y1 and link.box.x0 < line.box.x1 and link.box.x1 > line.box.x0
    )
    return next(over, None)
