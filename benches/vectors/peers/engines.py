"""The engines by name.

An engine is a class: `packages` (what pip installs for it), a constructor that builds the index of
all rows, `save`, which returns the bytes of its files and readies it for searches on one thread,
`searcher(k, effort)`, which returns a function from a query to the rows found, and `opener`, which
returns a function that opens the saved index. A larger `effort` finds more.
"""

from importlib import import_module

ENGINES = {
    "faiss": "engine_faiss",
    "hnswlib": "engine_hnswlib",
    "scann": "engine_scann",
    "svs": "engine_svs",
    "diskann": "engine_diskann",
}


def load_engine(name: str) -> type:
    return import_module(ENGINES[name]).Engine


def folder_bytes(folder) -> int:
    """Bytes of the files in a folder and below."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
