import pytest

from thumbindex.document import Box, Document, Line, Page
from thumbindex.errors import TreeError
from thumbindex.indexing.pageindex import tree_from_json
from thumbindex.tree import NodeSource, SummarySource


def document(*pages):
    return Document(
        id="0" * 16,
        name="report.pdf",
        sha256="0" * 64,
        pages=tuple(
            Page(n, str(n), 612, 792, lines=tuple(line(row, text) for row, text in enumerate(texts)))
            for n, texts in enumerate(pages, 1)
        ),
    )


def line(row, text):
    return Line(text, Box(72, 72 + 12 * row, 540, 84 + 12 * row), 10)


def section(title, first, last, **fields):
    return {"title": title, "start_index": first, "end_index": last, **fields}


REPORT = document(
    ["Annual report"],
    ["Business", "We make pumps.", "Risks", "Pumps fail."],
    ["More risks"],
    ["Statements", "Revenue 10"],
)
SAMPLE = {
    "doc_name": "report.pdf",
    "structure": [
        {
            "title": "Overview",
            "node_id": "0000",
            "start_index": 2,
            "end_index": 3,
            "summary": "What we do.",
            "nodes": [
                {"title": "Business", "node_id": "0001", "start_index": 2, "end_index": 2},
                {"title": "Risks", "node_id": "0002", "start_index": 2, "end_index": 3},
            ],
        },
        {"title": "Statements", "node_id": "0003", "start_index": 4, "end_index": 4},
    ],
}


def test_a_tree_in_pageindex_s_shape_becomes_ours():
    tree = tree_from_json(SAMPLE, REPORT)
    overview, statements = tree.nodes[1:]
    assert tree.violations(4) == []
    assert overview.summary == "What we do."
    assert (overview.source, overview.summary_source) == (NodeSource.IMPORTED, SummarySource.IMPORTED)
    assert statements.title == "Statements"


def test_sections_on_one_page_do_not_share_text():
    business, risks = tree_from_json(SAMPLE, REPORT).nodes[1].children
    assert [line.text for _, _, line in business.lines(REPORT)] == ["Business", "We make pumps."]
    assert [line.text for _, _, line in risks.lines(REPORT)] == ["Risks", "Pumps fail.", "More risks"]


def test_pages_in_no_section_get_one_and_say_so():
    first = tree_from_json(SAMPLE, REPORT).nodes[0]
    assert (first.title, first.pages.first, first.pages.last, first.source) == ("Annual report", 1, 1, NodeSource.PAGES)


def test_siblings_out_of_order_and_overlapping_are_put_right():
    rows = [
        {"title": "Statements", "start_index": 4, "end_index": 4},
        {"title": "All", "start_index": 1, "end_index": 4},
    ]
    tree = tree_from_json(rows, REPORT)
    assert [(n.title, n.pages.first, n.pages.last) for n in tree.nodes] == [("All", 1, 3), ("Statements", 4, 4)]
    assert tree.violations(4) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "no sections"),
        ("tree", "list of sections"),
        ({"pages": []}, "structure"),
        ([3], "section /0 is not an object"),
        ([{"title": " ", "start_index": 1, "end_index": 1}], "section /0 has no title"),
        ([{"title": "A", "start_index": 0, "end_index": 1}], "pages from 1"),
        ([{"title": "A", "start_index": 3, "end_index": 2}], "pages from 1"),
        ([{"title": "A", "start_index": "1", "end_index": 2}], "pages from 1"),
        ([{"title": "A", "start_index": 1, "end_index": 9}], "outside 1 to 4"),
        (
            [section("A", 1, 2, nodes=[section("B", 3, 3)])],
            r"section /0/0 \('B'\) covers pages 3 to 3, outside 1 to 2",
        ),
        ([{"title": "A", "start_index": 1, "end_index": 1, "nodes": "none"}], "nodes must be a list"),
    ],
)
def test_a_tree_that_does_not_fit_is_named_by_its_place(value, message):
    with pytest.raises(TreeError, match=message):
        tree_from_json(value, REPORT)


def test_a_bottomless_tree_is_refused():
    row = {"title": "A", "start_index": 1, "end_index": 1}
    for _ in range(100):
        row = row | {"nodes": [row]}
    with pytest.raises(TreeError, match="levels deep"):
        tree_from_json([row], REPORT)
