"""Folders of small PDFs, databases to keep them in, and the command line over them."""

import os
import subprocess
import sys
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


@pytest.fixture(scope="session")
def write_reports():
    """Makes a folder with so many annual reports in it."""

    def make(folder: Path, count: int) -> list[Path]:
        folder.mkdir()
        return [
            write_pdf(
                folder / f"report-{number:02d}.pdf",
                *report_pages(f"Maker{number // 4} Works Inc.", 2015 + number % 4, SUBJECTS[number % len(SUBJECTS)]),
            )
            for number in range(count)
        ]

    return make


@pytest.fixture
def reports(tmp_path, write_reports):
    """Makes a folder of a test's own of so many annual reports."""
    return lambda count: write_reports(tmp_path / "reports", count)


@pytest.fixture
def start(tmp_path):
    """Starts the command line in a process of its own, with a library and settings of its own."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("THUMBINDEX", "TYPESAFE", "OPENAI"))
    }
    environment = kept | {
        "THUMBINDEX_LIBRARY": str(tmp_path / "library.sqlite"),
        "THUMBINDEX_CACHE": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }

    def call(*arguments, stdin=subprocess.DEVNULL, start=("-m", "thumbindex"), **variables):
        return subprocess.Popen(
            [sys.executable, *start, *map(str, arguments)],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment | variables,
        )

    return call


@pytest.fixture
def run(start):
    def call(*arguments, **options):
        process = start(*arguments, **options)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    return call
