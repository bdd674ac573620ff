"""Copies of PDFs under names that say nothing, and the question set that goes with them.

What a library finds with these it finds by what stands on the pages.

    python benchmarks/opaque_names.py ../shared/data ../shared/data/financebench/questions.jsonl opaque
    thumbindex index opaque/pdfs --library opaque/library.sqlite
    thumbindex eval opaque/questions.jsonl --library opaque/library.sqlite
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path


def main() -> None:
    """Write `OUT/pdfs` and `OUT/questions.jsonl`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", type=Path, help="a folder with PDFs, at any depth")
    parser.add_argument("questions", type=Path, help="a question set about some of them")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    (arguments.out / "pdfs").mkdir(parents=True, exist_ok=True)
    names = {}
    for file in sorted(arguments.pdfs.rglob("*.pdf")):
        names[file.name] = f"{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}.pdf"
        shutil.copyfile(file, arguments.out / "pdfs" / names[file.name])
    rows = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines() if line.strip()]
    lines = (json.dumps(row | {"doc": names[row["doc"]]}, ensure_ascii=False) for row in rows)
    (arguments.out / "questions.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
