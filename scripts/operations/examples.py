"""One request to each operation and its reply, on the sample corpus: crates/wire/src/examples.json.

The documentation and the OpenAPI document show them, and a test repeats the requests. Requests are in the declarations.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

# Fields that differ each time.
FIXED = {"elapsed_ms": 12.5, "read_at": "2026-02-20T12:00:00Z", "created_at": "2026-02-20T12:00:00Z"}


class SampleIndex:
    """The sample corpus, indexed in a temporary folder. This needs the models (scripts/fetch-models)."""

    def __init__(self, root: Path, program: Path):
        self.program, self.sample = program, root / "data/sample"
        self.folder = tempfile.TemporaryDirectory()
        self.run("ingest", self.sample / "archive")
        self.run("meetings", "import", self.sample / "mirror/meetings.csv")
        self.run("tdocs", "import", self.sample / "mirror")
        self.run("sync", "tdocs", "--meeting", "R1-190")

    def run(self, *arguments: object) -> bytes:
        command = [self.program, "--data-dir", self.folder.name, "--create", *arguments]
        environment = {**os.environ, "SPECBOX_MIRROR": str(self.sample / "mirror")}
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout

    def call(self, name: str, arguments: dict) -> object:
        options = []
        for key, value in arguments.items():
            options += [f"--{key}", value if isinstance(value, str) else json.dumps(value)]
        return json.loads(self.run("call", name, *options))


def rounded(value: object) -> object:
    """Times and scores without the digits that say nothing."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: FIXED.get(key) or rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return value


def make_example(index: SampleIndex, declaration: dict) -> dict:
    name, parameters = declaration["name"], declaration["example"]
    if not declaration["is_answered"]:
        return {"parameters": parameters}
    reply = rounded(index.call(name, parameters))
    if name == "list_sections":
        reply = reply[:3]
    if name == "get_image":
        reply = {**reply, "data": reply["data"][:24] + "..."}
    return {"parameters": parameters, "reply": reply}


def is_current(example: dict | None, declaration: dict) -> bool:
    """Whether an example is of the request that is declared now."""
    return example is not None and example["parameters"] == declaration["example"]
