"""What holds of any words on any page."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from thumbindex.pdf.layout import lay_out
from thumbindex.pdf.visible import visible_words
from thumbindex.pdf.words import PageText, Style, Word

words_of_text = st.text("abcdefghij0123456789", min_size=2, max_size=9)
turns = st.sampled_from([0, 0, 0, 90, 180, 270, 37])
styles = st.builds(Style, st.sampled_from([8.0, 10.0, 24.0]), st.booleans(), turns, st.just(True))


@st.composite
def words(draw):
    style = draw(styles)
    text = draw(words_of_text)
    x, y = draw(st.integers(0, 550)), draw(st.integers(0, 750))
    width, height = 0.5 * style.size_pt * len(text), style.size_pt
    if style.turn in (90, 270):
        width, height = height, width
    return Word(text, x, y, x + width, y + height, style)


# Distinct words, so that none is another drawn twice.
pages_of_words = st.lists(words(), max_size=60, unique_by=lambda word: word.text)


@given(pages_of_words)
@settings(max_examples=300)
def test_every_word_comes_once_and_lines_are_well_formed(given_words):
    lines = lay_out(given_words)
    assert Counter(word for line in lines for word in line.text.split()) == Counter(word.text for word in given_words)
    for line in lines:
        assert line.box.x0 < line.box.x1
        assert line.box.y0 < line.box.y1
        assert line.cells >= 1
        assert line.text == " ".join(line.text.split())


@given(pages_of_words, st.sampled_from([90, 180, 270]))
@settings(max_examples=100)
def test_turning_all_words_turns_the_lines(given_words, turn):
    upright = [word._replace(style=word.style._replace(turn=0)) for word in given_words if word.style.turn == 0]
    turned = [Word(word.text, *turned_box(word[1:5], turn), word.style._replace(turn=turn)) for word in upright]
    assert [line.text for line in lay_out(turned)] == [line.text for line in lay_out(upright)]


def turned_box(box, turn):
    x0, y0, x1, y1 = box
    return {90: (-y1, x0, -y0, x1), 180: (-x1, -y1, -x0, -y0), 270: (y0, -x1, y1, -x0)}[turn]


@given(pages_of_words)
@settings(max_examples=100)
def test_words_on_the_page_are_kept_and_unflagged(given_words):
    page = PageText(1, "", 1000, 1000, words=tuple(given_words))
    kept, flags = visible_words(page)
    assert kept == given_words
    assert flags == frozenset()
