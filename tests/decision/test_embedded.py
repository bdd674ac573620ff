"""The embedded model: what it says depends on question and text alone, and it takes any text."""

import hashlib
import json
import multiprocessing
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from thumbindex.decision.base import Choice, Noul, Request
from thumbindex.decision.embedded.calibration import Calibration
from thumbindex.decision.embedded.menus import REACH, menu_kind
from thumbindex.decision.embedded.model import WEIGHTS, EmbeddedModel
from thumbindex.decision.embedded.network import Network
from thumbindex.decision.embedded.reader import Reader, Wanted
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.errors import BackendUnavailableError

QUESTION = "How many days of paid leave do employees get?"
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
PAGES = [
    "Leave\nEvery employee is given 25 days of paid leave a year.",
    "Meals\nThe canteen is open from noon to two.",
    *(
        f"Rota {number}\nOn {WEEKDAYS[number % 5]} team {number} keeps the desk. " + "It is staffed. " * number
        for number in range(80)
    ),
]


class CountingNetwork(Network):
    """The network, and how many windows it was given."""

    def __init__(self, session, threads):
        super().__init__(session, threads)
        self.windows = 0

    def scores(self, rows):
        self.windows += len(rows)
        return super().scores(rows)


def fresh_reader():
    return Reader(CountingNetwork.from_file(WEIGHTS / "reader.onnx"), WordPiece.from_file(WEIGHTS / "vocab.txt"))


def fresh_model():
    return EmbeddedModel(fresh_reader(), Calibration.from_file(WEIGHTS / "calibration.json"))


def page_menu(texts):
    return Request({"question": QUESTION}, Choice({text: text for text in texts}, "Which page answers?"))


def check(text):
    return Request({"question": QUESTION, "text": text}, Noul("Does it answer?"))


def test_a_window_scores_the_same_alone_and_in_any_company():
    together = [reading.scores for reading in fresh_reader().read([Wanted(QUESTION, text, 3) for text in PAGES[:12]])]
    alone = [fresh_reader().read([Wanted(QUESTION, text, 3)])[0].scores for text in PAGES[:12]]
    assert together == alone


def test_the_order_of_many_pages_changes_nothing_even_where_not_all_are_read():
    assert len(PAGES) > REACH["page"].options
    (forwards,) = fresh_model().decide([page_menu(PAGES)])
    (backwards,) = fresh_model().decide([page_menu(PAGES[::-1])])
    assert dict(backwards.probabilities) == pytest.approx(dict(forwards.probabilities), abs=1e-9)
    assert forwards.choice == PAGES[0]


def test_answers_are_the_same_whatever_was_asked_before():
    model = fresh_model()
    (first,) = model.decide([check(PAGES[0])])
    model.decide([page_menu(PAGES), *map(check, PAGES[:5])])
    (again,) = model.decide([check(PAGES[0])])
    assert again.probabilities == first.probabilities


def test_threads_may_ask_at_one_time():
    model = fresh_model()
    requests = [check(text) for text in PAGES[:16]]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda request: model.decide([request])[0].probability, requests))
    assert answers == [decision.probability for decision in fresh_model().decide(requests)]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_may_ask_after_its_parent_did():
    network = Network.from_file(WEIGHTS / "reader.onnx", threads=2)
    rows = [(np.array([[101, 7592, 102, 2088, 102]]), np.array([[0, 0, 0, 1, 1]]))] * 4
    scores = network.scores(rows)
    process = multiprocessing.get_context("fork").Process(target=network.scores, args=(rows,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert network.scores(rows) == scores


def test_a_forecast_counts_what_is_read_of_a_menu_not_all_that_is_in_it():
    model = EmbeddedModel.from_folder()
    pages = {f"p{number}": f"Page {number}\n" + "Leave is paid, and so is sick leave. " * 200 for number in range(300)}
    requests = [Request({"question": QUESTION}, Choice(pages, "Which page answers?"))]
    spent = model.decide(requests)[0].usage.tokens
    assert spent <= model.forecast(requests).tokens < 2 * spent


def test_pages_that_were_read_in_a_choice_are_checked_for_nothing():
    reader = fresh_reader()
    model = EmbeddedModel(reader, Calibration.from_file(WEIGHTS / "calibration.json"))
    (chosen,) = model.decide([page_menu(PAGES)])
    read = reader._network.windows
    model.decide([check(chosen.choice)])
    assert reader._network.windows == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "\x00\x07\x1b[31m",
        "\ud800 lone",
        "資本支出はいくらですか",
        "é" * 400,
        "a" * 5_000,
        "1,577 " * 100_000,
        "🎉\u202e\u200b",
    ],
    ids=["empty", "blank", "control", "surrogate", "japanese", "accents", "one word", "huge", "signs"],
)
def test_any_text_is_taken(text):
    model = fresh_model()
    answers = model.decide(
        [
            check(text),
            Request({"question": text, "text": PAGES[0]}, Noul()),
            Request({"question": QUESTION}, Choice({"a": text, "b": PAGES[0], "c": text})),
            Request(text, Choice({"a": text, "b": PAGES[0]}, "Which page?")),
        ]
    )
    assert all(0 <= p <= 1 for answer in answers for p in answer.probabilities.values())


@pytest.mark.parametrize(
    ("instructions", "texts", "kind"),
    [
        ("Which section of the document holds the answer to the question?", ["x" * 900], "section"),
        ("Which line of the page holds the answer to the question?", ["x" * 900], "line"),
        ("Which page of the document holds the answer to the question?", ["x"], "page"),
        ("Which one?", ["x", "y"], "line"),
        ("", ["x", "y" * 900], "page"),
    ],
)
def test_the_kind_of_a_menu_is_what_its_instructions_name_or_how_long_its_options_are(instructions, texts, kind):
    assert menu_kind(Choice(dict(enumerate(texts)), instructions)) == kind


@pytest.fixture
def weights(tmp_path):
    folder = tmp_path / "weights"
    shutil.copytree(WEIGHTS, folder)
    return folder


@pytest.mark.parametrize("name", ["reader.onnx", "vocab.txt", "calibration.json"])
def test_missing_and_damaged_files_are_named(weights, name):
    (weights / name).write_bytes(b"\xff\xfe{}")
    with pytest.raises(BackendUnavailableError, match=rf"{name}.*install thumbindex again"):
        EmbeddedModel.from_folder(weights)
    (weights / name).unlink()
    with pytest.raises(BackendUnavailableError, match=rf"{name}.*install thumbindex again"):
        EmbeddedModel.from_folder(weights)


def test_the_calibration_was_fitted_to_this_network():
    calibration = json.loads((WEIGHTS / "calibration.json").read_text())
    assert calibration["network"] == hashlib.sha256((WEIGHTS / "reader.onnx").read_bytes()).hexdigest()
