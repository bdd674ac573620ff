"""A PDF file to a document, and its pages to pictures; the parsing itself happens in a worker process."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageDraw

from thumbindex.codec import CodecError, Outline, decode_outline, decode_page
from thumbindex.document import Box, Document, Page
from thumbindex.errors import (
    DamagedPdfError,
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
from thumbindex.pdf.sandbox import messages
from thumbindex.pdf.wire import Kind, Picture, WireError

__all__ = ["READER", "check_file", "printable", "read_pdf", "render_page"]

# Names what reading gives; raised whenever the same file would be read differently, so that stored pages are read anew.
READER = "pdf-1"
# A PDF may begin with something else, but not further in than this.
_HEADER_WITHIN = 1024
_HIGHLIGHT = (255, 208, 0, 96)


def read_pdf(
    path: Path, *, limits: ReadLimits | None = None, progress: Callable[[int, int], None] | None = None
) -> Document:
    """The document in the file; `progress` hears of pages done and pages in all, after each page.

    A document without any text is returned all the same; its pages are flagged.

    Raises:
        PathError: No such file, or a folder.
        NotAPdfError: The file is something else.
        DamagedPdfError: The file is broken beyond reading.
        EncryptedPdfError: The file opens with a password only.
        NoPagesError: The file has no pages.
        ParsingLimitError: Reading it passed one of `limits`.
    """
    limits = limits or ReadLimits()
    with _opened(path, limits) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        pages, outline = _read(file, path.name, limits, progress)
    return Document(
        id=Document.id_of(sha256),
        name=path.name,
        sha256=sha256,
        pages=finished(pages),
        bookmarks=outline.bookmarks,
        links=outline.links,
        title=outline.title,
    )


def render_page(path: Path, number: int, *, scale: float = 1.5, marks: Sequence[Box] = ()) -> Image.Image:
    """A picture of page `number`, `scale` pixels a point, each box of `marks` highlighted.

    A page so large that the picture would pass 25 million pixels is drawn smaller.

    Raises:
        PageNumberError: The document has no such page.
        OptionError: A scale outside 0.1 to 10.
        DocumentError: As `read_pdf`.
    """
    if not 0.1 <= scale <= 10:
        raise OptionError(f"the scale of a picture lies between 0.1 and 10, not {scale}")
    limits = ReadLimits()
    count = 0
    with _opened(path, limits) as file:
        for kind, body in messages(file, path.name, limits, {"render": number, "scale": scale}):
            if kind is Kind.START:
                count = _page_count(body, path.name)
            elif kind is Kind.PICTURE:
                return _marked(_picture(body, path.name), marks)
    raise PageNumberError(f"{path.name} has pages 1 to {count}, there is no page {number}")


def _read(
    file: BinaryIO, name: str, limits: ReadLimits, progress: Callable[[int, int], None] | None
) -> tuple[list[Page], Outline]:
    count, pages, outline = 0, list[Page](), Outline()
    for kind, body in messages(file, name, limits, {"render": None}):
        if kind is Kind.START:
            count = _page_count(body, name)
            if count > limits.max_pages:
                raise ParsingLimitError(f"{name} has {count:,} pages, more than the limit of {limits.max_pages:,}")
        elif kind is Kind.PAGE:
            pages.append(_page(body, len(pages) + 1, name))
            if progress:
                progress(len(pages), count)
        elif kind is Kind.OUTLINE:
            outline = _outline(body, count, name)
    if len(pages) != count:
        raise DamagedPdfError(f"{name} is damaged: reading stopped after page {len(pages)} of {count}")
    return pages, outline


def finished(pages: Sequence[Page]) -> tuple[Page, ...]:
    """What can be said only with all pages at hand: torn words joined, running lines marked, printed numbers."""
    mended = mend_words(pages)
    edges = [edge_lines(page) for page in mended]
    printed = printed_numbers(edges)
    return with_labels(with_repeated(mended, repeated_lines(edges, printed)), printed)


def printable(path: Path) -> str:
    r"""The path as text that can be kept and printed: bytes that are not UTF-8 become `\xff`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def check_file(path: Path) -> None:
    """Nothing where the path is that of a file, which can be opened without waiting for anybody.

    Raises:
        PathError: It is not: there is none, it is a folder, a pipe or a device, or its name is not UTF-8.
    """
    if printable(path.absolute()) != str(path.absolute()):
        raise PathError(f"the name {printable(path)} is not UTF-8 and cannot be kept: rename it")
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        problem = "is a link to a file that is not there" if path.is_symlink() else ""
        raise PathError(f"{path} {problem}" if problem else f"there is no file {path}") from error
    except OSError as error:
        raise PathError(f"cannot read {path}: {error.strerror}") from error
    if stat.S_ISDIR(mode):
        advice = ": name a PDF file in it" if os.access(path, os.R_OK | os.X_OK) else " that cannot be read"
        raise PathError(f"{path} is a folder{advice}")
    if not stat.S_ISREG(mode):
        raise PathError(f"{path} is no regular file but a pipe or a device: save it as a file first")


@contextmanager
def _opened(path: Path, limits: ReadLimits) -> Iterator[BufferedReader]:
    check_file(path)
    try:
        file = path.open("rb")
    except OSError as error:
        raise PathError(f"{path} cannot be opened: {error.strerror}") from error
    with file:
        head = file.read(_HEADER_WITHIN)
        size = file.seek(0, 2)
        file.seek(0)
        if b"%PDF-" not in head:
            raise NotAPdfError(f"{path.name} is not a PDF file")
        if size > limits.max_file_bytes:
            raise ParsingLimitError(f"{path.name} has {size:,} bytes, more than the limit of {limits.max_file_bytes:,}")
        yield file


def _page_count(body: bytes, name: str) -> int:
    if not body.isdigit() or len(body) > 9:
        raise DamagedPdfError(f"{name} is damaged: it does not tell how many pages it has")
    if int(body) == 0:
        raise NoPagesError(f"{name} has no pages")
    return int(body)


def _page(body: bytes, number: int, name: str) -> Page:
    try:
        page = decode_page(body)
    except CodecError as error:
        raise DamagedPdfError(f"{name} is damaged: page {number} cannot be read") from error
    if page.number != number:
        raise DamagedPdfError(f"{name} is damaged: page {page.number} comes where page {number} should")
    return page


def _outline(body: bytes, count: int, name: str) -> Outline:
    try:
        outline = decode_outline(body)
    except CodecError as error:
        raise DamagedPdfError(f"{name} is damaged: its outline cannot be read") from error
    targets = [bookmark.page for bookmark in outline.bookmarks]
    targets += [number for link in outline.links for number in (link.page, link.target_page)]
    if targets and max(targets) > count:
        raise DamagedPdfError(f"{name} is damaged: its outline leads to page {max(targets)} of {count}")
    return outline


def _picture(body: bytes, name: str) -> Picture:
    try:
        return Picture.decode(body)
    except WireError as error:
        raise DamagedPdfError(f"{name} is damaged: the page cannot be drawn") from error


def _marked(picture: Picture, marks: Sequence[Box]) -> Image.Image:
    image = Image.frombytes("RGBX", (picture.width, picture.height), picture.pixels).convert("RGB")
    if not marks:
        return image
    layer = Image.new("RGBA", image.size)
    draw = ImageDraw.Draw(layer)
    for box in marks:
        draw.rectangle([edge * picture.scale for edge in box], fill=_HIGHLIGHT)
    return Image.alpha_composite(image.convert("RGBA"), layer).convert("RGB")
