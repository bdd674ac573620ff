"""The process that parses: a file on standard input, messages of `wire` on standard output."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import sys
from typing import Any, BinaryIO

from thumbindex.codec import encode_outline, encode_page
from thumbindex.document import Page
from thumbindex.pdf.layout import lay_out
from thumbindex.pdf.reader import OpenPdf, PdfOpenError
from thumbindex.pdf.visible import visible_words
from thumbindex.pdf.wire import Kind, send
from thumbindex.pdf.words import PageText

__all__ = ["main"]


def main() -> None:
    """Do what the JSON of the last argument says and end."""
    task = json.loads(sys.argv[-1])
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        size = os.fstat(0).st_size
        _limit_memory(task["memory_bytes"] + size)
        # Private and writable only because ctypes takes the address of nothing else; the file itself stays as it is.
        view = mmap.mmap(0, size, access=mmap.ACCESS_COPY)
        pdf = OpenPdf(ctypes.addressof(ctypes.c_char.from_buffer(view)), size)
        if task["render"]:
            _render(pdf, task, output)
        else:
            _read(pdf, task, output)
    except PdfOpenError as error:
        send(output, Kind.REFUSED, str(error.code).encode())
    except MemoryError:
        send(output, Kind.REFUSED, b"memory")
    # Not worth the time of an orderly end: PDFium would free its objects one by one.
    os._exit(0)


def _read(pdf: OpenPdf, task: dict[str, Any], output: BinaryIO) -> None:
    send(output, Kind.START, str(pdf.page_count).encode())
    if pdf.page_count > task["max_pages"]:
        return
    for number in range(1, pdf.page_count + 1):
        send(output, Kind.PAGE, encode_page(_page(pdf.read_page(number, task["max_page_characters"]))))
    send(output, Kind.OUTLINE, encode_outline(pdf.outline()))


def _render(pdf: OpenPdf, task: dict[str, Any], output: BinaryIO) -> None:
    send(output, Kind.START, str(pdf.page_count).encode())
    if 1 <= task["render"] <= pdf.page_count:
        width, height, pixels = pdf.render(task["render"], task["scale"])
        send(output, Kind.PICTURE, width.to_bytes(4, "little") + height.to_bytes(4, "little") + pixels)


def _page(text: PageText) -> Page:
    words, flags = visible_words(text)
    return Page(
        number=text.number,
        label=text.label,
        width_pt=text.width_pt,
        height_pt=text.height_pt,
        rotation=text.rotation,
        lines=lay_out(words),
        flags=flags,
    )


def _limit_memory(limit_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - absent on Windows

    resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
