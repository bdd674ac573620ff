"""The trained network as an ONNX file of 8-bit integers.

Inputs `ids` and `segments`, int64, shape `(batch, length)`, as `windows.rows` lays them out, 0 being padding; output
`score`, float32, shape `(batch,)`. The graph is written with onnxruntime's fused operators, which are faster than what
an exporter traces. Word vectors have one scale each, matrices one scale a column.

Activations are rounded to 8 bits over the range of a whole tensor, and one or two channels of each layer are many times
as large as all others, so that little of the range is left for these. Two measures against it, both exact but for
rounding: the few loudest inner units of a layer are computed apart in float32, and a loud channel that goes into a
layer is made quieter and its row of the matrix louder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor

from training.network import HEADS, CrossEncoder, Layer

__all__ = ["export", "quantized"]

_OPSET, _FUSED = 17, "com.microsoft"
_IR_VERSION = 8
_LEVELS = 127
# Set by looking at the maxima: 5 to 6 is where the crowd ends, in every layer.
_LOUD_UNIT, _LOUD_CHANNEL = 6.0, 6.0

Values = dict[str, np.ndarray]


@dataclass
class Loudness:
    """How large the channels that go into a layer's wider part get, and its inner units."""

    channels: np.ndarray
    units: np.ndarray

    @property
    def divisors(self) -> np.ndarray:
        """By what each channel is divided, so that none is loud."""
        return np.maximum(1.0, self.channels / _LOUD_CHANNEL).astype(np.float32)

    @property
    def loud_units(self) -> np.ndarray:
        """The units to be computed apart."""
        return np.flatnonzero(self.units > _LOUD_UNIT)


class Graph:
    """Collects nodes and weights; every method returns the name of what it added; `mask` is 0 at padding."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.mask = ""

    def weight(self, name: str, values: np.ndarray) -> str:
        """A constant."""
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, operator: str, *inputs: str, **settings: Any) -> str:
        """An operator's first output."""
        name = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name, **settings))
        return name

    def fused(self, operator: str, *inputs: str, **settings: Any) -> str:
        """The same for one of onnxruntime's own."""
        return self.add(operator, *inputs, domain=_FUSED, **settings)


def export(network: CrossEncoder, rows: Sequence[tuple[Tensor, Tensor]], path: Path) -> None:
    """Write the network, its matrices as float32 and its word vectors as 8-bit integers with a scale each.

    Args:
        network: Trained.
        rows: Ids and segments of some windows, to see which channels are loud.
        path: Where to.
    """
    network = network.eval().cpu().float()
    network.dtype = torch.float32
    loud = _loudness(network, rows)
    values = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    graph = Graph()
    present = graph.add("Greater", "ids", graph.weight("zero", np.array(0, np.int64)))
    graph.mask = graph.add("Cast", present, to=TensorProto.INT32)
    x = _embedded(graph, values)
    for number, loudness in enumerate(loud):
        own = {k.removeprefix(f"layers.{number}."): v for k, v in values.items() if k.startswith(f"layers.{number}.")}
        x = _layer(graph, x, own, loudness, f"{number}.")
    _scored(graph, x, graph.add("Cast", present, to=TensorProto.FLOAT), values)
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in ("ids", "segments")]
    outputs = [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["batch"])]
    whole = helper.make_graph(graph.nodes, "reader", inputs, outputs, graph.weights)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    onnx.save(helper.make_model(whole, opset_imports=opsets, ir_version=_IR_VERSION), path)


def quantized(source: Path, path: Path) -> None:
    """Write the network in `source` with matrices of 8-bit integers, its activations quantized as it runs."""
    nodes = onnx.load(source).graph.node
    apart = [node.name for node in nodes if node.op_type == "MatMul" and ".loud." in node.input[1]]
    quantize_dynamic(
        source,
        path,
        op_types_to_quantize=["MatMul", "Attention"],
        nodes_to_exclude=apart,
        per_channel=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )


def _embedded(graph: Graph, values: Values) -> str:
    scales = np.abs(values["words"]).max(1, keepdims=True) / _LEVELS + 1e-12
    rounded = graph.weight("words", np.round(values["words"] / scales).astype(np.int8))
    words = graph.add("Cast", graph.add("Gather", rounded, "ids"), to=TensorProto.FLOAT)
    words = graph.add("Mul", words, graph.add("Gather", graph.weight("scales", scales.astype(np.float32)), "ids"))
    segments = graph.add("Gather", graph.weight("segment_vectors", values["segments"]), "segments")
    length = graph.add("Shape", "ids", start=1, end=2)
    start = graph.weight("start", np.array([0], np.int64))
    places = graph.add("Slice", graph.weight("positions", values["positions"][:128]), start, length)
    total = graph.add("Add", graph.add("Add", words, segments), places)
    return graph.add("LayerNormalization", total, *_norm(graph, values, "norm"), axis=-1, epsilon=1e-12)


