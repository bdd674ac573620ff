"""Training: two rounds, the second on negatives that the first one's network finds hard."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from thumbindex.decision.embedded.wordpiece import WordPiece
from training.batches import NEGATIVES, Batch, batch, plan
from training.network import CrossEncoder
from training.prepare import Prepared

__all__ = ["Round", "Settings", "averaged", "load_round", "train_round"]

_HIDDEN = -1e4


@dataclass(frozen=True)
class Settings:
    """How to train; what was tried is in NOTES.md."""

    seed: int = 5
    rate: float = 7e-5
    head_rate: float = 1e-3
    warm_up: int = 150
    weight_decay: float = 0.01
    clip: float = 1.0
    averaging: float = 0.998
    yes_no_share: float = 0.5
    checkpoint_steps: int = 200
    log_steps: int = 50
    workers: int = 2


@dataclass
class State:
    """All that a checkpoint holds: resuming from it goes on as if nothing had happened."""

    network: CrossEncoder
    average: CrossEncoder
    optimizer: torch.optim.Optimizer
    step: int = 0

    def save(self, path: Path) -> None:
        """Write it, the old one staying whole until the new one is."""
        parts = (self.network, self.average, self.optimizer)
        new = path.with_suffix(".new")
        torch.save({"step": self.step, "parts": [part.state_dict() for part in parts]}, new)
        new.replace(path)

    def load(self, path: Path) -> None:
        """Read it."""
        kept = torch.load(path, weights_only=True)
        self.step = kept["step"]
        for part, values in zip((self.network, self.average, self.optimizer), kept["parts"], strict=True):
            part.load_state_dict(values)


@dataclass(frozen=True)
class Round:
    """A round of training: how long, whether its rate falls to 0, where its checkpoint lies and its log."""

    steps: int
    path: Path
    log: Path
    last: bool = False

    def share_of_rate(self, step: int, settings: Settings) -> float:
        """How much of the full rate a step takes."""
        return 1 - step / self.steps if self.last else min(1.0, (step + 1) / settings.warm_up)


def train_round(
    prepared: Prepared,
    vocabulary: WordPiece,
    start: Callable[[], tuple[CrossEncoder, CrossEncoder]],
    this: Round,
    settings: Settings,
) -> None:
    """Train one round, from what `start` gives or from its checkpoint where there is one.

    Each step's draws come from the seed and its number alone, so that a resumed training takes the same steps.
    """
    state = _begun(start, this, settings)
    seed = settings.seed + 1000 * this.last
    order = plan(prepared.groups, this.steps, seed)
    # Each worker is a thread with a share of the groups: less waiting for each other than within every product.
    torch.set_num_threads(1)
    seen: list[tuple[float, float, int]] = []
    began = time.perf_counter()
    with ThreadPoolExecutor(settings.workers) as executor:
        for step in range(state.step, this.steps):
            parts = [
                batch(
                    [prepared.groups[i] for i in part],
                    prepared.weights,
                    vocabulary,
                    np.random.default_rng((seed, step, worker)),
                )
                for worker, part in enumerate(np.array_split(order[step], settings.workers))
            ]
            seen.append(_step(state, parts, this.share_of_rate(step, settings), settings, executor))
            state.step = step + 1
            if state.step % settings.log_steps == 0:
                _log(this, state.step, seen, time.perf_counter() - began)
                seen, began = [], time.perf_counter()
            if state.step % settings.checkpoint_steps == 0 or state.step == this.steps:
                state.save(this.path)


def _begun(start: Callable[[], tuple[CrossEncoder, CrossEncoder]], this: Round, settings: Settings) -> State:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network, average = (net.to(device) for net in start())
    network.dtype = torch.bfloat16
    state = State(network, average, _optimizer(network, settings))
    if this.path.exists():
        state.load(this.path)
    return state


def _log(this: Round, step: int, seen: Sequence[tuple[float, float, int]], seconds: float) -> None:
    choice, yes_no, windows = np.array(seen).T
    row = {
        "round": 2 if this.last else 1,
        "step": step,
        "choice_loss": round(float(choice.mean()), 4),
        "yes_no_loss": round(float(yes_no.mean()), 4),
        "windows_per_s": round(float(windows.sum()) / seconds, 1),
    }
    with this.log.open("a") as file:
        file.write(json.dumps(row) + "\n")
    print(row, flush=True)


def load_round(path: Path, vocabulary_size: int) -> tuple[CrossEncoder, CrossEncoder]:
    """The network and the average of its weights that a round ended with."""
    kept = torch.load(path, weights_only=True)["parts"]
    networks = CrossEncoder(vocabulary_size), CrossEncoder(vocabulary_size)
    for network, values in zip(networks, kept, strict=False):
        network.load_state_dict(values)
    return networks


def averaged(path: Path, vocabulary_size: int) -> CrossEncoder:
    """The averaged network of a round, the one to use."""
    return load_round(path, vocabulary_size)[1]


def losses(scores: Tensor, read: Batch) -> tuple[Tensor, Tensor]:
    """Two losses of the windows' scores: which text answers if any does, and of each text whether it does.

    A text's score is that of its best window. The choice is among a group's texts and "none", whose score is 0.
    """
    groups = len(read.present)
    texts = torch.full((groups * (1 + NEGATIVES),), _HIDDEN, device=scores.device)
    texts = texts.scatter_reduce(0, read.text.to(scores.device), scores, "amax").view(groups, 1 + NEGATIVES)
    present = read.present.to(scores.device)
    answerable = present[:, 0]
    none = torch.zeros(groups, 1, device=scores.device)
    choice = -functional.log_softmax(torch.cat([texts, none], 1), 1)
    chosen = torch.where(answerable, choice[:, 0], choice[:, -1])
    negative = (functional.softplus(texts) * present)[:, 1:].sum(1) / present[:, 1:].sum(1).clamp(min=1)
    positive = torch.where(answerable, functional.softplus(-texts[:, 0]), torch.zeros_like(negative))
    return chosen.mean(), (positive + negative).mean()


def _step(
    state: State, parts: Sequence[Batch], share: float, settings: Settings, executor: Executor
) -> tuple[float, float, int]:
    """Both losses and the number of windows of a step, taken."""
    trained = [parameter for parameter in state.network.parameters() if parameter.requires_grad]

    def slopes(read: Batch) -> tuple[tuple[Tensor, ...], float, float]:
        device = trained[0].device
        choice, yes_no = losses(state.network(read.ids.to(device), read.segments.to(device)), read)
        total = (choice + settings.yes_no_share * yes_no) / len(parts)
        return torch.autograd.grad(total, trained), choice.item(), yes_no.item()

    found = list(executor.map(slopes, parts))
    for place, parameter in enumerate(trained):
        parameter.grad = sum(part[0][place] for part in found)
    torch.nn.utils.clip_grad_norm_(trained, settings.clip)
    for group in state.optimizer.param_groups:
        group["lr"] = group["initial_lr"] * share
    state.optimizer.step()
    # Early on the average follows closely, so that it does not remember the untrained network.
    keep = min(settings.averaging, (1 + state.step) / (10 + state.step))
    with torch.no_grad():
        torch._foreach_lerp_([mean for mean in state.average.parameters() if mean.requires_grad], trained, 1 - keep)
    choices, yes_nos = ([part[place] for part in found] for place in (1, 2))
    return float(np.mean(choices)), float(np.mean(yes_nos)), sum(len(part.ids) for part in parts)


def _optimizer(network: CrossEncoder, settings: Settings) -> torch.optim.Optimizer:
    head = list(network.head.parameters())
    body = [p for n, p in network.named_parameters() if p.requires_grad and not n.startswith("head.")]
    groups = [
        {"params": body, "lr": settings.rate, "initial_lr": settings.rate},
        {"params": head, "lr": settings.head_rate, "initial_lr": settings.head_rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, weight_decay=settings.weight_decay, fused=True)
