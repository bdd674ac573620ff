"""Where the time from file to tree goes: processor milliseconds a page by stage.

    python benchmarks/stages.py DIR_OR_PDF ...

All stages run in this process, one after another, so that each can be timed; as used, the first four run in a worker,
beside the others. Starting the worker is not part of it: `benchmarks/reading.py` measures the whole. Memory is not
limited here: use it on files you trust.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from thumbindex.codec import decode_page, encode_page
from thumbindex.document import Document, Page
from thumbindex.indexing import build_tree
from thumbindex.pdf.layout import lay_out
from thumbindex.pdf.limits import ReadLimits
from thumbindex.pdf.reader import OpenPdf, PdfOpenError
from thumbindex.pdf.reading import finished
from thumbindex.pdf.visible import visible_words

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Stages:
    """Processor seconds by stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def timed(
        self, stage: str, step: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        """What the step returns; its time is added to the stage."""
        began = time.process_time()
        result = step(*args, **kwargs)
        self.seconds[stage] += time.process_time() - began
        return result


def read(file: Path, stages: Stages) -> Document:
    """The document in a file."""
    data = bytearray(file.read_bytes())
    pdf = OpenPdf(ctypes.addressof(ctypes.c_char.from_buffer(data)), len(data))
    pages = [_page(pdf, number, stages) for number in range(1, pdf.page_count + 1)]
    outline = stages.timed("bookmarks and links", pdf.outline)
    pages = stages.timed("running lines, labels, torn words", finished, pages)
    return Document("0" * 16, file.name, "0" * 64, pages, outline.bookmarks, outline.links, outline.title)


def _page(pdf: OpenPdf, number: int, stages: Stages) -> Page:
    text = stages.timed("words, boxes, and styles from PDFium", pdf.read_page, number, ReadLimits().max_page_characters)
    words, flags = stages.timed("hidden text", visible_words, text)
    lines = stages.timed("columns and lines", lay_out, words)
    page = Page(number, text.label, text.width_pt, text.height_pt, text.rotation, lines, flags)
    sent = stages.timed("to the main process and back into types", encode_page, page)
    return stages.timed("to the main process and back into types", decode_page, sent)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    paths = parser.parse_args().paths
    files = sorted({f.name: f for p in paths for f in (p.rglob("*.pdf") if p.is_dir() else [p])}.values())
    gc.disable()  # as in the worker
    stages, count = Stages(), 0
    for file in files:
        try:
            document = read(file, stages)
        except PdfOpenError as error:
            print(f"{file.name}: {error}")
            continue
        stages.timed("outline, tree, and summaries", build_tree, document)
        count += len(document.pages)
    total = sum(stages.seconds.values())
    for stage, seconds in stages.seconds.items():
        print(f"{stage:42} {1000 * seconds / count:6.2f} ms/page  {100 * seconds / total:3.0f} %")
    print(f"{f'all of it, {count:,} pages':42} {1000 * total / count:6.2f} ms/page")


if __name__ == "__main__":
    main()
