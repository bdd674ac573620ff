"""How often the line shown holds the answer, the right page given: `python benchmarks/lines.py QUESTIONS PDFS`.

QUESTIONS has rows with `answer` (the words or the figure asked for) or `evidence` (by page, words that answer). A page
counts where a fifth of its passages at most, or three, hold them: where more do, or none, the line cannot be told.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

from thumbindex import Library
from thumbindex.decision.registry import load_model
from thumbindex.search import DocumentTerms
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.lines import answering_lines
from thumbindex.search.page_passages import passages_of

_ROUND = re.compile(r"(\d+)\.0+")


def plain(text: str) -> str:
    """Words and figures alone, so that "$1,577.00" and "(1,577)" meet."""
    return re.sub(r"[^a-z0-9%.]+", " ", text.lower().replace(",", "")).strip()


def wanted(row: dict) -> Iterator[tuple[int, str]]:
    """Each page of a question, and the words that answer on it."""
    for page in (*row["pages"], *row.get("also", ())):
        words = plain(str(row.get("evidence", {}).get(str(page), row.get("answer", "")))).removesuffix("%").strip()
        round_number = _ROUND.fullmatch(words)
        words = round_number[1] if round_number else words
        if len(words) > 1:
            yield page, words


def holds(text: str, words: str) -> bool:
    """Whether a passage has the words, whole ones where they are short."""
    return f" {words} " in f" {plain(text)} ".replace("%", "") or (len(words) > 6 and words in plain(text))


def main() -> None:
    """Ask, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--model", action="append", help="may be given several times; by default embedded and lexical")
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.questions.read_text(encoding="utf-8").splitlines()]
    models = [load_model(name) for name in args.model or ("embedded", "lexical")]
    right: dict[str, list[bool]] = {model.name: [] for model in models}
    library = Library.from_cache()
    name, terms, opened = "", None, None
    for row in sorted(rows, key=lambda row: row["doc"]):
        if row["doc"] != name:
            name, opened = row["doc"], library.open(args.pdfs / row["doc"])
            terms = DocumentTerms.from_document(opened.document, opened.tree)
        for page, words in wanted(row):
            if not 1 <= page <= len(opened.document.pages):
                continue
            passages = passages_of(opened.document.page(page).lines)
            holding = [passage.text for passage in passages if holds(passage.text, words)]
            if not 0 < len(holding) <= max(3, len(passages) // 5) or len(holding) == len(passages):
                continue
            for model in models:
                inquiry = Inquiry(row["question"], opened.document, opened.tree, terms, model)
                [(_, line)], _ = answering_lines(inquiry, [page])
                right[model.name].append(line.text in holding)
    for model, found in right.items():
        print(f"{model}: {sum(found) / max(1, len(found)):.3f} of {len(found)} pages")


if __name__ == "__main__":
    main()
