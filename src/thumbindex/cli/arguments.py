"""Arguments and options that several commands take."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from thumbindex.indexing.generated import SummaryBudget
from thumbindex.search import SearchOptions

__all__ = [
    "DEFAULTS",
    "SUMMARY_TOKENS",
    "Beam",
    "File",
    "Json",
    "Model",
    "NoCache",
    "Strategy",
    "StrategyOption",
    "Summaries",
    "SummaryTokens",
    "TreeSource",
]


class Strategy(StrEnum):
    """How pages are looked for."""

    HYBRID = "hybrid"
    TREE = "tree"
    FLAT = "flat"


DEFAULTS = SearchOptions()
SUMMARY_TOKENS = SummaryBudget().max_tokens

File = Annotated[str, typer.Argument(metavar="FILE", help="A PDF, or the id of a document read before.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read the file anew and keep nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
TreeSource = Annotated[
    str | None,
    typer.Option(
        "--tree",
        metavar="FILE.json|pageindex",
        help="Use a tree in PageIndex's shape, or have the pageindex package build it, instead of our own.",
    ),
]
Summaries = Annotated[
    str | None,
    typer.Option(metavar="chat:URL#MODEL", help="Have a chat model write the summaries. Page texts go to its server."),
]
SummaryTokens = Annotated[int, typer.Option(help="How many tokens --summaries may read and write for one document.")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What decides: embedded, lexical, typesafe:MODEL, systemone:URL#MODEL, chat:URL#MODEL; see `models`.",
    ),
]
StrategyOption = Annotated[
    Strategy,
    typer.Option(help="tree: descend the sections. flat: rank all pages at once. hybrid: both, joined."),
]
Beam = Annotated[int, typer.Option(help="How many paths down the tree are followed at once.")]
