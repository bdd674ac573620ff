"""Folders of small PDFs, and databases to keep them in."""

from pathlib import Path

import pytest
from databases import *  # noqa: F403 - fixtures
from reportlab.pdfgen.canvas import Canvas

SUBJECTS = ("pumps", "valves", "turbines", "boilers", "bearings", "compressors", "filters", "gaskets")


def write_pdf(path: Path, *pages: list[str]) -> Path:
    canvas = Canvas(str(path), pagesize=(612, 792), invariant=True)
    for lines in pages:
        for row, line in enumerate(lines):
            canvas.setFont("Helvetica-Bold" if row == 0 else "Helvetica", 16 if row == 0 else 11)
            canvas.drawString(72, 720 - 20 * row, line)
        canvas.showPage()
    canvas.save()
    return path


def report_pages(company: str, year: int, subject: str) -> list[list[str]]:
    return [
        ["Annual Report", company, f"For the fiscal year ended December 31, {year}"],
        [f"Our {subject}", f"{company} sold {year % 97} thousand {subject} in {year}.", f"Most {subject} went abroad."],
        ["Employees", f"{company} employed {year * 3} people.", "None was hurt at work."],
    ]


@pytest.fixture
def reports(tmp_path):
    """Makes a folder of so many annual reports."""

    def make(count: int) -> list[Path]:
        folder = tmp_path / "reports"
        folder.mkdir()
        return [
            write_pdf(
                folder / f"report-{number:02d}.pdf",
                *report_pages(f"Maker{number // 4} Works Inc.", 2015 + number % 4, SUBJECTS[number % len(SUBJECTS)]),
            )
            for number in range(count)
        ]

    return make
