"""The tree search with the two real SDKs, against our server, set up by the environment alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from servers import require_system_one, system_one_server

require_system_one()
pytest.importorskip("pageindex", reason="needs the extra pageindex, of 414 MB")

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments, **variables):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TYPESAFE", "PAGEINDEX", "OPENAI"))}
    return subprocess.run(
        [sys.executable, "typesafe_pageindex.py", *arguments],
        cwd=EXAMPLES,
        env=kept | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def url():
    with system_one_server(("lexical",)) as url:
        yield url


def test_it_finds_the_vacation_days(url):
    done = run(
        "handbook.pdf",
        "How many vacation days do new employees get?",
        TYPESAFE_BASE_URL=url,
        TYPESAFE_API_KEY="any",
    )
    assert done.returncode == 0, done.stderr
    assert "section: " in done.stdout
    assert "PDF page 7  " in done.stdout


def test_a_mistake_is_one_line(url):
    done = run("handbook.pdf", "Anything?", TYPESAFE_BASE_URL="http://127.0.0.1:9", TYPESAFE_API_KEY="any")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "TypeSafeAPIConnectionError" in done.stderr
    assert run().returncode == 2
