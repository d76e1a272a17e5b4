//! What can go wrong with a model, in messages that say which file or setting to check.

use std::{io, path::PathBuf};

use thiserror::Error;

use super::model_kind::ModelKind;

/// A model could not be found, trusted, loaded or run.
#[derive(Debug, Error)]
pub enum NeuralError {
    /// The registry text is not what the program expects.
    #[error("the model registry cannot be read")]
    Registry(#[source] toml::de::Error),
    /// The registry has no model of this name.
    #[error("unknown model {name}; known: {known}")]
    UnknownModel {
        /// The requested name.
        name: String,
        /// The names the registry has, separated by commas.
        known: String,
    },
    /// A model beside the shipped ones has a name that cannot be used.
    #[error(
        "a model cannot be named \"{name}\": the name is already in use or is not a valid folder name"
    )]
    ModelName {
        /// The name.
        name: String,
    },
    /// The model exists but does something else.
    #[error("model {name} is a {found}, not a {expected}")]
    WrongKind {
        /// The model's name.
        name: String,
        /// What it is.
        found: ModelKind,
        /// The requested kind.
        expected: ModelKind,
    },
    /// A file of the model is missing.
    #[error(
        "model file {} is missing; unpack the models of the release into the folder above {}, \
         or run `scripts/fetch-models {model}` (docs/models.md)",
        path.display(), models_dir.display()
    )]
    MissingFile {
        /// The model the file belongs to.
        model: String,
        /// Where the file is expected.
        path: PathBuf,
        /// The models folder in use.
        models_dir: PathBuf,
    },
    /// A model whose hashes are computed at its install is not installed.
    #[error(
        "model {model} is not installed in {}; get the files of {repository} and run \
         `specbox models fetch {model} --from FOLDER`",
        folder.display()
    )]
    NotInstalled {
        /// The model.
        model: String,
        /// Where its authors publish it.
        repository: String,
        /// Where it is expected.
        folder: PathBuf,
    },
    /// The lock file of an install is invalid.
    #[error("{} is not valid; install the model again", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
    },
    /// A file of the model has the wrong size.
    #[error("{} has {found} bytes, expected {expected}", path.display())]
    WrongSize {
        /// The file.
        path: PathBuf,
        /// Size in bytes by the registry.
        expected: u64,
        /// Size in bytes found.
        found: u64,
    },
    /// A file of the model has the right size and the wrong content.
    #[error("{} has SHA-256 {found}, expected {expected}", path.display())]
    WrongHash {
        /// The file.
        path: PathBuf,
        /// Hash by the registry.
        expected: String,
        /// Hash found.
        found: String,
    },
    /// A file or folder could not be read or written.
    #[error("cannot access {}", path.display())]
    Access {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The model's `config.json` is not what its architecture needs.
    #[error("config.json of model {model} cannot be read")]
    Config {
        /// The model's name.
        model: String,
        /// The parser's error.
        #[source]
        source: serde_json::Error,
    },
    /// The registry and the model's own configuration disagree.
    #[error("model {model}: the registry says {what} {registry}, config.json says {config}")]
    Disagreement {
        /// The model's name.
        model: String,
        /// What they disagree about.
        what: &'static str,
        /// The registry's number.
        registry: usize,
        /// The configuration's number.
        config: usize,
    },
    /// The weight file does not contain the tensors that the architecture needs.
    #[error("weights of model {model} cannot be loaded")]
    Weights {
        /// The model's name.
        model: String,
        /// candle's error.
        #[source]
        source: candle_core::Error,
    },
    /// The weights cannot be packed for the program's own forward pass.
    #[error("weights of model {model} cannot be packed")]
    Packing {
        /// The model's name.
        model: String,
        /// What is wrong with them.
        #[source]
        source: cpu_encoder::EncoderError,
    },
    /// The program's own forward pass rejected its input.
    #[error("the model could not be run")]
    Encoding(#[from] cpu_encoder::EncoderError),
    /// `tokenizer.json` cannot be used, or a text cannot be tokenized.
    #[error("the tokenizer cannot be used")]
    Tokenizer(#[source] tokenizers::Error),
    /// The tokenizer lacks a token that the model needs.
    #[error("the tokenizer has no token {0}")]
    MissingToken(&'static str),
    /// A picture cannot be opened.
    #[error("the picture cannot be opened")]
    Picture(#[source] image::ImageError),
    /// The forward pass failed.
    #[error("the model could not be run")]
    Compute(#[from] candle_core::Error),
    /// The configured GPU cannot be used.
    #[error("no CUDA device can be used")]
    NoCuda(#[source] candle_core::Error),
    /// Worker threads could not be started.
    #[error("the model's threads could not be started")]
    Threads(#[source] rayon::ThreadPoolBuildError),
    /// The hub does not have the files that the registry pins.
    #[error(
        "model {0} cannot be used directly from the hub; run scripts/fetch-models or install it from a folder"
    )]
    NotOnHub(String),
    /// The hub did not deliver a file.
    #[cfg(feature = "hub")]
    #[error("cannot download {file} of {repository} from the hub")]
    Hub {
        /// The repository.
        repository: String,
        /// The requested file.
        file: String,
        /// The client's error.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
