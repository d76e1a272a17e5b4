"""hnswlib: HNSW over 32-bit rows."""

M, EF_CONSTRUCTION = 16, 200
FILE = "rows.hnswlib"


class Engine:
    packages = ["hnswlib"]

    def __init__(self, rows, order, threads, folder):
        import hnswlib

        self.index = hnswlib.Index("ip", rows.shape[1])
        self.index.init_index(len(rows), M=M, ef_construction=EF_CONSTRUCTION, random_seed=1)
        self.index.add_items(rows[order], order, num_threads=threads)
        self.path = folder / FILE

    @staticmethod
    def opener(dimension, folder):
        import hnswlib

        index = hnswlib.Index("ip", dimension)
        return lambda: index.load_index(str(folder / FILE))

    def save(self) -> int:
        self.index.save_index(str(self.path))
        self.index.set_num_threads(1)
        return self.path.stat().st_size

    def searcher(self, k: int, effort: int):
        self.index.set_ef(max(effort, k))
        return lambda query: self.index.knn_query(query, k, num_threads=1)[0][0]
