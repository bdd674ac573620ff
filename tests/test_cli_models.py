"""Choosing what decides on the command line, and serving it."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from servers import system_one_server

from thumbindex.decision.registry import DEFAULT_MODEL

HANDBOOK = Path(__file__).parents[1] / "examples" / "handbook.pdf"
QUESTION = "How many vacation days do new employees get?"
KEY = "sk-live-4242deadbeef"
needs_servers = pytest.mark.skipif(
    any(importlib.util.find_spec(module) is None for module in ("typesafe_sdk", "starlette", "uvicorn")),
    reason="needs the extras typesafe and serve",
)


@pytest.fixture
def environment(tmp_path):
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("THUMBINDEX", "TYPESAFE", "OPENAI"))
    }
    return kept | {
        "THUMBINDEX_CACHE": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "COLUMNS": "200",
    }


@pytest.fixture
def run(environment):
    """Runs the command line in a process of its own, with a cache and settings of its own."""

    def call(*arguments, **variables):
        return subprocess.run(
            [sys.executable, "-m", "thumbindex", *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment | variables,
            check=False,
        )

    return call


@pytest.fixture
def find(run):
    return lambda *options, **variables: run("find", HANDBOOK, QUESTION, *options, **variables)


@pytest.fixture(scope="module")
def url():
    with system_one_server() as url:
        yield url


def test_models_does_not_repeat_a_key_in_a_name_that_cannot_be_used(run):
    done = run("models", THUMBINDEX_MODEL="chat:http://user:sekret@localhost/v1#m")
    assert done.returncode == 2
    assert "sekret" not in done.stdout + done.stderr


def test_models_lists_what_is_ready_and_what_is_missing(run, tmp_path):
    (tmp_path / "settings.toml").write_text('model = "home"\n[models.home]\nuse = "chat:http://localhost:1/v1#m"\n')
    plain = run("models")
    assert plain.returncode == 0
    assert "set TYPESAFE_API_KEY" in plain.stdout
    assert f"Used where none is named: {DEFAULT_MODEL}" in plain.stdout
    with_settings = run("models", "--json", THUMBINDEX_CONFIG=str(tmp_path / "settings.toml"), TYPESAFE_API_KEY=KEY)
    listed = {model["name"]: model for model in json.loads(with_settings.stdout)}
    forms = ["typesafe:MODEL", "systemone:BASE_URL#MODEL", "chat:BASE_URL#MODEL"]
    assert list(listed) == ["embedded", "lexical", *forms, "home"]
    assert listed["embedded"]["missing"] == listed["lexical"]["missing"] == ""
    assert "TYPESAFE_API_KEY" not in listed["typesafe:MODEL"]["missing"]
    assert KEY not in with_settings.stdout


@needs_servers
def test_a_server_finds_what_the_model_behind_it_finds_and_asking_again_is_free(find, url):
    name = f"systemone:{url}#lexical"
    first = json.loads(find("--model", name, "--json").stdout)
    assert first["pages"][0]["page"] == 7
    assert first["usage"]["requests"] > 0
    assert first["usage"]["cost_usd"] is None
    again = json.loads(find("--json", THUMBINDEX_MODEL=name).stdout)
    assert [page["page"] for page in again["pages"]] == [page["page"] for page in first["pages"]]
    assert again["usage"]["requests"] == again["usage"]["decisions"] == 0
    anew = json.loads(find("--model", name, "--json", "--no-cache").stdout)
    assert anew["usage"]["decisions"] == first["usage"]["decisions"]


@needs_servers
def test_a_budget_stops_the_search_with_what_was_found(find, url, tmp_path):
    name = f"systemone:{url}#lexical"
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[models."{name}"]\ninput_price = 1000000\n')
    for budget in (("--max-cost", "3000"), ("--max-tokens", "3000")):
        done = find("--model", name, "--no-cache", "--json", *budget, THUMBINDEX_CONFIG=str(settings))
        found = json.loads(done.stdout)
        assert done.returncode == 0
        assert "might pass the budget" in found["stopped"]
        assert found["pages"]
        assert found["usage"]["input_tokens"] <= 3000
        assert found["usage"]["cost_usd"] <= 3000
    shown = find("--model", name, "--no-cache", "--max-tokens", "3000")
    assert "Stopped early" in shown.stdout


@needs_servers
def test_an_estimate_asks_nothing(find, tmp_path):
    name = "systemone:http://127.0.0.1:9#nobody"
    (tmp_path / "settings.toml").write_text(f'[models."{name}"]\ninput_price = 0.042\n')
    done = find("--model", name, "--estimate", "--json", THUMBINDEX_CONFIG=str(tmp_path / "settings.toml"))
    estimate = json.loads(done.stdout)["estimate"]
    assert estimate["requests"] > 0
    assert estimate["cost_usd"] == pytest.approx(estimate["input_tokens"] * 0.042 / 1e6)
    assert find("--model", name, "--estimate").stdout.startswith(f"{name} would take at most about ")


@needs_servers
def test_a_recorded_search_is_repeated_without_the_server(find, tmp_path):
    folder = tmp_path / "recording"
    with system_one_server(keys=[KEY]) as url:
        options = ("--model", f"systemone:{url}#lexical", "--json", "--record", folder)
        recorded = find(*options, TYPESAFE_API_KEY=KEY)
    replayed = find("--replay", folder, "--json")
    assert recorded.returncode == replayed.returncode == 0
    assert json.loads(replayed.stdout) == json.loads(recorded.stdout)
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def test_another_question_is_not_in_the_recording(run, find, tmp_path):
    assert find("--record", tmp_path / "recording").returncode == 0
    other = run("find", HANDBOOK, "Who pays for meals?", "--replay", tmp_path / "recording")
    assert (other.returncode, other.stdout) == (1, "")
    assert "has no answer to a question of this search" in other.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "systemone:localhost"], "systemone:BASE_URL#MODEL"),
        (["--max-cost", "-1"], "a budget in dollars is 0 or more"),
        (["--replay", "{tmp}"], "holds no recording"),
        (["--replay", "{tmp}", "--max-cost", "1"], "--replay goes without"),
        (["--record", "{tmp}", "--estimate"], "nothing to --record"),
    ],
)
def test_a_mistake_is_one_clear_line(find, tmp_path, options, message):
    done = find(*(option.format(tmp=tmp_path) for option in options))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def test_broken_settings_are_one_clear_line(find, tmp_path):
    (tmp_path / "settings.toml").write_text("[models.a]\norder = 1")
    done = find(THUMBINDEX_CONFIG=str(tmp_path / "settings.toml"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "models.a.order is not known" in done.stderr


@needs_servers
def test_a_server_that_is_not_there_is_one_clear_line(find, tmp_path):
    done = find("--model", "systemone:http://127.0.0.1:9#m", TYPESAFE_API_KEY=KEY)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "m at http://127.0.0.1:9 cannot be reached" in done.stderr
    assert KEY not in done.stderr


@contextmanager
def serving(environment, *options):
    command = [sys.executable, "-m", "thumbindex", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process, process.stdout.readline()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


@needs_servers
def test_serve_says_where_and_answers_until_it_is_interrupted(environment, tmp_path):
    from typesafe_sdk import Choice, TypeSafeClient

    (tmp_path / "keys").write_text(f"# whose\n\n{KEY}\n")
    with serving(environment, "--model", "lexical", "--key-file", str(tmp_path / "keys")) as (process, line):
        assert line.startswith("serving lexical at http://127.0.0.1:")
        with TypeSafeClient(api_key=KEY, base_url=line.split()[3]) as client:
            r = client.system_one("paid leave", {"page": Choice(criteria={"p1": "paid leave", "p2": "meals"})})
        assert r.answers["page"].choice == "p1"
    assert process.returncode in {0, 130, -signal.SIGINT}


@needs_servers
def test_serve_on_an_address_in_use_is_one_clear_line(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--port", taken.getsockname()[1])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "cannot serve on 127.0.0.1" in done.stderr
    (tmp_path / "keys").write_text("# none\n")
    for file, message in ((tmp_path / "keys", "holds no key"), (tmp_path / "none", "cannot read keys")):
        done = run("serve", "--port", 0, "--key-file", file)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert message in done.stderr


@pytest.mark.parametrize("command", ["models", "serve"])
def test_help_teaches(run, command):
    done = run(command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout
