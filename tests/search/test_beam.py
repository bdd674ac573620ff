from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import Weights, document
from samples import tree as sections

from thumbindex.document import PageRange
from thumbindex.search import DocumentTerms
from thumbindex.search.beam import descend, joined_with_pages
from thumbindex.search.describe import Describer
from thumbindex.search.inquiry import Inquiry
from thumbindex.tree import Node, Tree

WIDE = 10_000


class Plain(Describer):
    """Describes a section by its summary alone, which ends in its odds."""

    def text(self, section):
        return section.summary or "1"


def inquiry(tree, pages):
    doc = document(*[[f"Text of page {n}"] * 5 for n in range(1, pages + 1)])
    return Inquiry("?", doc, tree, DocumentTerms.from_document(doc, tree), Weights())


def search(tree, pages, beam):
    asked = inquiry(tree, pages)
    return descend(asked, Plain(asked.terms), beam)


@st.composite
def trees(draw, first=1, depth=0):
    """A tree and its number of pages; every leaf has two pages, so that none is joined with its neighbour."""
    nodes = []
    for _ in range(draw(st.integers(2, 3))):
        summary = f"odds {draw(st.integers(1, 1000))}"
        if depth < 2 and draw(st.booleans()):
            inner, last = draw(trees(first=first, depth=depth + 1))
            nodes.append(Node(f"N{first}.{depth}", PageRange(first, last), summary=summary, children=inner.nodes))
        else:
            last = first + 1
            nodes.append(Node(f"L{first}", PageRange(first, last), summary=summary))
        first = last + 1
    return Tree(tuple(nodes)), first - 1


def exhaustive(tree):
    """Every leaf with the geometric mean of the probabilities on its way."""

    def walk(nodes, steps):
        total = sum(float(node.summary.split()[-1]) for node in nodes)
        for node in nodes:
            way = [*steps, float(node.summary.split()[-1]) / total] if len(nodes) > 1 else steps
            if node.children:
                yield from walk(node.children, way)
            else:
                yield node.title, prod(way) ** (1 / len(way)) if way else 1.0

    return dict(walk(tree.nodes, []))


@given(trees())
def test_a_full_width_beam_is_an_exhaustive_search(sample):
    tree, pages = sample
    found = {end.nodes[-1].title: end.score for end in search(tree, pages, WIDE).ends}
    assert found == pytest.approx(exhaustive(tree))


@given(trees(), st.integers(1, 4))
def test_the_beam_ends_in_that_many_sections_best_first(sample, beam):
    tree, pages = sample
    ends = search(tree, pages, beam).ends
    assert len(ends) <= beam
    assert [end.score for end in ends] == sorted((end.score for end in ends), reverse=True)


def test_a_menu_of_one_option_is_no_step():
    only = Node(
        "All",
        PageRange(1, 4),
        children=(Node("A", PageRange(1, 2), summary="9"), Node("B", PageRange(3, 4), summary="1")),
    )
    best = search(Tree((only,)), 4, 3).ends[0]
    assert [node.title for node in best.nodes] == ["All", "A"]
    assert best.score == pytest.approx(0.9)


def test_the_pages_before_the_first_subsection_are_an_option_of_their_own():
    parent = Node("Parent", PageRange(1, 6), summary="1", children=(Node("Child", PageRange(4, 6), summary="1"),))
    other = Node("Other", PageRange(7, 9), summary="1")
    ends = search(Tree((parent, other)), 9, WIDE).ends
    assert {(end.nodes[-1].title, end.nodes[-1].pages) for end in ends} >= {
        ("Parent", PageRange(1, 3)),
        ("Child", PageRange(4, 6)),
    }


def test_pages_chosen_among_all_have_their_share_in_which_section_is_followed():
    parts = sections(("A", 1, 2), ("B", 3, 4)).nodes
    pages = {1: 0.1, 3: 0.7, 4: 0.2}
    assert joined_with_pages(parts, [0.8, 0.2], pages, {"menu": 1, "pages": 0}) == pytest.approx([0.8, 0.2])
    by_pages = joined_with_pages(parts, [0.8, 0.2], pages, {"menu": 0, "pages": 1})
    assert by_pages == pytest.approx([0.1, 0.9], abs=0.01)
    assert by_pages[0] < joined_with_pages(parts, [0.8, 0.2], pages, {"menu": 1, "pages": 1})[0] < 0.8
