"""Intel SVS: Vamana over LVQ4x8, codes of 4 bits with residuals of 8."""

from engines import folder_bytes

M, WINDOW = 64, 200
# Bytes that each vector of codes is aligned to.
PADDING = 32
# Below 1 where larger distances are better, as inner products are.
ALPHA = 0.95
FOLDER = "rows.svs"


class Engine:
    packages = ["scalable-vs"]

    def __init__(self, rows, order, threads, folder):
        import svs

        self.svs, self.folder = svs, folder / FOLDER
        self.folder.mkdir()
        vectors, source = folder / "rows.fvecs", folder / "source.svs"
        svs.write_vecs(rows, str(vectors))
        svs.convert_vecs_to_svs(str(vectors), str(source), dtype=svs.DataType.float32)
        vectors.unlink()
        loader = svs.VectorDataLoader(str(source), svs.DataType.float32, dims=rows.shape[1])
        codes = svs.LVQLoader(loader, primary=4, residual=8, padding=PADDING,
                              strategy=svs.LVQStrategy.Turbo)
        parameters = svs.VamanaBuildParameters(alpha=ALPHA, graph_max_degree=M, window_size=WINDOW)
        self.index = svs.Vamana.build(parameters, codes, svs.DistanceType.MIP, num_threads=threads)
        source.unlink()

    @staticmethod
    def opener(dimension, folder):
        import svs

        configuration, graph, codes = folder_names(folder / FOLDER)
        loader = svs.LVQLoader(codes, padding=PADDING, strategy=svs.LVQStrategy.Turbo)
        return lambda: svs.Vamana(configuration, svs.GraphLoader(graph), loader,
                                  svs.DistanceType.MIP)

    def save(self) -> int:
        self.index.save(*folder_names(self.folder))
        self.index.num_threads = 1
        return folder_bytes(self.folder)

    def searcher(self, k: int, effort: int):
        # What is beyond the window is rescored with the residuals.
        parameters = self.index.search_parameters
        parameters.buffer_config = self.svs.SearchBufferConfig(effort, max(2 * effort, k))
        self.index.search_parameters = parameters
        return lambda query: self.index.search(query, k)[0][0]


def folder_names(folder) -> list[str]:
    return [str(folder / part) for part in ("configuration", "graph", "codes")]
