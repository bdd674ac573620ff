"""A PDF file through PDFium: words with boxes, bookmarks, links, labels, pictures of pages. Runs in the worker.

The only module that imports PDFium; indices that count from 0 do not leave it. Boxes leave it in points from the top
left of the page as a reader sees it.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice, repeat
from typing import Any, NamedTuple, TypeAlias

import pypdfium2_raw.bindings as pdfium  # type: ignore[import-untyped]

from thumbindex.codec import Outline
from thumbindex.document import Bookmark, Box, Link
from thumbindex.pdf.cleaning import clean_text, with_ligatures
from thumbindex.pdf.frame import Frame
from thumbindex.pdf.styles import Matrix, is_bold, style_through
from thumbindex.pdf.wire import Picture
from thumbindex.pdf.words import PageText, Style, Word

__all__ = ["OpenPdf", "PdfOpenError"]

_POINTER = ctypes.c_void_p
# What PDFium hands out and takes back: pages, fonts, bookmarks, ...
_Handle: TypeAlias = Any
# PDFium joins the halves of a word that a hyphen splits at a line end, and marks the hyphen so.
_LINE_END_HYPHEN = "\ufffe"
_WORD = re.compile(rf"[^\s{_LINE_END_HYPHEN}]+{_LINE_END_HYPHEN}?|{_LINE_END_HYPHEN}")


def _function(name: str, result: _Handle, *arguments: _Handle) -> Callable[..., Any]:
    """A PDFium function that takes bare addresses: half the cost of a call with typed pointers."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(getattr(pdfium, name), _POINTER).value or 0)


_loose_box = _function("FPDFText_GetLooseCharBox", ctypes.c_int, _POINTER, ctypes.c_int, _POINTER)
_text_object = _function("FPDFText_GetTextObject", _POINTER, _POINTER, ctypes.c_int)
_unicode = _function("FPDFText_GetUnicode", ctypes.c_uint, _POINTER, ctypes.c_int)
_is_hyphen = _function("FPDFText_IsHyphen", ctypes.c_int, _POINTER, ctypes.c_int)
_get_text = _function("FPDFText_GetText", ctypes.c_int, _POINTER, ctypes.c_int, ctypes.c_int, _POINTER)
_font_size = _function("FPDFText_GetFontSize", ctypes.c_double, _POINTER, ctypes.c_int)
_matrix = _function("FPDFText_GetMatrix", ctypes.c_int, _POINTER, ctypes.c_int, _POINTER)
_font = _function("FPDFTextObj_GetFont", _POINTER, _POINTER)
_render_mode = _function("FPDFTextObj_GetTextRenderMode", ctypes.c_int, _POINTER)
_count_rects = _function("FPDFText_CountRects", ctypes.c_int, _POINTER, ctypes.c_int, ctypes.c_int)
_rect = _function("FPDFText_GetRect", ctypes.c_int, _POINTER, ctypes.c_int, *[_POINTER] * 4)
_origin = _function("FPDFText_GetCharOrigin", ctypes.c_int, _POINTER, ctypes.c_int, _POINTER, _POINTER)

_UNPAINTED = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
_FORCE_BOLD = 1 << 18
# A page with more words, all painted, needs no look at its pictures.
_MANY_WORDS = 40
_MAX_PIXELS = 25_000_000
_MAX_PAGE_LINKS = 5_000
_MAX_DEPTH = 20
# What a page that cannot be loaded passes for.
_LETTER = (612.0, 792.0)
# Height of capitals and ascenders, and depth of descenders, over the font size in most text fonts.
_ASCENT = 0.7
_DESCENT = 0.2


class PdfOpenError(Exception):
    """PDFium does not open the file; `refusal` says why: "format", "password", or "security" (unknown encryption)."""

    def __init__(self, code: int) -> None:
        reasons = {pdfium.FPDF_ERR_PASSWORD: "password", pdfium.FPDF_ERR_SECURITY: "security"}
        self.refusal = reasons.get(code, "format")
        super().__init__(f"PDFium error {code}: {self.refusal}")


class _Target(NamedTuple):
    """Where a link or bookmark leads, in user space of the page."""

    page_index: int
    x: float = 0.0
    y: float | None = None


class _Ink(NamedTuple):
    """A painted rectangle, and the line its letters stand on, in user space."""

    left: float
    bottom: float
    right: float
    top: float
    baseline: float


