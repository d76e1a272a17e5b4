"""Reads what a conversion needs of an ONNX file: the weights and the list of operations.

ONNX is protocol buffers: records of (field number, wire type, value). Only the fields named here
are looked at.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from .registry import Failure

VARINT, EIGHT_BYTES, LENGTH_PREFIXED, FOUR_BYTES = 0, 1, 2, 5
MODEL_GRAPH = 7
GRAPH_NODE, GRAPH_INITIALIZER = 1, 5
NODE_INPUT, NODE_OUTPUT, NODE_OPERATION = 1, 2, 4
TENSOR_DIMENSION, TENSOR_TYPE, TENSOR_NAME = 1, 2, 8
TENSOR_FLOATS, TENSOR_INTS, TENSOR_RAW = 4, 5, 9

FLOAT, UINT8, INT8, FLOAT16 = 1, 2, 3, 10


@dataclass
class Weight:
    """One stored tensor: element type as ONNX numbers it, shape and little-endian bytes."""

    kind: int = 0
    shape: tuple[int, ...] = ()
    raw: bytes = b""
    floats: bytes = b""
    ints: list[int] = field(default_factory=list)

    def numbers(self) -> list[float]:
        """Returns the values of a small tensor."""
        if self.kind == FLOAT:
            return [number for number, in struct.iter_unpack("<f", self.floats or self.raw)]
        kind = "<b" if self.kind == INT8 else "<B"
        return self.ints or [number for number, in struct.iter_unpack(kind, self.raw)]

    def number(self) -> float:
        """Returns the value of a tensor that holds one number."""
        return self.numbers()[0]


@dataclass
class Operation:
    """One step of the graph: its kind and the names it reads and writes."""

    kind: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


@dataclass
class Graph:
    """The weights by name, and the operations in order."""

    weights: dict[str, Weight] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)


def read(data: bytes) -> Graph:
    """Reads the graph of an ONNX model."""
    graph = Graph()
    try:
        for number, value in _fields(memoryview(data)):
            if number == MODEL_GRAPH:
                _read_graph(value, graph)
    except (IndexError, struct.error) as error:
        raise Failure(f"not a readable ONNX file: {error}") from error
    return graph


def _read_graph(view: memoryview, graph: Graph) -> None:
    for number, value in _fields(view):
        if number == GRAPH_NODE:
            graph.operations.append(_operation(value))
        elif number == GRAPH_INITIALIZER:
            name, weight = _weight(value)
            graph.weights[name] = weight


def _operation(view: memoryview) -> Operation:
    operation = Operation()
    for number, value in _fields(view):
        if number == NODE_INPUT:
            operation.inputs.append(bytes(value).decode())
        elif number == NODE_OUTPUT:
            operation.outputs.append(bytes(value).decode())
        elif number == NODE_OPERATION:
            operation.kind = bytes(value).decode()
    return operation


def _weight(view: memoryview) -> tuple[str, Weight]:
    name, weight = "", Weight()
    for number, value in _fields(view):
        if number == TENSOR_DIMENSION:
            weight.shape += tuple(_numbers(value))
        elif number == TENSOR_TYPE:
            weight.kind = value
        elif number == TENSOR_NAME:
            name = bytes(value).decode()
        elif number == TENSOR_RAW:
            weight.raw = bytes(value)
        elif number == TENSOR_FLOATS:
            weight.floats += bytes(value)
        elif number == TENSOR_INTS:
            weight.ints += [n - (1 << 64) if n >> 63 else n for n in _numbers(value)]
    return name, weight


def _numbers(value: int | memoryview) -> list[int]:
    """A repeated number comes one by one or packed."""
    if isinstance(value, int):
        return [value]
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _fields(view: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at = 0
    while at < len(view):
        key, at = _varint(view, at)
        wire = key & 7
        if wire == VARINT:
            value, at = _varint(view, at)
        else:
            size, at = _size(view, at, wire)
            if at + size > len(view):
                raise IndexError("a field reaches beyond the end")
            value = view[at : at + size]
            at += size
        yield key >> 3, value


def _size(view: memoryview, at: int, wire: int) -> tuple[int, int]:
    if wire == LENGTH_PREFIXED:
        return _varint(view, at)
    if wire == FOUR_BYTES:
        return 4, at
    if wire == EIGHT_BYTES:
        return 8, at
    raise IndexError(f"wire type {wire}")


def _varint(view: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = view[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
