"""What is written is read back; what was not written by it is refused."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thumbindex.codec import (
    CodecError,
    Outline,
    decode_outline,
    decode_page,
    decode_tree,
    encode_outline,
    encode_page,
    encode_tree,
)
from thumbindex.document import Bookmark, Box, Line, Link, Page, PageFlag, PageRange
from thumbindex.tree import Node, NodeSource, SummarySource, Tree

# Lengths as the reader gives them: whole hundredths of a point.
lengths = st.integers(-2_000_000, 2_000_000).map(lambda hundredths: hundredths / 100)
sizes = st.integers(0, 2_000_000).map(lambda hundredths: hundredths / 100)
numbers = st.integers(1, 100_000)
texts = st.text(max_size=40)
boxes = st.builds(Box, lengths, lengths, lengths, lengths)
lines = st.builds(Line, texts, boxes, sizes, st.booleans(), st.booleans(), st.integers(1, 40))
pages = st.builds(
    Page,
    numbers,
    texts,
    sizes,
    sizes,
    st.sampled_from([0, 90, 180, 270]),
    st.lists(lines, max_size=8).map(tuple),
    st.frozensets(st.sampled_from(PageFlag)),
)
heights = st.none() | lengths
outlines = st.builds(
    Outline,
    texts,
    st.lists(st.builds(Bookmark, texts, numbers, st.integers(0, 20), heights), max_size=5).map(tuple),
    st.lists(st.builds(Link, numbers, boxes, numbers, heights), max_size=5).map(tuple),
)
ranges = st.tuples(numbers, st.integers(0, 500)).map(lambda pair: PageRange(pair[0], sum(pair)))
leaves = st.builds(
    Node,
    texts,
    ranges,
    st.integers(0, 500),
    st.none() | st.integers(0, 500),
    texts,
    st.sampled_from(SummarySource),
    st.sampled_from(NodeSource),
    st.floats(0, 1),
)
nodes = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda node, children: replace(node, children=tuple(children)), leaves, st.lists(inner, max_size=3)
    ),
    max_leaves=10,
)
trees = st.lists(nodes, max_size=4).map(lambda roots: Tree(tuple(roots)))

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=10) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=30,
)


@given(pages)
def test_pages(page):
    assert decode_page(encode_page(page)) == page


@given(outlines)
def test_outlines(outline):
    assert decode_outline(encode_outline(outline)) == outline


@given(trees)
def test_trees(tree):
    assert decode_tree(encode_tree(tree)) == tree


def test_lengths_are_kept_to_a_hundredth_of_a_point():
    page = Page(1, "1", 612.004, 792.006, lines=(Line("word", Box(1 / 3, 2 / 3, 10.126, 20), 9.999),))
    decoded = decode_page(encode_page(page))
    assert (decoded.width_pt, decoded.height_pt) == (612.0, 792.01)
    assert decoded.lines[0].box == Box(0.33, 0.67, 10.13, 20.0)


@pytest.mark.parametrize("decode", [decode_page, decode_outline, decode_tree])
@given(junk=st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_junk_is_refused_or_means_something(decode, junk):
    with suppress(CodecError):
        decode(junk)


@given(pages.filter(lambda page: page.lines), st.data())
def test_a_page_with_a_field_of_another_type_is_refused(page, data):
    fields = json.loads(encode_page(page))
    spoilt = data.draw(st.integers(0, len(fields) - 1))
    fields[spoilt] = data.draw(st.sampled_from([None, {"a": 1}, [[1]], True, 1.5, -(10**30)]))
    with pytest.raises(CodecError):
        decode_page(json.dumps(fields).encode())


@pytest.mark.parametrize("junk", [b"[" * 100_000, b"[NaN]", b"\xff", b"", b"{}", b'["\xed\xa0\x80"'])
def test_bytes_that_try_the_parser(junk):
    for decode in (decode_page, decode_outline, decode_tree):
        with pytest.raises(CodecError):
            decode(junk)


def test_links_and_bookmarks_lead_to_pages():
    outline = Outline(bookmarks=(Bookmark("here", 1, 0),))
    with pytest.raises(CodecError):
        decode_outline(encode_outline(outline).replace(b'"here",1,', b'"here",0,'))
