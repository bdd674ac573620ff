"""The web page about a run of questions: one file, no script, nothing fetched."""

from thumbindex.report.page import report_page

__all__ = ["report_page"]
