from indexing.printed import drawn, heading

from thumbindex.indexing.sections import sections


def test_a_section_ends_where_the_next_of_its_depth_begins():
    outline = [heading("Pumps", 1), heading("Made", 1, 2, 1), heading("Sold", 3, 0, 1), heading("Valves", 3, 8)]
    nodes = sections(outline, 5)
    assert drawn(nodes) == ["1-3 Pumps", "  1-2 Made", "  3-3 Sold", "3-5 Valves"]
    made, sold = nodes[0].children
    assert (made.start_line, made.end_line) == (2, None)
    assert (sold.start_line, sold.end_line) == (0, 8)
    assert (nodes[1].start_line, nodes[1].end_line) == (8, None)


def test_sections_on_one_page_do_not_share_lines():
    nodes = sections([heading(title, 1, line) for title, line in (("A", 0), ("B", 4), ("C", 9))], 1)
    assert [(node.start_line, node.end_line) for node in nodes] == [(0, 4), (4, 9), (9, None)]


def test_source_and_confidence_go_with_the_section():
    (node,) = sections([heading("Pumps", 1, confidence=0.55)], 2)
    assert (node.source.value, node.confidence) == ("heading", 0.55)
