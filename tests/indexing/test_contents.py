import pytest
from indexing.printed import big, bold, document, line, link_over, material, page, prose, row, shown

from thumbindex.indexing.contents import contents_headings
from thumbindex.indexing.crossref import cross_reference_headings
from thumbindex.indexing.lists import contents_pages, cross_reference_pages, line_label
from thumbindex.indexing.material import gathered
from thumbindex.tree import NodeSource

CONTENTS = [
    big("Contents"),
    row("Business", "1"),
    row("Pumps", "1", x=90),
    row("Valves", "2", x=90),
    row("Risks", "3"),
    row("Results", "4"),
]
BODY = [
    [big("Business"), prose(3), bold("Pumps"), prose(5)],
    [bold("Valves"), prose(9)],
    [big("Risks"), prose(9)],
    [big("Results"), prose(9)],
]


def only(m):
    (headings,) = contents_headings(m)
    return headings


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Risk factors 12", "12"),
        ("Risk factors ........ xiv", "xiv"),
        ("Notes F-9", "F-9"),
        ("Results 12–19", "12"),
        ("Item 7", None),
        ("PART I", None),
        ("2018", None),
        ("A plain title", None),
    ],
)
def test_the_page_label_at_the_end_of_a_line(text, label):
    found = line_label(text)
    assert (found["label"] if found else None) == label


def test_printed_numbers_lead_to_pages_through_titles_found_there():
    headings = only(material([big("Annual report")], CONTENTS, *BODY))
    assert shown(headings) == [
        (0, "Business", 3),
        (1, "Pumps", 3),
        (1, "Valves", 4),
        (0, "Risks", 5),
        (0, "Results", 6),
    ]
    assert {h.source for h in headings} == {NodeSource.CONTENTS}
    assert {h.confidence for h in headings} == {0.9}


def test_printed_labels_are_believed_over_page_numbers():
    labels = ["i", "ii", "1", "2", "3", "4"]
    pages = [[big("Annual report")], CONTENTS, *BODY]
    assert shown(only(material(*pages, labels=labels)))[3] == (0, "Risks", 5)


def test_a_title_that_is_a_picture_is_placed_by_its_number_below_the_one_before():
    body = [[big("Business"), prose(3), bold("Pumps"), prose(5)], prose(9), [big("Risks"), prose(9)], [big("Results")]]
    headings = only(material([big("Annual report")], CONTENTS, *body))
    assert (headings[2].title, headings[2].page, headings[2].confidence) == ("Valves", 4, 0.5)


def test_links_are_exact():
    contents = page(1, big("Contents"), *[line(text) for text in ("Business", "Risks", "Results", "Pumps", "Valves")])
    pages = [prose(6), *BODY]
    links = [link_over(contents, index, target) for index, target in ((1, 3), (2, 5), (3, 6), (4, 6), (5, 6))]
    made = document(contents, *[page(number, *lines) for number, lines in enumerate(pages, 2)], links=links)
    headings = only(gathered(made))
    assert shown(headings)[:3] == [(0, "Business", 3), (0, "Risks", 5), (0, "Results", 6)]
    assert headings[0].source is NodeSource.LINK
    assert (headings[0].confidence, headings[3].confidence) == (0.95, 0.8)


def test_a_title_that_wraps_is_one_entry():
    long = "What the company made, what it sold, and what it holds against the time to"
    contents = [big("Contents"), line(long), row("come", "1", x=80), row("Risks", "2"), row("Results", "3")]
    body = [[big(long), big("come"), prose(9)], [big("Risks"), prose(9)], [big("Results"), prose(9)]]
    contents[2] = row("come" + " " * 60 + ".", "1", x=80)
    headings = only(material(contents, *body))
    assert shown(headings)[0][1].startswith(long)
    assert [h.title for h in headings[1:]] == ["Risks", "Results"]


def test_parts_without_numbers_take_the_place_before_their_first_item():
    contents = [
        big("Contents"),
        line("PART I"),
        row("Item 1. Business", "1"),
        row("Item 2. Properties", "2"),
        line("PART II"),
        row("Item 5. Market", "3"),
    ]
    body = [
        [line("PART I"), line("Item 1. Business"), prose(5)],
        [line("Item 2. Properties"), prose(5)],
        [line("PART II"), line("Item 5. Market"), prose(5)],
    ]
    assert shown(only(material(contents, *body))) == [
        (0, "PART I", 2),
        (1, "Item 1. Business", 2),
        (1, "Item 2. Properties", 3),
        (0, "PART II", 4),
        (1, "Item 5. Market", 4),
    ]