class OpenPdf:
    """An open file; pages are read one at a time and not kept."""

    def __init__(self, address: int, size: int) -> None:
        """Open the `size` bytes at `address`, which must outlive the object.

        Raises:
            PdfOpenError: PDFium refuses the file.
        """
        pdfium.FPDF_InitLibrary()
        self._document = pdfium.FPDF_LoadMemDocument64(ctypes.c_void_p(address), size, None)
        if not self._document:
            raise PdfOpenError(int(pdfium.FPDF_GetLastError()))
        self.page_count = int(pdfium.FPDF_GetPageCount(self._document))
        self._frames: dict[int, Frame] = {}
        self._links: list[tuple[int, Box, _Target]] = []

    def read_page(self, number: int, max_characters: int) -> PageText:
        """The words of page `number`."""
        index = number - 1
        page = pdfium.FPDF_LoadPage(self._document, index)
        if not page:
            return PageText(number, self._label(index), *_LETTER, truncated=True)
        try:
            frame = self._frame(index, page)
            self._links += islice(self._page_links(page, index, frame), _MAX_PAGE_LINKS)
            text_page = pdfium.FPDFText_LoadPage(page)
            count = pdfium.FPDFText_CountChars(text_page) if text_page else 0
            words = self._words(text_page, frame, min(count, max_characters)) if count > 0 else ()
            if text_page:
                pdfium.FPDFText_ClosePage(text_page)
            plain = len(words) > _MANY_WORDS and all(style.visible for style in {word.style for word in words})
            image_share, drawings = (0.0, 0) if plain else _pictures(page, frame)
            return PageText(
                number=number,
                label=self._label(index),
                width_pt=float(pdfium.FPDF_GetPageWidthF(page)),
                height_pt=float(pdfium.FPDF_GetPageHeightF(page)),
                rotation=frame.rotation,
                words=words,
                image_share=image_share,
                drawings=drawings,
                truncated=count > max_characters,
            )
        finally:
            pdfium.FPDF_ClosePage(page)

    def outline(self) -> Outline:
        """Title, bookmarks, and internal links; the links of the pages read so far, and heights on those pages."""
        links = (Link(page, box, target.page_index + 1, self._seen_y(target)) for page, box, target in self._links)
        return Outline(self._title(), tuple(self._bookmarks(None, 0, set())), tuple(links))

    def render(self, number: int, scale: float) -> Picture:
        """A picture of page `number`, `scale` pixels a point or fewer where it would grow too large."""
        page = pdfium.FPDF_LoadPage(self._document, number - 1)
        if not page:
            raise PdfOpenError(int(pdfium.FPDF_GetLastError()))
        width_pt, height_pt = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        scale = min(scale, math.sqrt(_MAX_PIXELS / max(1.0, width_pt * height_pt)))
        width, height = max(1, round(width_pt * scale)), max(1, round(height_pt * scale))
        pixels = (ctypes.c_ubyte * (width * height * 4))()
        bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, pixels, width * 4)
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        pdfium.FPDFBitmap_Destroy(bitmap)
        pdfium.FPDF_ClosePage(page)
        return Picture(width, height, scale, bytes(pixels))

    def _frame(self, index: int, page: _Handle) -> Frame:
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, box)
        rotation = int(pdfium.FPDFPage_GetRotation(page)) * 90
        frame = Frame(box.left, box.bottom, box.right, box.top, rotation)
        self._frames[index] = frame
        return frame

    def _label(self, index: int) -> str:
        return _utf16(partial(pdfium.FPDF_GetPageLabel, self._document, index))

    def _title(self) -> str:
        return _utf16(partial(pdfium.FPDF_GetMetaText, self._document, b"Title"))

    def _words(self, text_page: _Handle, frame: Frame, count: int) -> tuple[Word, ...]:
        address = ctypes.cast(text_page, _POINTER).value or 0
        text = _characters(address, count)
        spans = [match.span() for match in _WORD.finditer(text)]
        starts = [start for start, _ in spans]
        boxes = _boxes(address, starts, [end - 1 for _, end in spans])
        objects = list(map(_text_object, repeat(address), starts))
        firsts = dict(zip(reversed(objects), range(len(objects) - 1, -1, -1), strict=True))
        styles = _styles(address, {item: starts[first] for item, first in firsts.items()}, frame.rotation)
        texts = [text[start:end] for start, end in spans]
        fields = zip(texts, *frame.all_seen(*boxes), map(styles.__getitem__, objects), strict=True)
        words = [*map(Word._make, fields)]
        unmeasured = {item for item, first in firsts.items() if _is_unmeasured(words[first], frame)}
        if unmeasured:
            _measure(
                address, [(i, spans[i], item) for i, item in enumerate(objects) if item in unmeasured], frame, words
            )
        return tuple(words)

    def _page_links(self, page: _Handle, index: int, frame: Frame) -> Iterator[tuple[int, Box, _Target]]:
        position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
        while pdfium.FPDFLink_Enumerate(page, position, link):
            target = self._target(pdfium.FPDFLink_GetDest(self._document, link), pdfium.FPDFLink_GetAction(link))
            if target and pdfium.FPDFLink_GetAnnotRect(link, rectangle):
                xs = sorted((rectangle.left, rectangle.right))
                ys = sorted((rectangle.bottom, rectangle.top))
                yield index + 1, Box(*frame.seen(xs[0], ys[0], xs[1], ys[1])), target

    def _target(self, destination: _Handle, action: _Handle) -> _Target | None:
        if not destination and action:
            destination = pdfium.FPDFAction_GetDest(self._document, action)
        if not destination:
            return None
        index = int(pdfium.FPDFDest_GetDestPageIndex(self._document, destination))
        if not 0 <= index < self.page_count:
            return None
        has_x, has_y, has_zoom = (pdfium.FPDF_BOOL() for _ in range(3))
        x, y, zoom = (pdfium.FS_FLOAT() for _ in range(3))
        if pdfium.FPDFDest_GetLocationInPage(destination, has_x, has_y, has_zoom, x, y, zoom):
            return _Target(index, x.value if has_x.value else 0.0, y.value if has_y.value else None)
        return _Target(index, y=_top_of_view(destination))

    def _seen_y(self, target: _Target) -> float | None:
        frame = self._frames.get(target.page_index)
        if frame is None or target.y is None:
            return None
        return frame.seen(target.x, target.y, target.x, target.y)[1]

    def _bookmarks(self, parent: _Handle, level: int, seen: set[int]) -> Iterator[Bookmark]:
        entry = pdfium.FPDFBookmark_GetFirstChild(self._document, parent)
        while entry:
            key = ctypes.addressof(entry.contents)
            if key in seen:
                return
            seen.add(key)
            title = _utf16(partial(pdfium.FPDFBookmark_GetTitle, entry))
            target = self._target(
                pdfium.FPDFBookmark_GetDest(self._document, entry), pdfium.FPDFBookmark_GetAction(entry)
            )
            if target and title:
                yield Bookmark(title, target.page_index + 1, level, self._seen_y(target))
            if level < _MAX_DEPTH:
                yield from self._bookmarks(entry, level + 1, seen)
            entry = pdfium.FPDFBookmark_GetNextSibling(self._document, entry)


