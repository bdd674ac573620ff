import json
import sqlite3
from threading import Thread

import pytest
from samples import Weights, document, tree

from thumbindex.decision.base import Choice, Noul, Request, Score
from thumbindex.decision.batch import Decider
from thumbindex.decision.cache import Answer
from thumbindex.decision.kept import DiskCache, Recorder, Recording
from thumbindex.decision.lexical import LexicalModel
from thumbindex.errors import NotRecordedError, RecordingError, StoreError
from thumbindex.search import find

REQUESTS = [
    Request({"question": "leave?"}, Choice({"ключ": "25 days", "b": "4 meals"}, "Which?")),
    Request({"question": "leave?", "text": "25 days of leave"}, Noul("Does it?")),
    Request("a plain state", Score(("low", "high"), "How much?")),
]
DOCUMENT = document(*[[f"{n} Section {n}", f"what is said on page {n}"] for n in range(1, 7)])
TREE = tree(("1 One", 1, 3), ("2 Two", 4, 6))


def test_answers_are_there_the_next_time(tmp_path):
    first, model = Weights(), Weights()
    Decider(first, cache=DiskCache(tmp_path / "answers.sqlite")).decide(REQUESTS[:1])
    (again,) = Decider(model, cache=DiskCache(tmp_path / "answers.sqlite")).decide(REQUESTS[:1])
    assert (len(first.asked), len(model.asked)) == (1, 0)
    assert dict(again.probabilities) == pytest.approx({"ключ": 25 / 29, "b": 4 / 29})
    assert again.usage.tokens == 0


def test_another_model_does_not_get_them(tmp_path):
    cache = DiskCache(tmp_path / "answers.sqlite")
    other = Weights(name="other")
    Decider(Weights(), cache=cache).decide(REQUESTS[:1])
    Decider(other, cache=cache).decide(REQUESTS[:1])
    assert len(other.asked) == 1


def test_the_file_holds_neither_questions_nor_texts(tmp_path):
    Decider(LexicalModel(), cache=DiskCache(tmp_path / "answers.sqlite")).decide(REQUESTS)
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"leave" not in content
    assert b"meals" not in content


def test_many_threads_may_keep_answers(tmp_path):
    cache = DiskCache(tmp_path / "answers.sqlite")
    threads = [Thread(target=cache.put, args=(f"k{n}", Answer({"a": 1.0}, "m"))) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cache.get(f"k{n}") for n in range(24))


def test_what_is_no_cache_is_a_clear_error(tmp_path):
    (tmp_path / "answers.sqlite").write_bytes(b"not a database at all, but long enough to be looked at" * 99)
    with pytest.raises(StoreError, match="cannot keep answers"):
        DiskCache(tmp_path / "answers.sqlite")
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot keep answers"):
        DiskCache(tmp_path / "file" / "answers.sqlite")


def test_answers_are_given_though_they_can_no_longer_be_kept_and_that_is_said_once(tmp_path, caplog):
    file, model = tmp_path / "answers.sqlite", Weights()
    decider = Decider(model, cache=DiskCache(file))
    for kept in tmp_path.iterdir():
        kept.write_bytes(b"another program wrote this " * 400)
    for _ in range(2):
        assert len(decider.decide(REQUESTS[:2])) == 2
    assert len(model.asked) == 4
    assert [record.message.partition(":")[0] for record in caplog.records] == [f"cannot keep answers in {file}"]


def test_the_oldest_answers_give_way(tmp_path, monkeypatch):
    monkeypatch.setattr("thumbindex.decision.kept._KEPT_ANSWERS", 10)
    cache = DiskCache(tmp_path / "answers.sqlite")
    for n in range(25):
        cache.put(f"k{n}", Answer({"a": 1.0}, "m"))
    DiskCache(tmp_path / "answers.sqlite")
    with sqlite3.connect(tmp_path / "answers.sqlite") as connection:
        kept = [key for (key,) in connection.execute("SELECT key FROM answers ORDER BY rowid")]
    connection.close()
    assert kept == [f"k{n}" for n in range(15, 25)]


def test_a_search_that_was_recorded_is_replayed_to_the_letter(tmp_path):
    recorded = find("what is said on page 5", DOCUMENT, TREE, Recorder(Decider(LexicalModel()), tmp_path))
    replayed = find("what is said on page 5", DOCUMENT, TREE, Recording(tmp_path))
    assert replayed == recorded


def test_every_kind_of_question_is_recorded(tmp_path):
    recorded = Recorder(LexicalModel(), tmp_path).decide(REQUESTS)
    assert Recording(tmp_path).decide(REQUESTS) == recorded
    rows = [json.loads(line) for line in (tmp_path / "decisions.jsonl").read_text().splitlines()]
    assert [row["question"]["type"] for row in rows] == ["choice", "noul", "score"]


def test_what_was_not_recorded_is_not_made_up(tmp_path):
    Recorder(LexicalModel(), tmp_path).decide(REQUESTS[:1])
    with pytest.raises(NotRecordedError, match="no answer to a question of this search"):
        Recording(tmp_path).decide(REQUESTS)


def test_a_recording_is_added_to_but_not_by_another_model(tmp_path):
    Recorder(LexicalModel(), tmp_path).decide(REQUESTS[:1])
    Recorder(LexicalModel(), tmp_path).decide(REQUESTS[1:])
    assert len(Recording(tmp_path).decide(REQUESTS)) == 3
    with pytest.raises(RecordingError, match="another model"):
        Recorder(Weights(), tmp_path)


@pytest.mark.parametrize("damage", ["model.json", "decisions.jsonl"])
def test_a_damaged_recording_is_a_clear_error(tmp_path, damage):
    Recorder(LexicalModel(), tmp_path).decide(REQUESTS)
    (tmp_path / damage).write_text("{")
    with pytest.raises(RecordingError, match="not as it was recorded"):
        Recording(tmp_path)


def test_a_folder_without_a_recording_is_a_clear_error(tmp_path):
    with pytest.raises(RecordingError, match="holds no recording"):
        Recording(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(RecordingError, match="cannot record into"):
        Recorder(LexicalModel(), tmp_path / "file" / "folder")
