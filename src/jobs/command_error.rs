//! Why an operator's command could not be carried out.

use contributions::ImportError;
use mirror::MirrorError;
use neural::NeuralError;
use store::StoreError;

/// Why a command stopped; what it stored before stays.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The model failed.
    #[error("the model is not usable")]
    Model(#[from] NeuralError),
    /// The configuration names another model: searches would refuse the new vectors.
    #[error(
        "specbox.toml names {configured} as {key}; take that line out (the model whose \
         vectors are stored is used then), restart a running server, and run this again"
    )]
    Configured {
        /// The setting.
        key: &'static str,
        /// The model named there.
        configured: String,
    },
    /// Files that were named cannot be found or read.
    #[error("cannot take the files")]
    Files(#[source] std::io::Error),
    /// A register could not be stored.
    #[error("the import cannot go on")]
    Import(#[from] ImportError),
    /// The mirror failed.
    #[error("the mirror did not answer")]
    Mirror(#[source] MirrorError),
    /// The data folder failed.
    #[error("storing failed")]
    Store(#[from] StoreError),
}
