"""Compiled dependencies that outlive a clone: a build folder in the user's cache, which cargo uses instead of `target`.

Cargo itself recognises what it may use again, by compiler, version, profile and features. What belongs to this workspace is
removed before and after a run: cargo compares its sources by their times, which say nothing when clones change.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

# A run leaves about 4 GB of dependencies; those of earlier lock files add to them. Over this, the folder is emptied.
MOST_BYTES = 12 << 30

# Held until the process ends.
_lock = None
_folder: Path | None = None


def use() -> None:
    """Makes cargo use the build folder in the cache, or leaves it with `target` where another run has the folder."""
    global _lock, _folder
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    compiler = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"^release: (\S+)$", compiler, re.MULTILINE)[1]
    folder = cache / "specbox/build"
    folder.mkdir(parents=True, exist_ok=True)
    _lock = (folder / "lock").open("w")
    try:
        fcntl.flock(_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"another run uses {folder}: everything is compiled in target", flush=True)
        return
    for other in folder.iterdir():
        if other.is_dir() and (other.name != version or size_bytes(other) > MOST_BYTES):
            shutil.rmtree(other)
    _folder = folder / version
    print(f"dependencies of earlier runs in {_folder}: {size_bytes(_folder) >> 20} MiB", flush=True)
    remove_own_artefacts(_folder)
    os.environ["CARGO_BUILD_BUILD_DIR"] = str(_folder)


def keep() -> None:
    """Leaves only dependencies in the folder."""
    if _folder is not None:
        remove_own_artefacts(_folder)


def size_bytes(folder: Path) -> int:
    """What the files below a folder take."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def remove_own_artefacts(folder: Path) -> None:
    """Removes what was compiled from this workspace, in every profile."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["packages"]
    names = {package["name"] for package in packages}
    names |= {target["name"] for package in packages for target in package["targets"]}
    names |= {name.replace("-", "_") for name in names}
    # name-0123456789abcdef, libname-0123456789abcdef.rmeta
    pattern = re.compile(r"(?:lib)?(.+)-[0-9a-f]{16}(?:\..*)?")
    for profile in folder.glob("*"):
        shutil.rmtree(profile / "incremental", ignore_errors=True)
        for kind in (".fingerprint", "deps", "build", "examples"):
            for path in (profile / kind).glob("*"):
                match = pattern.fullmatch(path.name)
                if match and match[1] in names:
                    if path.is_dir():
                        shutil.rmtree(path)
                    else:
                        path.unlink()
    shutil.rmtree(folder / "tmp", ignore_errors=True)
