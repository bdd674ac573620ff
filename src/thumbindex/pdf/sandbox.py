"""The reading side: starts the worker, takes its messages, turns its troubles into errors of ours."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from PIL import Image, ImageDraw

from thumbindex.codec import CodecError, Outline, decode_outline, decode_page
from thumbindex.document import Box, Document, Page
from thumbindex.errors import (
    DamagedPdfError,
    DocumentError,
    EncryptedPdfError,
    NoPagesError,
    NotAPdfError,
    OptionError,
    PageNumberError,
    ParsingLimitError,
    PathError,
)
from thumbindex.pdf.edges import edge_lines
from thumbindex.pdf.labels import printed_numbers, with_labels
from thumbindex.pdf.limits import ReadLimits
from thumbindex.pdf.mending import mend_words
from thumbindex.pdf.repeated import repeated_lines, with_repeated
from thumbindex.pdf.wire import Kind, WireError, receive

__all__ = ["read_pdf", "render_page"]

_PACKAGE = Path(__file__).resolve().parent
# The packages are made by hand, since the real `thumbindex/__init__` brings the whole library; `-I -S` and the paths
# of this process let it find what this process finds, and nothing in the folder where the user happens to stand.
_START = """
import json, sys, types
task = json.loads(sys.argv[-1])
sys.path[:] = task["paths"]
for name, folder in task["packages"].items():
    sys.modules[name] = module = types.ModuleType(name)
    module.__path__ = [folder]
from thumbindex.pdf.worker import main
main()
"""


def read_pdf(
    path: Path, *, limits: ReadLimits | None = None, progress: Callable[[int, int], None] | None = None
) -> Document:
    """The document in the file, parsed in a worker process; `progress` is told pages done and pages in all.

    A document without any text is returned as well, its pages flagged.

    Raises:
        PathError: No such file, or a folder.
        NotAPdfError, DamagedPdfError, EncryptedPdfError, NoPagesError: The file cannot be read.
        ParsingLimitError: Reading it passed one of `limits`.
    """
    limits = limits or ReadLimits()
    with _opened(path, limits) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        pages, outline = _read(file, path, limits, progress)
    return Document(
        id=Document.id_of(sha256),
        name=path.name,
        sha256=sha256,
        pages=_with_furniture(mend_words(pages)),
        bookmarks=outline.bookmarks,
        links=outline.links,
        title=outline.title,
    )


def render_page(path: Path, number: int, *, scale: float = 1.5, marks: Sequence[Box] = ()) -> Image.Image:
    """A picture of page `number`, `scale` pixels a point, each box of `marks` highlighted.

    Raises:
        PageNumberError: The document has no such page.
        OptionError: A scale outside 0.1 to 10.
        DocumentError: As `read_pdf`.
    """
    if not 0.1 <= scale <= 10:
        raise OptionError(f"a scale lies between 0.1 and 10, not {scale}")
    limits = ReadLimits()
    with _opened(path, limits) as file:
        count = 0
        for kind, body in _messages(file, path, limits, {"render": number, "scale": scale}):
            if kind is Kind.START:
                count = int(body)
            if kind is Kind.PICTURE:
                return _marked(_picture(body), marks, scale)
    raise PageNumberError(f"{path.name} has pages 1 to {count}, there is no page {number}")


def _with_furniture(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with their printed numbers as labels, and running headers and footers marked."""
    edges = [edge_lines(page) for page in pages]
    printed = printed_numbers(edges)
    return with_labels(with_repeated(pages, repeated_lines(edges, printed)), printed)


def _read(
    file: BinaryIO, path: Path, limits: ReadLimits, progress: Callable[[int, int], None] | None
) -> tuple[tuple[Page, ...], Outline]:
    count, pages, outline = 0, list[Page](), Outline()
    task = {"render": 0, "max_pages": limits.max_pages, "max_page_characters": limits.max_page_characters}
    for kind, body in _messages(file, path, limits, task):
        if kind is Kind.START:
            count = int(body)
            if count > limits.max_pages:
                raise ParsingLimitError(f"{path.name} has {count} pages, more than the limit of {limits.max_pages}")
        elif kind is Kind.PAGE:
            pages.append(decode_page(body))
            if progress:
                progress(len(pages), count)
        elif kind is Kind.OUTLINE:
            outline = decode_outline(body)
    if count == 0:
        raise NoPagesError(f"{path.name} has no pages")
    if len(pages) < count:
        raise DamagedPdfError(f"{path.name} is damaged: reading stopped after page {len(pages)} of {count}")
    return tuple(pages), outline


