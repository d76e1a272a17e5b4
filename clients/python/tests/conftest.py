"""A server over the sample corpus, which scripts/check-clients starts, and clients of it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from specbox import Specbox

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def server() -> dict[str, Any]:
    """Address, key and authority of the server; without one nothing is tested, which is a failure."""
    return {name: os.environ[f"SPECBOX_{name.upper()}"] for name in ("url", "key", "ca")}


@pytest.fixture
def client(server: dict[str, Any]) -> Iterator[Specbox]:
    with Specbox(**server) as client:
        yield client


def examples() -> dict[str, dict[str, Any]]:
    """A request to each operation that the sample corpus answers; none for pictures that no model has compared."""
    examples = json.loads((ROOT / "crates/wire/src/examples.json").read_text())
    return {name: example["parameters"] for name, example in examples.items() if name != "similar_images"}


def python_arguments(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameter `from` is `from_` in Python."""
    return {"from_" if name == "from" else name: value for name, value in parameters.items()}


class Waits(list[float]):
    """Takes the place of a clock that sleeps: what it was asked for, without waiting."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)

    async def later(self, seconds: float) -> None:
        self.append(seconds)
