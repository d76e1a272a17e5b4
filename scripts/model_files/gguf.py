"""Reads a GGUF file: key-value pairs, then a table of tensors, then their bytes."""

import struct
from dataclasses import dataclass

from .registry import Failure

MAGIC = b"GGUF"
VERSION = 3
ALIGNMENT = 32
STRING, ARRAY = 8, 9
NUMBERS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}
TENSOR_DTYPES = {0: "F32", 1: "F16"}
ITEM_BYTES = {"F32": 4, "F16": 2}


@dataclass(frozen=True)
class Entry:
    """One tensor: element type, shape (slowest dimension first) and bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class _Reader:
    def __init__(self, data: bytes):
        self.view = memoryview(data)
        self.at = 0

    def number(self, code: str):
        value = struct.unpack_from("<" + code, self.view, self.at)[0]
        self.at += struct.calcsize("<" + code)
        return value

    def text(self) -> str:
        size = self.number("Q")
        value = bytes(self.view[self.at : self.at + size]).decode()
        self.at += size
        return value

    def value(self, kind: int):
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            item = self.number("I")
            return [self.value(item) for _ in range(self.number("Q"))]
        return self.number(NUMBERS[kind])


def read(data: bytes) -> tuple[dict, dict[str, Entry]]:
    """Returns the key-value pairs and the tensors; only 32 and 16 bit floats are read."""
    reader = _Reader(data)
    if data[:4] != MAGIC:
        raise Failure("not a GGUF file")
    reader.at = 4
    if (version := reader.number("I")) != VERSION:
        raise Failure(f"GGUF version {version}; this script reads {VERSION}")
    tensor_count, pair_count = reader.number("Q"), reader.number("Q")
    pairs = {}
    for _ in range(pair_count):
        key = reader.text()
        pairs[key] = reader.value(reader.number("I"))
    table = [_table_row(reader) for _ in range(tensor_count)]
    start = -(-reader.at // ALIGNMENT) * ALIGNMENT
    return pairs, {name: _entry(reader.view, start, *row) for name, *row in table}


def _table_row(reader: _Reader) -> tuple[str, tuple[int, ...], int, int]:
    name = reader.text()
    sizes = [reader.number("Q") for _ in range(reader.number("I"))]
    kind = reader.number("I")
    if kind not in TENSOR_DTYPES:
        raise Failure(f"{name} has element type {kind}")
    return name, tuple(reversed(sizes)), kind, reader.number("Q")


def _entry(view: memoryview, start: int, shape: tuple[int, ...], kind: int, offset: int) -> Entry:
    dtype = TENSOR_DTYPES[kind]
    size = ITEM_BYTES[dtype]
    for length in shape:
        size *= length
    return Entry(dtype, shape, bytes(view[start + offset : start + offset + size]))
