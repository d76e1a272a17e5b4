"""Samples of the server's process and folders, and lines through them."""

import os
import statistics
from itertools import combinations
from pathlib import Path

MIB = 1 << 20
# Threads that the runtime starts where requests wait and ends when they have been idle for ten seconds: their number
# follows the load, so it is compared only when nobody asks.
POOL_THREAD = "tokio-rt-worker"
TICK = os.sysconf("SC_CLK_TCK")


def process_sample(pid):
    """Memory, descriptors, threads, children and processor time of a process."""
    process = Path("/proc") / str(pid)
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
    return {
        "anonymous_bytes": int(status["RssAnon"].split()[0]) << 10,
        "file_bytes": int(status["RssFile"].split()[0]) << 10,
        "descriptors": len(os.listdir(process / "fd")),
        "threads": int(status["Threads"]),
        "own_threads": sum(thread_name(task) != POOL_THREAD for task in (process / "task").iterdir()),
        "children": sum(count_children(task) for task in (process / "task").iterdir()),
        "processor_seconds": (int(fields[11]) + int(fields[12])) / TICK,
    }


def thread_name(task):
    try:
        return (task / "comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return POOL_THREAD


def count_children(task):
    """The child processes that a thread has started; the thread may have ended meanwhile."""
    try:
        return len((task / "children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        return 0


def folder_sample(folder):
    """The bytes on the disk and the number of files below a folder; files may go meanwhile."""
    size = count = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(path, name)).st_blocks * 512
                count += 1
            except FileNotFoundError:
                pass
    return size, count


def data_sample(data):
    """The parts of a data folder, and the sum without the accounts, which people make more of."""
    parts = {entry.name: folder_sample(entry) if entry.is_dir() else (file_bytes(entry), 1) for entry in data.iterdir()}
    index = [part for name, part in parts.items() if name != "accounts.redb"]
    return {
        "data_bytes": sum(size for size, _ in index),
        "data_files": sum(count for _, count in index),
        "accounts_bytes": parts.get("accounts.redb", (0, 0))[0],
        "log_bytes": parts.get("log", (0, 0))[0],
        "parts": {name: size for name, (size, _) in sorted(parts.items())},
    }


def file_bytes(path):
    try:
        return path.lstat().st_blocks * 512
    except FileNotFoundError:
        return 0


def fit_line(points):
    """The Theil-Sen line through points of (hours, value): its slope, and the value where it begins."""
    slopes = [(b - a) / (t - s) for (s, a), (t, b) in combinations(points, 2) if t > s]
    slope = statistics.median(slopes) if slopes else 0.0
    begin = statistics.median(value - slope * (at - points[0][0]) for at, value in points)
    return slope, begin


class Bound:
    """How much a series may grow in an hour: a share of what it is, and so much more."""

    def __init__(self, share, more, after_optimize=False):
        self.share, self.more, self.after_optimize = share, more, after_optimize


BOUNDS = {
    "anonymous_bytes": Bound(0.05, 16 * MIB),
    "file_bytes": Bound(0.05, 16 * MIB),
    "descriptors": Bound(0, 8),
    "own_threads": Bound(0, 2),
    "children": Bound(0, 0.5),
    "data_bytes": Bound(0.05, MIB, after_optimize=True),
    "data_files": Bound(0.05, 16, after_optimize=True),
    "log_bytes": Bound(0.05, MIB // 4),
    "tmp_bytes": Bound(0.05, MIB),
    "tmp_files": Bound(0, 4),
    "stderr_bytes": Bound(0, MIB // 16),
}


def judge_series(samples, warm_up_hours, is_long_enough):
    """For each series its line after the warm-up, the bound, and whether it is flat."""
    found = {}
    for name, bound in BOUNDS.items():
        wanted = [s for s in samples if s["hours"] >= warm_up_hours and s["after_optimize"] == bound.after_optimize]
        points = [(s["hours"], s[name]) for s in wanted]
        if len(points) < 3:
            found[name] = {"points": len(points), "verdict": "not measured"}
            continue
        slope, begin = fit_line(points)
        limit = bound.share * begin + bound.more
        verdict = "flat" if slope <= limit else "GROWS"
        values = [value for _, value in points]
        found[name] = {
            "points": len(points), "begin": begin, "per_hour": slope, "bound_per_hour": limit, "least": min(values),
            "most": max(values), "verdict": verdict if is_long_enough else "too short to judge",
        }
    return found
