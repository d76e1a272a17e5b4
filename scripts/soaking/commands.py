"""What an operator does beside the server, again and again: documents, registers, packs, backups, checks."""

import json
import os
import random
import shutil
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "sample"
SPECS = SAMPLE / "archive" / "38_series"
REPORT = SAMPLE / "mirror/tsg_ran/WG1_RL1/TSGR1_190/Report/Final_Minutes_report_RAN1#190_v100.zip"


class Operator(threading.Thread):
    """Runs commands beside the server, one after another; `optimized` is called after each round."""

    def __init__(self, program, folder, tally, seconds_between, optimized):
        super().__init__(daemon=True)
        self.program, self.folder, self.tally = program, folder, tally
        self.seconds_between, self.optimized = seconds_between, optimized
        self.stop, self.rounds, self.made = threading.Event(), 0, 0
        self.choose = random.Random(0)
        (folder / "passphrase").write_text("a passphrase for a soak\n")
        (folder / "damaged").mkdir()

    def run(self):
        while not self.stop.is_set():
            for step in self.steps():
                step()
                if self.stop.wait(self.seconds_between):
                    return
            self.run_command("optimize", "optimize")
            self.optimized()
            self.rounds += 1

    def steps(self):
        """A round; the document that comes and goes is there at its end."""
        run, out = self.run_command, self.folder / "out"
        return [
            lambda: run("ingest again", "ingest", "--force", SPECS / "38.990/38990-j00.zip"),
            lambda: run("remove", "remove", "38.992", "18.0.0"),
            lambda: run("registers", "tdocs", "import", SAMPLE / "mirror"),
            lambda: run("calendar", "meetings", "import", SAMPLE / "mirror/meetings.csv"),
            lambda: run("ingest", "ingest", SPECS / "38.992"),
            lambda: run("notes", "meetings", "import", REPORT),
            lambda: run("sync", "sync", "tdocs", "--meeting", "R1-190"),
            self.ingest_damaged,
            lambda: run("ingest again", "ingest", "--force", SAMPLE / "archive/29_series"),
            self.take_packs,
            lambda: run("ingest, nothing new", "ingest", SAMPLE / "archive"),
            self.change_accounts,
            lambda: run("backup", "backup", self.folder / "depot", "--without-accounts"),
            self.back_accounts_up,
            lambda: run("backup verified", "backup", "--verify", self.folder / "depot"),
            self.apply_bundle,
            lambda: run("verify", "verify"),
            lambda: run("tables", "export", "tables", "--out", out),
            lambda: run("modules", "export", "modules", "29.990", "--out", out),
            lambda: shutil.rmtree(out, ignore_errors=True),
            lambda: run("call", "call", "search_text", "--query", "overloaded beacon", "--rerank_top_k", "1"),
        ]

    def run_command(self, kind, *words, expected=0):
        command = [self.program, *map(str, words), "--data-dir", self.folder / "data", "--create"]
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, env=command_environment(self.folder))
        self.tally.count(f"command {kind}", f"exit {done.returncode}", time.monotonic() - begin)
        if done.returncode != expected:
            self.tally.fail(f"command {kind}", f"exit {done.returncode}", done.stderr[-1500:] + done.stdout[-300:])
        return done.stdout

    def back_accounts_up(self):
        """Now and then: a key is made of a passphrase at some cost, on purpose."""
        if self.rounds % 4 == 0:
            whole, secret = self.folder / "whole", self.folder / "passphrase"
            self.run_command("backup with accounts", "backup", whole, "--passphrase-file", secret)

    def ingest_damaged(self):
        """Files that are none, and one that ends in the middle."""
        whole = (SPECS / "38.990/38990-i00.zip").read_bytes()
        (self.folder / "damaged/cut.zip").write_bytes(whole[: self.choose.randrange(1, len(whole) - 1)])
        (self.folder / "damaged/noise.docx").write_bytes(self.choose.randbytes(3000))
        self.run_command("ingest damaged", "ingest", self.folder / "damaged", expected=1)

    def take_packs(self):
        packs = self.folder / "packs"
        self.run_command("pack build", "pack", "build", SAMPLE / "archive/24_series", "--out", packs)
        self.run_command("remove", "remove", "24.990", "18.1.0")
        self.run_command("pack take", "pack", "take", packs, "--allow-unsigned")
        shutil.rmtree(packs, ignore_errors=True)

    def apply_bundle(self):
        """A bundle of the last backup is applied, and taken back."""
        bundle = self.folder / "bundle.tar"
        bundle.unlink(missing_ok=True)
        self.run_command("bundle create", "bundle", "create", "--allow-unsigned", "--from", self.folder / "depot", bundle)
        self.run_command("bundle apply", "bundle", "apply", bundle, "--allow-unsigned")
        self.run_command("bundle rollback", "bundle", "rollback", "--discard-changes")

    def change_accounts(self):
        self.made += 1
        name = f"member{self.made}"
        self.run_command("user add", "user", "add", name)
        key = self.run_command("key create", "key", "create", "--user", name)
        number = json.loads(key)["record"]["id"] if key else 0
        self.run_command("key deactivate", "key", "deactivate", number)
        self.run_command("key delete", "key", "delete", number)
        self.run_command("user reset", "user", "reset", name)
        self.run_command("user disable", "user", "disable", name)


def command_environment(folder):
    """The folder for temporary files and the mirror, for the server and for commands."""
    return {**os.environ, "TMPDIR": str(folder / "tmp"), "SPECBOX_MIRROR": str(SAMPLE / "mirror")}
