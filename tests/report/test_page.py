"""The report as a browser meets it: well-formed, whole in itself, and saying what it should."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs_of_questions import RUN, result

from thumbindex.evaluation.metrics import figures, floor_figures
from thumbindex.report import report_page
from thumbindex.report.charts import page_strip
from thumbindex.report.markup import Markup, tag

HOSTILE = '<script src="https://example.org/x.js">alert(1)</script> & "co"'
RESULTS = [
    result([1], [1, 4], id="hit", checked=[(1, 0.9), (4, 0.2)], kept=(1,), answered=True, answer_probability=0.9),
    result([12], [5, 6], id="lost", question=HOSTILE, also=[13], checked=[(5, 0.4)], kept=(5,), answer_probability=0.4),
    result([3], [8, 3], id="second", question="How many plants?", checked=[(8, 0.3), (3, 0.2)], kept=(8,)),
    result([], [2], id="claimed", question="Who painted it?", checked=[(2, 0.7)], kept=(2,), answered=True),
    result([9], id="unread", question="And the scan?", note="a.pdf has no text", page_count=0),
]


class Reader(HTMLParser):
    """Notes elements, attributes, and text, and that every element is closed in turn."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.attributes, self.texts = [], [], [], []

    def handle_starttag(self, name, attributes):
        self.handle_startendtag(name, attributes)
        self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.names.append(name)
        self.attributes += attributes

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, text):
        self.texts.append(text)


def read(results):
    page = report_page("plants", RUN, results, {"bm25": floor_figures(results), "all": figures(results)})
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return page, reader


def test_the_page_says_what_was_run():
    _, reader = read(RESULTS)
    text = " ".join(reader.texts)
    for said in ("plants", "lexical-1", "0.1.0", "2026-01-31", "query aware", "hybrid", "5, 1 of them without"):
        assert said in text


def test_every_kind_of_miss_is_listed_with_question_right_pages_and_pages_found():
    page, reader = read(RESULTS)
    text = " ".join(reader.texts)
    for question in (HOSTILE, "How many plants?", "Who painted it?", "And the scan?"):
        assert question in text
    assert page.count("<article>") == 4
    lost = page[page.index("&lt;script") :]
    assert '<b class="right-pages">12</b>' in lost
    assert '<b class="right-pages">13</b>' in lost
    assert 'shown <b class="found-pages">5</b>' in lost
    assert "then <b>6</b>" in lost
    assert "a.pdf has no text" in text


def test_nothing_is_fetched_and_nothing_runs():
    page, reader = read(RESULTS)
    assert not {"script", "link", "img", "iframe", "object"} & set(reader.names)
    assert not {"src", "href", "onload", "onclick"} & {name for name, _ in reader.attributes}
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_both_diagrams_the_curve_and_the_hits_are_drawn():
    page, _ = read(RESULTS)
    for title in (
        "Reliability: this page answers",
        "Reliability: the document answers",
        "Precision by coverage",
        "Hits",
    ):
        assert f"<title>{title}</title>" in page


@pytest.mark.parametrize("results", [RESULTS[:1], RESULTS[3:4], RESULTS[4:]])
def test_a_set_of_one_kind_or_without_any_probability_makes_a_page_too(results):
    page, _ = read(results)
    assert "not measured on this set" in page


def test_a_page_that_the_document_does_not_have_is_not_drawn():
    assert "right: page 30" not in page_strip(20, [30], [1])


@given(st.integers(1, 3000), st.data())
def test_strips_stay_inside_their_frame(pages, data):
    found = data.draw(st.lists(st.integers(1, pages), max_size=10))
    reader = Reader()
    reader.feed(page_strip(pages, found, found))
    numbers = [(name, float(each)) for name, each in reader.attributes if name in ("x", "width", "opacity")]
    assert all(0 <= number <= 1000 for _, number in numbers)
    starts, widths = ([n for name, n in numbers if name == wanted] for wanted in ("x", "width"))
    assert all(start + width <= 1000.5 for start, width in zip(starts, widths, strict=True))


@given(st.text(), st.text())
def test_text_and_attributes_are_escaped_and_elements_are_not(text, title):
    reader = Reader()
    reader.feed(tag("p", text, tag("b", "bold"), title=title))
    assert reader.names == ["p", "b"]
    assert isinstance(tag("p"), Markup)
