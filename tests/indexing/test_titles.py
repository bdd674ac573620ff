from collections import Counter

import pytest
from indexing.printed import big, document, line, page, prose

from thumbindex.indexing.titles import bare_key, clean_title, find_title, is_continued, title_key, vocabulary

WORDS = Counter(
    {"overview": 40, "business": 90, "busines": 1, "overvi": 1, "ew": 1, "directors": 9, "director": 9, "s": 99}
)


@pytest.mark.parametrize(
    ("printed", "clean"),
    [
        ("Risk factors ........ ", "Risk factors"),
        ("Risk factors . . . . . .", "Risk factors"),
        ("Note 5. Debt (continued)", "Note 5. Debt"),
        ("Liquidity—(Continued)", "Liquidity"),
        ("OVERVI EW", "OVERVIEW"),
        ("Item 1. Busines s", "Item 1. Business"),
        ("Director s", "Directors"),
        ("Registrant’ s equity", "Registrant’s equity"),
        ("M A N A G E M E N T report", "MANAGEMENT report"),
        ("Net sales (1)", "Net sales"),
        ("Part I can not", "Part I can not"),
    ],
)
def test_titles_lose_what_printing_adds(printed, clean):
    assert clean_title(printed, WORDS) == clean


def test_a_title_without_end_is_cut_at_a_word():
    title = clean_title("word " * 100)
    assert len(title) <= 201
    assert title.endswith("word…")


def test_keys_forget_case_space_and_number():
    assert title_key("Item 1. BUSINESS") == title_key("ITEM 1 Busi ness")
    assert bare_key("2.1 Data (continued)") == "data"
    assert bare_key("Appendix A") == "appendixa"


def test_a_continued_title_is_known():
    assert is_continued("Income taxes (Cont’d)")
    assert not is_continued("Continued growth")


def test_a_title_is_found_over_wrapped_lines_and_without_its_number():
    on = page(1, prose(2), big("2. Pumps are liked by all"), big("who ever had one"), prose(2))
    found = find_title("Pumps are liked by all who ever had one", on)
    assert (found.line, found.lines) == (2, 2)
    assert find_title("2 Pumps are liked by all who ever had one", on).likeness == 1.0


def test_a_sentence_that_begins_with_the_title_counts_little():
    on = page(
        1,
        line("Segments of our business are two and each has its own markets and managers."),
        big("Segments of our business"),
    )
    assert find_title("Segments of our business", on).line == 1


def test_of_places_alike_the_one_pointed_to_is_meant():
    on = page(1, big("Overview"), prose(3), big("Overview"), prose(3))
    assert find_title("Overview", on, near_y_pt=on.lines[4].box.y0).line == 4
    assert find_title("Overview", on).line == 0


def test_a_title_that_is_not_there_is_not_found():
    assert find_title("Dividends", page(1, prose(5))) is None


def test_the_vocabulary_counts_words_of_the_document():
    assert vocabulary(document([line("Pumps and pumps")]))["pumps"] == 2
