//! Neural models on this machine: text embedders, rerankers and image embedders, run by the program's own forward
//! pass if it supports a model, otherwise by candle.
//!
//! Owns what the registry (`data/models.toml`) says about each model, how its files are found,
//! verified and installed, and how texts become vectors and scores. Promises that a file is used
//! only after its hash agrees, that no text is cut silently (a long one becomes several windows),
//! and that nothing is fetched unless an install function is called. Knows nothing of documents,
//! passages or searches.

#![forbid(unsafe_code)]

mod added;
mod batch;
mod batch_encoder;
mod bert;
mod cross_encoder;
mod device;
mod error;
#[cfg(test)]
mod fake;
mod files;
#[cfg(feature = "hub")]
mod hub;
mod identity;
mod image;
mod install;
mod lanes;
mod load;
mod lock;
mod model_kind;
mod native;
mod nomic;
mod options;
mod pooling;
mod qwen3;
mod registry;
mod reranker;
mod sentence;
mod template;
mod text_embedder;
mod tokenize;
mod window_encoder;
mod windows;
mod xlm_roberta;

pub use cpu_encoder::Precision;
#[cfg(test)]
pub use fake::{FakeEmbedder, FakeReranker};
#[cfg(feature = "hub")]
pub use hub::install_from_hub;
pub use {
    device::DeviceChoice,
    error::NeuralError,
    files::{FileState, default_models_dir, file_states, verify_model},
    identity::{ModelIdentity, Pooling},
    image::{ImageEmbedder, Pixels},
    install::install_from_folder,
    load::{load_embedder, load_image_embedder, load_reranker, load_tokenizer, read_vocabulary},
    model_kind::ModelKind,
    options::{Engine, LoadOptions, PrecisionChoice},
    registry::{Architecture, HubSource, ModelEntry, ModelFile, ModelRegistry},
    reranker::{Reranker, relevance_from_logit},
    text_embedder::TextEmbedder,
    tokenize::{TokenCounter, Tokenizer, estimate_tokens},
};
