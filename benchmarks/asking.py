"""Seconds a question over a document that is read and indexed: the median, and against the bare network.

    python benchmarks/asking.py PDF QUESTIONS.jsonl [--most 30] [--json OUT.json]

QUESTIONS are as `thumbindex eval` takes them; those about the PDF are asked. The floor, measured in the same run, is
one pass of onnxruntime over the very windows that each question had the model read. What was read and found for the
first question is warm for the rest, as it is for a user who asks several; the first is shown apart.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from thumbindex import Library
from thumbindex.decision.batch import Decider
from thumbindex.decision.embedded.calibration import Calibration
from thumbindex.decision.embedded.model import WEIGHTS, EmbeddedModel
from thumbindex.decision.embedded.network import Network, Row
from thumbindex.decision.embedded.reader import Reader
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.evaluation.questions import load_questions


class WatchedNetwork(Network):
    """A network that notes the windows it reads."""

    def scores(self, rows: Sequence[Row]) -> list[float]:
        """The score of each window."""
        self.read = [*getattr(self, "read", []), *rows]
        return super().scores(rows)


@dataclass(frozen=True)
class Figures:
    """What asking cost."""

    pages: int
    questions: int
    load_s: float
    first_s: float
    median_s: float
    median_processor_s: float
    median_network_s: float
    median_windows: float
    ratio: float
    peak_mb: float


def measure(pdf: Path, asked: Sequence[str]) -> Figures:
    """The figures of these questions about a file."""
    document = Library.from_cache().open(pdf)
    began = time.perf_counter()
    network = WatchedNetwork.from_file(WEIGHTS / "reader.onnx")
    reader = Reader(network, WordPiece.from_file(WEIGHTS / "vocab.txt"))
    model = Decider(EmbeddedModel(reader, Calibration.from_file(WEIGHTS / "calibration.json")))
    load_s = time.perf_counter() - began
    seconds, processor, bare, windows = [], [], [], []
    for question in asked:
        network.read = []
        began, cpu = time.perf_counter(), time.process_time()
        document.find(question, model=model)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - cpu)
        began, rows = time.perf_counter(), network.read
        Network.scores(network, rows)
        bare.append(time.perf_counter() - began)
        windows.append(len(rows))
    return Figures(
        pages=len(document.pages),
        questions=len(asked),
        load_s=load_s,
        first_s=seconds[0],
        median_s=median(seconds[1:]),
        median_processor_s=median(processor[1:]),
        median_network_s=median(bare[1:]),
        median_windows=median(windows[1:]),
        ratio=median(s / b for s, b in zip(seconds[1:], bare[1:], strict=True)),
        peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdf", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--most", type=int, default=30)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    asked = [q.question for q in load_questions(args.questions) if q.document == args.pdf.name][: args.most]
    if len(asked) < 2:
        parser.error(f"{args.questions} asks fewer than two questions about {args.pdf.name}")
    found = measure(args.pdf, asked)
    for name, value in asdict(found).items():
        print(f"{name:20} {value:.3f}" if isinstance(value, float) else f"{name:20} {value}")
    if args.json:
        args.json.write_text(json.dumps(asdict(found), indent=1) + "\n")


if __name__ == "__main__":
    main()