def _top_of_view(destination: _Handle) -> float | None:
    """The upper edge, in user space, of a destination that fits a width or a rectangle into the window."""
    count, values = ctypes.c_ulong(0), (pdfium.FS_FLOAT * 4)()
    view = pdfium.FPDFDest_GetView(destination, count, values)
    if view in (pdfium.PDFDEST_VIEW_FITH, pdfium.PDFDEST_VIEW_FITBH) and count.value:
        return float(values[0])
    return float(values[3]) if view == pdfium.PDFDEST_VIEW_FITR else None


def _boxes(address: int, firsts: list[int], lasts: list[int]) -> list[list[float]]:
    """The left, bottom, right, and top edges, in user space, of the words from character `firsts[i]` to `lasts[i]`."""
    count = len(firsts)
    memory, at = _memory(32 * count)
    # The calls run in the interpreter's own loops: a statement each would double their cost.
    deque(map(_loose_box, repeat(address), firsts, range(at, at + 16 * count, 16)), maxlen=0)
    deque(map(_loose_box, repeat(address), lasts, range(at + 16 * count, at + 32 * count, 16)), maxlen=0)
    values = memoryview(memory).cast("f").tolist()
    first, last = values[: 4 * count], values[4 * count :]
    return [
        list(map(min, first[0::4], last[0::4])),
        list(map(min, first[3::4], last[3::4])),
        list(map(max, first[2::4], last[2::4])),
        list(map(max, first[1::4], last[1::4])),
    ]


def _styles(address: int, firsts: dict[int | None, int], rotation: int) -> dict[int | None, Style]:
    """The style of each text object, given its first character; objects set alike share one."""
    objects, indices = list(firsts), list(firsts.values())
    memory, at = _memory(24 * len(indices))
    deque(map(_matrix, repeat(address), indices, range(at, at + 24 * len(indices), 24)), maxlen=0)
    matrices = memoryview(memory).cast("f").tolist()
    keys = zip(
        zip(matrices[0::6], matrices[1::6], matrices[2::6], matrices[3::6], strict=True),
        map(_font_size, repeat(address), indices),
        [_font(item) if item else None for item in objects],
        [_render_mode(item) if item else 0 for item in objects],
        strict=True,
    )
    known: dict[tuple[Matrix, float, int | None, int], Style] = {}
    styles = {}
    for item, key in zip(objects, keys, strict=True):
        style = known.get(key)
        if style is None:
            matrix, size, font, mode = key
            bold = mode == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE or (font is not None and _is_bold(font))
            style = known[key] = style_through(matrix, size, bold, mode not in _UNPAINTED, rotation)
        styles[item] = style
    return styles


