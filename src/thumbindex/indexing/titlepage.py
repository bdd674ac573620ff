"""The title of the document as a whole, which is no section of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from thumbindex.document import Line, Page
from thumbindex.indexing.candidates import Candidate
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.style import wrapped_lines
from thumbindex.indexing.titles import clean_title, title_key
from thumbindex.indexing.wording import known_name

__all__ = ["SIZE_STEP_PT", "title_of", "without_title"]

# Sizes nearer than this are one size.
SIZE_STEP_PT = 0.6
# A cover and the page after it print the title of the whole.
_TITLE_PAGES = 2
# So near below a title stands what belongs to it.
_LINES_BELOW = 2


def title_of(material: Material) -> str:
    """What the first page with text prints largest, or else longest in bold or capitals; empty where all is plain."""
    pages = material.document.pages
    page = next((page for page in pages if any(not line.repeated for line in page.lines)), None)
    index = _title_line(page, material) if page else None
    if page is None or index is None:
        return ""
    wrapped = page.lines[index : index + wrapped_lines(page.lines, index)]
    return clean_title(" ".join(line.text for line in wrapped), material.words)


def _title_line(page: Page, material: Material) -> int | None:
    body = material.body
    lines = [(index, line) for index, line in enumerate(page.lines) if _has_words(line)]
    largest = max((line.font_size_pt for _, line in lines if body.is_larger(line)), default=None)
    if largest is not None:
        return next(index for index, line in lines if line.font_size_pt >= largest - SIZE_STEP_PT)
    standing_out = [index for index, line in lines if body.yields_to(line) and line.text.count(" ") >= 3]
    return max(standing_out, key=lambda index: (wrapped_lines(page.lines, index), -index), default=None)


def _has_words(line: Line) -> bool:
    return sum(map(str.isalpha, line.text)) >= 4 and line.box.width_pt > line.box.height_pt and not line.repeated


def without_title(found: Sequence[Candidate], title: str) -> list[Candidate]:
    """The candidates without the document's title, what is set right below it, and what stands before an abstract.

    The title is what stands on the first pages in a size that no candidate after them has, or has the words of `title`.
    Where those come again later, they head the body: no larger than other headings, for they do not enclose them.
    """
    abstract = next((c for c in found if c.page <= _TITLE_PAGES and c.title.casefold() == "abstract"), None)
    largest = max((c.size_pt for c in found if c.page > _TITLE_PAGES), default=0.0)
    kept: list[Candidate] = []
    above: Candidate | None = None
    for candidate in found:
        again = len(title) >= 8 and title_key(candidate.title) == title_key(title)
        towers = 0 < largest < candidate.size_pt - SIZE_STEP_PT
        early = candidate.page <= _TITLE_PAGES and (again or towers)
        before = abstract is not None and (candidate.page, candidate.line) < (abstract.page, abstract.line)
        subtitle = above is not None and _belongs_below(candidate, above)
        above = candidate if again or early or before or subtitle else None
        if again and not early:
            kept.append(replace(candidate, size_pt=min(candidate.size_pt, _usual_size(found))))
        elif not (early or before or subtitle):
            kept.append(candidate)
    return kept


def _belongs_below(candidate: Candidate, above: Candidate) -> bool:
    """Whether a line is a subtitle: right below a title, with no name or number of a section."""
    near = candidate.page == above.page and candidate.line - above.last_line <= _LINES_BELOW
    return near and not known_name(candidate.title) and parse_numbering(candidate.title) is None


def _usual_size(found: Sequence[Candidate]) -> float:
    """The size of the largest candidates that are not alone in it."""
    counts = Counter(round(candidate.size_pt) for candidate in found)
    return float(max((size for size, count in counts.items() if count > 1), default=max(counts, default=0)))
