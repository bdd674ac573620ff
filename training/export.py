"""The trained network as an ONNX file of 8-bit integers.

Inputs `ids` and `segments`, int64, shape `(batch, length)`, as `windows.rows` lays them out, 0 being padding; output
`score`, float32, shape `(batch,)`. The graph is written with onnxruntime's fused operators, which are faster than what
an exporter traces. Word vectors have one scale each, matrices one scale a column.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from training.network import HEADS, CrossEncoder

__all__ = ["export", "quantized"]

_OPSET, _FUSED = 17, "com.microsoft"
_IR_VERSION = 8
_LEVELS = 127


class Graph:
    """Collects nodes and weights; every method returns the name of what it added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

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


def export(network: CrossEncoder, path: Path) -> None:
    """Write the network, its matrices as float32 and its word vectors as 8-bit integers with a scale each."""
    values = {name: value.detach().float().cpu().numpy() for name, value in network.state_dict().items()}
    graph = Graph()
    present = graph.add("Greater", "ids", graph.weight("zero", np.array(0, np.int64)))
    mask = graph.add("Cast", present, to=TensorProto.INT32)
    x = _embedded(graph, values)
    for number in range(len(network.layers)):
        x = _layer(graph, x, mask, {k.removeprefix(f"layers.{number}."): v for k, v in values.items()}, number)
    _scored(graph, x, graph.add("Cast", present, to=TensorProto.FLOAT), values)
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in ("ids", "segments")]
    outputs = [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["batch"])]
    whole = helper.make_graph(graph.nodes, "reader", inputs, outputs, graph.weights)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    onnx.save(helper.make_model(whole, opset_imports=opsets, ir_version=_IR_VERSION), path)


def quantized(source: Path, path: Path) -> None:
    """Write the network in `source` with matrices of 8-bit integers, its activations quantized as it runs."""
    quantize_dynamic(
        source,
        path,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )


def _embedded(graph: Graph, values: dict[str, np.ndarray]) -> str:
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


def _layer(graph: Graph, x: str, mask: str, values: dict[str, np.ndarray], number: int) -> str:
    def matrix(name: str) -> str:
        return graph.weight(f"{number}.{name}.weight", values[f"{name}.weight"].T)

    def bias(name: str) -> str:
        return graph.weight(f"{number}.{name}.bias", values[f"{name}.bias"])

    attended = graph.fused("Attention", x, matrix("attended"), bias("attended"), mask, num_heads=HEADS)
    joined = graph.add("MatMul", attended, matrix("joined"))
    norm = _norm(graph, values, "norm", f"{number}.")
    x = graph.fused("SkipLayerNormalization", joined, x, *norm, bias("joined"), epsilon=1e-12)
    wide = graph.fused("FastGelu", graph.add("MatMul", x, matrix("wide")), bias("wide"))
    narrow = graph.add("MatMul", wide, matrix("narrow"))
    norm = _norm(graph, values, "out_norm", f"{number}.")
    return graph.fused("SkipLayerNormalization", narrow, x, *norm, bias("narrow"), epsilon=1e-12)


def _norm(graph: Graph, values: dict[str, np.ndarray], name: str, prefix: str = "") -> tuple[str, str]:
    kinds = ("weight", "bias")
    weight, bias = (graph.weight(f"{prefix}{name}.{kind}", values[f"{name}.{kind}"]) for kind in kinds)
    return weight, bias


def _scored(graph: Graph, x: str, present: str, values: dict[str, np.ndarray]) -> None:
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
