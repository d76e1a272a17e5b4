"""DiskANN in memory: Vamana over 32-bit rows."""

from engines import folder_bytes

R, L_BUILD, ALPHA = 64, 125, 1.2
FOLDER = "rows.diskann"


class Engine:
    packages = ["diskannpy"]

    def __init__(self, rows, order, threads, folder):
        import diskannpy

        self.folder = folder / FOLDER
        self.folder.mkdir()
        diskannpy.build_memory_index(
            data=rows, distance_metric="cosine", index_directory=str(self.folder),
            complexity=L_BUILD, graph_degree=R, num_threads=threads, alpha=ALPHA,
            use_pq_build=False)
        # The input, of which the index has its own copy.
        (self.folder / "ann_vectors.bin").unlink()

    @staticmethod
    def opener(dimension, folder):
        return lambda: open_index(folder / FOLDER)

    def save(self) -> int:
        self.index = open_index(self.folder)
        return folder_bytes(self.folder)

    def searcher(self, k: int, effort: int):
        return lambda query: self.index.search(query, k, max(effort, k)).identifiers.astype("int64")


def open_index(folder):
    import diskannpy

    return diskannpy.StaticMemoryIndex(str(folder), num_threads=1, initial_search_complexity=200)
