"""Runs test programs, two at a time, and counts what they say of their tests."""

import os
import re
import subprocess
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .test_targets import TestTarget

# A test program waits for servers and disks about half of its time, so that two fill two cores.
AT_ONCE = 2
SLOWEST_SHOWN = 20
# The longest first, so that none is left over at the end; the others follow in cargo's order.
LONGEST = ["api", "packs", "real_corpus", "faults", "real_quotes", "extract_real", "cli", "real_words", "segments", "soak"]

RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.MULTILINE)
IGNORED = re.compile(r"^ignored: (.*)$", re.MULTILINE)
# `time: 1.234 name` comes from tests/support/trials.rs, `test name ... ok <1.234s>` from Rust's own harness.
TIMES = [
    re.compile(r"^time: (?P<seconds>[0-9.]+) (?P<name>\S.*)$", re.MULTILINE),
    re.compile(r"^test (?P<name>\S+)(?: - should panic)? \.\.\. \w+ <(?P<seconds>[0-9.]+)s>$", re.MULTILINE),
]


@dataclass
class Summary:
    """What all test programs said."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    ignored: list[str] = field(default_factory=list)
    times: list[tuple[float, str]] = field(default_factory=list)
    # Programs that failed, or ended without a result.
    broken: list[str] = field(default_factory=list)

    def add(self, target: TestTarget, output: str, status: int) -> None:
        """Adds the output of one program. A program that printed no result counts as a failed test."""
        results = RESULT.findall(output)
        for passed, failed, ignored in results:
            self.passed += int(passed)
            self.failed += int(failed)
            self.skipped += int(ignored)
        if status != 0 or not results:
            self.broken.append(target.label)
            if not any(int(failed) for _, failed, _ in results):
                self.failed += 1
        self.ignored += IGNORED.findall(output)
        for pattern in TIMES:
            self.times += [(float(m["seconds"]), f"{target.label} {m['name']}") for m in pattern.finditer(output)]

    def text(self) -> str:
        """The slowest tests, the ignored ones, the programs that failed, and the counts as the last line."""
        slowest = sorted(self.times, reverse=True)[:SLOWEST_SHOWN]
        parts = [f"== the {SLOWEST_SHOWN} slowest tests, seconds", *(f"{seconds:7.1f}  {name}" for seconds, name in slowest)]
        if self.ignored:
            parts += ["", "== ignored", *sorted(self.ignored)]
        if self.broken:
            parts += ["", "== failed", *sorted(self.broken)]
        return "\n".join([*parts, "", f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped", ""])


def run(targets: list[TestTarget], logs: Path) -> Summary:
    """Runs all programs to their end. Each one's output goes to a file in `logs`, and to the terminal if it failed."""
    logs.mkdir(parents=True, exist_ok=True)
    for log in logs.glob("*.log"):
        log.unlink()
    summary = Summary()
    lock = threading.Lock()

    def run_one(target: TestTarget) -> None:
        status, output, wall_s, cpu_s = run_target(target)
        (logs / f"{target.label.replace(' ', '-')}-{target.program.name}.log").write_text(output)
        with lock:
            summary.add(target, output, status)
            results = " ".join(f"{p} passed, {f} failed, {i} ignored" for p, f, i in RESULT.findall(output))
            print(f"{target.label}: {results or 'no result'}, {wall_s:.0f} s, {cpu_s:.0f} s of CPU", flush=True)
            if status != 0 or not results:
                print(f"\n== {target.label} exited with {status}\n{output}", flush=True)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(run_one, sorted(targets, key=rank)))
    return summary


def rank(target: TestTarget) -> int:
    """The place of a program in the order of starts."""
    return LONGEST.index(target.name) if target.name in LONGEST else len(LONGEST)


def run_target(target: TestTarget) -> tuple[int, str, float, float]:
    """Runs one program; its exit status, its output, and its seconds of wall and processor time."""
    # Rust's own harness reports times only with an option that it calls unstable. Programs with a harness of their own
    # reject the option, and print the times themselves.
    environment = {**os.environ, "CARGO_MANIFEST_DIR": str(target.folder), "CARGO_PKG_NAME": target.package}
    options = []
    if not has_own_harness(target):
        environment["RUSTC_BOOTSTRAP"] = "1"
        options = ["-Zunstable-options", "--report-time"]
    began = time.monotonic()
    with subprocess.Popen(
        [target.program, *options], cwd=target.folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return (
        process.returncode, output.decode(errors="replace"), time.monotonic() - began, usage.ru_utime + usage.ru_stime,
    )


def has_own_harness(target: TestTarget) -> bool:
    """Whether the manifest of the package says `harness = false` for this program."""
    manifest = tomllib.loads((target.folder / "Cargo.toml").read_text())
    return any(test["name"] == target.name and test.get("harness") is False for test in manifest.get("test", []))
