import pytest
from indexing.printed import big, bold, header, line, material, prose, row, shown

from thumbindex.indexing.filings import filing_headings
from thumbindex.indexing.statements import financial_headings


def filing(*pages, **more):
    m = material(*pages, **more)
    return shown(filing_headings(m, financial_headings(m)))


def test_items_stand_under_their_parts():
    pages = [
        [big("Form 10-K")],
        [bold("PART I"), bold("Item 1. Business"), prose(5)],
        [bold("Item 1A. Risk Factors"), prose(3), bold("Item 2. Properties"), prose(2)],
        [bold("PART II"), bold("Item 5."), bold("Market for Common Equity"), prose(3), bold("Item 6. [Reserved]")],
    ]
    assert filing(*pages) == [
        (0, "PART I", 2),
        (1, "Item 1. Business", 2),
        (1, "Item 1A. Risk Factors", 3),
        (1, "Item 2. Properties", 3),
        (0, "PART II", 4),
        (1, "Item 5. Market for Common Equity", 4),
        (1, "Item 6. [Reserved]", 4),
    ]


def items(*more):
    numbers = ["1. Business", "1A. Risk Factors", "2. Properties", "3. Legal Proceedings", "7. Analysis"]
    return [[bold(f"Item {number}"), prose(6), *more] for number in numbers]


@pytest.mark.parametrize(
    "reference",
    [
        "Item 2. Properties of this report describes them",
        "Item 7, “Analysis,”",
        "Item 3 of Part I above",
        "Item 1A in our annual report",
    ],
)
def test_references_that_begin_a_line_are_no_items(reference):
    found = filing(*items(line(reference)))
    assert [page for _, _, page in found] == [1, 2, 3, 4, 5]


def test_contents_pages_and_running_headers_name_no_items():
    contents = [
        big("Contents"),
        *[row(f"Item {n}", "Name", str(p)) for p, n in enumerate(["1", "1A", "2", "3", "7"], 1)],
    ]
    pages = [[header("Item 7. Analysis"), *each] for each in items()]
    assert [page for _, _, page in filing(contents, *pages)] == [2, 3, 4, 5, 6]


def test_an_item_of_one_line_is_titled_without_its_answer():
    pages = [
        *items(),
        [line("Item 9B. Other Information. None."), line("Item 10. Directors. Not applicable."), prose(2)],
    ]
    assert [title for _, title, _ in filing(*pages)][-2:] == ["Item 9B. Other Information", "Item 10. Directors"]


def test_items_of_a_quarterly_report_count_from_one_in_each_part():
    pages = [
        [bold("PART I"), bold("Item 1. Financial Statements"), prose(3)],
        [bold("Item 2. Analysis"), prose(3), bold("Item 4. Controls"), prose(3)],
        [bold("PART II"), bold("Item 1. Legal Proceedings"), prose(3), bold("Item 6. Exhibits"), prose(3)],
    ]
    assert [(level, title.split(".")[0]) for level, title, _ in filing(*pages)] == [
        (0, "PART I"),
        (1, "Item 1"),
        (1, "Item 2"),
        (1, "Item 4"),
        (0, "PART II"),
        (1, "Item 1"),
        (1, "Item 6"),
    ]


def test_items_of_a_current_report_have_decimals_and_no_parts():
    pages = [
        [big("Form 8-K")],
        [bold("Item 2.02 Results of Operations."), prose(4), bold("Item 9.01 Exhibits."), prose(2)],
    ]
    assert [(level, page) for level, _, page in filing(*pages)] == [(1, 2), (1, 2)]


def test_a_part_that_is_not_printed_begins_with_its_first_item():
    pages = [
        [bold("Item 1. Business"), prose(3), bold("Item 2. Properties"), prose(3)],
        [bold("PART II"), bold("Item 5. Market"), prose(5)],
        [bold("PART III"), bold("Item 10. Directors"), prose(5)],
    ]
    assert [(title, page) for level, title, page in filing(*pages) if level == 0] == [
        ("PART I", 1),
        ("PART II", 2),
        ("PART III", 3),
    ]


