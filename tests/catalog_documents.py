"""Small documents for tests of a library."""

import hashlib

from thumbindex.document import Box, Document, Line, Page


def document(name: str, *pages: str) -> Document:
    """A document whose id derives from its name and pages, one line a page row."""
    sha256 = hashlib.sha256("\f".join((name, *pages)).encode()).hexdigest()
    made = [
        Page(
            number,
            str(number),
            612,
            792,
            lines=tuple(
                Line(text, Box(72, 72 + 20 * row, 540, 84 + 20 * row), 10) for row, text in enumerate(page.split("\n"))
            ),
        )
        for number, page in enumerate(pages or ("text",), 1)
    ]
    return Document(Document.id_of(sha256), f"{name}.pdf", sha256, tuple(made))
