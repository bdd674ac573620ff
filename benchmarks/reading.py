"""From file to tree over many PDFs: pages a second, processor time by stage, peak memory, and whether each tree holds.

    python benchmarks/reading.py DIR_OR_PDF ... [--json OUT.json]

The floor, measured in the same run on the same files, is PDFium's bare text of every page. Times are processor seconds
(this process and its workers) as well as seconds on the wall; memory is the peak of the whole process tree, sampled.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import pypdfium2 as pdfium

from thumbindex.errors import DocumentError
from thumbindex.indexing import build_tree
from thumbindex.pdf import read_pdf


@dataclass(frozen=True)
class Row:
    """What one file took."""

    file: str
    pages: int
    floor_s: float
    read_s: float
    read_cpu_s: float
    build_s: float
    peak_mb: float
    nodes: int
    violations: int
    error: str


def measure(path: Path) -> Row:
    """One file, read and indexed."""
    with PeakMemory() as memory:
        began, cpu = time.perf_counter(), processor_s()
        try:
            document = read_pdf(path)
        except DocumentError as error:
            return Row(path.name, 0, 0, 0, 0, 0, 0, 0, 0, f"{type(error).__name__}: {error}")
        read_s, read_cpu_s = time.perf_counter() - began, processor_s() - cpu
        began = time.process_time()
        tree = build_tree(document)
        build_s = time.process_time() - began
    nodes = sum(1 for _ in tree.walk())
    broken = len(tree.violations(len(document.pages)))
    pages = len(document.pages)
    return Row(path.name, pages, floor(path), read_s, read_cpu_s, build_s, memory.peak_mb, nodes, broken, "")


def floor(path: Path) -> float:
    """Processor seconds of PDFium's bare text of every page."""
    began = time.process_time()
    with pdfium.PdfDocument(path) as pdf:
        for page in pdf:
            page.get_textpage().get_text_bounded()
            page.close()
    return time.process_time() - began


def processor_s() -> float:
    """Of this process and the children it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class PeakMemory:
    """The most memory that this process and those below it held together, every 10 ms, shared pages counted once."""

    def __enter__(self) -> PeakMemory:
        self.peak_mb = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._done.wait(0.01):
            held = sum(proportional_mb(pid) for pid in (os.getpid(), *children(os.getpid())))
            self.peak_mb = max(self.peak_mb, held)


def children(pid: int) -> list[int]:
    """Process ids of the children (Linux)."""
    try:
        found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # it has ended
        return []
    return found + [below for child in found for below in children(child)]


def proportional_mb(pid: int) -> float:
    """Memory of a process, pages that it shares divided by those who share them."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in rollup.splitlines() if line.startswith("Pss:"))


def main() -> None:
    """Measure, print a line for each file and a summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    files = sorted({f.name: f for p in args.paths for f in (p.rglob("*.pdf") if p.is_dir() else [p])}.values())
    rows = []
    for file in files:
        row = measure(file)
        rows.append(row)
        print(
            f"{row.file[:44]:44} {row.pages:4} pages  floor {per_page(row.floor_s, row):5.1f}"
            f"  read {per_page(row.read_cpu_s, row):5.1f}  build {per_page(row.build_s, row):5.1f} ms/page"
            f"  {row.peak_mb:4.0f} MB  {row.nodes:4} nodes  {row.error or ('BROKEN' if row.violations else '')}",
            flush=True,
        )
    good = [row for row in rows if not row.error]
    pages = sum(row.pages for row in good)
    cpu = sum(row.read_cpu_s + row.build_s for row in good)
    wall = sum(row.read_s + row.build_s for row in good)
    bare = sum(row.floor_s for row in good)
    print(
        f"{len(good)} files read, {len(rows) - len(good)} refused, {sum(r.violations > 0 for r in good)} broken trees,"
        f" {pages} pages: {pages / wall:.0f} pages/s on the wall, {pages / cpu:.0f} pages per processor second,"
        f" {cpu / bare:.1f} times the floor ({1000 * bare / pages:.1f} ms/page);"
        f" peak {max(r.peak_mb for r in good):.0f} MB"
    )
    if args.json:
        args.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def per_page(seconds: float, row: Row) -> float:
    """Milliseconds a page."""
    return 1000 * seconds / max(1, row.pages)


if __name__ == "__main__":
    main()