@contextmanager
def _opened(path: Path, limits: ReadLimits) -> Iterator[BinaryIO]:
    if path.is_dir():
        raise PathError(f"{path} is a folder; name a PDF file in it")
    try:
        file = path.open("rb")
    except OSError as error:
        raise PathError(f"{path} cannot be opened: {error.strerror}") from error
    with file:
        head = file.read(1024)
        size = file.seek(0, 2)
        file.seek(0)
        if b"%PDF-" not in head:
            raise NotAPdfError(f"{path.name} is not a PDF file")
        if size > limits.max_file_bytes:
            raise ParsingLimitError(f"{path.name} has {size:,} bytes, more than the limit of {limits.max_file_bytes:,}")
        yield file


def _messages(file: BinaryIO, path: Path, limits: ReadLimits, task: dict[str, Any]) -> Iterator[tuple[Kind, bytes]]:
    packages = {"thumbindex": str(_PACKAGE.parent), "thumbindex.pdf": str(_PACKAGE)}
    task = task | {"paths": sys.path, "packages": packages, "memory_bytes": limits.memory_bytes}
    command = [sys.executable, "-I", "-S", "-c", _START, json.dumps(task)]
    process = subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    watch = _Watch(process, limits)
    try:
        assert process.stdout is not None
        while message := receive(process.stdout):
            watch.alive()
            if message[0] is Kind.REFUSED:
                raise _refusal(message[1].decode("ascii", "replace"), path)
            yield message
        if watch.expired:
            raise ParsingLimitError(f"{path.name} takes too long to read ({watch.expired})")
        if process.wait() != 0:
            raise DamagedPdfError(f"{path.name} is damaged: reading it ended with code {process.returncode}")
    except (WireError, CodecError, ValueError) as error:
        raise DamagedPdfError(f"{path.name} is damaged: {error}") from error
    finally:
        watch.stop()
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


class _Watch:
    """Kills a process that says nothing for too long."""

    def __init__(self, process: subprocess.Popen[bytes], limits: ReadLimits) -> None:
        self.expired = ""
        self._process = process
        self._limits = limits
        self._end = time.monotonic() + limits.document_timeout_s
        self._next = time.monotonic() + limits.page_timeout_s
        self._stopped = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def alive(self) -> None:
        self._next = time.monotonic() + self._limits.page_timeout_s

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(max(0.0, min(self._end, self._next) - time.monotonic())):
            now = time.monotonic()
            if now >= self._end:
                self.expired = f"over {self._limits.document_timeout_s:g} s"
            elif now >= self._next:
                self.expired = f"over {self._limits.page_timeout_s:g} s for one page"
            if self.expired:
                self._process.kill()
                return


def _refusal(code: str, path: Path) -> DocumentError:
    if code == "memory":
        return ParsingLimitError(f"{path.name} takes too much memory to read")
    if code == "4":
        return EncryptedPdfError(f"{path.name} opens with a password only; save a copy without one")
    if code == "5":
        return EncryptedPdfError(f"{path.name} is encrypted in a way that cannot be read; save a copy without")
    return DamagedPdfError(f"{path.name} is damaged and cannot be opened")


def _picture(body: bytes) -> Image.Image:
    width, height = int.from_bytes(body[:4], "little"), int.from_bytes(body[4:8], "little")
    return Image.frombytes("RGBX", (width, height), body[8:]).convert("RGB")


def _marked(picture: Image.Image, marks: Sequence[Box], scale: float) -> Image.Image:
    layer = Image.new("RGBA", picture.size)
    draw = ImageDraw.Draw(layer)
    for box in marks:
        draw.rectangle([value * scale for value in box], fill=(255, 210, 0, 96))
    return Image.alpha_composite(picture.convert("RGBA"), layer).convert("RGB") if marks else picture
