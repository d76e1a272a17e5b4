"""CLIP's vision tower exported to ONNX with 8-bit weights, back to tensors under its authors' names.

Every matrix is stored transposed, without a name, with a scale and a zero point for each column.
The product of its scale with that of the input is named after the layer.
"""

import struct

from . import onnx
from .onnx import FLOAT, INT8, Graph
from .registry import Failure
from .safetensors import Tensor

QUANTISED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"
SCALES_OF_LAYER = "/MatMul_quant_scales_mul:0"


def convert(data: bytes) -> dict[str, Tensor]:
    """Returns the tensors; matrices in 16 bits, which hold 8-bit steps closely enough."""
    graph = onnx.read(data)
    tensors = {
        name: Tensor("F32", weight.shape, weight.raw)
        for name, weight in graph.weights.items()
        if weight.kind == FLOAT and name.startswith("vision_model.")
    }
    for operation in graph.operations:
        if operation.kind == "MatMulInteger":
            base = operation.inputs[1].removesuffix(QUANTISED)
            tensors[_layer(graph, base) + ".weight"] = _matrix(graph, base)
    return tensors


def _layer(graph: Graph, base: str) -> str:
    for operation in graph.operations:
        if operation.kind == "Mul" and base + SCALE in operation.inputs:
            name = operation.outputs[0]
            if name.endswith(SCALES_OF_LAYER):
                return name.removesuffix(SCALES_OF_LAYER).strip("/").replace("/", ".")
    raise Failure(f"nothing names the matrix {base}")


def _matrix(graph: Graph, base: str) -> Tensor:
    weight = graph.weights[base + QUANTISED]
    rows, columns = weight.shape
    scales, zeros = (graph.weights[base + name].numbers() for name in (SCALE, ZERO))
    if weight.kind != INT8:
        raise Failure(f"{base} has element type {weight.kind}")
    data = bytearray()
    for column, (scale, zero) in enumerate(zip(scales, zeros, strict=True)):
        # The value of each byte there can be: a whole column is then two translations.
        values = (byte - 256 if byte > 127 else byte for byte in range(256))
        table = [struct.pack("<e", (value - zero) * scale) for value in values]
        stored = weight.raw[column::columns]
        row = bytearray(2 * rows)
        for place in range(2):
            row[place::2] = stored.translate(bytes(entry[place] for entry in table))
        data += row
    return Tensor("F16", (columns, rows), bytes(data))
