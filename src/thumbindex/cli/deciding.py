"""What decides, as the options of a command say: a model, a budget, a recording, an estimate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thumbindex.cli.terminal import err, out, print_json
from thumbindex.decision.base import DecisionModel, Usage
from thumbindex.decision.batch import Decider
from thumbindex.decision.budget import Budget
from thumbindex.decision.forecasting import Forecaster
from thumbindex.decision.kept import Recorder, Recording
from thumbindex.decision.registry import default_model, load_model
from thumbindex.errors import OptionError, StoreError
from thumbindex.render import usage_line

__all__ = [
    "Estimate",
    "MaxCost",
    "MaxTokens",
    "NoAnswers",
    "Record",
    "Replay",
    "deciding_model",
    "print_estimate",
]

MaxCost = Annotated[
    float | None, typer.Option(metavar="DOLLARS", help="Stop before more than this is spent, with what was found.")
]
MaxTokens = Annotated[
    int | None, typer.Option(metavar="N", help="Stop before the model has read and written more tokens than this.")
]
Estimate = Annotated[
    bool, typer.Option("--estimate", help="Say what the question would cost, by an estimate that errs upward.")
]
Record = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write down every question to the model and its answer there.")
]
Replay = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Answer from what was recorded there: needs no model and no key.")
]
NoAnswers = Annotated[
    bool, typer.Option("--no-cache", help="Ask anew what a server has answered before, and keep no answers.")
]


def deciding_model(
    name: str | None,
    *,
    max_cost: float | None = None,
    max_tokens: int | None = None,
    estimate: bool = False,
    record: Path | None = None,
    replay: Path | None = None,
    no_cache: bool = False,
) -> DecisionModel:
    """The model that decides."""
    if replay:
        if record or estimate or max_cost is not None or max_tokens is not None:
            raise OptionError("a replay costs nothing and is recorded already: --replay goes without these options")
        return Recording(replay)
    if record and estimate:
        raise OptionError("--estimate asks nothing, so that there is nothing to --record")
    model = _loaded(name, Budget(max_cost, max_tokens), no_cache)
    if estimate:
        return Forecaster(model)
    return Recorder(model, record) if record else model


def print_estimate(name: str | None, usage: Usage, as_json: bool) -> None:
    """Say what a search would cost."""
    if as_json:
        print_json({"estimate": usage.to_json()})
        return
    out.print(f"{name or default_model()} would take at most about {usage_line(usage)}")


def _loaded(name: str | None, budget: Budget, no_cache: bool) -> Decider:
    try:
        return load_model(name, budget=budget, keep_answers=not no_cache)
    except StoreError as error:
        err.print(f"thumbindex: going on without kept answers: {error}", style="yellow")
        return load_model(name, budget=budget, keep_answers=False)
