"""A PDF file through PDFium: words with boxes, bookmarks, links, labels, pictures of pages. Runs in the worker.

The only module that imports PDFium; indices that count from 0 do not leave it. Boxes leave it in points from the top
left of the page as a reader sees it.
"""

from __future__ import annotations

import ctypes
import math
import re
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

import pypdfium2_raw.bindings as pdfium  # type: ignore[import-untyped]

from thumbindex.codec import Outline
from thumbindex.document import Bookmark, Box, Link
from thumbindex.pdf.words import PageText, Style, Word

__all__ = ["OpenPdf", "PdfOpenError"]

_POINTER = ctypes.c_void_p
# PDFium joins the halves of a word that a hyphen splits at a line end, and marks the hyphen so.
_LINE_END_HYPHEN = "\ufffe"
_WORD = re.compile(rf"[^\s{_LINE_END_HYPHEN}]+{_LINE_END_HYPHEN}?|{_LINE_END_HYPHEN}")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|[-,]bd\b", re.IGNORECASE)
_REGULAR_NAME = re.compile(r"regu|book|light|thin|oblique|(?<!medi)ital|dingbats", re.IGNORECASE)
# Where TeX's old fonts keep their ligatures; each stands for one character, so that indices stay what they are.
_LIGATURES = str.maketrans("\x0b\x0c\r\x0e\x0f", "\ufb00\ufb01\ufb02\ufb03\ufb04")
_LIGATURE = re.compile("[\x0b\x0c\x0e\x0f]|\r(?!\n)")


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
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
# Height of capitals and ascenders over the font size in most text fonts.
_ASCENT = 0.7


class PdfOpenError(Exception):
    """PDFium does not open the file; `code` is its own (3: format, 4: password, 5: security handler)."""

    def __init__(self, code: int) -> None:
        super().__init__(f"PDFium error {code}")
        self.code = code


