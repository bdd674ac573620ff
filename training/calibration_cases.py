"""What calibration is fitted to: menus and checks of questions over documents that the network was not trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from thumbindex import Library
from thumbindex.decision.embedded.calibration import Fusion, check_features
from thumbindex.decision.embedded.menus import MOST_WINDOWS, REACH, read_menu
from thumbindex.decision.embedded.reader import Reader, Wanted
from thumbindex.decision.lexical import LexicalModel, noul_features
from thumbindex.evaluation.questions import EvaluationQuestion, load_questions
from thumbindex.passages import Passages, passage_terms
from thumbindex.search import DocumentTerms, SearchOptions
from thumbindex.search.beam import SectionPath, parts_of, past_single_options, section_menu
from thumbindex.search.describe import Describer, Telling
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.lines import passage_texts
from thumbindex.search.page_passages import passages_of
from thumbindex.search.pipeline import section_pages
from thumbindex.terms import content_terms

# Says which options are read in more windows, before anything is fitted.
START = Fusion(lexical=0.5, network=0.7, second=0.0, unread=-4.0)
PAGES_CHECKED = 16
PAGES_WITH_LINES = 3
TATQA_STEP = 8


@dataclass(frozen=True)
class MenuCase:
    """A menu with an option that answers.

    Attributes:
        group: Its document.
        lexical: Log-odds of the options by words.
        scores: As `ReadMenu` has them.
        right: Which options answer.
        held: Of sections, what the choice among all pages gives to their pages.
    """

    group: str
    lexical: np.ndarray
    scores: np.ndarray
    right: np.ndarray
    held: np.ndarray | None = None


@dataclass(frozen=True)
class CheckCase:
    """A text that was checked: `CHECK_FEATURES`, and whether it answers."""

    group: str
    features: np.ndarray
    right: bool


@dataclass(frozen=True)
class AskedMenu:
    """A question about texts, shape `(texts,)`, and which of them answer it; see `MenuCase`."""

    group: str
    question: str
    texts: Sequence[str]
    right: np.ndarray
    held: np.ndarray | None = None

    def only(self, rows: Sequence[int]) -> AskedMenu:
        """Some of the texts."""
        return replace(self, texts=[self.texts[row] for row in rows], right=self.right[rows])


@dataclass
class Cases:
    """Menus and checks by kind."""

    menus: dict[str, list[MenuCase]] = field(default_factory=lambda: {"page": [], "section": [], "line": []})
    checks: dict[str, list[CheckCase]] = field(default_factory=lambda: {"page": [], "line": []})

    def add_menu(self, kind: str, asked: AskedMenu, read: ReadTexts) -> np.ndarray:
        """A menu, if it has a right option and a wrong one; the log-odds of its options before anything is fitted."""
        lexical = read.lexical(asked.texts, asked.question)
        found = read_menu(asked.question, asked.texts, lexical, read.reader, REACH[kind], START)
        if 0 < asked.right.sum() < len(asked.right):
            self.menus[kind].append(MenuCase(asked.group, lexical, found.scores, asked.right, asked.held))
        return START.log_odds(lexical, found.scores)

    def add_checks(self, kind: str, asked: AskedMenu, read: ReadTexts) -> None:
        """A check of each of the texts."""
        readings = read.reader.read([Wanted(asked.question, text, MOST_WINDOWS) for text in asked.texts])
        terms = content_terms(asked.question)
        for text, right, reading in zip(asked.texts, asked.right, readings, strict=True):
            features = check_features(reading.scores, noul_features(terms, passage_terms(text)))
            self.checks[kind].append(CheckCase(asked.group, features, bool(right)))


class ReadTexts:
    """Texts and their words, those of the last menu of pages kept."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._last: tuple[tuple[str, ...], Passages] = ((), Passages([]))

    def lexical(self, texts: Sequence[str], question: str) -> np.ndarray:
        """Log-odds of texts by their words."""
        if tuple(texts) != self._last[0]:
            self._last = tuple(texts), Passages([passage_terms(text) for text in texts])
        return self._last[1].log_odds(content_terms(question))


def inquiries(
    questions: Sequence[EvaluationQuestion], pdfs: Path, library: Library
) -> Iterator[tuple[EvaluationQuestion, Inquiry]]:
    """The questions, document by document, each with all that is needed to answer it."""
    name, opened, terms = "", None, None
    for question in sorted(questions, key=lambda question: question.document):
        if question.document != name:
            name = question.document
            opened = library.open(pdfs / name)
            terms = DocumentTerms.from_document(opened.document, opened.tree)
        inquiry = Inquiry(" ".join(question.question.split()), opened.document, opened.tree, terms, LexicalModel())
        if inquiry.readable_pages:
            yield question, inquiry


