"""A BERT exported to ONNX, back to tensors under the names its authors gave them.

Three things differ in an export: a dense layer's matrix is stored transposed under a name without
meaning (the bias that follows it tells the layer), 8-bit models store (value - zero) * scale, and
optimised models hold query, key and value as one matrix.
"""

import struct
from array import array

from . import onnx
from .onnx import FLOAT, FLOAT16, INT8, UINT8, Graph, Operation, Weight
from .registry import Failure
from .safetensors import Tensor

QUANTISED = "_quantized"
DTYPES = {FLOAT: "F32", FLOAT16: "F16"}
STEPS_TO_BIAS = 4


def convert(data: bytes) -> dict[str, Tensor]:
    """Returns the tensors of an ONNX BERT (32, 16 or 8 bits) under their original names."""
    graph = onnx.read(data)
    tensors = {}
    for name, weight in graph.weights.items():
        if weight.kind in DTYPES and name.endswith((".weight", ".bias")):
            tensors[name] = Tensor(DTYPES[weight.kind], weight.shape, weight.raw)
    for operation in graph.operations:
        if operation.kind == "Gather" and operation.inputs[0].endswith(".weight" + QUANTISED):
            name = operation.inputs[0]
            tensors[name.removesuffix(QUANTISED)] = _dequantise(graph, name, transposed=False)
        elif operation.kind in ("MatMul", "MatMulInteger") and operation.inputs[1] in graph.weights:
            tensors[_layer(graph, operation) + ".weight"] = _dense(graph, operation.inputs[1])
        elif operation.kind == "Attention":
            tensors.update(_attention(graph, operation))
    return tensors


def _layer(graph: Graph, operation: Operation) -> str:
    """Follows a matrix product to the bias that is added to it: the bias carries the name."""
    output = operation.outputs[0]
    for _ in range(STEPS_TO_BIAS):
        readers = [step for step in graph.operations if output in step.inputs]
        for reader in readers:
            for name in reader.inputs:
                if name in graph.weights and name.endswith((".dense.bias", "classifier.bias",
                        ".query.bias", ".key.bias", ".value.bias")):
                    return name.removesuffix(".bias")
        passing = [step for step in readers if step.kind in ("Cast", "Mul")]
        if not passing:
            break
        output = passing[0].outputs[0]
    raise Failure(f"no bias follows the matrix {operation.inputs[1]}")


def _dense(graph: Graph, name: str) -> Tensor:
    weight = graph.weights[name]
    if weight.kind not in DTYPES:
        return _dequantise(graph, name, transposed=True)
    rows, columns = weight.shape
    return Tensor(DTYPES[weight.kind], (columns, rows), _transpose(weight, weight.raw))


def _attention(graph: Graph, operation: Operation) -> dict[str, Tensor]:
    """Cuts the fused query-key-value matrix and bias in three."""
    prefix = ".".join(operation.outputs[0].strip("/").split("/")[:4])
    weight, bias = (graph.weights[name] for name in operation.inputs[1:3])
    rows, columns = weight.shape
    width = columns // 3
    matrix = _transpose(weight, weight.raw)
    tensors = {}
    for place, part in enumerate(("query", "key", "value")):
        tensors[f"{prefix}.{part}.weight"] = Tensor(
            DTYPES[weight.kind], (width, rows), _third(matrix, place)
        )
        tensors[f"{prefix}.{part}.bias"] = Tensor(
            DTYPES[bias.kind], (width,), _third(bias.raw, place)
        )
    return tensors


def _third(data: bytes, place: int) -> bytes:
    size = len(data) // 3
    return data[place * size : (place + 1) * size]


def _dequantise(graph: Graph, name: str, *, transposed: bool) -> Tensor:
    base = name.removesuffix(QUANTISED)
    weight = graph.weights[name]
    zero = graph.weights[base + "_zero_point"].number()
    scale = graph.weights[base + "_scale"].number()
    if weight.kind not in (INT8, UINT8):
        raise Failure(f"{name} has element type {weight.kind}")
    values = (byte - 256 if weight.kind == INT8 and byte > 127 else byte for byte in range(256))
    table = [struct.pack("<f", (value - zero) * scale) for value in values]
    shape, source = weight.shape, weight.raw
    if transposed:
        shape, source = shape[::-1], _transpose(weight, source)
    # One table for each byte of the result: a whole matrix is then four translations.
    data = bytearray(4 * len(source))
    for place in range(4):
        data[place::4] = source.translate(bytes(entry[place] for entry in table))
    return Tensor("F32", shape, bytes(data))


def _transpose(weight: Weight, data: bytes) -> bytes:
    """Turns a row-major matrix; elements are moved as they are, whatever they mean."""
    elements = array({FLOAT: "I", FLOAT16: "H", INT8: "B", UINT8: "B"}[weight.kind], data)
    columns = weight.shape[1]
    return b"".join(elements[column::columns].tobytes() for column in range(columns))