def _loudness(network: CrossEncoder, rows: Sequence[tuple[Tensor, Tensor]]) -> list[Loudness]:
    """By layer."""
    found = [Loudness(np.zeros(1), np.zeros(1)) for _ in network.layers]

    def watch(layer: Layer, loudness: Loudness) -> None:
        inner = layer.inner

        def watched(x: Tensor) -> Tensor:
            units = inner(x)
            loudness.channels = np.maximum(loudness.channels, x.abs().amax((0, 1)).numpy())
            loudness.units = np.maximum(loudness.units, units.abs().amax((0, 1)).numpy())
            return units

        layer.inner = watched  # type: ignore[method-assign]

    for layer, loudness in zip(network.layers, found, strict=True):
        watch(layer, loudness)
    with torch.inference_mode():
        for ids, segments in rows:
            network(ids, segments)
    for layer in network.layers:
        del layer.inner
    return found


def _layer(graph: Graph, x: str, values: Values, loudness: Loudness, prefix: str) -> str:
    def matrix(name: str) -> str:
        return graph.weight(f"{prefix}{name}.weight", values[f"{name}.weight"].T)

    def bias(name: str) -> str:
        return graph.weight(f"{prefix}{name}.bias", values[f"{name}.bias"])

    attended = graph.fused("Attention", x, matrix("attended"), bias("attended"), graph.mask, num_heads=HEADS)
    joined = graph.add("MatMul", attended, matrix("joined"))
    norm = _norm(graph, values, "norm", prefix)
    x = graph.fused("SkipLayerNormalization", joined, x, *norm, bias("joined"), epsilon=1e-12)
    apart, values = _loud_units(graph, x, values, loudness, prefix)
    quiet = graph.add("Mul", x, graph.weight(f"{prefix}quieter", 1 / loudness.divisors))
    values["wide.weight"] = values["wide.weight"] * loudness.divisors
    inner = graph.fused("FastGelu", graph.add("MatMul", quiet, matrix("wide")), bias("wide"))
    narrow = graph.add("MatMul", inner, matrix("narrow"))
    if apart:
        narrow = graph.add("Add", narrow, apart)
    norm = _norm(graph, values, "out_norm", prefix)
    return graph.fused("SkipLayerNormalization", narrow, x, *norm, bias("narrow"), epsilon=1e-12)


def _loud_units(graph: Graph, x: str, values: Values, loudness: Loudness, prefix: str) -> tuple[str, Values]:
    """What the loud inner units add to the layer's output, if there are any, and the weights without them."""
    loud = loudness.loud_units
    quiet = {name: value.copy() for name, value in values.items()}
    if not len(loud):
        return "", quiet
    # Their names say "loud", by which they are left out when matrices are quantized.
    wide = graph.weight(f"{prefix}loud.wide", values["wide.weight"][loud].T)
    bias = graph.weight(f"{prefix}loud.bias", values["wide.bias"][loud])
    narrow = graph.weight(f"{prefix}loud.narrow", values["narrow.weight"][:, loud].T)
    quiet["wide.weight"][loud] = 0
    quiet["wide.bias"][loud] = 0
    inner = graph.fused("FastGelu", graph.add("MatMul", x, wide), bias)
    return graph.add("MatMul", inner, narrow), quiet


def _norm(graph: Graph, values: Values, name: str, prefix: str = "") -> tuple[str, str]:
    kinds = ("weight", "bias")
    weight, bias = (graph.weight(f"{prefix}{name}.{kind}", values[f"{name}.{kind}"]) for kind in kinds)
    return weight, bias


def _scored(graph: Graph, x: str, present: str, values: Values) -> None:
    """The mean over each row's pieces, then the head; in float32, since it is small and decides."""
    axis = graph.weight("axis", np.array([1], np.int64))
    last = graph.weight("last", np.array([2], np.int64))
    total = graph.add("ReduceSum", graph.add("Mul", x, graph.add("Unsqueeze", present, last)), axis, keepdims=0)
    mean = graph.add("Div", total, graph.add("ReduceSum", present, axis, keepdims=1))
    head = graph.weight("head.weight", values["head.weight"].reshape(1, -1))
    scores = graph.add("ReduceSum", graph.add("Mul", mean, head), axis, keepdims=0)
    graph.nodes.append(
        helper.make_node("Add", [scores, graph.weight("head.bias", values["head.bias"])], ["score"], "score")
    )
