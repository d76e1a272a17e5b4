//! Arguments of `models`.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with models.
#[derive(Debug, Subcommand)]
pub(super) enum ModelsCommand {
    /// List the models and whether their files are there
    List,
    /// Check the files of the models in use against their hashes
    Verify,
    /// Install a text model or reranker of your own, such as one of scripts/adapt-embedder
    Add {
        /// The name it gets
        name: String,
        /// Folder with model.safetensors, tokenizer.json and config.json
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
        /// The model it was made from: it is run in the same way
        #[arg(long, value_name = "NAME", default_value = "all-MiniLM-L6-v2")]
        like: String,
    },
    /// Install models from a folder that holds their files
    Fetch {
        /// Names; the models in use when none is given
        names: Vec<String>,
        /// Folder with one sub-folder for each model
        #[arg(long, value_name = "DIR", required_unless_present = "hub")]
        from: Option<PathBuf>,
        /// Fetch from the models' own repositories on the hub
        #[arg(long, conflicts_with = "from", hide = cfg!(not(feature = "hub")))]
        hub: bool,
    },
}
