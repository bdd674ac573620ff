"""Long texts are read in windows, each led by the title, none longer than the network reads."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thumbindex.decision.embedded.windows import LENGTH, TextPieces, overlaps, question_pieces, rows, spans, text_pieces
from thumbindex.decision.embedded.wordpiece import CLS, PAD, SEP, WordPiece

WORDS = [f"w{number}" for number in range(10)]


@pytest.fixture(scope="module")
def vocabulary() -> WordPiece:
    return WordPiece(["[PAD]", *(f"[unused{n}]" for n in range(99)), "[UNK]", "[CLS]", "[SEP]", *WORDS])


def pieces(count: int, first: int = 1_000) -> np.ndarray:
    return np.arange(first, first + count, dtype=np.int32)


@given(st.integers(0, 48), st.integers(0, 16), st.integers(0, 2_000))
def test_windows_cover_the_body_and_fit_the_network(question, title, body):
    asked, text = pieces(question), TextPieces(pieces(title), pieces(body))
    windows = spans(asked, text)
    covered = {piece for first, end in windows for piece in range(first, end)}
    assert covered == set(range(body))
    ids, _ = rows(asked, [(text, window) for window in windows])
    assert ids.shape[1] <= LENGTH


def test_neighbouring_windows_share_at_least_a_quarter():
    asked, text = pieces(20), TextPieces(pieces(5), pieces(700))
    windows = spans(asked, text)
    room = LENGTH - 3 - 20 - 5
    assert all(end - start == room for start, end in windows)
    assert all(following[0] - before[0] <= 0.75 * room for before, following in pairwise(windows))


def test_a_text_without_words_is_one_empty_window():
    assert spans(pieces(3), TextPieces(pieces(0), pieces(0))).tolist() == [[0, 0]]


def test_the_first_line_leads_every_window_and_what_is_too_long_of_it_opens_the_body(vocabulary):
    text = text_pieces(" ".join(["w1"] * 20) + "\nw2 w3", vocabulary)
    assert text.title.tolist() == [104] * 16
    assert text.body.tolist() == [104] * 4 + [105, 106]


def test_a_single_line_is_all_body(vocabulary):
    text = text_pieces("w1 w2", vocabulary)
    assert text.title.tolist() == []
    assert text.body.tolist() == [104, 105]


def test_a_long_question_is_cut(vocabulary):
    assert len(question_pieces("w1 " * 100, vocabulary)) == 48


def test_a_row_is_question_title_and_window_between_marks():
    asked, text = pieces(2, 500), TextPieces(pieces(1, 600), pieces(9, 700))
    ids, segments = rows(asked, [(text, (1, 3)), (text, (8, 9))])
    assert ids.tolist() == [
        [CLS, 500, 501, SEP, 600, 701, 702, SEP],
        [CLS, 500, 501, SEP, 600, 708, SEP, PAD],
    ]
    assert segments.tolist() == [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 0]]


def test_overlap_weighs_each_piece_of_the_question_once():
    weights = np.zeros(20, np.float32)
    weights[[3, 5, 7]] = 1, 10, 100
    text = TextPieces(pieces(0), np.array([3, 3, 5, 9, 7], np.int32))
    windows = np.array([[0, 2], [1, 3], [3, 4], [0, 5]])
    found = overlaps(np.array([3, 5, 5, 7], np.int32), text, windows, weights)
    assert found.tolist() == [1, 11, 0, 111]