def test_a_list_without_numbers_is_contents_where_its_titles_follow():
    first = [big("TABLE OF CONTENTS"), "I. Introduction", "II. Discussion", line("A. History", x=90), "III. Economics"]
    body = (
        [bold("I. INTRODUCTION"), prose(4)],
        [bold("II. DISCUSSION"), bold("A. History"), prose(9)],
        [bold("III. ECONOMICS")],
    )
    headings = only(material([*first, *body[0]], *body[1:]))
    assert shown(headings) == [
        (0, "I. Introduction", 1),
        (0, "II. Discussion", 2),
        (1, "A. History", 2),
        (0, "III. Economics", 3),
    ]


def test_a_contents_page_whose_titles_stand_nowhere_says_nothing():
    assert contents_headings(material(CONTENTS, prose(9), prose(9), prose(9), prose(9))) == []


def test_lists_of_figures_are_no_outline():
    figures = [big("Contents"), row("Figure 1", "1"), row("Figure 2", "2"), row("Figure 3", "3"), row("Figure 4", "4")]
    assert contents_headings(material(figures, *BODY)) == []


def test_a_table_of_amounts_is_no_contents_page():
    table = [row(f"Revenue of year {year}", str(900 - 100 * i)) for i, year in enumerate(range(2015, 2022))]
    made = document([bold("Five years"), *table, *prose(3)])
    assert contents_pages(made, {}) == []


def test_an_index_says_where_each_item_of_the_form_stands():
    names = [
        "Business",
        "Risk factors",
        "Comments",
        "Properties",
        "Legal",
        "Safety",
        "Market",
        "Data",
        "Analysis",
        "Risk",
        "Statements",
    ]
    numbers = ["1", "1A", "1B", "2", "3", "4", "5", "6", "7", "7A", "8"]
    where = [
        "Pages 2-3",
        "Page 4",
        "Not applicable",
        "Page 4",
        "Page 4",
        "Not applicable",
        "Page 3",
        "Reserved",
        "Page 2",
        "Page 3",
        "Page 5",
    ]
    index = [row(f"Item {n}.", name, at) for n, name, at in zip(numbers, names, where, strict=True)]
    body = [
        [big("Business"), prose(5)],
        [big("Market"), prose(5)],
        [big("Risk factors"), prose(5)],
        [big("Statements"), prose(5)],
    ]
    m = material([big("Annual report")], *body, [big("Form 10-K cross-reference index"), *index])
    assert cross_reference_pages(m.document) == [6]
    found = [(h.title, h.page) for h in cross_reference_headings(m)]
    assert [
        entry for entry in found if entry[0].split(". ")[1] in {"Business", "Market", "Risk factors", "Statements"}
    ] == [
        ("Item 1. Business", 2),
        ("Item 5. Market", 3),
        ("Item 1A. Risk factors", 4),
        ("Item 8. Statements", 5),
    ]


def test_roman_numbers_are_shifted_as_the_titles_found_show():
    contents = [big("Contents"), row("About us", "iv"), row("Guide", "v"), row("Thanks", "vi"), row("Sales", "1")]
    body = [[big("About us"), prose(5)], [big("Guide"), prose(5)], [big("Thanks"), prose(5)], [big("Sales"), prose(5)]]
    assert shown(only(material([big("Report")], contents, prose(3), prose(3), *body))) == [
        (0, "About us", 5),
        (0, "Guide", 6),
        (0, "Thanks", 7),
        (0, "Sales", 8),
    ]


def test_exhibits_with_parts_of_their_own_are_sections():
    contents = [
        big("Contents"),
        row("Results", "2"),
        row("Exhibit 4 Indenture", "3"),
        row("Definitions", "3", x=90),
        row("Redemption", "4", x=90),
        row("Exhibit 14 Code of ethics", "5"),
    ]
    body = [
        [big("Results"), prose(3)],
        [big("Exhibit 4 Indenture"), prose(2), bold("Definitions"), prose(3)],
        [bold("Redemption"), prose(3)],
        [big("Exhibit 14 Code of ethics"), prose(3)],
    ]
    assert shown(only(material(contents, *body))) == [
        (0, "Results", 2),
        (0, "Exhibit 4 Indenture", 3),
        (1, "Definitions", 3),
        (1, "Redemption", 4),
        (0, "Exhibit 14 Code of ethics", 5),
    ]


def test_a_line_without_letters_leads_nowhere():
    contents = [big("Contents"), *(line(text) for text in ("Pumps", "Valves", "•", "Motors", "Filters"))]
    body = [[big(title), line("•"), prose(3)] for title in ("Pumps", "Valves", "Motors", "Filters")]
    assert all(heading.title for heading in only(material(contents, *body)))
