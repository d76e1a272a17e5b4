"""The safetensors format: a length, a JSON header, and the tensors' bytes one after another."""

import json
from dataclasses import dataclass

ITEM_BYTES = {"F32": 4, "F16": 2}


@dataclass(frozen=True)
class Tensor:
    """One tensor: element type as safetensors names it, shape, little-endian row-major bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def encode(tensors: dict[str, Tensor]) -> bytes:
    """Returns the file for these tensors; the same tensors always give the same bytes."""
    header = {}
    offset = 0
    for name in sorted(tensors):
        tensor = tensors[name]
        _check(name, tensor)
        end = offset + len(tensor.data)
        header[name] = {
            "dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [offset, end]
        }
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the data starts at a multiple of eight
    blobs = (tensors[name].data for name in sorted(tensors))
    return b"".join((len(text).to_bytes(8, "little"), text, *blobs))


def _check(name: str, tensor: Tensor) -> None:
    expected = ITEM_BYTES[tensor.dtype]
    for size in tensor.shape:
        expected *= size
    if expected != len(tensor.data):
        raise ValueError(f"{name}: {len(tensor.data)} bytes for shape {tensor.shape}")
