from indexing.printed import big, bookmark, line, material, prose, shown

from thumbindex.indexing.bookmarks import bookmark_headings
from thumbindex.tree import NodeSource

PAGES = [[big("Annual report")], [big("1 Business"), prose(5), big("2 Risks"), prose(5)], [big("3 Results"), prose(8)]]


def found(*bookmarks):
    return bookmark_headings(material(*PAGES, bookmarks=bookmarks))


def test_bookmarks_stand_where_their_title_is_printed_with_its_number():
    headings = found(bookmark("Business", 2), bookmark("Risks", 2), bookmark("3 Results", 3))
    assert shown(headings) == [(0, "1 Business", 2), (0, "2 Risks", 2), (0, "3 Results", 3)]
    assert [h.line for h in headings] == [0, 6, 0]
    assert all(h.source is NodeSource.BOOKMARK and h.confidence == 0.95 for h in headings)


def test_levels_are_the_files_own():
    assert [h.level for h in found(bookmark("Business", 2), bookmark("Risks", 2, 1), bookmark("Results", 3))] == [
        0,
        1,
        0,
    ]


def test_bookmarks_to_no_page_or_backwards_are_left_out():
    headings = found(
        bookmark("Results", 0), bookmark("Business", 2), bookmark("Risks", 1), bookmark("Results", 3), bookmark("X", 99)
    )
    assert [h.page for h in headings] in ([1, 3], [2, 3])


def test_file_names_and_blank_pages_are_no_sections():
    assert found(bookmark("report_final.pdf", 1), bookmark("Blank (do not remove)", 2), bookmark("Page 3", 3)) == []


def test_bookmarks_that_all_lead_to_one_page_say_nothing():
    assert found(bookmark("Business", 1), bookmark("Risks", 1), bookmark("Results", 1)) == []


def test_a_bookmark_of_another_name_takes_the_heading_it_points_to():
    headings = found(bookmark("intro graphics v2", 2, y_pt=70.0), bookmark("Results", 3))
    assert (headings[0].title, headings[0].confidence) == ("1 Business", 0.7)


def test_a_bookmark_over_plain_text_keeps_its_name_at_the_height_it_points_to():
    pages = [[line("One")], prose(9), prose(9)]
    m = material(*pages, bookmarks=[bookmark("Sales", 2, y_pt=100.0), bookmark("Costs", 3)])
    assert [(h.title, h.line) for h in bookmark_headings(m)] == [("Sales", 2), ("Costs", 0)]
