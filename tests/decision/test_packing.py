from hypothesis import given
from hypothesis import strategies as st

from thumbindex.decision.packing import packed, state_tokens

QUESTIONS = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(1, 100)), max_size=60)


@given(QUESTIONS, st.integers(1, 8), st.integers(60, 400))
def test_each_question_goes_once_with_others_about_its_state_within_the_bounds(questions, most, tokens):
    packs = packed(questions, most, tokens)
    assert sorted(position for pack in packs for position in pack) == list(range(len(questions)))
    for pack in packs:
        assert len({questions[position][0] for position in pack}) == 1
        assert len(pack) <= most
        total = state_tokens(questions[pack[0]][0]) + sum(questions[position][1] for position in pack)
        assert total <= tokens or len(pack) == 1


def test_as_few_packs_as_the_count_allows():
    assert packed([("s", 1)] * 5, 2, 1_000) == [[0, 1], [2, 3], [4]]
    assert packed([({"q": "x"}, 1), ({"q": "y"}, 1), ({"q": "x"}, 1)], 9, 1_000) == [[0, 2], [1]]
