"""Where the command line writes: the terminal, JSON, files, a bar of progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thumbindex.errors import PathError

__all__ = ["bar", "err", "made_folder", "out", "print_json", "spare_pdfs", "write_text"]

# A pipe has no width of its own: wide enough there that no table is cut.
_PIPE_WIDTH = 240
# What is printed holds names of files and texts of others: brackets and colons in them are no markup.
out = Console(
    highlight=False, markup=False, emoji=False, soft_wrap=True, width=None if sys.stdout.isatty() else _PIPE_WIDTH
)
err = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


@contextmanager
def bar() -> Iterator[Progress]:
    """A bar of progress on the terminal, gone when done; nothing where errors go to a file."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield progress


def made_folder(folder: Path) -> Path:
    """The folder, made where there is none. Raises PathError where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PathError(f"cannot write to the folder {folder}: {error.strerror}") from error
    return folder


def spare_pdfs(target: Path) -> Path:
    """The target of an output. Raises PathError where a PDF stands there: a slip of the hand would cost a document."""
    try:
        with target.open("rb") as file:
            is_pdf = b"%PDF-" in file.read(1024)
    except OSError:
        return target
    if is_pdf:
        raise PathError(f"{target} is a PDF and is not overwritten: name another file")
    return target


def write_text(target: Path, text: str) -> None:
    """Write a text file. Raises PathError where that cannot be."""
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PathError(f"cannot write {target}: {error.strerror}") from error


def print_json(value: object) -> None:
    """Print a value for programs."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
