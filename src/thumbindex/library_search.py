"""One question over a library: choose documents, find pages inside each, rank all pages together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from thumbindex.catalog.choosing import Choosing
from thumbindex.catalog.description import choose_by_description
from thumbindex.catalog.listing import Entry
from thumbindex.catalog.metadata import choose_by_metadata
from thumbindex.catalog.periods import Named, named_periods
from thumbindex.catalog.picked import choose_by_picking
from thumbindex.catalog.route import RankedDocument, join, only_way
from thumbindex.catalog.semantic import TOP_K, choose_by_semantics
from thumbindex.catalog.written_sql import choose_by_written_sql
from thumbindex.collection import Collection
from thumbindex.decision.base import Usage
from thumbindex.errors import GenerationError, NoTextError, OptionError, QuestionError, RefusedStatementError
from thumbindex.search import Finding, FoundPage, SearchOptions, Step
from thumbindex.search.spending import Spending

__all__ = [
    "By",
    "LibraryFinding",
    "LibraryPage",
    "LibrarySearch",
    "choose_documents",
    "forecast_search",
    "search_library",
]

# Candidates that the ways within a choice by metadata look at; more than this metadata choose nothing.
_MOST_WITHIN = 200
# A document that is a hundred times less likely than the first is not worth looking into.
_LEAST_SHARE = 0.01


class By(StrEnum):
    """How documents are chosen."""

    AUTO = "auto"
    METADATA = "metadata"
    SEMANTICS = "semantics"
    DESCRIPTION = "description"


@dataclass(frozen=True, slots=True)
class LibrarySearch:
    """How a library is searched.

    Attributes:
        by: How documents are chosen.
        documents: In so many of them pages are looked for, 1 or more.
        pages: So many pages are shown, 1 or more.
        chunks: So many chunks speak for documents.
        options: How pages are found in a document.
    """

    by: By = By.AUTO
    documents: int = 3
    pages: int = 5
    chunks: int = TOP_K
    options: SearchOptions = field(default_factory=SearchOptions)

    def __post_init__(self) -> None:
        for name in ("documents", "pages", "chunks"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is 1 or more, not {getattr(self, name)}")


@dataclass(frozen=True)
class LibraryPage:
    """A page of some document in the ranking of all.

    Attributes:
        document: Where it stands.
        document_probability: That this is the document, among those chosen.
        found: The page, its probability, and its lines.
        score: By which pages of all documents are ranked: the product of both probabilities.
    """

    document: Entry
    document_probability: float
    found: FoundPage

    @property
    def score(self) -> float:
        """What ranks the page."""
        return self.document_probability * self.found.probability

    def to_json(self) -> dict[str, Any]:
        """The page as JSON values, and its document."""
        document = {"id": self.document.id, "name": self.document.name}
        shares = {"document_probability": self.document_probability, "score": self.score}
        return {"document": document, **shares, **self.found.to_json()}


@dataclass(frozen=True)
class LibraryFinding:
    """The answer to a question about a library.

    Attributes:
        question: As asked.
        ranking: All documents that some way chose, best first.
        documents: Those of them that were looked into.
        entries: What they are, by id.
        choosings: What each way of choosing came to.
        pages: Of all chosen documents, best first.
        findings: What was found in each document, best document first.
        stopped: Why the search ended before it was done; empty where it was done.
    """

    question: str
    ranking: tuple[RankedDocument, ...]
    documents: tuple[RankedDocument, ...]
    entries: Mapping[str, Entry]
    choosings: tuple[Choosing, ...]
    pages: tuple[LibraryPage, ...]
    findings: tuple[Finding, ...]
    stopped: str = ""

    @property
    def answered(self) -> bool:
        """Whether some page clearly answers."""
        return any(finding.answered for finding in self.findings)

    @property
    def page_ranking(self) -> tuple[tuple[Entry, int], ...]:
        """The pages shown, then the others that were ranked in any document looked into, best first."""
        shares = {document.document_id: document.probability for document in self.documents}
        ranked = [
            (shares[finding.document_id] * page.probability, self.entries[finding.document_id], page.page)
            for finding in self.findings
            for page in finding.ranking
        ]
        shown = {(page.document.id, page.found.page): page.document for page in self.pages}
        best = sorted(ranked, key=lambda page: -page[0])
        others = [(entry, number) for _, entry, number in best if (entry.id, number) not in shown]
        return (*((entry, number) for (_, number), entry in shown.items()), *others)

    @property
    def trace(self) -> tuple[Step, ...]:
        """Every decision: choosing documents, then finding pages in each."""
        choosing = tuple(Step(f"Documents by {way.way}", children=way.trace) for way in self.choosings if way.trace)
        finding = tuple(Step(f"Pages of {found.document_name}", children=found.trace) for found in self.findings)
        return choosing + finding

    @property
    def usage(self) -> Usage:
        """What all decisions cost."""
        return sum((step.usage for root in self.trace for step in root.walk()), Usage())

    def to_json(self) -> dict[str, Any]:
        """The finding as JSON values, in the shape that the command line prints."""
        return {
            "question": self.question,
            "answered": self.answered,
            "stopped": self.stopped or None,
            "documents": [self._document_json(document) for document in self.documents],
            "ways": [
                {"way": way.way, "applies": way.applies, "sql": way.sql, "note": way.note} for way in self.choosings
            ],
            "pages": [page.to_json() for page in self.pages],
            "usage": self.usage.to_json(),
            "trace": [step.to_json() for step in self.trace],
        }

    def _document_json(self, document: RankedDocument) -> dict[str, Any]:
        entry = self.entries[document.document_id]
        ways = {
            way: {"rank": rank, "score": chosen.score, "reason": chosen.reason}
            for way, (rank, chosen) in document.ways.items()
        }
        return {"id": entry.id, "name": entry.name, "probability": document.probability, "ways": ways}


def search_library(collection: Collection, question: str, search: LibrarySearch | None = None) -> LibraryFinding:
    """The pages of a library that answer a question, and which way led to their documents.

    Raises:
        QuestionError: The question is empty.
        OptionError: Semantic search is asked for where the library has no encoder.
        DecisionError: The model failed. A budget that is spent is no failure: the finding holds what was found by then,
            and what needs no decision.
        StoreError: The library cannot be read.
    """
    search = search or LibrarySearch()
    spending = Spending()
    documents, entries, choosings = choose_documents(collection, question, search, spending)
    chosen = _worth_looking_into(documents, search)
    findings = []
    pages = []
    for document in chosen:
        finding = _find(collection, document.document_id, question, search, spending)
        if finding is None:
            continue
        findings.append(finding)
        entry = entries[document.document_id]
        pages += [LibraryPage(entry, document.probability, page) for page in finding.pages]
    pages.sort(key=lambda page: -page.score)
    return LibraryFinding(
        question,
        tuple(documents),
        tuple(chosen),
        entries,
        tuple(choosings),
        tuple(pages[: search.pages]),
        tuple(findings),
        spending.stopped,
    )


def forecast_search(collection: Collection, question: str, search: LibrarySearch | None = None) -> Usage:
    """What a question would cost at most, about: the collection's model is a `Forecaster`, which asks nothing.

    Which documents the real model would choose, and what it would look at in them, is not known. So the longest that it
    may choose are tried as well as those that words alone lead to, and each document counts as much as the dearest.

    Raises:
        QuestionError: The question is empty.
        OptionError: Semantic search is asked for where the library has no encoder.
        StoreError: The library cannot be read.
    """
    search = search or LibrarySearch()
    documents, _, choosings = choose_documents(collection, question, search)
    guessed = [document.document_id for document in _worth_looking_into(documents, search)]
    choosing = [step.usage for way in choosings for root in way.trace for step in root.walk()]
    longest = collection.listing.longest(_within(choosings[0])) if choosing else []
    usages: dict[str, Usage] = {}
    for ids in (guessed, longest):
        usages |= islice(_usages(collection, ids, question, search), search.documents)
    dearest = max(usages.values(), key=lambda usage: usage.tokens, default=Usage())
    return sum([*choosing, *[dearest] * min(search.documents, len(usages))], Usage())


def _usages(
    collection: Collection, ids: Iterable[str], question: str, search: LibrarySearch
) -> Iterator[tuple[str, Usage]]:
    """What it costs to look into each of the documents that has text."""
    for document_id in ids:
        if finding := _find(collection, document_id, question, search, Spending()):
            yield document_id, finding.usage


def _worth_looking_into(documents: Sequence[RankedDocument], search: LibrarySearch) -> list[RankedDocument]:
    return [d for d in documents[: search.documents] if d.probability >= _LEAST_SHARE * documents[0].probability]


def choose_documents(
    collection: Collection, question: str, search: LibrarySearch, spending: Spending | None = None
) -> tuple[list[RankedDocument], dict[str, Entry], list[Choosing]]:
    """All documents that some way chose, best first; what they are; and what each way came to.

    Where the budget of `spending` ends, the ways that need no decision still apply.

    Raises:
        QuestionError: The question is empty.
        OptionError: Semantic search is asked for where the library has no encoder.
        DecisionError: The model failed.
        StoreError: The library cannot be read.
    """
    if not question.strip():
        raise QuestionError("the question is empty: ask something")
    choosings = _choosings(collection, question, search, spending or Spending())
    ids = list(dict.fromkeys(chosen.document_id for way in choosings for chosen in way.documents))
    entries = {entry.id: entry for entry in collection.listing.entries(ids)}
    if search.by is By.AUTO:
        ranked = join(choosings, entries, dated=named_periods(question) != Named())
    else:
        ranked = [document for document in only_way(choosings[0]) if document.document_id in entries]
    return ranked, entries, choosings


def _choosings(collection: Collection, question: str, search: LibrarySearch, spending: Spending) -> list[Choosing]:
    match search.by:
        case By.METADATA:
            return [_by_metadata(collection, question, spending)]
        case By.SEMANTICS:
            if collection.encoder is None:
                raise OptionError("semantic search needs an encoder: pip install 'thumbindex[wordllama]', then index")
            return [_by_semantics(collection, question, search, None)]
        case By.DESCRIPTION:
            return [_by_description(collection, question, None, spending)]
    metadata = _by_metadata(collection, question, spending)
    within = _within(metadata)
    described = _by_description(collection, question, within, spending)
    if not collection.generator and not spending.stopped:
        described = replace(described, note="")  # joined with the others, whether it fits alone says little
    if collection.encoder is None:
        note = collection.vectors_note()
        left_out = [Choosing("semantics", applies=False, note=note)] if note else []
        return [metadata, *left_out, described]
    return [metadata, _by_semantics(collection, question, search, within), described]


def _within(metadata: Choosing) -> list[str] | None:
    """The documents that the other ways look in: those that metadata leave, where they leave few enough."""
    ids = [chosen.document_id for chosen in metadata.documents]
    return ids if metadata.only and 0 < len(ids) <= _MOST_WITHIN else None


def _by_metadata(collection: Collection, question: str, spending: Spending) -> Choosing:
    """By the chat model's SQL where there is one and what it wrote may run and gives documents, else by the filter."""
    note = ""
    if collection.generator:
        try:
            fields = collection.fields.all()
            written = choose_by_written_sql(question, collection.database, fields, collection.generator)
            if written.documents:
                return written
            note = f"the model's SQL gives no document ({written.sql})"
        except (GenerationError, RefusedStatementError) as error:
            note = str(error)
    typed = choose_by_metadata(question, collection.database, collection.fields, collection.model, spending)
    return replace(typed, note="; ".join(part for part in (note, typed.note) if part))


def _by_description(
    collection: Collection, question: str, within: Sequence[str] | None, spending: Spending
) -> Choosing:
    """By the chat model's pick where there is one and it answers as asked, else by the decision model's."""
    note = ""
    if collection.generator:
        try:
            return choose_by_picking(question, collection.descriptions, collection.generator, within)
        except GenerationError as error:
            note = str(error)
    chosen = choose_by_description(question, collection.descriptions, collection.model, within, spending)
    return replace(chosen, note="; ".join(part for part in (note, chosen.note) if part))


def _by_semantics(
    collection: Collection, question: str, search: LibrarySearch, within: Sequence[str] | None
) -> Choosing:
    assert collection.encoder is not None
    assert collection.vectors is not None
    chosen = choose_by_semantics(
        question, collection.encoder, collection.vectors, collection.chunks, within, search.chunks
    )
    return replace(chosen, note=collection.vectors_note() or chosen.note)


def _find(
    collection: Collection, document_id: str, question: str, search: LibrarySearch, spending: Spending
) -> Finding | None:
    """What the document says; None where it has no text."""
    options = replace(search.options, top_k=search.pages)
    try:
        return collection.open(document_id).find(question, options, model=collection.model, spending=spending)
    except NoTextError:
        return None
