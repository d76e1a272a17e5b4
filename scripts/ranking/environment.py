"""The Python environment of a script that needs packages, and its messages."""

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def inside_environment(folder: Path, needed: list[str]) -> None:
    """Starts again with the Python of the virtual environment, which is made first where it is missing."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    if Path(sys.prefix).resolve() != folder.resolve():
        os.execv(python, [str(python), *sys.argv])
    missing = []
    for package in needed:
        try:
            version(package)
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        say(f"installing {', '.join(missing)}")
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *missing], check=True)


def default_models() -> Path:
    """The folder of installed models."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "specbox" / "models"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
