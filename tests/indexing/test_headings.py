import pytest
from indexing.printed import PROSE, big, bold, header, line, material, prose, row, shown

from thumbindex.indexing.candidates import candidates
from thumbindex.indexing.headings import set_headings
from thumbindex.indexing.titlepage import title_of


def found(*pages, title=""):
    return shown(set_headings(material(*pages), title))


def titles(*pages):
    return [candidate.title for candidate in candidates(material(*pages))]


def test_larger_type_encloses_heavier_type():
    pages = [[big("Pumps"), prose(4), bold("How the pumps are made"), prose(4)], [big("Valves"), prose(9)]]
    assert found(*pages) == [(0, "Pumps", 1), (1, "How the pumps are made", 1), (0, "Valves", 2)]


def test_a_title_over_several_lines_is_one_heading_and_mends_split_words():
    wide = "The year in which all of our pumps and all of our valves were put to market-"
    assert titles([line(wide, size=14), line("ing tests", size=14), prose(9)]) == [wide.removesuffix("-") + "ing tests"]


def test_stacked_titles_stay_apart():
    assert titles([bold("PART I"), bold("Item 1. The pumps"), prose(9)]) == ["PART I", "Item 1. The pumps"]


@pytest.mark.parametrize(
    "text",
    [
        "Table 3: Pumps sold",
        "Figure 2",
        "(in millions)",
        "December 31, 2023",
        "2023",
        "• Pumps",
        "Source: the company",
        "pumps and",
        "Pumps,",
    ],
)
def test_captions_units_dates_and_fragments_are_no_titles(text):
    assert titles([prose(4), bold(text), prose(4)]) == []


def test_a_bold_cell_of_a_table_is_no_title():
    rows = [row("Pumps", "1", "2"), row("Valves", "3", "4")]
    assert titles([prose(6), *rows, bold("The company sold"), *rows]) == []


def test_a_bold_line_far_from_where_prose_begins_is_no_title():
    assert titles([prose(6), bold("The year over", x=380), prose(2)]) == []


def test_a_paragraph_that_begins_in_bold_is_no_title():
    assert (
        titles(
            [
                prose(4),
                bold("The pumps it makes were sold"),
                line("in each market, as they were in the year before."),
                prose(3),
            ]
        )
        == []
    )


def test_a_running_header_is_no_title():
    pages = [[header("Pump report"), big("Sales"), prose(6)], [header("Pump report"), prose(9)]]
    assert titles(*pages) == ["Sales"]


def test_a_header_that_was_not_known_as_one_counts_once():
    pages = [[bold("Report on the markets it sold in"), prose(6)] for _ in range(4)]
    assert found(*pages) == [(0, "Report on the markets it sold in", 1)]


def test_a_page_full_of_bold_lines_is_a_form():
    assert titles([item for _ in range(10) for item in (bold("What was sold over the year"), *prose(1))]) == []


def test_garbled_recognition_is_no_title():
    assert titles([prose(4), big("~M‘f2#fi+-oN,TMoD"), big("ALE nnnnnnnnnnnn"), prose(4)]) == []


def test_a_sentence_in_bold_titles_a_risk_and_is_the_weakest_heading():
    risk = "The pumps it makes were sold over the year in each market and how they were is what the company reports."
    (only,) = candidates(material([prose(4), bold(risk), prose(4)]))
    assert (only.title, only.confidence) == (risk, 0.4)


def test_sections_that_many_authors_name_alike_need_no_type():
    assert titles(
        [line("Pump theory", size=14), line(f"Abstract—{PROSE}"), prose(3), line("References"), prose(3)]
    ) == [
        "Pump theory",
        "Abstract",
        "References",
    ]


def test_chapters_are_outermost_and_list_items_among_them_are_none():
    pages = [
        [bold("1 Introduction"), prose(3), bold("1.1 Aims"), prose(3)],
        [bold("2 Methods"), prose(3), bold("2.1 Pumps"), prose(3), bold("1. First we pump"), prose(3)],
        [big("Survey form", size=20), prose(3), bold("3 Results"), prose(3), bold("References"), prose(3)],
    ]
    assert found(*pages) == [
        (0, "1 Introduction", 1),
        (1, "1.1 Aims", 1),
        (0, "2 Methods", 2),
        (1, "2.1 Pumps", 2),
        (2, "Survey form", 3),
        (0, "3 Results", 3),
        (0, "References", 3),
    ]


def test_the_title_of_the_whole_and_its_subtitle_are_no_sections():
    pages = [
        [big("All about pumps", size=30), big("A report in parts", size=20), prose(3)],
        [big("Pumps"), prose(9)],
        [big("Valves"), prose(9)],
    ]
    assert found(*pages, title="All about pumps") == [(0, "Pumps", 2), (0, "Valves", 3)]


def test_a_title_that_heads_the_body_again_does_not_enclose_what_follows():
    pages = [
        [big("All about pumps", size=30)],
        [big("About us"), prose(9)],
        [big("Method"), prose(9)],
        [big("All about pumps", size=24), prose(9)],
        [big("Thanks"), prose(9)],
    ]
    assert [level for level, *_ in found(*pages, title="All about pumps")] == [0, 0, 0, 0]


