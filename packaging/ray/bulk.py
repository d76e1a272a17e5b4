#!/usr/bin/env python3
"""Builds packs of specification archives on a Ray cluster, computes their vectors, and publishes a manifest.

  pip install ray
  packaging/ray/bulk.py --specbox /usr/local/bin/specbox --out /share/packs --shares 64 /share/archive

Every node needs the program, the models and the two folders under the same paths. A share that fails is retried; a share that
is already complete ends immediately, because sources in the folder are skipped. Prints the time and the name of the manifest.
"""

import argparse
import json
import subprocess
import sys
import time

import ray

TRIES = 3


@ray.remote(num_cpus=1, max_retries=0)
def run_share(command: list[str]) -> dict:
    """Runs one share; returns its report, or the error message if it failed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not done.stdout:
        return {"error": done.stderr.strip().splitlines()[-1:]}
    return json.loads(done.stdout)


def run_all(commands: list[list[str]]) -> list[dict]:
    """Runs all shares, retries those that fail, and returns their reports."""
    reports = [None] * len(commands)
    for _ in range(TRIES):
        open_shares = [index for index, report in enumerate(reports) if report is None or "error" in report]
        results = ray.get([run_share.remote(commands[index]) for index in open_shares])
        for index, report in zip(open_shares, results):
            reports[index] = report
    return reports


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="archives, or folders that contain them")
    parser.add_argument("--out", required=True, help="folder for the packs")
    parser.add_argument("--specbox", default="specbox", help="path of the program")
    parser.add_argument("--shares", type=int, default=16, help="number of shares that the work is divided into")
    parser.add_argument("--model", help="model that computes the vectors; without it, no vectors are computed")
    parser.add_argument("--key", help="file of the key that signs the manifest")
    parser.add_argument("--address", help="address of the cluster; without it, a cluster is started on this machine")
    arguments = parser.parse_args()
    ray.init(address=arguments.address, log_to_driver=False)
    shares = [f"{index}/{arguments.shares}" for index in range(1, arguments.shares + 1)]
    started = time.monotonic()
    pack = [arguments.specbox, "pack"]
    build = [[*pack, "build", *arguments.paths, "--out", arguments.out, "--shard", share] for share in shares]
    reports = run_all(build)
    if arguments.model:
        embed = ["embed", arguments.out, "--model", arguments.model, "--shard"]
        reports += run_all([[*pack, *embed, share] for share in shares])
    failed = [report for report in reports if "error" in report]
    signing = ["--key", arguments.key] if arguments.key else []
    published = subprocess.run([*pack, "publish", arguments.out, *signing], check=True, capture_output=True, text=True)
    summary = {
        "seconds": round(time.monotonic() - started, 1),
        "packs": sum(report.get("packs", 0) for report in reports),
        "embedded": sum(report.get("embedded", 0) for report in reports),
        "refused": [file for report in reports for file in report.get("refused", [])],
        "failed": failed,
        **json.loads(published.stdout),
    }
    print(json.dumps(summary, indent=2))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
