"""What `search` and `eval --library` spend, would spend, and repeat without spending anything."""

import importlib.util
import json
import shutil

import pytest
from servers import system_one_server

from thumbindex.indexer import Indexer

QUESTION = "How many boilers did Maker0 Works sell in 2018?"
needs_servers = pytest.mark.skipif(
    any(importlib.util.find_spec(module) is None for module in ("typesafe_sdk", "starlette", "uvicorn")),
    reason="needs the extras typesafe and serve",
)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory, write_reports):
    """A library of eight reports; each test works on a copy."""
    folder = tmp_path_factory.mktemp("indexed")
    Indexer(str(folder / "library.sqlite")).run(write_reports(folder / "reports", 8))
    return folder / "library.sqlite"


@pytest.fixture(autouse=True)
def library(indexed, tmp_path):
    return shutil.copy(indexed, tmp_path / "library.sqlite")


@pytest.fixture
def search(run):
    return lambda *options, **variables: run("search", QUESTION, *options, **variables)


def pages(done):
    return [(page["document"]["name"], page["page"]) for page in json.loads(done.stdout)["pages"]]


@needs_servers
@pytest.mark.parametrize("option", ["--max-cost", "--max-tokens"])
def test_a_budget_stops_the_search_with_what_was_found(search, tmp_path, option):
    with system_one_server() as url:  # of its own: what a server has read before costs nothing
        name = f"systemone:{url}#lexical"
        (tmp_path / "settings.toml").write_text(f'[models."{name}"]\ninput_price = 1000000\n')
        settings = {"THUMBINDEX_CONFIG": str(tmp_path / "settings.toml")}
        done = search("--model", name, "--json", option, 800, **settings)
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert "might pass the budget" in found["stopped"]
    assert found["documents"][0]["name"] == "report-03.pdf"
    assert found["pages"]
    assert 0 < found["usage"]["cost_usd"] <= 800


def test_a_search_that_a_budget_stopped_says_so(search):
    shown = search("--model", "lexical", "--max-tokens", 800).stdout
    assert "Stopped early: the next request might pass the budget of 800 tokens" in shown
    assert "PDF page 2" in shown


def test_without_any_budget_what_needs_no_decision_still_leads_to_the_document(search):
    done = search("--max-tokens", 0, "--json")
    found = json.loads(done.stdout)
    assert found["usage"]["decisions"] == 0
    assert found["documents"][0]["name"] == "report-03.pdf"
    assert {page["document"]["name"] for page in found["pages"]} >= {"report-03.pdf"}
    notes = {way["way"]: way["note"] for way in found["ways"]}
    assert "budget ended" in notes["description"]
    shown = search("--max-tokens", 0).stdout
    assert "Stopped early" in shown
    assert "No page clearly answers" not in shown


def test_a_way_that_is_nothing_but_decisions_finds_nothing_without_a_budget_and_says_why(search):
    shown = search("--by", "description", "--max-tokens", 0).stdout
    assert "description: the budget ended before the model had decided" in shown
    assert "Stopped early" in shown
    assert "Nothing found" in shown


@needs_servers
def test_an_estimate_asks_nothing(search, tmp_path):
    name = "systemone:http://127.0.0.1:9#nobody"
    (tmp_path / "settings.toml").write_text(f'[models."{name}"]\ninput_price = 0.042\n')
    settings = {"THUMBINDEX_CONFIG": str(tmp_path / "settings.toml")}
    estimate = json.loads(search("--model", name, "--estimate", "--json", **settings).stdout)["estimate"]
    assert estimate["cost_usd"] == pytest.approx(estimate["input_tokens"] * 0.042 / 1e6)
    assert search("--model", name, "--estimate").stdout.startswith(f"{name} would take at most about ")


@pytest.mark.parametrize("by", ["auto", "metadata", "semantics", "description"])
@pytest.mark.parametrize("question", [QUESTION, "How many people were employed?"])
def test_an_estimate_is_at_least_what_the_question_then_costs(run, by, question):
    if by == "semantics" and importlib.util.find_spec("wordllama") is None:
        pytest.skip("needs the weights of the extra `wordllama`")
    options = ("search", question, "--by", by, "--model", "lexical", "--json")
    estimate = json.loads(run(*options, "--estimate").stdout)["estimate"]
    spent = json.loads(run(*options).stdout)["usage"]
    assert estimate["decisions"] >= spent["decisions"]
    assert estimate["input_tokens"] >= spent["input_tokens"]


