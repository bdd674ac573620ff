"""One choice among any number of options, however few a model takes at a time.

Options go by opaque keys (s1, p12…) in a fixed order: models favour options for their names and for standing first, so
neither may say anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from thumbindex.decision.base import Choice, DecisionModel, Limits, Request, State, Usage
from thumbindex.search.asking import ask, cut_to_tokens, request_tokens
from thumbindex.search.finding import Step, StepOption

__all__ = ["Chosen", "Menu", "Option", "choose", "choose_about"]

# At most this many options of each part go into the final: a page that comes fifth in its part is not the answer.
_FINALISTS_PER_PART = 4
# A part holds at least this many options, however long they are: longer texts are cut.
_LEAST_PER_PART = 4


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `text` is what the model reads, `title` what a trace shows."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Options by key, and what is asked about them."""

    title: str
    instructions: str
    options: Mapping[str, Option]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to a menu: a probability for each key, summing to 1, and how it came about."""

    probabilities: Mapping[str, float]
    step: Step


@dataclass(frozen=True, slots=True)
class _Answered:
    """The answer to a part of a menu."""

    probabilities: Mapping[str, float]
    model: str = ""
    usage: Usage = field(default_factory=Usage)

    def best(self, count: int) -> list[str]:
        return sorted(self.probabilities, key=self.probabilities.__getitem__, reverse=True)[:count]


def choose(question: str, menus: Sequence[Menu], model: DecisionModel) -> list[Chosen]:
    """The answer to each menu of things that bear on a question; see `choose_about`.

    Raises:
        DecisionError: The model failed.
    """
    return choose_about({"question": question}, menus, model)


def choose_about(state: State, menus: Sequence[Menu], model: DecisionModel) -> list[Chosen]:
    """The answer to each menu about a state. All are asked in one batch, and so are the finals of those too long.

    The best of every part meet in a final, which decides between the parts: an option keeps its share of its part, and
    the part gets what its finalists won. For a model that scores each option on its own this is the very distribution
    of the unsplit menu.

    Raises:
        DecisionError: The model failed.
    """
    parts = [_parts(state, menu, model.limits) for menu in menus]
    requests = [_request(state, menu, part) for menu, group in zip(menus, parts, strict=True) for part in group]
    answers = iter(_answers(requests, model))
    rounds = [[part for pieces in islice(answers, len(group)) for part in pieces] for group in parts]
    split = [(menu, answered) for menu, answered in zip(menus, rounds, strict=True) if len(answered) > 1]
    finals = [_final(menu, answered, model.limits) for menu, answered in split]
    decided = iter(choose_about(state, finals, model) if finals else [])
    return [
        _joined(menu, answered, next(decided)) if len(answered) > 1 else _whole(menu, answered[0])
        for menu, answered in zip(menus, rounds, strict=True)
    ]


def _parts(state: State, menu: Menu, limits: Limits) -> list[dict[str, str]]:
    """The texts of a menu's options, in as many parts as the limits ask for."""
    texts = {key: option.text for key, option in menu.options.items()}
    most = limits.max_options or len(texts)
    if limits.max_tokens is None:
        return _runs(texts, most)
    room = limits.max_tokens - request_tokens(_said(state), menu.instructions, {})
    texts = {key: cut_to_tokens(text, room // _LEAST_PER_PART) for key, text in texts.items()}
    costs = {key: request_tokens("", "", {key: text}) - request_tokens("", "", {}) for key, text in texts.items()}
    return [part for run in _packed(costs, room) for part in _runs({key: texts[key] for key in run}, most)]


def _runs(texts: Mapping[str, str], most: int) -> list[dict[str, str]]:
    """Consecutive texts, at most `most` together, in runs of about the same length."""
    items = list(texts.items())
    count = -(-len(items) // most)
    bounds = [len(items) * number // count for number in range(count + 1)]
    return [dict(items[first:last]) for first, last in pairwise(bounds)]


def _packed(costs: Mapping[str, int], room: int) -> list[list[str]]:
    """Consecutive keys whose costs together fit the room."""
    runs: list[list[str]] = [[]]
    used = 0
    for key, cost in costs.items():
        if runs[-1] and used + cost > room:
            runs.append([])
            used = 0
        runs[-1].append(key)
        used += cost
    return runs


def _request(state: State, menu: Menu, texts: Mapping[str, str]) -> Request:
    return Request(state, Choice(texts, menu.instructions))


def _said(state: State) -> str:
    return state if isinstance(state, str) else "\n".join(state.values())


def _answers(requests: Sequence[Request], model: DecisionModel) -> list[list[_Answered]]:
    """For each request its answer, or those of its pieces; a single option is certain and not asked about."""
    open_requests = [request for request in requests if len(request.question.keys) > 1]
    decided = iter(ask(open_requests, model) if open_requests else [])
    return [
        [_Answered(decision.probabilities, decision.model, decision.usage) for decision in next(decided)]
        if len(request.question.keys) > 1
        else [_Answered(dict.fromkeys(request.question.keys, 1.0))]
        for request in requests
    ]


def _final(menu: Menu, answered: Sequence[_Answered], limits: Limits) -> Menu:
    count = min(_FINALISTS_PER_PART, max(1, (limits.max_options or len(menu.options)) // len(answered)))
    finalists = {key for part in answered for key in part.best(count)}
    if len(finalists) == len(menu.options):
        finalists = {key for part in answered for key in part.best(1)}
    options = {key: option for key, option in menu.options.items() if key in finalists}
    return Menu(f"{menu.title}: final", menu.instructions, options)


def _whole(menu: Menu, answered: _Answered) -> Chosen:
    probabilities = {key: answered.probabilities[key] for key in menu.options}
    return Chosen(probabilities, Step(menu.title, _shown(menu, probabilities), answered.model, answered.usage))


def _joined(menu: Menu, answered: Sequence[_Answered], final: Chosen) -> Chosen:
    shares: dict[str, float] = {}
    for part in answered:
        finalists = final.probabilities.keys() & part.probabilities.keys()
        won = sum(final.probabilities[key] for key in finalists)
        held = sum(part.probabilities[key] for key in finalists)
        shares |= {key: share * won / held for key, share in part.probabilities.items()}
    shares |= final.probabilities
    total = sum(shares.values())
    probabilities = {key: shares[key] / total for key in menu.options}
    steps = [
        Step(
            f"{menu.title}: part {number} of {len(answered)}", _shown(menu, part.probabilities), part.model, part.usage
        )
        for number, part in enumerate(answered, 1)
    ]
    return Chosen(probabilities, Step(menu.title, _shown(menu, probabilities), children=(*steps, final.step)))


def _shown(menu: Menu, probabilities: Mapping[str, float]) -> tuple[StepOption, ...]:
    return tuple(StepOption(menu.options[key].title, probability) for key, probability in probabilities.items())