def _is_bold(font: int) -> bool:
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    buffer = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(handle, buffer, 256)
    weight, flags = pdfium.FPDFFont_GetWeight(handle), pdfium.FPDFFont_GetFlags(handle)
    return is_bold(buffer.value.decode("latin-1"), int(weight), bool(flags & _FORCE_BOLD))


def _is_unmeasured(word: Word, frame: Frame) -> bool:
    """Whether the height of the word has nothing to do with its font size: a Type 3 font tells no height."""
    size = word.style.size_pt
    height = word.y1 - word.y0 if frame.rotation % 180 == 0 else word.x1 - word.x0
    return word.style.turn == frame.rotation and not 0.4 * size < height < 2.5 * size


def _measure(
    address: int, suspects: Iterable[tuple[int, tuple[int, int], int | None]], frame: Frame, words: list[Word]
) -> None:
    """Replace boxes and sizes of the words at the given indices, by what they paint."""
    inks: list[tuple[int, tuple[int | None, float], _Ink]] = []
    ascents: dict[tuple[int | None, float], float] = {}
    for index, (start, end), item in suspects:
        ink = _ink(address, start, end)
        if ink:
            font = (_font(item) if item else None, words[index].style.size_pt)
            ascents[font] = max(ascents.get(font, 0.0), ink.top - ink.baseline)
            inks.append((index, font, ink))
    for index, font, ink in inks:
        size = max(0.01, round(ascents[font] / _ASCENT, 1))
        bottom = min(ink.bottom, ink.baseline - _DESCENT * size)
        top = max(ink.top, ink.baseline + _ASCENT * size)
        style = words[index].style._replace(size_pt=size)
        words[index] = Word(words[index].text, *frame.seen(ink.left, bottom, ink.right, top), style)


def _ink(address: int, start: int, end: int) -> _Ink | None:
    """What the characters `start` to `end` paint, in user space."""
    edges, origin = (ctypes.c_double * 4)(), (ctypes.c_double * 2)()
    at, origin_at = ctypes.addressof(edges), ctypes.addressof(origin)
    boxes = []
    for rectangle in range(_count_rects(address, start, end - start)):
        _rect(address, rectangle, at, at + 8, at + 16, at + 24)
        boxes.append(tuple(edges))
    if not boxes:
        return None
    _origin(address, start, origin_at, origin_at + 8)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return _Ink(min(lefts), min(bottoms), max(rights), max(tops), origin[1])


def _characters(address: int, count: int) -> str:
    """The characters of a text page, one for each of PDFium's indices."""
    memory, at = _memory(2 * count + 2)
    written = _get_text(address, 0, count, at) - 1
    text = memory[: 2 * written].decode("utf-16-le", "replace")
    if len(text) == count:
        return with_ligatures(text)
    # Characters without a meaning are missing from the text, and those beyond 16 bits take two places in it.
    codes = list(map(_unicode, repeat(address), range(count)))
    marked = (
        0xFFFE if code == 2 and _is_hyphen(address, index) == 1 else code if 0 < code < 0x110000 else 0xFFFD
        for index, code in enumerate(codes)
    )
    return "".join(map(chr, marked))


def _memory(size: int) -> tuple[bytearray, int]:
    """Zeroed memory for PDFium to write to, and its address; an array of ctypes would make a type for every size."""
    memory = bytearray(size)
    return memory, ctypes.addressof(ctypes.c_char.from_buffer(memory)) if size else 0


def _pictures(page: _Handle, frame: Frame) -> tuple[float, int]:
    """The part of the page that images cover, and the number of vector drawings, among its first 2,000 objects."""
    area, drawings = 0.0, 0
    edges = [ctypes.c_float() for _ in range(4)]
    for index in range(min(int(pdfium.FPDFPage_CountObjects(page)), 2000)):
        item = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        drawings += kind in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING)
        if kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM) and pdfium.FPDFPageObj_GetBounds(item, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            width = min(right, frame.right) - max(left, frame.left)
            height = min(top, frame.top) - max(bottom, frame.bottom)
            area += max(0.0, width) * max(0.0, height)
    whole = (frame.right - frame.left) * (frame.top - frame.bottom)
    return min(1.0, area / whole) if whole > 0 else 0.0, drawings


def _utf16(read: Callable[[Any, int], int]) -> str:
    """The text that a PDFium function of a buffer and its size in bytes writes."""
    size = int(read(None, 0))
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(buffer, size)
    return clean_text(buffer.raw[: size - 2].decode("utf-16-le", "replace"))
