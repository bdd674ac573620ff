"""The network: six layers of BERT's kind over question and window, mean-pooled, one score.

Attention is written as plain matrix products: the fused one is several times slower on the CPUs this was trained on.
Activations are bfloat16 and parameters float32, so that the optimizer's small steps are not lost.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from thumbindex.decision.embedded.wordpiece import PAD

__all__ = ["CrossEncoder"]

WIDTH, LAYERS, HEADS, LONGEST = 384, 6, 12, 512
_NORM_EPSILON = 1e-12


class CrossEncoder(nn.Module):
    """Scores how well a window answers a question; `dtype` is that of its activations."""

    def __init__(self, vocabulary_size: int, layers: int = LAYERS) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.zeros(vocabulary_size, WIDTH), requires_grad=False)
        self.positions = nn.Parameter(torch.zeros(LONGEST, WIDTH))
        self.segments = nn.Parameter(torch.zeros(2, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, _NORM_EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(WIDTH, 1)
        self.dtype = torch.float32

    @classmethod
    def from_base(cls, weights: Path) -> CrossEncoder:
        """The base's weights with a new head."""
        base = load_file(weights)
        network = cls(len(base["embeddings.word_embeddings.weight"]))
        network.load_state_dict(_renamed(base), strict=False)
        nn.init.normal_(network.head.weight, std=0.02)
        nn.init.zeros_(network.head.bias)
        return network

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        """Scores, shape `(batch,)`, of rows as `thumbindex.decision.embedded.windows.rows` lays them out."""
        return self.head(self.pooled(ids, segments)).squeeze(-1)

    def pooled(self, ids: Tensor, segments: Tensor) -> Tensor:
        """The mean over each row's pieces, shape `(batch, WIDTH)`, float32."""
        present = (ids != PAD).float()
        places = self.positions[: ids.shape[1]]
        x = functional.embedding(ids, self.words) + places + functional.embedding(segments, self.segments)
        x = _normed(x, self.norm).to(self.dtype)
        hidden = ((present - 1) * 1e4).to(self.dtype)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, hidden)
        return (x.float() * present[:, :, None]).sum(1) / present.sum(1, keepdim=True)


class Layer(nn.Module):
    """Attention, then a wider layer, each with its residual and norm."""

    def __init__(self) -> None:
        super().__init__()
        self.attended = nn.Linear(WIDTH, 3 * WIDTH)
        self.joined = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, _NORM_EPSILON)
        self.wide = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.out_norm = nn.LayerNorm(WIDTH, _NORM_EPSILON)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        """The next layer's input; `hidden` is added to attention and very negative at padding."""
        x = _normed(x + _linear(self._attention(x, hidden), self.joined), self.norm)
        return _normed(x + _linear(self.inner(x), self.narrow), self.out_norm)

    def inner(self, x: Tensor) -> Tensor:
        """What the wider layer holds."""
        return functional.gelu(_linear(x, self.wide), approximate="tanh")

    def _attention(self, x: Tensor, hidden: Tensor) -> Tensor:
        query, key, value = (
            _linear(x, self.attended).view(*x.shape[:2], 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        )
        share = torch.softmax((query / math.sqrt(WIDTH // HEADS)) @ key.transpose(-1, -2) + hidden, -1)
        return (share @ value).transpose(1, 2).reshape(x.shape)


def _linear(x: Tensor, layer: nn.Linear) -> Tensor:
    return functional.linear(x, layer.weight.to(x.dtype), layer.bias.to(x.dtype))


def _normed(x: Tensor, norm: nn.LayerNorm) -> Tensor:
    return functional.layer_norm(x, (WIDTH,), norm.weight.to(x.dtype), norm.bias.to(x.dtype), _NORM_EPSILON)


def _renamed(base: dict[str, Tensor]) -> dict[str, Tensor]:
    """The base's parameters by the names used here."""
    names = {
        "words": "embeddings.word_embeddings.weight",
        "positions": "embeddings.position_embeddings.weight",
        "segments": "embeddings.token_type_embeddings.weight",
    }
    found = {name: base[old] for name, old in names.items()}
    for kind in ("weight", "bias"):
        found[f"norm.{kind}"] = base[f"embeddings.LayerNorm.{kind}"]
        for number in range(LAYERS):
            old = f"encoder.layer.{number}"
            parts = [base[f"{old}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            found[f"layers.{number}.attended.{kind}"] = torch.cat(parts)
            for name, place in (
                ("joined", "attention.output.dense"),
                ("norm", "attention.output.LayerNorm"),
                ("wide", "intermediate.dense"),
                ("narrow", "output.dense"),
                ("out_norm", "output.LayerNorm"),
            ):
                found[f"layers.{number}.{name}.{kind}"] = base[f"{old}.{place}.{kind}"]
    return found
