//! The engines.

#[cfg(feature = "hnsw_rs")]
mod hnsw;
mod own;
mod python;
#[cfg(feature = "usearch")]
mod usearch_f16;

use crate::engine::Build;

/// Every engine by its name; the first is ours.
pub fn all() -> Vec<(&'static str, Build)> {
    vec![
        ("specbox", own::build as Build),
        #[cfg(feature = "hnsw_rs")]
        ("hnsw_rs", hnsw::build as Build),
        #[cfg(feature = "usearch")]
        ("usearch f16", usearch_f16::build as Build),
        ("faiss HNSW", python::faiss as Build),
        ("hnswlib", python::hnswlib as Build),
    ]
}
