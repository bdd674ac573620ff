"""Small PDFs, drawn where a test needs them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

Draw = Callable[[Canvas], object]


@pytest.fixture
def make_pdf(tmp_path: Path):
    """A PDF with one page for each function that draws on a canvas; afterwards `change` may alter it through pypdf."""

    def make(
        *pages: Draw, size=(612, 792), name="made.pdf", change: Callable[[PdfWriter], object] | None = None
    ) -> Path:
        path = tmp_path / name
        canvas = Canvas(str(path), pagesize=size, invariant=True)
        for draw in pages:
            canvas.setFont("Helvetica", 12)
            draw(canvas)
            canvas.showPage()
        canvas.save()
        if change:
            writer = PdfWriter(clone_from=PdfReader(path))
            change(writer)
            writer.write(path)
        return path

    return make


@pytest.fixture
def read(make_pdf):
    """The document that is read from such a PDF."""
    from thumbindex.pdf import read_pdf

    return lambda *pages, **options: read_pdf(make_pdf(*pages, **options))
