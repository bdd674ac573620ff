"""What the tests draw."""

from collections.abc import Callable, Sequence
from random import Random

from reportlab.pdfgen.canvas import Canvas

Draw = Callable[[Canvas], object]

LOREM = (
    "The board met in March and approved the plan that the committee had prepared over the winter months with the help "
    "of outside advisers who knew the market well and had no stake in its outcome whatever it might turn out to be "
).split()


def text(*rows: tuple[float, float, str], font: str = "Helvetica", size: float = 12) -> Draw:
    """Strings at (x, y from the bottom)."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for x, y, string in rows:
            canvas.drawString(x, y, string)

    return draw


def all_of(*draws: Draw) -> Draw:
    """One after the other on the same page."""

    def draw(canvas: Canvas) -> None:
        for each in draws:
            each(canvas)

    return draw


def prose(
    x: float,
    top: float,
    width: float,
    rows: int,
    *,
    start: int = 0,
    seed: int = 0,
    size: float = 10,
    leading: float = 12,
) -> Draw:
    """Lines of ragged prose that fill a column; its words are `LOREM` over and over, from `start`.

    With a `seed` the words come in an order of their own.
    """

    def draw(canvas: Canvas) -> None:
        words_in_order = Random(seed).choices(LOREM, k=2000) if seed else LOREM
        canvas.setFont("Helvetica", size)
        position = start
        for row in range(rows):
            words: list[str] = []
            while (
                canvas.stringWidth(
                    " ".join([*words, words_in_order[position % len(words_in_order)]]), "Helvetica", size
                )
                <= width
            ):
                words.append(words_in_order[position % len(words_in_order)])
                position += 1
            canvas.drawString(x, top - row * leading, " ".join(words))

    return draw


def table(
    x: Sequence[float], top: float, rows: Sequence[Sequence[str]], *, size: float = 10, leading: float = 14
) -> Draw:
    """Cells in columns that begin at `x`, drawn row by row."""
    return text(
        *(
            (x[column], top - row * leading, cell)
            for row, cells in enumerate(rows)
            for column, cell in enumerate(cells)
        ),
        size=size,
    )


def raw_pdf(content: bytes, resources: bytes, *others: bytes) -> bytes:
    """A PDF of one page, byte by byte: object 4 is its content stream, the others follow from 5."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources %s>>" % resources,
        content,
        *others,
    ]
    written, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(written))
    return written + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def stream(content: bytes) -> bytes:
    """An object with that stream."""
    return b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)
