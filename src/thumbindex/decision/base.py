"""The contract of a decision model: a batch of small questions in, a probability distribution for each out.

The three kinds of question, their answers and the formula of `confidence` are System One's, so that any server of that
protocol can stand behind the contract, and the contract can be served.

The search sends two forms of state, which every backend understands:

    {"question": q}             with a Choice: which option bears on q?
    {"question": q, "text": t}  with a Noul: does t answer q?
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from thumbindex.errors import InvalidDistributionError, OptionError

__all__ = [
    "Choice",
    "Decision",
    "DecisionModel",
    "ForecastingModel",
    "Limits",
    "Noul",
    "Question",
    "RemoteModel",
    "Request",
    "Score",
    "State",
    "Usage",
    "checked",
]

State = str | Mapping[str, str]

# A distribution that was rounded to two decimals over 255 options may be off by this much.
_SUM_TOLERANCE = 0.02
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these. `options` maps a key to what the option says; their order never matters to the meaning."""

    options: Mapping[str, str]
    instructions: str = ""

    def __post_init__(self) -> None:
        if not self.options:
            raise OptionError("a Choice needs at least one option")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the answer."""
        return tuple(self.options)


@dataclass(frozen=True, slots=True)
class Noul:
    """Yes or no."""

    instructions: str = ""
    when_true: str = ""
    when_false: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the answer."""
        return ("true", "false")


@dataclass(frozen=True, slots=True)
class Score:
    """How much: `levels` describes each level, from the lowest, two to ten of them."""

    levels: tuple[str, ...]
    instructions: str = ""

    def __post_init__(self) -> None:
        if not 2 <= len(self.levels) <= 10:
            raise OptionError(f"a Score has 2 to 10 levels, not {len(self.levels)}")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the answer."""
        return tuple(str(level) for level in range(len(self.levels)))


Question = Choice | Noul | Score


@dataclass(frozen=True, slots=True)
class Request:
    """One question about one state."""

    state: State
    question: Question


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers cost.

    Attributes:
        decisions: Questions answered; those from a cache do not count.
        input_tokens: Read, as the model counts them.
        output_tokens: Written.
        seconds: Spent in the model, summed over requests, also over those that ran at the same time.
        requests: Sent to a server; 0 for a model in the process.
        cost_usd: In dollars; None where no price is known.
    """

    decisions: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    requests: int = 0
    cost_usd: float | None = 0.0

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            self.decisions + other.decisions,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            self.requests + other.requests,
            None if unknown else (self.cost_usd or 0.0) + (other.cost_usd or 0.0),
        )

    def to_json(self) -> dict[str, float | None]:
        """The usage as JSON values."""
        return {
            "decisions": self.decisions,
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost_usd,
            "seconds": self.seconds,
        }

    def shares(self, count: int) -> list[Usage]:
        """The usage of one request, shared out evenly over the `count` questions it held; the first has the rest."""
        return [
            Usage(
                1,
                _share(self.input_tokens, count, number),
                _share(self.output_tokens, count, number),
                self.seconds / count,
                _share(self.requests, count, number),
                None if self.cost_usd is None else self.cost_usd / count,
            )
            for number in range(count)
        ]


def _share(total: int, count: int, number: int) -> int:
    return total // count + (total % count if number == 0 else 0)


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one request.

    Attributes:
        question: What was asked.
        probabilities: By key of the question, in its order; checked: finite, in [0, 1], summing to 1.
        model: Name and version of what answered.
        usage: What it cost.
    """

    question: Question
    probabilities: Mapping[str, float]
    model: str
    usage: Usage = field(default_factory=Usage)

    @property
    def choice(self) -> str:
        """The most probable key; the first of equals."""
        return max(self.probabilities, key=self.probabilities.__getitem__)

    @property
    def probability(self) -> float:
        """Of "true" for a Noul; of the chosen key otherwise."""
        return self.probabilities["true" if isinstance(self.question, Noul) else self.choice]

    @property
    def score(self) -> float:
        """The expected level of a Score, `Σ i·pᵢ`."""
        return sum(level * p for level, p in enumerate(self.probabilities.values()))

    @property
    def confidence(self) -> float:
        """How far from a guess, in [0, 1].

        Choice: `(pmax - 1/n) / (1 - 1/n)`. Score: `max(0, 1 - Σ pᵢ|i - mode| / D)`, `D = mean|i - (n - 1)/2|`.
        Noul: that of a Choice between two. 1 where there is one key.
        """
        values = list(self.probabilities.values())
        n = len(values)
        if n == 1:
            return 1.0
        if isinstance(self.question, Score):
            mode = values.index(max(values))
            spread = sum(p * abs(i - mode) for i, p in enumerate(values))
            return max(0.0, 1 - spread / (sum(abs(i - (n - 1) / 2) for i in range(n)) / n))
        return (max(values) - 1 / n) / (1 - 1 / n)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may hold; None where the model sets no bound."""

    max_options: int | None = None
    max_tokens: int | None = None


@runtime_checkable
class DecisionModel(Protocol):
    """What every backend is."""

    @property
    def name(self) -> str:
        """Name and version, as it stands in answers ("lexical-1", "jev-1.13.0")."""
        ...

    @property
    def limits(self) -> Limits:
        """What one request may hold."""
        ...

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests; the batch method is the only one.

        Raises:
            RequestTooLongError: A request holds more than the model takes.
            BackendUnavailableError: The model cannot be reached.
            BackendRefusedError: The model will not answer, or not this (RequestRefusedError).
            InvalidDistributionError: What came back is no distribution over what was asked.
        """
        ...


@runtime_checkable
class ForecastingModel(DecisionModel, Protocol):
    """A model that knows what its answers will cost."""

    def forecast(self, requests: Sequence[Request]) -> Usage:
        """What the answers will cost at most, by estimate, without asking."""
        ...


@runtime_checkable
class RemoteModel(ForecastingModel, Protocol):
    """A model behind a server: asked over a wire, by many requests at once, and mostly paid for."""

    @property
    def identity(self) -> str:
        """What an answer depends on besides its request: server, model, settings. Never a key."""
        ...

    def packs(self, requests: Sequence[Request]) -> list[list[int]]:
        """Which requests go over the wire together: their positions, each in one pack."""
        ...


def checked(question: Question, probabilities: Mapping[str, float], model: str) -> dict[str, float]:
    """The probabilities in the question's order, normalised to sum to 1.

    Raises:
        InvalidDistributionError: Keys other than asked, a value that is not finite or outside [0, 1], or a sum off 1.
    """
    if set(probabilities) != set(question.keys):
        missing = sorted(set(question.keys) - set(probabilities))[:3]
        extra = sorted(set(probabilities) - set(question.keys))[:3]
        raise InvalidDistributionError(f"{model} answered other keys than asked (missing {missing}, extra {extra})")
    values = {key: float(probabilities[key]) for key in question.keys}
    wrong = next((v for v in values.values() if not math.isfinite(v) or not 0 <= v <= 1 + 1e-9), None)
    if wrong is not None:
        raise InvalidDistributionError(f"{model} answered a probability of {wrong}, outside 0 to 1")
    total = sum(values.values())
    if abs(total - 1) > _SUM_TOLERANCE:
        raise InvalidDistributionError(f"{model} answered probabilities that sum to {total:.3f}, not 1")
    # What sums to 1 is left as it is, so that an answer that was written down comes back to the last digit.
    return values if abs(total - 1) < _ROUNDING else {key: value / total for key, value in values.items()}
