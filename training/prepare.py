"""All training groups of a folder of data, and what they are from."""

from __future__ import annotations

import json
import pickle
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thumbindex.decision.embedded.windows import piece_weights
from training.corpus import Asked, Corpus, Reading, load_split
from training.groups import Group, page_group, section_groups, unanswerable_twins
from training.tatqa import DOCUMENT, tatqa_groups, tatqa_pieces
from training.weak import weak_questions

__all__ = ["Prepared", "prepare"]

SEED = 11
SECTION_SHARE, TWIN_SHARE = 0.7, 0.6
MANIFEST = Path(__file__).with_name("manifest.json")
LICENCES = {
    "written": "Apache-2.0 (questions written for this project)",
    "more": "Apache-2.0 (questions written for this project, training/questions)",
    "tatqa": "CC BY 4.0 (TAT-QA, Zhu et al. 2021; dev and test)",
    "weak": "Apache-2.0 (made by training/weak.py from headings, table rows and captions of public documents)",
    "twin": "Apache-2.0 (made by training/groups.py from the written questions)",
}


@dataclass(frozen=True)
class Prepared:
    """What training reads: the groups, and by document what a word piece is worth."""

    groups: tuple[Group, ...]
    weights: dict[str, np.ndarray]


def prepare(corpus: Corpus, path: Path) -> Prepared:
    """The groups kept in `path`, made if they are not there yet; what they are from goes to the manifest."""
    if path.exists():
        return pickle.loads(path.read_bytes())  # our own file
    weights: dict[str, np.ndarray] = {}
    groups = tuple(_groups(corpus, weights))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(Prepared(groups, weights)))
    MANIFEST.write_text(json.dumps(_manifest(groups), indent=1) + "\n")
    return Prepared(groups, weights)


def _groups(corpus: Corpus, weights: dict[str, np.ndarray]) -> Iterator[Group]:
    rng = np.random.default_rng(SEED)
    kept_apart = load_split("development") | load_split("measured only")
    asked = defaultdict(list)
    for entry in corpus.asked("written") + corpus.asked("more"):
        if entry.question.document not in kept_apart:
            asked[entry.question.document].append(entry)
    names = _names(asked)
    for document in sorted(load_split("training") | set(asked)):
        reading = corpus.read(document)
        weights[document] = reading.weights
        yield from _of_document(reading, asked[document], names, corpus, rng)
        print(f"{document}: {len(reading.pages)} pages, {len(asked[document])} questions", flush=True)
    weights[DOCUMENT] = piece_weights(tatqa_pieces(corpus.data / "tatqa", corpus.vocabulary), len(reading.weights))
    yield from tatqa_groups(corpus.data / "tatqa", corpus.vocabulary, rng)


def _of_document(
    reading: Reading, asked: list[Asked], names: list[str], corpus: Corpus, rng: np.random.Generator
) -> Iterator[Group]:
    for entry in asked:
        if group := page_group(reading, entry.question, entry.source, rng):
            yield group
        if rng.random() < SECTION_SHARE:
            yield from section_groups(reading, entry.question, entry.source, corpus.vocabulary, rng)
        if rng.random() < TWIN_SHARE:
            yield from unanswerable_twins(reading, entry.question, names, rng)
    for question in weak_questions(reading, rng):
        if group := page_group(reading, question, "weak", rng):
            yield group


def _names(asked: dict[str, list[Asked]]) -> list[str]:
    """Words that questions write as names, to be put where they do not belong."""
    counts = Counter(
        word.strip("?,.'’s")
        for entries in asked.values()
        for entry in entries
        for word in entry.question.question.split()[1:]
        if word[:1].isupper() and word[1:4].islower()
    )
    return sorted(word for word in counts if len(word) > 3)


def _manifest(groups: tuple[Group, ...]) -> list[dict[str, object]]:
    counts = Counter((g.source, g.kind, bool(g.positives)) for g in groups)
    return [
        {"source": source, "licence": LICENCES[source], "texts": kind, "answerable": right, "groups": count}
        for (source, kind, right), count in sorted(counts.items())
    ]
