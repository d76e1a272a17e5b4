"""faiss: HNSW over 32-bit rows."""

M, EF_CONSTRUCTION = 16, 200
FILE = "rows.faiss"


class Engine:
    packages = ["faiss-cpu"]

    def __init__(self, rows, order, threads, folder):
        import faiss
        import numpy as np

        self.faiss, self.order = faiss, order
        faiss.omp_set_num_threads(threads)
        self.index = faiss.IndexHNSWFlat(rows.shape[1], M, faiss.METRIC_INNER_PRODUCT)
        self.index.hnsw.efConstruction = EF_CONSTRUCTION
        self.index.add(np.ascontiguousarray(rows[order]))
        self.path = folder / FILE

    @staticmethod
    def opener(dimension, folder):
        import faiss

        return lambda: faiss.read_index(str(folder / FILE))

    def save(self) -> int:
        self.faiss.write_index(self.index, str(self.path))
        self.faiss.omp_set_num_threads(1)
        return self.path.stat().st_size

    def searcher(self, k: int, effort: int):
        parameters = self.faiss.SearchParametersHNSW()
        parameters.efSearch = max(effort, k)
        return lambda query: self.order[self.index.search(query[None], k, params=parameters)[1][0]]
