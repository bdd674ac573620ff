import pytest

from thumbindex.indexing.numbering import parse_numbering, roman_value


@pytest.mark.parametrize(
    ("text", "word", "style", "values", "rest"),
    [
        ("1 Introduction", "", "1", (1,), "Introduction"),
        ("2.1 Data", "", "11", (2, 1), "Data"),
        ("3.2.1. Results", "", "111.", (3, 2, 1), "Results"),
        ("IV. Economic analysis", "", "I.", (4,), "Economic analysis"),
        ("A. Background", "", "A.", (1,), "Background"),
        ("B Dataset", "", "A", (2,), "Dataset"),
        ("(c) Outcome", "", "a)", (3,), "Outcome"),
        ("B.2 Interface", "", "AA", (2, 2), "Interface"),
        ("Chapter 3: Pumps", "chapter", "1:", (3,), "Pumps"),
        ("Appendix A", "appendix", "A", (1,), ""),
        ("Note 5 – Debt", "note", "1", (5,), "Debt"),
        ("Part II", "part", "I", (2,), ""),
        ("Section 2.01 Terms", "section", "11", (2, 1), "Terms"),
        ("ITEM 7A. Market risk", "item", "1", (7, 1), "Market risk"),
        ("Item 4(a). Officers", "item", "1", (4, 1), "Officers"),
        ("Item 1. Business", "item", "1", (1, 0), "Business"),
        ("Item 2.02 Results", "item", "1", (2, 102), "Results"),
    ],
)
def test_numbers_before_titles_are_read(text, word, style, values, rest):
    found = parse_numbering(text)
    assert (found.word, found.style, found.values, found.rest) == (word, style, values, rest)


@pytest.mark.parametrize(
    "text", ["Introduction", "A careful reader", "I believe so", "2018 annual report", "166 BRECCIA", "in brief", ""]
)
def test_words_and_years_are_no_numbers(text):
    assert parse_numbering(text) is None


@pytest.mark.parametrize(("text", "value"), [("iv", 4), ("XIV", 14), ("lxxx", 80), ("page", 0), ("", 0)])
def test_roman_numbers_have_values(text, value):
    assert roman_value(text) == value
