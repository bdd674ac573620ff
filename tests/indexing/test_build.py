"""Whole documents to whole trees."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing.printed import big, bold, bookmark, document, drawn, header, line, prose, row
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from thumbindex.document import Bookmark, Box, Document, Line, Link, Page
from thumbindex.errors import OptionError
from thumbindex.indexing import IndexOptions, build_tree
from thumbindex.pdf import read_pdf
from thumbindex.tree import NodeSource

SHARED = Path(os.environ.get("THUMBINDEX_SHARED", Path(__file__).parents[3] / "shared"))

PAPER = document(
    [
        big("On pumps and how they are made to last", 20),
        line("A. Author and B. Author"),
        bold("Abstract"),
        prose(8),
        bold("1 Introduction"),
        prose(20),
    ],
    [bold("2 Related work"), prose(20), bold("3 Pumps"), prose(2), bold("3.1 Hand pumps"), prose(12)],
    [bold("3.2 Foot pumps"), prose(20), bold("4 Conclusion"), prose(8), bold("References"), prose(8)],
    [prose(30)],
    [bold("A Appendix on valves"), prose(20)],
)


def test_a_paper_is_its_numbered_sections_with_abstract_and_references_beside_them():
    assert drawn(build_tree(PAPER).nodes) == [
        "1-1 Abstract",
        "1-1 1 Introduction",
        "2-2 2 Related work",
        "2-3 3 Pumps",
        "  2-2 3.1 Hand pumps",
        "  3-3 3.2 Foot pumps",
        "3-3 4 Conclusion",
        "3-4 References",
        "5-5 A Appendix on valves",
    ]


def statement(title):
    return [bold(title), *[row(f"Line {number} of the statement", "10", "9") for number in range(20)]]


FILING = document(
    [big("FORM 10-K"), prose(30)],
    [header("Pump Company"), bold("PART I"), bold("Item 1. Business"), prose(30)],
    [header("Pump Company"), prose(30), bold("Item 3. Legal Proceedings"), line("None.")],
    [header("Pump Company"), bold("PART II"), bold("Item 5. Market"), prose(20)],
    [header("Pump Company"), bold("Item 8. Financial Statements"), prose(3)],
    statement("CONSOLIDATED BALANCE SHEETS"),
    statement("CONSOLIDATED STATEMENTS OF CASH FLOWS"),
    [bold("NOTES TO CONSOLIDATED FINANCIAL STATEMENTS"), bold("Note 1. Policies"), prose(25)],
    [prose(20), bold("Note 2. Debt"), prose(20)],
    [bold("Note 3. Leases"), prose(20)],
    [bold("Item 9. Changes"), prose(4)],
    [bold("SIGNATURES"), prose(4)],
)


def test_a_filing_is_its_parts_and_items_and_item_8_holds_statements_and_notes():
    assert drawn(build_tree(FILING).nodes) == [
        "1-1 Cover page",
        "2-3 PART I",
        "  2-3 Item 1. Business",
        "  3-3 Item 3. Legal Proceedings",
        "4-11 PART II",
        "  4-4 Item 5. Market",
        "  5-10 Item 8. Financial Statements",
        "    6-6 CONSOLIDATED BALANCE SHEETS",
        "    7-7 CONSOLIDATED STATEMENTS OF CASH FLOWS",
        "    8-10 NOTES TO CONSOLIDATED FINANCIAL STATEMENTS",
        "      8-9 Note 1. Policies",
        "      9-9 Note 2. Debt",
        "      10-10 Note 3. Leases",
        "  11-11 Item 9. Changes",
        "12-12 SIGNATURES",
    ]


def test_slides_are_told_by_their_titles():
    deck = document(*[[big(f"Reasons to pump, part {part}", 24), line("Few words", size=18)] for part in "abcde"])
    assert [node.pages.first for node in build_tree(deck).nodes] == [1, 2, 3, 4, 5]


def test_where_there_is_no_structure_pages_are_gathered_and_say_so():
    tree = build_tree(document(*[prose(40) for _ in range(25)]))
    assert len(tree.nodes) == 5
    assert {node.source for _, node in tree.walk()} == {NodeSource.PAGES}


def test_pages_without_text_still_make_a_tree():
    tree = build_tree(document([], [], [], []))
    assert [node.title for node in tree.nodes] == ["Pages 1–2", "Pages 3–4"]
    assert tree.violations(4) == []


def test_one_page_is_one_section():
    (node,) = build_tree(document([line("Pumps are kept dry."), prose(3)])).nodes
    assert (node.pages.first, node.pages.last) == (1, 1)


def test_sources_that_agree_make_a_section_surer():
    alone = build_tree(PAPER)
    named = Document(
        PAPER.id, PAPER.name, PAPER.sha256, PAPER.pages, (bookmark("2 Related work", 2), bookmark("4 Conclusion", 3))
    )

    def confidence(tree, title):
        return next(node.confidence for _, node in tree.walk() if node.title == title)

    assert confidence(build_tree(named), "2 Related work") > confidence(alone, "2 Related work")


def test_limits_are_kept_and_checked():
    made = document(
        *[[bold(f"{number} Pumps of kind {number} and their makers"), prose(30)] for number in range(1, 31)]
    )
    tree = build_tree(made, IndexOptions(max_menu=6, max_leaf_pages=1))
    assert len(tree.nodes) <= 6
    assert all(len(node.children) <= 6 and (node.children or len(node.pages) == 1) for _, node in tree.walk())
    with pytest.raises(OptionError, match="not 1"):
        IndexOptions(max_menu=1)
    with pytest.raises(OptionError, match="not 0"):
        IndexOptions(max_leaf_pages=0)


def test_the_same_document_always_makes_the_same_tree():
    assert build_tree(PAPER) == build_tree(PAPER)


WORDS = [
    "Pumps",
    "Item 1. Business",
    "PART II",
    "Note 2. Debt",
    "1.2 Valves",
    "A",
    "Contents",
    "Sales ..... 3",
    "BALANCE SHEETS",
    "7",
    "é",
    "",
]
_lines = st.builds(
    lambda text, y, x, size, is_bold, repeated, cells: Line(
        text, Box(x, y, x + 9 * len(text), y + size), size, is_bold, repeated, cells
    ),
    st.sampled_from(WORDS) | st.text(min_size=1, max_size=30),
    st.floats(0, 700),
    st.floats(0, 400),
    st.sampled_from([0.0, 8.0, 10.0, 12.0, 24.0]),
    st.booleans(),
    st.booleans(),
    st.integers(1, 5),
)
_documents = st.builds(
    lambda pages, bookmarks, links: Document(
        "0" * 16,
        "any.pdf",
        "0" * 64,
        tuple(Page(n, label, 612, 792, lines=tuple(lines)) for n, (label, lines) in enumerate(pages, 1)),
        tuple(Bookmark(*each) for each in bookmarks),
        tuple(Link(p, Box(0, y, 600, y + 20), target, None) for p, y, target in links),
    ),
    st.lists(st.tuples(st.sampled_from(["1", "ii", "F-3", ""]), st.lists(_lines, max_size=12)), min_size=1, max_size=8),
    st.lists(
        st.tuples(st.sampled_from(WORDS), st.integers(-1, 12), st.integers(0, 5), st.none() | st.floats(-50, 900)),
        max_size=12,
    ),
    st.lists(st.tuples(st.integers(0, 12), st.floats(0, 800), st.integers(0, 12)), max_size=12),
)


@settings(max_examples=150)
@given(_documents, st.integers(2, 8), st.integers(1, 5))
def test_any_document_makes_a_tree_that_keeps_its_invariants(made, max_menu, max_leaf_pages):
    tree = build_tree(made, IndexOptions(max_menu, max_leaf_pages))
    assert tree.violations(len(made.pages)) == []
    for _, node in tree.walk():
        assert len(node.children) <= max_menu
        assert node.children or len(node.pages) <= max_leaf_pages
        assert [child.pages for child in node.children] != [node.pages]
        assert 0 <= node.confidence <= 1
        assert len({child.summary for child in node.children}) == len(node.children)


@pytest.fixture
def report(tmp_path):
    """A PDF of seven pages with a linked contents page and two bookmarks."""
    path = tmp_path / "report.pdf"
    canvas = Canvas(str(path), pagesize=LETTER)
    chapters = ["Business", "Risks", "Results", "Outlook", "Thanks"]

    def text(y, words, font="Helvetica", size=10):
        canvas.setFont(font, size)
        canvas.drawString(72, y, words)

    text(500, "Pump report", "Helvetica-Bold", 30)
    canvas.showPage()
    text(720, "Contents", "Helvetica-Bold", 16)
    for index, title in enumerate(chapters):
        y = 690 - 20 * index
        text(y, title)
        canvas.drawRightString(540, y, str(index + 1))
        canvas.linkRect("", title, (72, y - 4, 540, y + 12))
    canvas.showPage()
    for index, title in enumerate(chapters):
        canvas.bookmarkPage(title)
        if index < 2:
            canvas.addOutlineEntry(title, title, 0)
        text(720, title, "Helvetica-Bold", 16)
        for number in range(30):
            text(690 - 14 * number, f"{title} {number}: the company reports what it did over the year in words.")
        text(40, str(index + 1), size=8)
        canvas.showPage()
    canvas.save()
    return path


def test_a_pdf_is_read_and_indexed(report):
    tree = build_tree(read_pdf(report))
    assert drawn(tree.nodes) == [
        "1-2 Front matter",
        "3-3 Business",
        "4-4 Risks",
        "5-5 Results",
        "6-6 Outlook",
        "7-7 Thanks",
    ]
    business = tree.nodes[1]
    assert business.confidence > 0.95
    assert "company reports" in business.summary


FILES = [
    "unlabelled/AAPL_2024-08-23_8K.pdf",
    "unlabelled/Hannah_John-Kamen.pdf",
    "written/pdfs/2001.03131.pdf",
    "mmlongbench/pdfs/c31e6580d0175ab3f9d99d1ff0bfa000.pdf",
    "mmlongbench/pdfs/fd76bbefe469561966e5387aa709c482.pdf",
]


@pytest.mark.parametrize("name", FILES)
def test_trees_of_real_files_keep_their_invariants(name):
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"needs {path}: other people's documents, not part of the project")
    made = read_pdf(path)
    tree = build_tree(made)
    assert tree.violations(len(made.pages)) == []
    assert all(node.summary for _, node in tree.walk())
