"""The trained network as an ONNX file of 8-bit integers.

Inputs `ids` and `segments`, int64, shape `(batch, length)`, as `windows.rows` lays them out, 0 being padding; output
`score`, float32, shape `(batch,)`.
"""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from training.network import CrossEncoder

__all__ = ["export", "quantized"]

_OPSET = 17


def export(network: CrossEncoder, path: Path) -> None:
    """Write the network as float32."""
    network = network.eval().cpu()
    network.dtype = torch.float32
    ids = torch.tensor([[101, 2054, 102, 2023, 102, 0], [101, 2054, 102, 2023, 2003, 102]])
    segments = torch.tensor([[0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 1]])
    axes = {name: {0: "batch", 1: "length"} for name in ("ids", "segments")} | {"score": {0: "batch"}}
    torch.onnx.export(
        network,
        (ids, segments),
        path,
        input_names=["ids", "segments"],
        output_names=["score"],
        dynamic_axes=axes,
        opset_version=_OPSET,
        dynamo=False,
    )
    onnx.checker.check_model(onnx.load(path))


def quantized(source: Path, path: Path, *, per_channel: bool = True) -> None:
    """Write the float32 network in `source` with 8-bit weights, its activations quantized as it runs."""
    prepared = path.with_suffix(".prepared.onnx")
    quant_pre_process(source, prepared, skip_symbolic_shape=True)
    quantize_dynamic(prepared, path, per_channel=per_channel, weight_type=QuantType.QInt8)
    prepared.unlink()