@needs_servers
def test_a_recorded_search_is_repeated_without_the_server(search, tmp_path):
    with system_one_server() as url:
        recorded = search("--model", f"systemone:{url}#lexical", "--json", "--record", tmp_path / "recording")
    replayed = search("--json", "--replay", tmp_path / "recording")
    assert recorded.returncode == replayed.returncode == 0
    assert pages(recorded)
    assert json.loads(replayed.stdout) == json.loads(recorded.stdout)


def test_another_question_is_not_in_the_recording(run, search, tmp_path):
    assert search("--model", "lexical", "--record", tmp_path / "recording").returncode == 0
    other = run("search", "Who was hurt at work?", "--replay", tmp_path / "recording")
    assert (other.returncode, other.stdout) == (1, "")
    assert "has no answer to a question of this search" in other.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-cost", "-1"], "a budget in dollars is 0 or more"),
        (["--replay", "{tmp}"], "holds no recording"),
        (["--record", "{tmp}", "--estimate"], "nothing to --record"),
        (["--llm", "chat:http://127.0.0.1:9/v1#m", "--estimate"], "know nothing of what --llm says"),
        (["--llm", "chat:http://127.0.0.1:9/v1#m", "--record", "{tmp}/r"], "know nothing of what --llm says"),
    ],
)
def test_a_mistake_is_one_clear_line(search, tmp_path, options, message):
    done = search(*(option.format(tmp=tmp_path) for option in options))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


@pytest.fixture
def measured(run, library, tmp_path):
    """Runs `eval` over the library, with further arguments."""
    asked = [
        {"id": "q1", "doc": "report-03.pdf", "question": QUESTION, "pages": [2]},
        {
            "id": "q2",
            "doc": "report-05.pdf",
            "question": "How many people did Maker1 Works employ in 2016?",
            "pages": [3],
        },
        {"id": "q3", "doc": "report-00.pdf", "question": "Who painted the ceiling?", "pages": []},
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    return lambda *options: run("eval", tmp_path / "q.jsonl", "--library", library, "--model", "lexical", *options)


def test_a_budget_ends_a_run_over_a_library_after_the_questions_it_allows(measured, tmp_path):
    per_question = json.loads(measured("--json").stdout)["tokens_per_question"]
    done = measured("--json", "--max-tokens", int(1.7 * per_question), "--out", tmp_path / "out.jsonl")
    assert done.returncode == 0
    assert json.loads(done.stdout)["questions"] == 1
    assert "stopped after 1 of 3 questions" in done.stderr
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 1


def test_a_recorded_run_over_a_library_is_repeated(measured, tmp_path):
    measured("--record", tmp_path / "recording", "--out", tmp_path / "a.jsonl")
    measured("--replay", tmp_path / "recording", "--out", tmp_path / "b.jsonl")
    a, b = ([json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()] for name in "ab")
    assert [(row["documents"], row["ranking"]) for row in a] == [(row["documents"], row["ranking"]) for row in b]


def test_runs_over_a_library_are_compared(run, measured, tmp_path):
    measured("--by", "metadata", "--out", tmp_path / "a.jsonl")
    measured("--by", "description", "--out", tmp_path / "b.jsonl")
    found = json.loads(run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--json").stdout)
    assert (found["a"]["options"]["by"], found["b"]["options"]["by"]) == ("metadata", "description")
    rows = {row["measure"]: row for row in found["differences"]}
    assert {"document_hit@1", "document_hit@3", "hit@1", "hit@10", "mrr", "seconds_per_question"} <= set(rows)
    assert rows["document_hit@1"]["a"] == 1
    assert rows["hit@1"]["low"] <= rows["hit@1"]["difference"] <= rows["hit@1"]["high"]
    shown = run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl").stdout
    assert "documents by metadata" in shown


def test_a_run_over_a_library_is_not_compared_with_one_over_given_documents(run, indexed, measured, tmp_path):
    measured("--out", tmp_path / "a.jsonl")
    given = ("--documents", indexed.parent / "reports", "--model", "lexical")
    run("eval", tmp_path / "q.jsonl", *given, "--out", tmp_path / "b.jsonl")
    done = run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "compare two of a kind" in done.stderr
