"""The test programs of the workspace, as cargo builds them."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The fuzz targets are linted with everything else, but they are not tests.
WORKSPACE = ["--locked", "--workspace", "--exclude", "specbox-fuzz", "--lib", "--bins", "--tests"]


@dataclass(frozen=True)
class TestTarget:
    """A test program."""

    package: str
    name: str
    program: Path
    # Cargo runs a test in the folder of its package.
    folder: Path

    @property
    def label(self) -> str:
        """The package, and the target where it is not the library of the package: `store`, `specbox api`."""
        return self.package if self.name == self.package.replace("-", "_") else f"{self.package} {self.name}"


def build(profile: list[str]) -> list[TestTarget]:
    """Builds all test programs; cargo's own messages go to the terminal. Exits if a program does not compile."""
    command = ["cargo", "test", *profile, *WORKSPACE, "--no-run", "--message-format=json-render-diagnostics"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as cargo:
        targets = [target for line in cargo.stdout if (target := target_of(json.loads(line)))]
    if cargo.returncode != 0:
        raise SystemExit(cargo.returncode)
    return targets


def target_of(message: dict) -> TestTarget | None:
    """The test program that one of cargo's messages is about."""
    if message["reason"] != "compiler-artifact" or not message["profile"]["test"] or not message["executable"]:
        return None
    folder = Path(message["manifest_path"]).parent
    # path+file:///folder#name@version, or path+file:///folder/name#version
    package = message["package_id"].rpartition("#")[2].partition("@")[0]
    if package[0].isdigit():
        package = folder.name
    return TestTarget(package, message["target"]["name"], Path(message["executable"]), folder)
