"""What a question names of a library's fields: typed conditions, by its words and by the decision model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from thumbindex.catalog.fields import Field, FieldTable, FieldType, value_key
from thumbindex.catalog.kinds import kinds_named
from thumbindex.catalog.organisations import name_key
from thumbindex.catalog.periods import named_periods
from thumbindex.decision.base import Choice, Decision, DecisionModel, Request
from thumbindex.search.spending import Spending
from thumbindex.terms import content_terms, is_asking_term

__all__ = ["Condition", "conditions_of"]

_LONGEST_NAME = 5
# All values of a field are shown to the model where there are no more; else those that share the beginning of a word.
_FEW_VALUES = 48
_SHORTEST_PREFIX = 4
# Below this the model rather guesses: "not mentioned" is a choice that it can make, and mostly the right one.
_SURE = 0.6
_NOT_MENTIONED = "not mentioned"
# A word that one name alone begins with mostly means it, but may be a place or a plain word; set by hand.
_BEGUN = 0.8
_SHORTEST_BEGINNING = 3
_WORD = re.compile(r"[^\W_]+(?:[&.'’-][^\W_]+)*")
# A word of so many letters may be a name however it is written; shorter ones must look like a name.
_SHORTEST_PLAIN = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """A field has one of these values.

    Attributes:
        field: Which.
        values: The first is the one that matters most.
        how: "named" in the question, "begun" there (its first words alone), or "decided" by the model.
        probability: That the question means this.
    """

    field: Field
    values: tuple[str | int, ...]
    how: str = "named"
    probability: float = 1.0


def conditions_of(
    question: str, table: FieldTable, model: DecisionModel | None, spending: Spending | None = None
) -> tuple[list[Condition], dict[Field, Decision]]:
    """The conditions that a question sets, in the order of the fields, and what the model decided of which field.

    What the question names literally needs no decision. For each other field the model chooses among its values and
    "not mentioned", as far as the budget allows.

    Raises:
        DecisionError: The model failed.
    """
    found: list[Condition] = []
    open_fields: list[Field] = []
    for field in table.all():
        values = _named(question, field, table)
        begun = () if values or field.type is not FieldType.TEXT else _begun(question, field, table)
        if values:
            found.append(Condition(field, values))
        elif begun:
            found.append(Condition(field, begun, "begun", _BEGUN))
        elif field.type is not FieldType.DATE and not _is_period(field):
            open_fields.append(field)
    asked = [(field, known) for field in open_fields if (known := _candidates(question, field, table))]
    decisions = _decisions(question, asked, table, model, spending or Spending()) if model and asked else {}
    found += [
        Condition(field, (field.parse(known[int(decision.choice)]),), "decided", decision.probability)
        for field, known in asked
        if (decision := decisions.get(field)) and decision.choice.isdigit() and decision.probability >= _SURE
    ]
    order = [field.name for field in table.all()]
    return sorted(found, key=lambda condition: order.index(condition.field.name)), decisions


def _is_period(field: Field) -> bool:
    """Whether questions name the values of a field in figures, so that there is nothing to decide where they do not."""
    return field.type is FieldType.INTEGER and ("year" in field.name or "quarter" in field.name)


def _named(question: str, field: Field, table: FieldTable) -> tuple[str | int, ...]:
    periods = named_periods(question)
    if field.type is FieldType.DATE:
        return tuple(day.isoformat() for day in periods.days)
    if field.type is FieldType.INTEGER:
        if "quarter" in field.name:
            return periods.quarters
        return tuple(sorted(periods.years, reverse=True)) if "year" in field.name else ()
    if field.name == "report_type":
        kinds = kinds_named(question)
        known = table.values_by_key(field.name, [value_key(kind) for kind in kinds])
        return tuple(sorted(known, key=lambda value: [value_key(kind) for kind in kinds].index(known[value])))
    return _named_values(question, field, table)


def _named_values(question: str, field: Field, table: FieldTable) -> tuple[str, ...]:
    """The values whose name, or another name of them, stands in the question; longer names first."""
    runs = _runs(question)
    known = table.values_by_key(field.name, list(runs))
    longest = sorted(known, key=lambda value: -len(known[value]))
    # "American Express" leaves nothing for a company named "Express".
    taken: list[tuple[int, int]] = []
    kept: list[str] = []
    for value in longest:
        spans = [span for span in runs[known[value]] if not any(a < span[1] and span[0] < b for a, b in taken)]
        same = any(known[value] == known[other] for other in kept)
        if spans or same:
            taken += spans
            kept.append(value)
    return tuple(kept)


def _begun(question: str, field: Field, table: FieldTable) -> tuple[str, ...]:
    """The one value whose first words the question has, as "Lockheed"; none where several begin so."""
    runs = [key for key in _runs(question) if len(key) >= _SHORTEST_BEGINNING]
    known = table.values_by_key(field.name, runs, prefix=True)
    begun = [value for value in known if not _beginnings(value).isdisjoint(runs)]
    return tuple(begun) if len(begun) == 1 else ()


def _beginnings(value: str) -> set[str]:
    words = name_key(value)
    return {"".join(words[:count]) for count in range(1, len(words))}


def _runs(question: str) -> dict[str, list[tuple[int, int]]]:
    """The runs of up to five words that may be a name, by key; each with first word and the word after its last.

    A name begins with a capital or a digit, unless the question has no capitals at all.
    """
    words = _WORD.findall(question.replace("’", "'"))
    words = [word.removesuffix("'s").removesuffix("'S").removesuffix("'") for word in words]
    cased = any(any(map(str.isupper, word)) for word in words[1:])
    runs: dict[str, list[tuple[int, int]]] = {}
    for first in range(len(words)):
        if cased and not (
            words[first][0].isupper() or words[first][0].isdigit() or any(map(str.isupper, words[first]))
        ):
            continue
        for last in range(first + 1, min(len(words), first + _LONGEST_NAME) + 1):
            run = words[first:last]
            key = value_key(" ".join(run))
            if _is_name(run, first, key, cased):
                runs.setdefault(key, []).append((first, last))
    return runs


def _is_name(run: Sequence[str], first: int, key: str, cased: bool) -> bool:
    """Whether a run of words can be a name: not a number alone, nor one short word that does not look like a name."""
    if len(key) < 2 or key.isdigit():
        return False
    if len(run) > 1 or len(key) >= _SHORTEST_PLAIN:
        return True
    if not cased:
        return len(key) > 2 and bool(content_terms(run[0])) and not is_asking_term(run[0].lower())
    capitals, figures = sum(map(str.isupper, run[0])), any(map(str.isdigit, key))
    return (
        capitals > 1 or figures or (capitals == 1 and (len(key) == _SHORTEST_PLAIN - 1 or (first > 0 and len(key) > 2)))
    )


def _decisions(
    question: str,
    asked: Sequence[tuple[Field, Sequence[str]]],
    table: FieldTable,
    model: DecisionModel,
    spending: Spending,
) -> dict[Field, Decision]:
    requests = [Request({"question": question}, _choice(field, values, table)) for field, values in asked]
    decisions = spending.do_for_most(model.decide, requests) or []
    return dict(zip((field for field, _ in asked), decisions, strict=False))


def _candidates(question: str, field: Field, table: FieldTable) -> list[str]:
    values = table.distinct(field.name, _FEW_VALUES + 1)
    if len(values) <= _FEW_VALUES:
        return values
    words = {value_key(word) for word in _WORD.findall(question) if len(word) >= _SHORTEST_PREFIX}
    return list(table.values_by_key(field.name, sorted(words), prefix=True, limit=_FEW_VALUES))


def _choice(field: Field, values: Sequence[str], table: FieldTable) -> Choice:
    others = table.aliases(field.name, values)
    options = {str(number): _option(value, others[value]) for number, value in enumerate(values)}
    options["none"] = _NOT_MENTIONED
    what = field.name.replace("_", " ")
    return Choice(options, f"Which {what} does the question ask about? Say {_NOT_MENTIONED} where it names none.")


def _option(value: str, others: Sequence[str]) -> str:
    keys = {value_key(value)}
    told = [other for other in others if value_key(other) not in keys]
    return ", also called ".join(chain([value], told[:3]))
