"""Lines come in the order a reader takes them: columns one after the other, table rows whole."""

import pytest
from pdf.drawing import LOREM, all_of, prose, table, text


def texts(document, page=1):
    return [line.text for line in document.page(page).lines]


def words(document, page=1):
    return " ".join(texts(document, page)).split()


def running(count, start=0):
    """The words that `prose` draws."""
    return [LOREM[(start + index) % len(LOREM)] for index in range(count)]


def test_two_columns_are_read_one_after_the_other(read):
    document = read(all_of(prose(60, 700, 230, 30), prose(320, 700, 230, 30, start=5)))
    lines = document.page(1).lines
    assert len(lines) == 60
    assert all(line.box.x0 == pytest.approx(60, abs=1) for line in lines[:30])
    assert all(line.box.x0 == pytest.approx(320, abs=1) for line in lines[30:])
    assert all(line.cells == 1 for line in lines)


def test_two_columns_drawn_line_by_line_across_the_page_are_still_two_columns(read):
    rows = [all_of(prose(60, 700 - 12 * row, 230, 1), prose(320, 700 - 12 * row, 230, 1)) for row in range(30)]
    lines = read(all_of(*rows)).page(1).lines
    assert [round(line.box.x0) for line in lines] == [60] * 30 + [320] * 30


def test_three_columns(read):
    document = read(all_of(prose(40, 700, 160, 20), prose(225, 700, 160, 20), prose(410, 700, 160, 20)))
    assert [round(line.box.x0) for line in document.page(1).lines] == [40] * 20 + [225] * 20 + [410] * 20


def test_columns_whose_lines_do_not_stand_level(read):
    document = read(all_of(prose(60, 700, 230, 20, leading=12), prose(320, 697, 230, 18, leading=13)))
    assert [round(line.box.x0) for line in document.page(1).lines] == [60] * 20 + [320] * 18


def test_a_heading_across_both_columns_parts_them(read):
    document = read(
        all_of(
            text((60, 740, "A title that runs across both of the columns below it, as titles do"), size=14),
            prose(60, 700, 230, 10),
            prose(320, 700, 230, 10),
            text((60, 560, "A second title that runs across both of the columns on this page"), size=14),
            prose(60, 530, 230, 10),
            prose(320, 530, 230, 10),
        )
    )
    places = [round(line.box.x0) for line in document.page(1).lines]
    assert places == [60] + [60] * 10 + [320] * 10 + [60] + [60] * 10 + [320] * 10


def test_a_heading_in_a_column_is_a_line_of_its_own(read):
    document = read(
        all_of(
            prose(60, 700, 230, 12),
            text((60, 540, "2 Related work"), font="Helvetica-Bold", size=12),
            prose(60, 520, 230, 12),
            prose(320, 700, 230, 27),
        )
    )
    assert "2 Related work" in texts(document)


STATEMENT = [
    ("", "2023", "2022", "2021"),
    ("Net sales of products", "1,204", "1,180", "998"),
    ("Cost of sales", "(801)", "(790)", "(655)"),
    ("Selling and administrative expense", "(201)", "(198)", "(170)"),
    ("Research and development", "(55)", "(51)", "(48)"),
    ("Operating income", "147", "141", "125"),
    ("Interest expense, net", "(12)", "(11)", "(9)"),
    ("Income before taxes", "135", "130", "116"),
    ("Provision for income taxes", "(30)", "(29)", "(26)"),
    ("Net income", "105", "101", "90"),
]


def test_a_row_of_a_table_is_one_line_of_cells(read):
    lines = read(table((60, 340, 420, 500), 700, STATEMENT)).page(1).lines
    assert [line.text for line in lines] == [" ".join(filter(None, row)) for row in STATEMENT]
    assert [line.cells for line in lines] == [3] + [4] * 9


def test_a_table_drawn_column_by_column_is_read_row_by_row(read):
    columns = [
        text(*((x, 700 - 14 * row, cells[column]) for row, cells in enumerate(STATEMENT)), size=10)
        for column, x in enumerate((60, 340, 420, 500))
    ]
    assert texts(read(all_of(*columns)))[1] == "Net sales of products 1,204 1,180 998"


def test_a_table_of_words_is_read_row_by_row(read):
    rows = [(f"Term {number}", "means what the parties agree it means here") for number in range(12)]
    lines = read(table((60, 200), 700, rows)).page(1).lines
    assert [line.cells for line in lines] == [2] * 12
    assert lines[3].text == "Term 3 means what the parties agree it means here"


def test_a_contents_page_keeps_titles_and_page_numbers_together(read):
    rows = [("1", "Business", "4"), ("1A", "Risk factors that matter to holders", "12"), ("2", "Properties", "30")] * 4
    assert texts(read(table((60, 100, 530), 700, rows)))[1] == "1A Risk factors that matter to holders 12"


def test_a_table_inside_a_column_stays_in_its_column(read):
    document = read(
        all_of(
            prose(60, 700, 230, 15),
            table((60, 180, 240), 510, [("Apples", "12", "14"), ("Pears", "3", "5"), ("Quinces", "1", "2")]),
            prose(60, 460, 230, 15),
            prose(320, 700, 230, 35),
        )
    )
    assert "Apples 12 14" in texts(document)


def test_sideways_text_reads_as_after_turning_the_page(read):
    def draw(canvas):
        canvas.translate(560, 60)
        canvas.rotate(90)
        table((0, 280, 360, 440), 460, STATEMENT)(canvas)

    document = read(all_of(text((60, 760, "Upright header")), draw))
    assert texts(document) == ["Upright header", *(" ".join(filter(None, row)) for row in STATEMENT)]


def test_columns_keep_every_word_in_order(read):
    found = words(read(all_of(prose(60, 700, 230, 30), prose(320, 700, 230, 30, start=7))))
    second = next(cut for cut in range(150, len(found)) if found[cut:] == running(len(found) - cut, 7))
    assert found[:second] == running(second)