def add_question(cases: Cases, question: EvaluationQuestion, inquiry: Inquiry, read: ReadTexts) -> None:
    """The menu of all pages, its best pages and their best lines, and the menus of sections on the way to the answer.

    No set says which line answers. The best line of a page is taken to answer where the page does.
    """
    pages = inquiry.readable_pages
    texts = [inquiry.page_text(page) for page in pages]
    menu = AskedMenu(
        question.document, inquiry.question, texts, np.array([page in question.evidence for page in pages])
    )
    log_odds = cases.add_menu("page", menu, read)
    best = np.argsort(-log_odds, kind="stable").tolist()
    cases.add_checks("page", menu.only(best[:PAGES_CHECKED]), read)
    best = best[:PAGES_WITH_LINES]
    lines = [_best_line(cases, inquiry, pages[row], read) for row in best]
    cases.add_checks("line", AskedMenu(question.document, inquiry.question, lines, menu.right[best]), read)
    chosen = dict(zip(pages, np.exp(log_odds - np.logaddexp.reduce(log_odds)).tolist(), strict=True))
    for menu in section_menus(question, inquiry, chosen):
        cases.add_menu("section", menu, read)


def _best_line(cases: Cases, inquiry: Inquiry, page: int, read: ReadTexts) -> str:
    lines = passage_texts(inquiry, page, passages_of(inquiry.document.page(page).lines))
    menu = AskedMenu(inquiry.document.name, inquiry.question, lines, np.zeros(len(lines), bool))
    return lines[int(cases.add_menu("line", menu, read).argmax())]


def section_menus(question: EvaluationQuestion, inquiry: Inquiry, chosen: Mapping[int, float]) -> Iterator[AskedMenu]:
    """Each menu on the way down to the evidence, as the search asks it after that choice among all pages."""
    most = section_pages(inquiry.document, SearchOptions())
    telling = Telling.for_question(inquiry.question, inquiry.terms).as_chosen(chosen)
    describer = Describer(inquiry.terms, telling)
    path = past_single_options(SectionPath(), inquiry.tree, most)
    while parts := parts_of(path, inquiry.tree, most):
        right = np.array([bool(question.evidence & set(part.pages.numbers)) for part in parts])
        if not right.any():
            return
        texts = [option.text for option in section_menu(path, parts, describer).options.values()]
        held = np.array([sum(chosen.get(page, 0.0) for page in part.pages.numbers) for part in parts])
        yield AskedMenu(question.document, inquiry.question, texts, right, held)
        path = replace(path, nodes=(*path.nodes, parts[int(right.argmax())]))
        path = past_single_options(path, inquiry.tree, most)


def calibration_questions(data: Path, held_out: frozenset[str]) -> list[tuple[Path, list[EvaluationQuestion]]]:
    """Of each set its folder of PDFs and the questions over documents that were held out."""
    sets = []
    for name in ("written", "mmlongbench"):
        questions = load_questions(data / name / "questions.jsonl")
        sets.append((data / name / "pdfs", [question for question in questions if question.document in held_out]))
    return sets


def add_lines(cases: Cases, data: Path, read: ReadTexts) -> None:
    """Lines of the tables and paragraphs of TAT-QA's test set, right where they hold the answer as it is given."""
    passages = json.loads((data / "tatqa" / "tatqa_test_gold.json").read_text(encoding="utf-8"))
    for passage in passages[::TATQA_STEP]:
        rows = [" ".join(cell for cell in row if cell) for row in passage["table"]["table"]]
        sentences = [part for text in passage["paragraphs"] for part in text["text"].replace(". ", ".\n").split("\n")]
        under = {row: f"{rows[0]}\n{row}" for row in rows[1:]}
        lines = [line for line in dict.fromkeys((*rows[1:], *sentences)) if line.strip()]
        for question in passage["questions"]:
            if question["answer_type"] not in {"span", "multi-span"}:
                continue
            answers = [str(answer) for answer in question["answer"]]
            right = np.array([any(answer in line for answer in answers) for line in lines])
            asked = AskedMenu(passage["table"]["uid"], question["question"], [under.get(x, x) for x in lines], right)
            cases.add_menu("line", asked, read)