class _Frame(NamedTuple):
    """The way from PDF user space to the page as seen."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    def seen(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """The rectangle `x0 ≤ x1`, `y0 ≤ y1` of user space as it is seen."""
        if self.rotation == 0:
            return x0 - self.left, self.top - y1, x1 - self.left, self.top - y0
        if self.rotation == 90:
            return y0 - self.bottom, x0 - self.left, y1 - self.bottom, x1 - self.left
        if self.rotation == 180:
            return self.right - x1, y0 - self.bottom, self.right - x0, y1 - self.bottom
        return self.top - y1, self.right - x1, self.top - y0, self.right - x0


    def all_seen(self, x0: list[float], y0: list[float], x1: list[float], y1: list[float]) -> list[Iterable[float]]:
        """The edges of many rectangles as `seen`: lefts, tops, rights, bottoms."""
        if self.rotation == 0:
            across, down = (-self.left).__add__, self.top.__sub__
            return [map(across, x0), map(down, y1), map(across, x1), map(down, y0)]
        return list(zip(*map(self.seen, x0, y0, x1, y1), strict=True)) or [()] * 4


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
        self._frames: dict[int, _Frame] = {}
        self._links: list[Link] = []

    def read_page(self, number: int, max_characters: int) -> PageText:
        """The words of page `number`."""
        index = number - 1
        page = pdfium.FPDF_LoadPage(self._document, index)
        if not page:
            return PageText(number, self._label(index), 612.0, 792.0, 0)
        try:
            frame = self._frame(index, page)
            self._links += self._page_links(page, index, frame)
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
        """Title, bookmarks, and the internal links of the pages read so far."""
        return Outline(self._title(), tuple(self._bookmarks(None, 0, set())), tuple(self._links))

    def render(self, number: int, scale: float) -> tuple[int, int, bytes]:
        """Page `number` as width, height, and rows of RGB bytes."""
        page = pdfium.FPDF_LoadPage(self._document, number - 1)
        width = max(1, round(pdfium.FPDF_GetPageWidthF(page) * scale))
        height = max(1, round(pdfium.FPDF_GetPageHeightF(page) * scale))
        pixels = (ctypes.c_ubyte * (width * height * 4))()
        bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, pixels, width * 4)
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        pdfium.FPDFBitmap_Destroy(bitmap)
        pdfium.FPDF_ClosePage(page)
        return width, height, bytes(pixels)

    def _frame(self, index: int, page: Any) -> _Frame:
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, box)
        rotation = int(pdfium.FPDFPage_GetRotation(page)) * 90
        frame = _Frame(box.left, box.bottom, box.right, box.top, rotation)
        self._frames[index] = frame
        return frame

    def _label(self, index: int) -> str:
        return _utf16(lambda buffer, size: pdfium.FPDF_GetPageLabel(self._document, index, buffer, size))

    def _title(self) -> str:
        return _utf16(lambda buffer, size: pdfium.FPDF_GetMetaText(self._document, b"Title", buffer, size))

    def _words(self, text_page: Any, frame: _Frame, count: int) -> tuple[Word, ...]:
        address = ctypes.cast(text_page, _POINTER).value or 0
        text = _characters(address, count)
        spans = [match.span() for match in _WORD.finditer(text)]
        starts = [start for start, _ in spans]
        boxes = _boxes(address, starts, [end - 1 for _, end in spans])
        objects = list(map(_text_object, repeat(address), starts))
        styles = _styles(address, dict(zip(reversed(objects), reversed(starts), strict=True)), frame.rotation)
        texts = [text[start:end] for start, end in spans]
        words = list(map(Word, texts, *frame.all_seen(*boxes), map(styles.__getitem__, objects)))
        _measure(address, spans, objects, frame, words)
        return tuple(words)

    def _page_links(self, page: Any, index: int, frame: _Frame) -> Iterator[Link]:
        position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
        while pdfium.FPDFLink_Enumerate(page, position, link):
            target = self._target(pdfium.FPDFLink_GetDest(self._document, link), pdfium.FPDFLink_GetAction(link))
            rectangle = pdfium.FS_RECTF()
            if target and pdfium.FPDFLink_GetAnnotRect(link, rectangle):
                xs = sorted((rectangle.left, rectangle.right))
                ys = sorted((rectangle.bottom, rectangle.top))
                box = Box(*frame.seen(xs[0], ys[0], xs[1], ys[1]))
                yield Link(index + 1, box, target[0] + 1, target[1])

    def _target(self, destination: Any, action: Any) -> tuple[int, float | None] | None:
        if not destination and action:
            destination = pdfium.FPDFAction_GetDest(self._document, action)
        if not destination:
            return None
        index = int(pdfium.FPDFDest_GetDestPageIndex(self._document, destination))
        if not 0 <= index < self.page_count:
            return None
        has = [pdfium.FPDF_BOOL() for _ in range(3)]
        values = [pdfium.FS_FLOAT() for _ in range(3)]
        found = pdfium.FPDFDest_GetLocationInPage(destination, *has, *values)
        if not found or not has[1].value:
            return index, None
        return index, self._seen_y(index, values[0].value if has[0].value else 0.0, values[1].value)

    def _seen_y(self, index: int, x: float, y: float) -> float | None:
        frame = self._frames.get(index)
        if frame is None:
            page = pdfium.FPDF_LoadPage(self._document, index)
            if not page:
                return None
            frame = self._frame(index, page)
            pdfium.FPDF_ClosePage(page)
        return frame.seen(x, y, x, y)[1]

    def _bookmarks(self, parent: Any, level: int, seen: set[int]) -> Iterator[Bookmark]:
        entry = pdfium.FPDFBookmark_GetFirstChild(self._document, parent)
        while entry:
            key = ctypes.addressof(entry.contents)
            if key in seen:
                return
            seen.add(key)
            title = _utf16(lambda buffer, size, entry=entry: pdfium.FPDFBookmark_GetTitle(entry, buffer, size))
            target = self._target(
                pdfium.FPDFBookmark_GetDest(self._document, entry), pdfium.FPDFBookmark_GetAction(entry)
            )
            if target and title.strip():
                yield Bookmark(" ".join(title.split()), target[0] + 1, level, target[1])
            if level < 20:
                yield from self._bookmarks(entry, level + 1, seen)
            entry = pdfium.FPDFBookmark_GetNextSibling(self._document, entry)


def _boxes(address: int, firsts: list[int], lasts: list[int]) -> list[list[float]]:
    """The left, bottom, right, and top edges, in user space, of the words from character `firsts[i]` to `lasts[i]`."""
    count = len(firsts)
    memory = (ctypes.c_float * (8 * count))()
    at = ctypes.addressof(memory)
    # The calls run in the interpreter's own loops: a statement each would double their cost.
    deque(map(_loose_box, repeat(address), firsts, range(at, at + 16 * count, 16)), maxlen=0)
    deque(map(_loose_box, repeat(address), lasts, range(at + 16 * count, at + 32 * count, 16)), maxlen=0)
    values = array("f", bytes(memory)).tolist()
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
    memory = (ctypes.c_float * (6 * len(indices)))()
    at = ctypes.addressof(memory)
    deque(map(_matrix, repeat(address), indices, range(at, at + 24 * len(indices), 24)), maxlen=0)
    values = array("f", bytes(memory)).tolist()
    sizes = map(_font_size, repeat(address), indices)
    fonts = [_font(item) if item else None for item in objects]
    modes = [_render_mode(item) if item else 0 for item in objects]
    known: dict[tuple[Any, ...], Style] = {}
    styles = {}
    for item, *key in zip(objects, values[0::6], values[1::6], values[2::6], values[3::6], sizes, fonts, modes, strict=True):
        style = known.get(tuple(key))
        if style is None:
            style = known[tuple(key)] = _style(*key, rotation=rotation)
        styles[item] = style
    return styles


def _style(
    a: float, b: float, c: float, d: float, size: float, font: int | None, mode: int, *, rotation: int
) -> Style:
    """The style of text set in `font` with the matrix `a b c d` on a page turned by `rotation`."""
    turn = round(math.degrees(math.atan2(-b, a))) + rotation
    turn = round(turn / 90) * 90 % 360 if abs(turn - round(turn / 90) * 90) <= 5 else turn % 360
    bold = mode == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE or (font is not None and _is_bold(font))
    return Style(round(size * math.hypot(c, d), 2) or 0.01, bold, turn, mode not in _UNPAINTED)


def _is_bold(font: int) -> bool:
    """By name, else by weight, which PDFium derives from the width of stems and which is often wrong."""
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    buffer = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(handle, buffer, 256)
    name = buffer.value.decode("latin-1")
    if _BOLD_NAME.search(name) or pdfium.FPDFFont_GetFlags(handle) & _FORCE_BOLD:
        return True
    return 600 <= pdfium.FPDFFont_GetWeight(handle) <= 1000 and not _REGULAR_NAME.search(name)


def _measure(
    address: int, spans: list[tuple[int, int]], objects: list[int | None], frame: _Frame, words: list[Word]
) -> None:
    """Replace boxes and sizes of words whose font does not tell its height (Type 3), by what they paint."""
    edges, origin = (ctypes.c_double * 4)(), (ctypes.c_double * 2)()
    edges_at, origin_at = ctypes.addressof(edges), ctypes.addressof(origin)
    measured = []
    ascents: dict[tuple[int | None, float], float] = {}
    for index, (word, (start, end), run) in enumerate(zip(words, spans, objects, strict=True)):
        size, height = word.style.size_pt, word.y1 - word.y0
        if 0.4 * size < height < 2.5 * size or word.style.turn % 180:
            continue
        boxes = []
        for rectangle in range(_count_rects(address, start, end - start)):
            _rect(address, rectangle, edges_at, edges_at + 8, edges_at + 16, edges_at + 24)
            boxes.append(tuple(edges))
        if boxes and run:
            _origin(address, start, origin_at, origin_at + 8)
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            key = (_font(run), size)
            ascents[key] = max(ascents.get(key, 0.0), max(tops) - origin[1])
            measured.append((index, key, min(lefts), min(*bottoms, origin[1]), max(rights), max(tops), origin[1]))
    for index, key, left, bottom, right, top, baseline in measured:
        word = words[index]
        size = max(0.01, round(ascents[key] / _ASCENT, 1))
        if word.style.turn == frame.rotation:
            bottom, top = min(bottom, baseline - 0.2 * size), max(top, baseline + _ASCENT * size)
        words[index] = Word(word.text, *frame.seen(left, bottom, right, top), word.style._replace(size_pt=size))


def _characters(address: int, count: int) -> str:
    """The characters of a text page, one for each of PDFium's indices."""
    buffer = ctypes.create_string_buffer(2 * count + 2)
    written = _get_text(address, 0, count, ctypes.addressof(buffer)) - 1
    text = buffer.raw[: 2 * written].decode("utf-16-le", "replace")
    if len(text) == count:
        return _LIGATURE.sub(lambda match: match[0].translate(_LIGATURES), text)
    # Characters without a meaning are missing from the text, and those beyond 16 bits take two places in it.
    codes = list(map(_unicode, repeat(address), range(count)))
    marked = (
        0xFFFE if code == 2 and _is_hyphen(address, index) == 1 else code if 0 < code < 0x110000 else 0xFFFD
        for index, code in enumerate(codes)
    )
    return "".join(map(chr, marked))


def _pictures(page: Any, frame: _Frame) -> tuple[float, int]:
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
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")
