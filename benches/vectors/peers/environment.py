"""The virtual environments of the peers."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def enter_environment(folder: Path, packages: list[str], answers: int) -> None:
    """Restarts with the Python of the environment; makes and fills it where something is missing.

    `answers` is the descriptor that the restarted program gets as its standard output.
    """
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    if Path(sys.prefix).resolve() != folder.resolve():
        os.dup2(answers, 1)
        os.execv(python, [str(python), *sys.argv])
    missing = [package for package in packages if not is_installed(package)]
    if missing:
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *missing], check=True)


def is_installed(package: str) -> bool:
    try:
        version(package.partition("==")[0])
    except PackageNotFoundError:
        return False
    return True
