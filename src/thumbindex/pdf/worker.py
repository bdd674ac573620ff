"""The process that parses: a file on standard input, messages of `wire` on standard output.

It is started by `sandbox`, holds the file by a handle and no path, and ends when nobody listens.
"""

from __future__ import annotations

import ctypes
import gc
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
    """Do what the JSON of the last argument says, and end the process."""
    task = json.loads(sys.argv[-1])
    # Nothing here makes cycles worth looking for, and looking takes a tenth of the time.
    gc.disable()
    output = os.fdopen(os.dup(1), "wb")
    # Nothing that PDFium may print must get between the messages.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        _run(task, output)
    except PdfOpenError as error:
        send(output, Kind.REFUSED, error.refusal.encode())
    except MemoryError:
        send(output, Kind.REFUSED, b"memory")
    except Exception as error:
        send(output, Kind.REFUSED, f"{type(error).__name__}: {error}".encode("ascii", "replace")[:200])
    # An orderly end would free the objects of PDFium one by one.
    os._exit(0)


def _run(task: dict[str, Any], output: BinaryIO) -> None:
    size = os.fstat(0).st_size
    _limit(task["memory_bytes"] + size, task["seconds"])
    # A private view, since ctypes gives the address of writable memory only; the file stays as it is.
    view = mmap.mmap(0, size, access=mmap.ACCESS_COPY)
    pdf = OpenPdf(ctypes.addressof(ctypes.c_char.from_buffer(view)), size)
    send(output, Kind.START, str(pdf.page_count).encode())
    if task["render"] is not None:
        _render(pdf, task["render"], task["scale"], output)
    elif pdf.page_count <= task["max_pages"]:
        _read(pdf, task["max_page_characters"], output)


def _read(pdf: OpenPdf, max_page_characters: int, output: BinaryIO) -> None:
    for number in range(1, pdf.page_count + 1):
        send(output, Kind.PAGE, encode_page(_page(pdf.read_page(number, max_page_characters))))
    send(output, Kind.OUTLINE, encode_outline(pdf.outline()))


def _render(pdf: OpenPdf, number: int, scale: float, output: BinaryIO) -> None:
    if 1 <= number <= pdf.page_count:
        send(output, Kind.PICTURE, pdf.render(number, scale).encode())


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


def _limit(memory_bytes: int, seconds: int) -> None:
    """Bound what this process may take, where the platform can; `sandbox` keeps the time in any case."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Windows has none

    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        _, most = resource.getrlimit(limit)
        resource.setrlimit(limit, (value if most == resource.RLIM_INFINITY else min(value, most),) * 2)
