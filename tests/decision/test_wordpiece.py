"""Text is cut into the word pieces that the network was trained with."""

from pathlib import Path

import pytest

import thumbindex
from thumbindex.decision.embedded.wordpiece import CLS, PAD, SEP, UNKNOWN, WordPiece

VOCABULARY = Path(thumbindex.__file__).parent / "decision" / "embedded" / "weights" / "vocab.txt"


@pytest.fixture(scope="module")
def vocabulary() -> WordPiece:
    return WordPiece.from_file(VOCABULARY)


def test_the_marks_stand_where_the_network_expects_them(vocabulary):
    marks = {PAD: "[PAD]", UNKNOWN: "[UNK]", CLS: "[CLS]", SEP: "[SEP]"}
    assert {number: vocabulary.vocabulary[number] for number in marks} == marks


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Capital expenditures", "capital expenditures"),
        ("unaffordability", "una ##ff ##ord ##ability"),
        ("$1,577.00 (FY2018)", "$ 1 , 57 ##7 . 00 ( f ##y ##20 ##18 )"),
        ("Café\tÜBER\nnaïve", "cafe uber naive"),
        ("soft\u00adhyphen\u200b and\ufffdmark", "soft ##hy ##ph ##en and ##mark"),
        ("東京 and 5", "東 京 and 5"),
        ("ΟΔΟΣ", "ο ##δ ##ο ##σ"),
        ("x" * 101, "[UNK]"),
        ("\u2603", "[UNK]"),
        ("", ""),
    ],
)
def test_words_become_the_longest_pieces(vocabulary, text, pieces):
    assert [vocabulary.vocabulary[number] for number in vocabulary.encode(text)] == pieces.split()


def test_a_word_seen_before_is_cut_the_same_way(vocabulary):
    once = vocabulary.encode("unaffordability").tolist()
    assert vocabulary.encode("unaffordability, unaffordability").tolist() == [*once, 1010, *once]
