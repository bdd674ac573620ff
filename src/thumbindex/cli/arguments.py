"""Arguments and options that several commands take."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from thumbindex.collection import Vectors
from thumbindex.folders import library_file
from thumbindex.indexing.generated import SummaryBudget
from thumbindex.search import SearchOptions

__all__ = [
    "DEFAULTS",
    "SUMMARY_TOKENS",
    "Beam",
    "Encoder",
    "File",
    "Json",
    "LibraryOption",
    "Llm",
    "Model",
    "NoCache",
    "Strategy",
    "StrategyOption",
    "Summaries",
    "SummaryTokens",
    "TreeSource",
    "VectorsOption",
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

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="PATH|URL",
        envvar="THUMBINDEX_LIBRARY",
        help=f"The library: an SQLite file, or postgresql://…; by default {library_file()}.",
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What encodes text for semantic search: wordllama, or openai:URL#MODEL (texts go to that server). "
        "By default the one whose weights are installed.",
    ),
]
Llm = Annotated[
    str | None,
    typer.Option(
        metavar="chat:URL#MODEL",
        help="A chat model. index: writes the descriptions. search: writes SQL and picks by descriptions. What it is "
        "shown goes to its server; no budget bounds what it costs.",
    ),
]
VectorsOption = Annotated[
    Vectors,
    typer.Option(
        "--vectors",
        help="Where vectors are kept: auto (where they are already, else in the library), exact (in the library, "
        "compared one by one), or chroma (a folder beside it).",
    ),
]
