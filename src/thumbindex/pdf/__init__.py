"""Reading PDF files: pages of lines with boxes, labels, bookmarks, links, and pictures of pages."""

from thumbindex.pdf.limits import ReadLimits
from thumbindex.pdf.sandbox import read_pdf, render_page

__all__ = ["ReadLimits", "read_pdf", "render_page"]
