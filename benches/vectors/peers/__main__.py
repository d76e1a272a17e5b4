"""Peers of the vector bench that are Python packages: builds an index, then answers each line read.

    python3 peers ENVIRONMENTS ENGINE DIMENSION THREADS FOLDER

ENVIRONMENTS is a folder for virtual environments; that of the engine is made, and filled with pip,
where it does not exist. Each engine has its own: diskannpy needs numpy 1, and scann numpy 2.
FOLDER holds rows.f32 (rows, 32-bit) and order.u64 (the order to insert them in). With THREADS 0 the
index that is there is opened, and seconds and bytes of memory are printed. Else prints what
building took, as JSON; then for each line {"queries": [[...]], "k": N, "effort": N} the rows found
and the microseconds of processor time of each query, on one thread: all engines search on the
thread that calls them, where the time of the process is that of the thread.
"""

import json
import os
import sys
import time
from pathlib import Path

from engines import load_engine
from environment import enter_environment


def read_memory() -> dict[str, int]:
    """Anonymous and resident memory of this process, bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    parts = (line.partition(":") for line in lines)
    fields = {name: int(rest.split()[0]) * 1024
              for name, _, rest in parts if name in ("RssAnon", "VmRSS")}
    return {"anonymous": fields["RssAnon"], "resident": fields["VmRSS"]}


def measure_opening(engine, dimension: int, folder: Path) -> dict[str, float]:
    opener = engine.opener(dimension, folder)
    before = read_memory()
    begun = time.perf_counter()
    index = opener()
    seconds = time.perf_counter() - begun
    grown = {name: after - before[name] for name, after in read_memory().items()}
    del index
    return {"seconds": seconds} | grown


def answer_queries(index, request) -> dict[str, list]:
    import numpy as np

    search = index.searcher(request["k"], request["effort"])
    found, micros = [], []
    for query in np.array(request["queries"], dtype=np.float32):
        begun = time.thread_time()
        answer = search(query)
        micros.append((time.thread_time() - begun) * 1e6)
        found.append([int(row) for row in answer if row >= 0])
    return {"rows": found, "micros": micros}


def main() -> None:
    # Some engines print while they build: standard output is for the answers alone.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def reply(answer) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    environments, name, dimension, threads, folder = sys.argv[1:]
    engine = load_engine(name)
    enter_environment(Path(environments) / name, engine.packages, answers.fileno())
    import numpy as np

    folder = Path(folder)
    if threads == "0":
        reply(measure_opening(engine, int(dimension), folder))
        return
    rows = np.fromfile(folder / "rows.f32", dtype=np.float32).reshape(-1, int(dimension))
    order = np.fromfile(folder / "order.u64", dtype=np.uint64).astype(np.int64)
    begun = time.perf_counter(), time.process_time()
    index = engine(rows, order, int(threads), folder)
    built = {"wall_s": time.perf_counter() - begun[0], "cpu_s": time.process_time() - begun[1]}
    reply(built | {"bytes": index.save()})
    del rows, order
    for line in sys.stdin:
        reply(answer_queries(index, json.loads(line)))


if __name__ == "__main__":
    main()