def test_a_part_in_spaced_letters_is_read():
    pages = [
        *items(),
        [bold("PART II I"), bold("Item 10. Directors"), prose(3)],
        [bold("PART IV"), bold("Item 15. Exhibits"), prose(3)],
    ]
    assert (0, "PART III", 6) in filing(*pages)


def test_a_page_that_opens_the_exhibits_ends_what_stands_before_it():
    pages = [*items(), [bold("SIGNATURES"), prose(3)], [bold("EXHIBITS"), bold("Exhibit 4 Indenture"), prose(3)]]
    assert filing(*pages)[5:] == [(0, "SIGNATURES", 6), (0, "EXHIBITS", 7)]


def test_what_follows_the_last_item_stands_beside_the_parts():
    pages = [
        *items(),
        [bold("SIGNATURES"), prose(3)],
        [bold("EXHIBIT INDEX"), prose(3)],
        [bold("Exhibit 31.1"), bold("Certification of the chief executive"), prose(3)],
        [bold("Exhibit 32"), prose(3)],
    ]
    assert filing(*pages)[5:] == [
        (0, "SIGNATURES", 6),
        (0, "EXHIBIT INDEX", 7),
        (0, "Exhibits", 8),
        (1, "Exhibit 31.1 Certification of the chief executive", 8),
        (1, "Exhibit 32", 9),
    ]


def test_a_report_that_only_refers_to_items_is_no_filing():
    assert filing([bold("Item 1. Business"), prose(9)], [bold("Item 2. Properties"), prose(9)]) == []


def test_a_table_of_items_is_an_index_and_no_filing():
    index = [row(f"Item {number}.", f"Name of {number}", "(a)") for number in range(1, 16)]
    assert filing([prose(9)], index, [prose(9)]) == []


TABLE = [row("Revenue", "10", "9"), *[row(f"Cost {number}", "1", "2") for number in range(8)]]
STATEMENTS = [
    [bold("CONSOLIDATED BALANCE SHEETS"), line("(in millions)"), *TABLE],
    [bold("CONSOLIDATED STATEMENTS OF CASH FLOWS"), *TABLE],
    [bold("NOTES TO CONSOLIDATED FINANCIAL STATEMENTS"), bold("Note 1. Accounting policies"), prose(5)],
    [bold("Note 2. Debt"), prose(3), line("Note 3 of these notes says more."), bold("Note 3. Leases"), prose(3)],
    [bold("Note 3. Leases (continued)"), prose(3)],
]


def test_statements_and_notes_are_headings():
    assert shown(financial_headings(material(*STATEMENTS))) == [
        (0, "CONSOLIDATED BALANCE SHEETS", 1),
        (0, "CONSOLIDATED STATEMENTS OF CASH FLOWS", 2),
        (0, "NOTES TO CONSOLIDATED FINANCIAL STATEMENTS", 3),
        (1, "Note 1. Accounting policies", 3),
        (1, "Note 2. Debt", 4),
        (1, "Note 3. Leases", 4),
    ]


def test_notes_of_bare_numbers_follow_the_title_of_the_notes():
    pages = [
        [bold("1. Award"), bold("2. Vesting"), bold("3. Taxes"), bold("4. Plan"), prose(3)],
        [bold("Notes to financial statements"), bold("1. Policies"), prose(3)],
        [bold("2. Debt"), prose(3), bold("3. Leases"), prose(3)],
    ]
    assert shown(financial_headings(material(*pages))) == [
        (0, "Notes to financial statements", 2),
        (1, "1. Policies", 2),
        (1, "2. Debt", 3),
        (1, "3. Leases", 3),
    ]


def test_a_page_that_lists_statements_holds_none():
    listed = [bold("Balance sheets"), bold("Income statements"), bold("Statements of cash flows"), *TABLE]
    assert financial_headings(material(listed)) == []


def test_a_statement_over_two_pages_counts_once():
    pages = [[bold("BALANCE SHEETS"), *TABLE], [bold("BALANCE SHEETS"), *TABLE], [bold("INCOME STATEMENTS"), *TABLE]]
    assert [page for _, _, page in shown(financial_headings(material(*pages)))] == [1, 3]


def test_statements_bound_in_after_the_last_item_have_a_heading_of_their_own():
    found = filing(*items(), *STATEMENTS)
    assert (0, "Financial Statements", 6) in found
