from thumbindex.document import Box, Line
from thumbindex.search.page_passages import passages_of


def page(*rows):
    """Lines of a page; one that begins with `#` is bold, cells of a row are set apart by `|`."""
    return [line(number, row) for number, row in enumerate(rows)]


def line(number, row):
    text = row.lstrip("#").replace("|", " ")
    box = Box(72, 72 + 14 * number, 540, 84 + 14 * number)
    return Line(text, box, 10, bold=row.startswith("#"), cells=row.count("|") + 1)


def read(*rows):
    return [passage.read_under("") for passage in passages_of(page(*rows))]


def test_a_row_is_read_under_its_heading_and_the_heads_of_its_columns():
    assert read("#Share repurchases", "Millions|2025|2024", "Bought|185|80", "Left|235|420") == [
        "Share repurchases - Millions 2025 2024\nBought 185 80",
        "Share repurchases - Millions 2025 2024\nLeft 235 420",
    ]


def test_heads_of_columns_may_take_several_rows_and_hold_days_and_years():
    assert read("Year ended|Year ended", "June 30, 2025|June 30, 2024", "Revenue|1,100|900") == [
        "Year ended Year ended June 30, 2025 June 30, 2024\nRevenue 1,100 900"
    ]


def test_a_caption_inside_a_table_leaves_the_heads_of_the_columns():
    assert read("Millions|2025", "Revenue|9", "Reserve for old stock", "2025|39", "2024|41")[1:] == [
        "Reserve for old stock - Millions 2025\n2025 39",
        "Reserve for old stock - Millions 2025\n2024 41",
    ]


def test_a_row_of_dashes_is_no_head():
    assert read("Millions|2025|2024", "Dividends|—|—", "Revenue|9|8")[0] == "Millions 2025 2024\nDividends — —"


def test_prose_ends_a_table():
    assert read("Millions|2025", "Revenue|9", "The year was good.", "Plants|4") == [
        "Millions 2025\nRevenue 9",
        "The year was good.",
        "Plants 4",
    ]


def test_a_heading_is_told_by_its_type_by_its_end_or_by_the_row_after_it():
    assert read("#Who may come?", "Everybody may.") == ["Who may come?\nEverybody may."]
    assert read("You may bring:", "a dog.") == ["You may bring:\na dog."]
    assert read("Periods of notice", "Under two years|1 month") == ["Periods of notice\nUnder two years 1 month"]


def test_where_everything_is_bold_nothing_stands_out():
    assert read("#A bold sentence", "#Another of them.") == ["A bold sentence Another of them."]


def test_headings_are_all_there_is_to_show_of_a_page_of_headings():
    assert [passage.text for passage in passages_of(page("#Part", "Contents:"))] == ["Part", "Contents:"]
    assert passages_of([]) == []


def test_sentences_run_over_lines_and_rows_do_not():
    assert read("The plant was", "closed in May.", "Paid|9", "Owed|8") == [
        "The plant was closed in May.",
        "Paid 9",
        "Owed 8",
    ]