def test_authors_before_an_abstract_are_no_sections():
    pages = [
        [big("Pumps", size=20), bold("1 University of Pumps"), bold("Abstract"), prose(5)],
        [bold("1 Introduction"), prose(9)],
    ]
    assert [title for _, title, _ in found(*pages)] == ["Abstract", "1 Introduction"]


def test_what_divides_the_opening_lies_below_it():
    pages = [
        [prose(3), big("A chart of sales", size=13), prose(3)],
        [big("Pumps"), prose(9)],
        [big("Valves"), prose(9)],
    ]
    assert found(*pages) == [(1, "A chart of sales", 1), (0, "Pumps", 2), (0, "Valves", 3)]


def test_names_of_journals_in_a_list_of_references_are_no_sections():
    pages = [
        [big("Pumps"), prose(9)],
        [big("References"), prose(3), bold("Report of the company and markets"), prose(3)],
    ]
    assert [title for _, title, _ in found(*pages)] == ["Pumps", "References"]


def test_the_document_is_titled_by_its_largest_or_first_bold_line():
    assert title_of(material([line("2023"), big("Pump report", size=30), prose(3)])) == "Pump report"
    assert (
        title_of(material([bold("The pump company reports its year"), prose(3)])) == "The pump company reports its year"
    )
    assert title_of(material([prose(3)])) == ""
    assert title_of(material([])) == ""


def test_an_exhibit_in_larger_type_is_measured_by_its_own_prose():
    larger = [line(f"{number} times over: {PROSE}", size=12) for number in range(12)]
    assert titles(*[prose(30)] * 4, [*larger, big("Award of pumps", size=14), *larger]) == ["Award of pumps"]


def test_an_abstract_all_in_bold_and_one_in_small_type_stand_beside_the_sections():
    run_in = bold(f"Abstract—{PROSE}")
    pages = [[big("Pumps", size=24), run_in, bold(PROSE), prose(3), bold("1 Introduction", size=12), prose(9)]]
    assert found(*pages, [bold("2 Methods", size=12), prose(9)])[0] == (0, "Abstract", 1)
    small = [[big("Pumps", size=24), bold("Abstract"), prose(5), big("Introduction", size=13), prose(9)]]
    assert found(*small, [big("Methods", size=13), prose(9)])[0] == (0, "Abstract", 1)


def test_a_running_header_with_the_page_number_before_it_counts_once():
    pages = [[bold(f"{number} REPORT ON THE MARKETS"), prose(6)] for number in (12, 13, 14, 15)]
    assert len(found(*pages)) == 1


def test_plain_lines_are_headings_where_their_numbers_go_on():
    pages = [
        [bold("1 Introduction"), prose(3), line("1.1 Aims"), prose(3), line("3.4 of the pumps"), prose(2)],
        [
            bold("2 Methods"),
            prose(3),
            line("2.1 Pumps"),
            prose(3),
            line("2.1.1 Hand pumps"),
            prose(3),
            line("2.2 Valves"),
            prose(3),
        ],
    ]
    assert found(*pages) == [
        (0, "1 Introduction", 1),
        (1, "1.1 Aims", 1),
        (0, "2 Methods", 2),
        (1, "2.1 Pumps", 2),
        (2, "2.1.1 Hand pumps", 2),
        (1, "2.2 Valves", 2),
    ]


def test_plain_letters_count_parts_of_roman_chapters():
    pages = [
        [line("I. INTRODUCTION"), prose(3), line("II. METHODS"), prose(2), line("A. Pumps sold"), prose(3)],
        [
            line("B. Pumps made"),
            prose(3),
            line("D. Company"),
            prose(2),
            line("III. MARKETS"),
            prose(2),
            line("A. Pumps"),
            prose(3),
        ],
    ]
    assert found(*pages) == [
        (0, "I. INTRODUCTION", 1),
        (0, "II. METHODS", 1),
        (1, "A. Pumps sold", 1),
        (1, "B. Pumps made", 2),
        (0, "III. MARKETS", 2),
        (1, "A. Pumps", 2),
    ]


def test_a_chapter_that_opens_with_a_list_of_its_parts_is_a_heading_and_the_list_is_none():
    parts = [row(f"1.{n} Pumps and pumps", str(n)) for n in range(1, 7)]
    opening = [big("1 Pumps of all kinds"), *parts, big("1.1 Made"), prose(3)]
    assert titles(opening, prose(9)) == ["1 Pumps of all kinds", "1.1 Made"]


def test_numbers_in_brackets_are_another_row():
    pages = [
        [big("1 Pumps"), prose(3), bold("(1) Handles"), prose(3), bold("(2) Grips"), prose(3)],
        [big("2 Valves"), prose(9)],
    ]
    assert [level for level, *_ in found(*pages)] == [0, 1, 1, 0]
