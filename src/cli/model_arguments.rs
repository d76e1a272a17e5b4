//! Arguments of `models`.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with models.
#[derive(Debug, Subcommand)]
pub(super) enum ModelsCommand {
    /// List the models and whether they are installed
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Verify the files of the models in use by their hashes
    Verify,
    /// Install your own text model or reranker, such as one from scripts/adapt-embedder
    Add {
        /// Name for the model
        name: String,
        /// Folder with model.safetensors, tokenizer.json and config.json
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
        /// Included model with the same architecture
        #[arg(long, value_name = "NAME", default_value = "all-MiniLM-L6-v2")]
        like: String,
    },
    /// Install models from a folder with their files
    Fetch {
        /// Model names [default: the models in use]
        names: Vec<String>,
        /// Folder with one subfolder for each model
        #[arg(long, value_name = "DIR", required_unless_present = "hub")]
        from: Option<PathBuf>,
        /// Download from the models' repositories on the hub
        #[arg(long, conflicts_with = "from", hide = cfg!(not(feature = "hub")))]
        hub: bool,
    },
}
