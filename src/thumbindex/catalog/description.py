"""One sentence for each document that tells it from the others, and choosing among these sentences."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from sqlalchemy import delete, func, insert, select

from thumbindex.catalog.choosing import NOT_ASKED, Choosing, Chosen
from thumbindex.catalog.database import Database
from thumbindex.catalog.kinds import form_in
from thumbindex.catalog.listing import mark_stage
from thumbindex.catalog.organisations import name_key
from thumbindex.catalog.schema import description_terms, descriptions
from thumbindex.decision.base import Choice, DecisionModel, Noul, Request
from thumbindex.document import Document
from thumbindex.indexing.material import gathered
from thumbindex.indexing.titlepage import title_of
from thumbindex.search.finding import Step, StepOption
from thumbindex.search.spending import Spending
from thumbindex.terms import content_terms, is_asking_term
from thumbindex.tree import NodeSource, Tree

__all__ = ["DESCRIBER", "DescriptionTable", "choose_by_description", "describe", "identity", "shown_descriptions"]

# Names how descriptions are taken from a document; raised whenever the same document would get another one.
DESCRIBER = "extractive-2"
_MOST_SECTIONS, _MOST_NAMES = 5, 6
_NAMES_LOOKED_AT = 80
_LONGEST_TITLE, _LONGEST_HEADING = 16, 8
# So many descriptions meet in one Choice; System One's limit is 255 options.
_MOST_OPTIONS = 255
# Of a larger library only the descriptions that share the question's words are shown to the model.
_SHORTLIST = 64
_FINALISTS = 8
# Capitalised in any document, telling of none.
_COMMON_NAMES = frozenset(
    "january february march april may june july august september october november december inc act section form note "
    "table figure item part page chapter appendix exhibit company corporation registrant board committee plan "
    "agreement united states new north south east west american english".split()
)
_NAME = re.compile(r"(?<=[a-z,;] )(?:[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}|[A-Z]{2,6})(?=[ ,.;])")


def describe(document: Document, tree: Tree, facts: Mapping[str, str | int]) -> str:
    """One sentence about a document, from its metadata, its title, its sections, and the names it mentions most."""
    what = _issuer_and_kind(facts)
    title = _title(document, what)
    head = ", ".join(part for part in (identity(facts), title) if part) or document.name
    named = [node.title for node in tree.nodes if node.source is not NodeSource.PAGES and node.title != title]
    sections = [_cut(name, _LONGEST_HEADING) for name in named[:_MOST_SECTIONS]]
    names = _names(document, {word for part in (*what, title) for word in name_key(part)})
    about = f"; about {', '.join(names)}" if names else ""
    held = f"; sections: {', '.join(sections)}" if sections else ""
    count = len(document.pages)
    return f"{head} ({count} {'page' if count == 1 else 'pages'}){about}{held}."


def identity(facts: Mapping[str, str | int]) -> str:
    """Whose document it is, of what kind and period, where metadata say so: "Alder Inc. 10-K, fiscal year 2023"."""
    return ", ".join(part for part in (" ".join(_issuer_and_kind(facts)), _period(facts)) if part)


def _issuer_and_kind(facts: Mapping[str, str | int]) -> list[str]:
    return [str(facts[name]) for name in ("company", "report_type") if name in facts]


def _title(document: Document, known: Sequence[str]) -> str:
    """What the file says that it is called, else what its first page prints largest; empty where that tells no more.

    The cover of a form prints the names of its agency and of the form.
    """
    given = document.title
    if given.count(" ") < 1 or given.lower().endswith((".pdf", ".doc", ".docx")):
        given = "" if any(map(form_in, known)) else title_of(gathered(document))
    told = {word for part in (*known, "form") for word in name_key(part)}
    return _cut(given, _LONGEST_TITLE) if set(name_key(given)) - told else ""


def _period(facts: Mapping[str, str | int]) -> str:
    quarter = f"Q{facts['fiscal_quarter']} " if "fiscal_quarter" in facts else ""
    if "fiscal_year" in facts:
        return f"{quarter}fiscal year {facts['fiscal_year']}"
    return str(facts.get("report_date", ""))


def _names(document: Document, known: Collection[str]) -> list[str]:
    """Names that stand on many pages inside sentences, without those of the document itself."""
    pages: Counter[str] = Counter()
    for page in document.pages:
        pages.update(set(_NAME.findall(page.search_text)))
    left_out = _COMMON_NAMES.union(known)
    ranked = sorted(pages, key=lambda name: (-pages[name], name))[:_NAMES_LOOKED_AT]
    told = (name for name in ranked if not left_out.intersection([*name.lower().split(), *name_key(name)]))
    wanted = [name for name in told if len(name) > 2 and content_terms(name) and not is_asking_term(name.lower())]
    return wanted[:_MOST_NAMES]


def _cut(text: str, most_words: int) -> str:
    words = text.split()
    return " ".join(words[:most_words]) + ("…" if len(words) > most_words else "")


class DescriptionTable:
    """The descriptions of a library, with their words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, document_id: str, sentence: str, author: str) -> None:
        """Keep a description, in place of the one there was."""
        counts = Counter(content_terms(sentence))
        rows = [{"term": term, "document_id": document_id, "count": count} for term, count in counts.items()]
        with self._database.writing() as connection:
            self._database.hold(connection, document_id)
            for table in (descriptions, description_terms):
                connection.execute(delete(table).where(table.c.document_id == document_id))
            total = counts.total()
            connection.execute(
                insert(descriptions).values(document_id=document_id, author=author, text=sentence, terms=total)
            )
            if rows:
                connection.execute(insert(description_terms), rows)
            mark_stage(connection, document_id, "description", author)

    def count(self) -> int:
        """How many documents have one."""
        with self._database.reading() as connection:
            return int(connection.scalar(select(func.count()).select_from(descriptions)) or 0)

    def texts(self, ids: Collection[str] | None = None) -> dict[str, str]:
        """Descriptions by document, all or those of `ids`."""
        wanted = select(descriptions.c.document_id, descriptions.c.text).order_by(descriptions.c.document_id)
        if ids is not None:
            wanted = wanted.where(descriptions.c.document_id.in_(ids))
        with self._database.reading() as connection:
            return {row.document_id: row.text for row in connection.execute(wanted)}

    def most_alike(self, question: str, limit: int) -> list[str]:
        """The documents whose descriptions share the most telling words with a question, best first."""
        terms = list(dict.fromkeys(content_terms(question)))
        total = self.count()
        scores: dict[str, float] = defaultdict(float)
        with self._database.reading() as connection:
            for term in terms:
                holders = select(func.count()).where(description_terms.c.term == term)
                holding = int(connection.scalar(holders) or 0)
                if not holding or holding > max(_SHORTLIST, total // 10):
                    continue  # a word of every tenth document chooses none, and is long to read
                weight = math.log1p((total - holding + 0.5) / (holding + 0.5))
                found = select(description_terms.c.document_id).where(description_terms.c.term == term)
                for document in connection.scalars(found):
                    scores[document] += weight
        return sorted(scores, key=lambda document: (-scores[document], document))[:limit]


def shown_descriptions(question: str, table: DescriptionTable, within: Collection[str] | None) -> dict[str, str]:
    """The descriptions to choose among, by document: those of `within`, else all, else those most like the question."""
    if within is None and table.count() > _SHORTLIST:
        within = table.most_alike(question, _SHORTLIST)
    return table.texts(within)


def choose_by_description(
    question: str,
    table: DescriptionTable,
    model: DecisionModel,
    within: Collection[str] | None = None,
    spending: Spending | None = None,
) -> Choosing:
    """The documents that the model picks by their descriptions, best first.

    Of many documents, those whose descriptions share the question's words are shown; more than a Choice can hold are
    split, and the winners meet in a final. A Noul asks whether the winner's description fits at all. Where the budget
    ends before the choice is made, this way does not apply.

    Raises:
        DecisionError: The model failed.
        StoreError: The library cannot be read.
    """
    spending = spending or Spending()
    texts = shown_descriptions(question, table, within)
    if not texts:
        return Choosing("description", applies=False, note="no description shares a word with the question")
    probabilities, steps = _tournament(question, texts, model, spending)
    if not probabilities:
        return Choosing("description", applies=False, note=NOT_ASKED, trace=steps)
    ranked = sorted(probabilities, key=lambda document: -probabilities[document])
    request = Request({"question": question, "text": texts[ranked[0]]}, Noul("Is this document about the question?"))
    checks = spending.do(lambda: model.decide([request])) or []
    judged = (
        Step("Whether any description fits", (StepOption("fits", fits.probability),), fits.model, fits.usage)
        for fits in checks
    )
    return Choosing(
        "description",
        tuple(Chosen(document, probabilities[document], texts[document]) for document in ranked),
        note="no description clearly fits" if any(fits.probability < 0.5 for fits in checks) else "",
        trace=(*steps, *judged),
    )


def _tournament(
    question: str, texts: Mapping[str, str], model: DecisionModel, spending: Spending
) -> tuple[dict[str, float], tuple[Step, ...]]:
    """The probability of each text that came to the last Choice, and all Choices on the way; none where it was not."""
    most = max(2, min(_MOST_OPTIONS, model.limits.max_options or _MOST_OPTIONS))
    entrants = list(texts)
    if len(entrants) <= most:
        return spending.do(lambda: _choice(question, texts, model, "Which description")) or ({}, ())
    groups = [entrants[first : first + most] for first in range(0, len(entrants), most)]
    kept = max(1, min(_FINALISTS, most // len(groups)))
    winners: list[str] = []
    steps: tuple[Step, ...] = ()
    for group in groups:
        shown = {document: texts[document] for document in group}
        found, step = spending.do(partial(_choice, question, shown, model, "Which of some")) or ({}, ())
        winners += sorted(found, key=lambda document: -found[document])[:kept]
        steps += step
    if spending.stopped:
        return {}, steps
    final, last = _tournament(question, {document: texts[document] for document in winners}, model, spending)
    return final, steps + last


def _choice(
    question: str, texts: Mapping[str, str], model: DecisionModel, title: str
) -> tuple[dict[str, float], tuple[Step, ...]]:
    asked: Sequence[Request] = [Request({"question": question}, Choice(texts, "Which document is the question about?"))]
    (decision,) = model.decide(asked)
    options = tuple(StepOption(texts[key], probability) for key, probability in decision.probabilities.items())
    return dict(decision.probabilities), (Step(title, options, decision.model, decision.usage),)
