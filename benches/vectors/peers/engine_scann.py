"""ScaNN: partitions, asymmetric hashing with anisotropic quantization, rescoring by 32-bit rows."""

from math import isqrt

from engines import folder_bytes

# docs/algorithms.md of ScaNN: two dimensions in a block, leaves by the square root of the rows.
DIMENSIONS_PER_BLOCK = 2
ANISOTROPIC_THRESHOLD = 0.2
FOLDER = "rows.scann"


class Engine:
    packages = ["scann"]

    def __init__(self, rows, order, threads, folder):
        import scann

        builder = scann.scann_ops_pybind.builder(rows, 10, "dot_product")
        builder = builder.set_n_training_threads(threads)
        builder = builder.tree(isqrt(len(rows)), 1, training_sample_size=len(rows), spherical=True,
                               quantize_centroids=True)
        builder = builder.score_ah(DIMENSIONS_PER_BLOCK,
                                   anisotropic_quantization_threshold=ANISOTROPIC_THRESHOLD)
        self.index = builder.reorder(100).build()
        self.folder = folder / FOLDER

    @staticmethod
    def opener(dimension, folder):
        import scann

        return lambda: scann.scann_ops_pybind.load_searcher(str(folder / FOLDER))

    def save(self) -> int:
        self.folder.mkdir()
        self.index.serialize(str(self.folder))
        self.index.set_num_threads(1)
        return folder_bytes(self.folder)

    def searcher(self, k: int, effort: int):
        leaves = max(effort // 5, 1)
        rescored = 2 * k + 2 * leaves
        return lambda query: self.index.search(query, k, rescored, leaves)[0]
