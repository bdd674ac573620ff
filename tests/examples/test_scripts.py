"""The two programs beside the documents, run as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=EXAMPLES,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_page_search_finds_the_vacation_days(home):
    done = run(home, "page_search.py", "handbook.pdf", "How many vacation days do new employees get?")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PDF page 7 (printed 4)")
    assert "answered: yes" in done.stdout


def test_tree_search_takes_the_id_that_it_printed(home):
    first = run(
        home, "tree_search.py", "handbook.pdf", "How many weeks of paid parental leave does each parent receive?"
    )
    assert first.returncode == 0, first.stderr
    identifier = first.stdout.split()[1]
    second = run(home, "tree_search.py", identifier, "How many weeks of paid parental leave does each parent receive?")
    assert second.stdout == first.stdout
    assert "Illness and parental leave" in first.stdout


def test_a_mistake_is_one_line(home):
    done = run(home, "page_search.py", "missing.pdf", "Anything?")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "missing.pdf" in done.stderr


def test_wrong_arguments_show_the_usage(home):
    done = run(home, "tree_search.py")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python tree_search.py")
