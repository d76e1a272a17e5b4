//! The engines.

#[cfg(feature = "hnsw_rs")]
mod hnsw;
pub mod own;
mod python;
#[cfg(feature = "qdrant-edge")]
mod qdrant;
#[cfg(feature = "usearch")]
mod usearch_f16;

use crate::engine::Installed;

/// Every engine; the first is ours.
pub fn all() -> Vec<Installed> {
    vec![
        Installed { name: "specbox", build: own::build, open: own::open },
        Installed {
            name: "specbox built by hnsw_rs",
            build: own::build_by_hnsw_rs,
            open: own::open,
        },
        Installed { name: "specbox scan", build: own::build_flat, open: own::open },
        #[cfg(feature = "hnsw_rs")]
        Installed { name: "hnsw_rs", build: hnsw::build, open: hnsw::open },
        #[cfg(feature = "usearch")]
        Installed { name: "usearch f16", build: usearch_f16::build, open: usearch_f16::open },
        #[cfg(feature = "qdrant-edge")]
        Installed { name: "qdrant-edge", build: qdrant::build, open: qdrant::open },
        Installed { name: "faiss HNSW", build: python::faiss, open: python::open_faiss },
        Installed { name: "hnswlib", build: python::hnswlib, open: python::open_hnswlib },
    ]
}
