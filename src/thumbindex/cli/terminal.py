"""Where the command line writes: the terminal, JSON, files, a bar of progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.text import Text

from thumbindex.errors import PathError
from thumbindex.render import printable

__all__ = ["bar", "err", "made_folder", "out", "print_json", "spare_pdfs", "write_text"]

# A pipe has no width of its own: wide enough there that no table is cut.
_PIPE_WIDTH = 240


@dataclass(frozen=True)
class _Printable:
    """What is to be printed, without the control characters that are not rich's own."""

    inner: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.inner, options):
            yield segment if segment.control else Segment(printable(segment.text, lines=True), segment.style)


class _Terminal(Console, RenderHook):
    """What is printed holds names of files and texts of others: nothing in them is markup, nor obeyed.

    A string is one line; what has several is a `Text`.
    """

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)
        self.push_render_hook(self)

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*(printable(shown) if isinstance(shown, str) else shown for shown in objects), **options)

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Printable(renderable) for renderable in renderables]


class _Description(TextColumn):
    def render(self, task: Task) -> Text:
        return Text(printable(task.description))


out = _Terminal(width=None if sys.stdout.isatty() else _PIPE_WIDTH)
err = _Terminal(stderr=True)


@contextmanager
def bar() -> Iterator[Progress]:
    """A bar of progress on the terminal, gone when done; nothing where errors go to a file."""
    columns = (_Description(""), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
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
