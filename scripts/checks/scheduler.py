"""Runs stages as their turn and the two cores allow, and prints what each has cost."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from .stages import Stage

CORES = 2


@dataclass
class Outcome:
    """What a stage has cost, in seconds; processor time includes that of all processes it has waited for."""

    stage: Stage
    started_s: float
    wall_s: float
    cpu_s: float
    status: int


class Run:
    """The stages of one run: those that wait, those that run, and the outcomes of those that have ended."""

    def __init__(self, stages: list[Stage], logs: Path):
        self.waiting = list(stages)
        self.running: dict[int, tuple[Stage, float]] = {}
        self.outcomes: list[Outcome] = []
        self.logs = logs
        self.began = time.monotonic()

    def finish(self) -> bool:
        """Runs every stage; whether all have passed. The first that fails ends the run, after its log is printed."""
        self.logs.mkdir(parents=True, exist_ok=True)
        try:
            while self.waiting or self.running:
                for stage in self.startable():
                    self.start(stage)
                if not self.running:
                    names = ", ".join(stage.name for stage in self.waiting)
                    raise RuntimeError(f"stages that wait for what is not in the list: {names}")
                outcome = self.wait()
                self.report(outcome)
                if outcome.status != 0:
                    return False
            return True
        finally:
            self.stop_all()

    def startable(self) -> list[Stage]:
        """The stages that may start now, in their order: a later one never overtakes an earlier one that needs cores."""
        passed = {outcome.stage.name for outcome in self.outcomes}
        free = CORES - sum(stage.cores for stage, _ in self.running.values())
        downloads = any(stage.cores == 0 for stage, _ in self.running.values())
        chosen = []
        for stage in self.waiting:
            is_ready = set(stage.after) <= passed
            if stage.cores == 0:
                if is_ready and not downloads:
                    downloads = True
                    chosen.append(stage)
            elif is_ready and stage.cores <= free:
                free -= stage.cores
                chosen.append(stage)
            else:
                # What waits for a download lets others go first; what waits for cores keeps its turn.
                if is_ready:
                    free = 0
        return chosen

    def log_of(self, stage: Stage) -> Path:
        return self.logs / f"{stage.name.replace(' ', '-')}.log"

    def start(self, stage: Stage) -> None:
        self.waiting.remove(stage)
        with self.log_of(stage).open("w") as log:
            # A process group of its own: if another stage fails, this one ends with everything it has started.
            process = subprocess.Popen(
                stage.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, **stage.environment}, start_new_session=True,
            )
        self.running[process.pid] = (stage, time.monotonic())

    def wait(self) -> Outcome:
        """Waits until a stage ends."""
        while True:
            pid, status, usage = os.wait4(-1, 0)
            if pid in self.running:
                break
        stage, started = self.running.pop(pid)
        now = time.monotonic()
        outcome = Outcome(
            stage, started - self.began, now - started, usage.ru_utime + usage.ru_stime,
            os.waitstatus_to_exitcode(status),
        )
        self.outcomes.append(outcome)
        return outcome

    def report(self, outcome: Outcome) -> None:
        """One line for a stage that passed, the whole log of one that failed."""
        minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
        verdict = "passed" if outcome.status == 0 else f"FAILED with {outcome.status}"
        print(f"{minutes:3d}:{seconds:02d}  {outcome.stage.name}: {verdict}, {outcome.wall_s:.0f} s", flush=True)
        if outcome.status != 0:
            print(f"\n== the log of {outcome.stage.name}: {self.log_of(outcome.stage)}", flush=True)
            print(self.log_of(outcome.stage).read_text(errors="replace"), flush=True)

    def stop_all(self) -> None:
        """Ends the stages that still run."""
        for pid in self.running:
            os.killpg(pid, signal.SIGTERM)
        for pid in list(self.running):
            os.waitpid(pid, 0)
            del self.running[pid]

    def print_table(self) -> None:
        """Each stage with its start, its seconds and its processor seconds, and the sum of both cores."""
        total = time.monotonic() - self.began
        cpu = sum(outcome.cpu_s for outcome in self.outcomes)
        print("\n== stages\n  start   wall    cpu  seconds", flush=True)
        for outcome in sorted(self.outcomes, key=lambda outcome: outcome.started_s):
            print(f"{outcome.started_s:7.0f}{outcome.wall_s:7.0f}{outcome.cpu_s:7.0f}  {outcome.stage.name}")
        print(f"       {total:7.0f}{cpu:7.0f}  all ({total / 60:.1f} minutes)")
        sys.stdout.flush()
