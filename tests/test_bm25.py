import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thumbindex.bm25 import BM25

texts = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=8)


def test_scores_follow_the_formula():
    index = BM25([["a", "a", "b"], ["b", "c"], ["c"]])
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert index.scores(["a"]) == pytest.approx([expected, 0, 0])


def test_rare_terms_weigh_more():
    index = BM25([["common", "rare"], ["common"], ["common"]])
    assert index.idf("rare") > index.idf("common") > 0


def test_nothing_to_search_scores_nothing():
    assert BM25([]).scores(["a"]).shape == (0,)
    assert BM25([[], []]).scores(["a"]).tolist() == [0, 0]


@given(texts, st.permutations(list("abc")))
def test_the_order_of_the_query_and_repeats_do_not_matter(corpus, query):
    index = BM25(corpus)
    np.testing.assert_allclose(index.scores(query), index.scores([*"cba", "a"]))
