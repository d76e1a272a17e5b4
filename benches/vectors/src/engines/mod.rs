//! The engines.

#[cfg(feature = "hnsw_rs")]
mod hnsw;
pub mod own;
mod python;
#[cfg(feature = "qdrant-edge")]
mod qdrant;
#[cfg(feature = "usearch")]
mod usearch_f16;

use crate::engine::BenchEngine;

/// Every engine; the first is ours.
pub fn all_engines() -> Vec<BenchEngine> {
    vec![
        BenchEngine { name: "specbox", build: own::build_graph, open: own::open_index },
        BenchEngine {
            name: "specbox built by hnsw_rs",
            build: own::build_by_hnsw_rs,
            open: own::open_index,
        },
        BenchEngine { name: "specbox scan", build: own::build_flat, open: own::open_index },
        #[cfg(feature = "hnsw_rs")]
        BenchEngine { name: "hnsw_rs", build: hnsw::build_index, open: hnsw::open_index },
        #[cfg(feature = "usearch")]
        BenchEngine {
            name: "usearch f16",
            build: usearch_f16::build_index,
            open: usearch_f16::open_index,
        },
        #[cfg(feature = "qdrant-edge")]
        BenchEngine { name: "qdrant-edge", build: qdrant::build_shard, open: qdrant::open_shard },
        BenchEngine {
            name: "faiss HNSW",
            build: python::build_index::<python::Faiss>,
            open: python::open_index::<python::Faiss>,
        },
        BenchEngine {
            name: "hnswlib",
            build: python::build_index::<python::Hnswlib>,
            open: python::open_index::<python::Hnswlib>,
        },
        BenchEngine {
            name: "ScaNN",
            build: python::build_index::<python::Scann>,
            open: python::open_index::<python::Scann>,
        },
        BenchEngine {
            name: "SVS LVQ4x8",
            build: python::build_index::<python::Svs>,
            open: python::open_index::<python::Svs>,
        },
        BenchEngine {
            name: "DiskANN in memory",
            build: python::build_index::<python::DiskAnn>,
            open: python::open_index::<python::DiskAnn>,
        },
    ]
}
