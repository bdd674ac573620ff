"""Headers, footers and printed page numbers."""

import pytest
from pdf.drawing import all_of, prose, text

TITLE_PAGE = text((200, 500, "Annual report"), size=24)


def body(number, rows=30):
    return prose(72, 680, 460, rows, seed=number + 1)


def repeated(document):
    return [[line.text for line in page.lines if line.repeated] for page in document.pages]


def labels(document):
    return [page.label for page in document.pages]


def pages(count, *extras):
    """`count` pages of prose, each with what the extras draw for its number from 1."""
    return [all_of(body(number), *(extra(number) for extra in extras)) for number in range(1, count + 1)]


def at(x, y, form):
    return lambda number: text((x, y, form.format(number)), size=9)


def test_header_and_page_number_are_marked(read):
    document = read(*pages(6, at(72, 750, "Example Corporation"), at(300, 40, "{}")))
    assert repeated(document) == [["Example Corporation", str(number)] for number in range(1, 7)]
    assert "Example Corporation" not in document.page(3).search_text
    assert "Example Corporation" in document.page(3).text


def test_left_and_right_headers_alternate(read):
    def header(number):
        return text((72, 750, f"{number} Annual Report") if number % 2 else (400, 750, f"Example plc {number}"), size=9)

    document = read(*pages(10, header))
    assert repeated(document)[:2] == [["1 Annual Report"], ["Example plc 2"]]
    assert labels(document) == [str(number) for number in range(1, 11)]


def test_a_header_of_a_chapter_is_marked(read):
    def header(number):
        return text((72, 750, "Chapter one, beginnings" if number <= 5 else "Chapter two, endings"), size=9)

    document = read(*pages(10, header, at(300, 40, "{}")))
    assert all(len(lines) == 2 for lines in repeated(document))


def test_a_footer_that_follows_the_text_wherever_it_ends_is_marked(read):
    document = read(
        *(all_of(body(n, 10 + n), text((72, 640 - 12 * n - 120, f"Example | 10-K | {n}"))) for n in range(1, 9))
    )
    assert repeated(document) == [[f"Example | 10-K | {number}"] for number in range(1, 9)]


def test_a_back_link_to_the_contents_is_marked(read):
    assert repeated(read(*pages(5, at(72, 760, "Table of Contents")))) == [["Table of Contents"]] * 5


def test_a_heading_that_recurs_on_two_pages_is_not_marked(read):
    def heading(number):
        return text((72, 740, "Certification"), size=14) if number in (4, 5) else lambda canvas: None

    assert repeated(read(*pages(8, heading))) == [[]] * 8


def test_the_head_of_a_table_in_the_body_is_not_marked(read):
    head = at(72, 420, "Years ended December 31")
    assert repeated(read(*pages(8, head))) == [[]] * 8


def test_numbered_titles_are_not_page_numbers(read):
    document = read(*(all_of(text((72, 740, f"Exhibit 10.{9 * n}"), size=12), body(n)) for n in range(1, 8)))
    assert repeated(document) == [[]] * 7
    assert labels(document) == [str(number) for number in range(1, 8)]


def test_roman_front_matter_then_arabic(read):
    numbers = ["i", "ii", "iii", "iv", *map(str, range(1, 9))]
    document = read(TITLE_PAGE, *(all_of(body(n), text((300, 40, number))) for n, number in enumerate(numbers)))
    assert labels(document) == ["1", *numbers]


@pytest.mark.parametrize("form", ["{}", "Page {}", "Page {} of 30", "- {} -", "F-{}", "[{}]", "p. {}", "A-{}"])
def test_forms_of_page_numbers(read, form):
    document = read(TITLE_PAGE, *pages(5, at(280, 40, form)))
    prefix = form.removesuffix("{}") if form in ("F-{}", "A-{}") else ""
    assert labels(document) == ["1", *(f"{prefix}{number}" for number in range(1, 6))]


def test_a_number_in_the_middle_of_a_footer(read):
    document = read(TITLE_PAGE, TITLE_PAGE, *pages(6, at(150, 40, "Example plc {} Annual Report 2023")))
    assert labels(document)[2:] == [str(number) for number in range(1, 7)]


def test_a_page_without_a_number_takes_it_from_its_neighbours(read):
    drawn = pages(7, lambda number: text((300, 40, str(number + 10))) if number != 4 else lambda canvas: None)
    assert labels(read(*drawn)) == [str(number) for number in range(11, 18)]


def test_a_printed_page_that_runs_over_two_pages_labels_both(read):
    numbers = [5, 6, None, 7, 8, 9]
    drawn = [
        all_of(body(n), text((300, 40, str(number))) if number else body(0, 0)) for n, number in enumerate(numbers)
    ]
    assert labels(read(*drawn)) == ["5", "6", "7", "7", "8", "9"]


def test_the_labels_of_the_file_count(read):
    def label(pdf):
        pdf.set_page_label(0, 1, style="/r")
        pdf.set_page_label(2, 4, style="/D", start=101)

    assert labels(read(*pages(5), change=label)) == ["i", "ii", "101", "102", "103"]


def test_printed_numbers_count_more_than_labels_that_only_count(read):
    def label(pdf):
        pdf.set_page_label(0, 5, style="/D")

    document = read(*pages(6, lambda number: text((300, 40, str(number + 40)))), change=label)
    assert labels(document) == [str(number) for number in range(41, 47)]


def test_numbers_of_a_contents_page_are_no_page_numbers(read):
    entries = text(*((72, 700 - 14 * row, f"Chapter {row} on something {3 * row}") for row in range(1, 20)))
    document = read(TITLE_PAGE, entries, *pages(4))
    assert labels(document) == [str(number) for number in range(1, 7)]
