"""Reading PDF files: pages of lines with boxes, labels, bookmarks, links, and pictures of pages."""

from thumbindex.pdf.limits import ReadLimits
from thumbindex.pdf.reading import READER, check_file, printable, read_pdf, render_page

__all__ = ["READER", "ReadLimits", "check_file", "printable", "read_pdf", "render_page"]
