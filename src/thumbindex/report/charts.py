"""Diagrams as SVG. Colours come from the page's style sheet, so that they suit light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thumbindex.evaluation.calibration import Coverage, Reliability
from thumbindex.report.markup import Markup, joined, tag

__all__ = ["coverage_chart", "hits_chart", "page_strip", "percent", "ranks_bar", "reliability_chart"]

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_STRIP_WIDTH = 1000.0


@dataclass(frozen=True)
class _Plot:
    """A square or oblong of shares from 0 to 1 both ways, with room for the axes."""

    width: float = 440
    height: float = 400
    left: float = 64
    bottom: float = 46
    margin: float = 22

    def x(self, share: float) -> float:
        return self.left + share * (self.width - self.left - self.margin)

    def y(self, share: float) -> float:
        return self.height - self.bottom - share * (self.height - self.bottom - self.margin)

    def point(self, x: float, y: float) -> str:
        return f"{self.x(x):.1f},{self.y(y):.1f}"

    def drawn(self, label: str, *children: str) -> Markup:
        size = f"0 0 {self.width:g} {self.height:g}"
        return tag("svg", tag("title", label), *children, viewBox=size, role="img", class_="chart")

    def axes(self, x_title: str, y_title: str, x_labels: Mapping[float, str] | None = None) -> Markup:
        below = {share: percent(share) for share in _TICKS} if x_labels is None else x_labels
        middle = (self.y(0) + self.y(1)) / 2
        return joined(
            *(
                tag("line", x1=self.x(0), x2=self.x(1), y1=self.y(share), y2=self.y(share), class_="grid")
                for share in _TICKS
            ),
            *(
                tag("text", percent(share), x=self.left - 8, y=self.y(share) + 4, text_anchor="end", class_="tick")
                for share in _TICKS
            ),
            *(
                tag("text", text, x=self.x(share), y=self.y(0) + 17, text_anchor="middle", class_="tick")
                for share, text in below.items()
            ),
            tag("text", x_title, x=self.x(0.5), y=self.height - 6, text_anchor="middle", class_="axis"),
            tag(
                "text", y_title, transform=f"translate(13 {middle:g}) rotate(-90)", text_anchor="middle", class_="axis"
            ),
        )


def percent(share: float, digits: int = 0) -> str:
    """`37 %`, with a thin space."""
    return f"{100 * share:.{digits}f}\u202f%"


def reliability_chart(bins: Reliability, claim: str) -> Markup:
    """A point a bin: how sure the model was, and how often it was so. On the diagonal it is as often as it said."""
    plot = _Plot()
    points = list(zip(bins.predicted, bins.observed, strict=True))
    gaps = [
        tag("line", x1=plot.x(p), x2=plot.x(p), y1=plot.y(p), y2=plot.y(observed), class_="gap")
        for p, observed in points
    ]
    dots = [
        tag(
            "circle",
            tag("title", f"said {percent(p, 1)}, was so in {percent(observed, 1)}"),
            cx=plot.x(p),
            cy=plot.y(observed),
            r=4.5,
            class_="dot",
        )
        for p, observed in points
    ]
    diagonal = tag("line", x1=plot.x(0), y1=plot.y(0), x2=plot.x(1), y2=plot.y(1), class_="ideal")
    axes = plot.axes("said with probability", "was so")
    return plot.drawn(f"Reliability: {claim}", axes, diagonal, *gaps, *dots)


def coverage_chart(curves: Mapping[str, Coverage], precision: float) -> Markup:
    """A line a name: how often the claims are right when only the surest share of the questions is claimed."""
    plot = _Plot(width=940, height=340)
    goal = plot.y(precision)
    lines = [
        tag(
            "polyline",
            points=" ".join(plot.point(x, y) for x, y in zip(curve.coverage, curve.precision, strict=True)),
            class_=f"line line-{number}",
        )
        for number, curve in enumerate(curves.values(), 1)
    ]
    return plot.drawn(
        "Precision by coverage",
        plot.axes("share of the questions claimed, the surest first", "right among the claimed"),
        tag("line", x1=plot.x(0), x2=plot.x(1), y1=goal, y2=goal, class_="ideal"),
        tag("text", percent(precision), x=plot.x(1) - 2, y=goal - 5, text_anchor="end", class_="tick"),
        *lines,
    )


def hits_chart(hits: Sequence[float], floor: Sequence[float], ks: Sequence[int]) -> Markup:
    """Bars of the hits among the first k, with the floor as a mark on each."""
    plot = _Plot(width=460, height=320)
    middles = [(place + 0.5) / len(ks) for place in range(len(ks))]
    bars = [_bar(plot, *shares, 0.56 / len(ks)) for shares in zip(middles, hits, floor, strict=True)]
    labels = {middle: str(k) for middle, k in zip(middles, ks, strict=True)}
    return plot.drawn("Hits", plot.axes("a right page among the first …", "questions", labels), *bars)


def _bar(plot: _Plot, middle: float, hit: float, low: float, width: float) -> Markup:
    left, right = plot.x(middle - width / 2), plot.x(middle + width / 2)
    # Inside the bar where it is high enough: the mark of the floor is often just above it.
    label_y, kind = (plot.y(hit) + 22, "mark inside") if hit > 0.15 else (plot.y(max(hit, low)) - 7, "mark")
    return joined(
        tag("rect", x=left, y=plot.y(hit), width=right - left, height=plot.y(0) - plot.y(hit), rx=3, class_="bar"),
        tag("line", x1=left - 6, x2=right + 6, y1=plot.y(low), y2=plot.y(low), class_="floor"),
        tag("text", percent(hit), x=plot.x(middle), y=label_y, text_anchor="middle", class_=kind),
    )


def ranks_bar(counts: Mapping[str, int]) -> Markup:
    """One bar of all questions, parted by where the first right page was; with a legend."""
    total = sum(counts.values())
    parts = [
        tag("span", class_=f"part part-{number}", style=f"flex-grow:{count}", title=f"{name}: {count}")
        for number, (name, count) in enumerate(counts.items())
        if count
    ]
    legend = [
        tag("li", tag("i", class_=f"part-{number}"), f"{name} ", tag("b", percent(count / total)), f" ({count:,})")
        for number, (name, count) in enumerate(counts.items())
    ]
    return joined(tag("div", *parts, class_="ranks"), tag("ul", *legend, class_="legend"))


def page_strip(pages: int, right: Sequence[int], found: Sequence[int]) -> Markup:
    """The document from its first page to its last: right pages below, found ones above, the first strongest."""
    # Narrower than a page's share, so that neighbours stay apart; never too narrow to be seen.
    width = max(0.88 * _STRIP_WIDTH / pages, 5.0)

    def left(page: int) -> float:
        return min((page - 1) * _STRIP_WIDTH / pages, _STRIP_WIDTH - width)

    ranked = [
        tag(
            "rect",
            tag("title", f"found {rank}.: page {page}"),
            x=left(page),
            y=0,
            width=width,
            height=11,
            class_="found",
            opacity=max(0.25, 1 - 0.16 * (rank - 1)),
        )
        for rank, page in reversed(list(enumerate(found, 1)))
    ]
    wanted = [
        tag("rect", tag("title", f"right: page {page}"), x=left(page), y=15, width=width, height=11, class_="right")
        for page in right
        if 1 <= page <= pages
    ]
    track = tag("rect", x=0, y=12, width=_STRIP_WIDTH, height=2, class_="track")
    size = f"0 0 {_STRIP_WIDTH:g} 26"
    return tag("svg", track, *ranked, *wanted, viewBox=size, preserveAspectRatio="none", class_="strip", role="img")
