"""NGT with a quantized graph (QG): a graph of bounded degree over codes of 4 bits, rescored by 32-bit rows."""

import ctypes

from engines import folder_bytes

EDGES_AT_CREATION, OUTGOING, INCOMING, MAXIMUM_EDGES = 100, 64, 120, 96
# NGTQG::Index::quantize(path, dimensions of a subvector, edges, threshold of trimming, verbose): the
# package has it, but no Python function for it.
QUANTIZE = "_ZN5NGTQG5Index8quantizeENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEmmmb"
FOLDER = "rows.ngt"


class Engine:
    packages = ["ngt==2.8.0.post1"]

    def __init__(self, rows, order, threads, folder):
        import ngtpy

        first, self.folder = folder / "first.ngt", folder / FOLDER
        # Of unit vectors the distance and the inner product give the same order.
        ngtpy.create(str(first), rows.shape[1], edge_size_for_creation=EDGES_AT_CREATION,
                     distance_type="L2", object_type="Float")
        graph = ngtpy.Index(str(first))
        graph.batch_insert(rows, num_threads=threads)
        graph.save()
        graph.close()
        optimizer = ngtpy.Optimizer(log_disabled=True)
        optimizer.set(num_of_outgoings=OUTGOING, num_of_incomings=INCOMING)
        optimizer.set_processing_modes(search_parameter_optimization=False,
                                       prefetch_parameter_optimization=False,
                                       accuracy_table_generation=False)
        optimizer.execute(str(first), str(self.folder))
        for path in first.iterdir():
            path.unlink()
        quantize(ngtpy.__file__, str(self.folder))

    @staticmethod
    def opener(dimension, folder):
        return lambda: open_index(folder / FOLDER)

    def save(self) -> int:
        self.index = open_index(self.folder)
        return folder_bytes(self.folder)

    def searcher(self, k: int, effort: int):
        self.index.set(epsilon=0.0, result_expansion=max(effort, k) / k)
        return lambda query: self.index.search(query, k)


def open_index(folder):
    import ngtpy

    index = ngtpy.QuantizedIndex(str(folder), MAXIMUM_EDGES)
    index.set_with_distance(False)
    return index


class StdString(ctypes.Structure):
    """std::string of libstdc++ with its characters outside."""

    _fields_ = [("characters", ctypes.c_char_p), ("length", ctypes.c_size_t),
                ("capacity", ctypes.c_size_t), ("unused", ctypes.c_size_t)]


def quantize(library: str, path: str) -> None:
    function = getattr(ctypes.CDLL(library), QUANTIZE)
    function.argtypes = [ctypes.POINTER(StdString), ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t,
                         ctypes.c_bool]
    function.restype = None
    characters = path.encode()
    function(StdString(characters, len(characters), len(characters), 0), 1, MAXIMUM_EDGES, 0, False)
