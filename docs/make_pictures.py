"""The pictures in the README: `python docs/make_pictures.py` from the root of the repository."""

from io import StringIO
from pathlib import Path

from rich.console import Console

import thumbindex
from thumbindex.render import render_finding

QUESTION = "How much did the company spend on capital expenditure in 2025?"
DOCS = Path(__file__).parent


def main():
    document = thumbindex.open(DOCS.parent / "examples" / "annual-report.pdf", cache=False)
    finding = document.find(QUESTION)
    console = Console(record=True, width=110, highlight=False, file=StringIO())
    console.print(f'$ thumbindex find examples/annual-report.pdf "{QUESTION}"\n')
    console.print(render_finding(finding))
    (DOCS / "find.svg").write_text(console.export_svg(title="thumbindex"))
    best = finding.pages[0]
    document.image(best.page, [line.box for line in best.lines], scale=1.0).save(DOCS / "page.png", optimize=True)


if __name__ == "__main__":
    main()
