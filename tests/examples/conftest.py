"""The example documents as they are committed, and as the generator makes them now."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))


@dataclass(frozen=True)
class Example:
    """A committed document with its questions; `texts[0]` is page 1, its white space made single."""

    path: Path
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    sizes_pt: tuple[tuple[float, float], ...]
    rotations: tuple[int, ...]
    bookmarks: int
    questions: tuple[dict[str, Any], ...]


def read(path: Path) -> Example:
    with pypdfium2.PdfDocument(path) as pdf:
        pages = list(pdf)
        questions = path.with_suffix(".questions.jsonl").read_text("utf-8").splitlines()
        return Example(
            path,
            tuple(" ".join(page.get_textpage().get_text_bounded().split()) for page in pages),
            tuple(pdf.get_page_label(number) for number in range(len(pages))),
            tuple(page.get_size() for page in pages),
            tuple(page.get_rotation() for page in pages),
            len(list(pdf.get_toc())),
            tuple(json.loads(row) for row in questions),
        )


@pytest.fixture(scope="session")
def handbook() -> Example:
    return read(EXAMPLES / "handbook.pdf")


@pytest.fixture(scope="session")
def report() -> Example:
    return read(EXAMPLES / "annual-report.pdf")


@pytest.fixture(params=["handbook", "report"])
def example(request: pytest.FixtureRequest) -> Example:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Example]:
    """What the generator writes now, by file name."""
    from make_examples import make_handbook, make_report

    folder = tmp_path_factory.mktemp("examples")
    make_handbook(folder)
    make_report(folder)
    return {name: read(folder / name) for name in ("handbook.pdf", "annual-report.pdf")}
