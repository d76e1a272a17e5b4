#!/usr/bin/env python3
"""faiss and hnswlib as peers of the vector bench: builds an index, then answers one line for each read.

    peers.py VENV ENGINE DIMENSION THREADS FOLDER

VENV is a folder for a virtual environment; it is made, and filled with pip, where it does not exist.
FOLDER holds rows.f32 (rows, 32-bit) and order.u64 (the order to insert them in). With THREADS 0 the
index that is there is opened, and seconds and bytes of memory are printed. Else prints what building
took, as JSON; then for each line {"queries": [[...]], "k": N, "effort": N} the rows found and the
microseconds of processor time of each query, on one thread.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

PACKAGES = {"faiss": ["numpy", "faiss-cpu"], "hnswlib": ["numpy", "hnswlib"]}
DEGREE, BREADTH = 16, 200


def inside_environment(folder: Path, packages: list[str]) -> None:
    """Starts again with the Python of the virtual environment, which is made first where it is missing."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, stdout=sys.stderr)
    if Path(sys.prefix).resolve() != folder.resolve():
        os.execv(python, [str(python), *sys.argv])
    from importlib.metadata import PackageNotFoundError, version

    missing = []
    for package in packages:
        try:
            version(package)
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        install = [str(python), "-m", "pip", "install", "--quiet", *missing]
        subprocess.run(install, check=True, stdout=sys.stderr)


class Faiss:
    def __init__(self, rows, order, threads, folder):
        import faiss
        import numpy as np

        self.faiss, self.order = faiss, order
        faiss.omp_set_num_threads(threads)
        self.index = faiss.IndexHNSWFlat(rows.shape[1], DEGREE, faiss.METRIC_INNER_PRODUCT)
        self.index.hnsw.efConstruction = BREADTH
        self.index.add(np.ascontiguousarray(rows[order]))
        self.path = folder / "rows.faiss"

    @staticmethod
    def opener(dimension, folder):
        import faiss

        return lambda: faiss.read_index(str(folder / "rows.faiss"))

    def save(self) -> int:
        self.faiss.write_index(self.index, str(self.path))
        self.faiss.omp_set_num_threads(1)
        return self.path.stat().st_size

    def searcher(self, k: int, effort: int):
        parameters = self.faiss.SearchParametersHNSW()
        parameters.efSearch = effort
        return lambda query: self.order[self.index.search(query[None], k, params=parameters)[1][0]]


class Hnswlib:
    def __init__(self, rows, order, threads, folder):
        import hnswlib

        self.index = hnswlib.Index("ip", rows.shape[1])
        self.index.init_index(len(rows), M=DEGREE, ef_construction=BREADTH, random_seed=1)
        self.index.add_items(rows[order], order, num_threads=threads)
        self.path = folder / "rows.hnswlib"

    @staticmethod
    def opener(dimension, folder):
        import hnswlib

        index = hnswlib.Index("ip", dimension)
        return lambda: index.load_index(str(folder / "rows.hnswlib"))

    def save(self) -> int:
        self.index.save_index(str(self.path))
        self.index.set_num_threads(1)
        return self.path.stat().st_size

    def searcher(self, k: int, effort: int):
        self.index.set_ef(effort)
        return lambda query: self.index.knn_query(query, k, num_threads=1)[0][0]


def memory() -> dict[str, int]:
    """Anonymous and resident memory of this process, bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)
              if name in ("RssAnon", "VmRSS")}
    return {"anonymous": fields["RssAnon"], "resident": fields["VmRSS"]}


def measure_opening(make, dimension: int, folder: Path) -> None:
    opener = make.opener(dimension, folder)
    before = memory()
    begun = time.perf_counter()
    index = opener()
    seconds = time.perf_counter() - begun
    grown = {name: after - before[name] for name, after in memory().items()}
    print(json.dumps({"seconds": seconds} | grown), flush=True)
    del index


def main() -> None:
    venv, engine, dimension, threads, folder = sys.argv[1:]
    inside_environment(Path(venv), PACKAGES[engine])
    import numpy as np

    folder = Path(folder)
    make = {"faiss": Faiss, "hnswlib": Hnswlib}[engine]
    if threads == "0":
        measure_opening(make, int(dimension), folder)
        return
    rows = np.fromfile(folder / "rows.f32", dtype=np.float32).reshape(-1, int(dimension))
    order = np.fromfile(folder / "order.u64", dtype=np.uint64).astype(np.int64)
    begun = time.perf_counter(), time.process_time()
    index = make(rows, order, int(threads), folder)
    built = {"wall_s": time.perf_counter() - begun[0], "cpu_s": time.process_time() - begun[1]}
    print(json.dumps(built | {"bytes": index.save()}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        search = index.searcher(asked["k"], asked["effort"])
        found, micros = [], []
        for query in np.array(asked["queries"], dtype=np.float32):
            begun = time.thread_time()
            answer = search(query)
            micros.append((time.thread_time() - begun) * 1e6)
            found.append([int(row) for row in answer if row >= 0])
        print(json.dumps({"rows": found, "micros": micros}), flush=True)


if __name__ == "__main__":
    main()
