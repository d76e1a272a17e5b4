//! The model registry, `data/models.toml`: what is known about each model before any file is opened.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{
    error::NeuralError,
    identity::{ModelIdentity, Pooling},
    model_kind::ModelKind,
};

/// The weight file of every model.
pub(super) const WEIGHTS_FILE: &str = "model.safetensors";
/// The tokenizer of every model that reads texts.
pub(super) const TOKENIZER_FILE: &str = "tokenizer.json";
/// The configuration of every model, with its sizes.
pub(super) const CONFIG_FILE: &str = "config.json";

const SHIPPED_TOML: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/models.toml"));

/// The models the program knows, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRegistry {
    #[serde(rename = "model")]
    pub(super) entries: Vec<ModelEntry>,
}

/// Which forward pass runs the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Architecture {
    /// BERT with learned positions.
    Bert,
    /// BERT with rotary positions and gated feed-forward layers.
    NomicBert,
    /// RoBERTa of many languages: BERT with other tokens and positions.
    XlmRoberta,
    /// A decoder with rotary positions.
    Qwen3,
    /// Two towers, trained to distinguish pairs of picture and caption.
    Clip,
    /// Two towers, trained to say of each pair whether it belongs together.
    Siglip,
    /// The same with another tokenizer.
    Siglip2,
}

/// One model: what it is, its files, and its own repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// The name by which it is requested, and the name of its folder.
    pub name: String,
    /// What it does.
    pub kind: ModelKind,
    /// Which forward pass runs it.
    pub architecture: Architecture,
    /// Which weights exactly.
    pub revision: String,
    /// The licence of the weights.
    pub licence: String,
    /// Numbers in a vector; 1 for a reranker.
    pub dimension: u32,
    /// How token states become one vector; of an image embedder, those of its text tower.
    pub pooling: Pooling,
    /// Text put before every query.
    pub query_prompt: String,
    /// Text put before every document.
    pub document_prompt: String,
    /// Tokens in a window, special tokens and prompt included; 0 for an image embedder without a
    /// text tower.
    pub max_tokens: u32,
    /// Whether it belongs to the small set that is installed by default.
    pub default: bool,
    /// The files in its folder.
    #[serde(rename = "file", default)]
    pub files: Vec<ModelFile>,
    /// The names of its files if the registry does not know their hashes: these are computed when the model is
    /// installed.
    #[serde(default)]
    pub unpinned: Vec<String>,
    /// Its repository on the hub.
    pub hub: HubSource,
}

/// One file of an installed model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// Its name in the model's folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its sha256 in lower-case hexadecimal.
    pub sha256: String,
}

/// Where a model's authors publish it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubSource {
    /// Owner and name of the repository.
    pub repository: String,
    /// The commit.
    pub revision: String,
    /// Whether the files there are byte for byte the ones pinned here.
    pub same_files: bool,
}

impl ModelRegistry {
    /// Returns the registry that is compiled in.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static REGISTRY: LazyLock<ModelRegistry> = LazyLock::new(|| {
            ModelRegistry::parse_toml(SHIPPED_TOML)
                .expect("a test parses the registry that is compiled in")
        });
        &REGISTRY
    }

    /// Reads a registry from its text.
    pub fn parse_toml(text: &str) -> Result<Self, NeuralError> {
        toml::from_str(text).map_err(NeuralError::Registry)
    }

    /// Adds the models of another registry text; none may have the name of a known one.
    pub fn extend(&mut self, text: &str) -> Result<(), NeuralError> {
        for entry in Self::parse_toml(text)?.entries {
            self.check_new_name(&entry.name)?;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Rejects a name that is in use, or that cannot be the name of a folder in the models folder.
    pub(super) fn check_new_name(&self, name: &str) -> Result<(), NeuralError> {
        let is_folder = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            && !name.starts_with('.')
            && !name.is_empty();
        if is_folder && self.find_entry(name).is_err() {
            Ok(())
        } else {
            Err(NeuralError::ModelName { name: name.to_owned() })
        }
    }

    /// Returns all models.
    #[must_use]
    pub fn entries(&self) -> &[ModelEntry] {
        &self.entries
    }

    /// Returns the model of this name.
    pub fn find_entry(&self, name: &str) -> Result<&ModelEntry, NeuralError> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
            NeuralError::UnknownModel { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Returns the model of this name if it is of the requested kind.
    pub fn find_entry_of_kind(
        &self,
        name: &str,
        kind: ModelKind,
    ) -> Result<&ModelEntry, NeuralError> {
        let entry = self.find_entry(name)?;
        if entry.kind == kind {
            return Ok(entry);
        }
        Err(NeuralError::WrongKind { name: name.to_owned(), found: entry.kind, expected: kind })
    }
}

impl ModelEntry {
    /// Returns the model's identity. One without pinned files has it only when it is installed:
    /// see [`ModelEntry::resolve_pins`].
    #[must_use]
    pub fn identity(&self) -> ModelIdentity {
        ModelIdentity {
            name: self.name.clone(),
            revision: self.revision.clone(),
            dimension: self.dimension,
            pooling: self.pooling,
            query_prompt: self.query_prompt.clone(),
            document_prompt: self.document_prompt.clone(),
            max_tokens: self.max_tokens,
        }
    }

    /// Returns whether it reads texts: all do except an image embedder without a text tower.
    #[must_use]
    pub fn reads_texts(&self) -> bool {
        self.find_file(TOKENIZER_FILE).is_some()
            || self.unpinned.iter().any(|name| name == TOKENIZER_FILE)
    }

    /// Returns the file of this name.
    #[must_use]
    pub fn find_file(&self, name: &str) -> Option<&ModelFile> {
        self.files.iter().find(|file| file.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_registry_is_complete() {
        let registry = ModelRegistry::parse_toml(SHIPPED_TOML).expect("the registry parses");
        for entry in registry.entries() {
            let files: &[&str] = if entry.kind == ModelKind::ImageEmbedder && !entry.reads_texts() {
                &[WEIGHTS_FILE, CONFIG_FILE]
            } else {
                &[WEIGHTS_FILE, TOKENIZER_FILE, CONFIG_FILE]
            };
            if !entry.unpinned.is_empty() {
                assert_eq!(entry.unpinned, files, "{}", entry.name);
                assert!(entry.files.is_empty() && !entry.default, "{}", entry.name);
                continue;
            }
            for name in files {
                let file = entry.find_file(name).expect("every model has its files");
                assert_eq!(file.sha256.len(), 64, "{} {name}", entry.name);
                assert!(file.bytes > 0, "{} {name}", entry.name);
            }
            let weights = &entry.find_file(WEIGHTS_FILE).expect("checked above").sha256;
            assert!(entry.revision.ends_with(&weights[..12]), "{}", entry.name);
        }
    }

    #[test]
    fn the_default_set_is_one_embedder_and_one_reranker() {
        let kinds: Vec<ModelKind> = ModelRegistry::shipped()
            .entries()
            .iter()
            .filter(|entry| entry.default)
            .map(|entry| entry.kind)
            .collect();
        assert_eq!(kinds, [ModelKind::TextEmbedder, ModelKind::Reranker]);
    }

    #[test]
    fn more_models_have_names_of_their_own_that_are_folders() {
        let more = SHIPPED_TOML.replace("name = \"bge-m3\"", "name = \"own\"");
        let entry = more.split("[[model]]").find(|part| part.contains("name = \"own\""));
        let entry = |name: &str| {
            let entry = entry.expect("renamed").replace("\"own\"", &format!("{name:?}"));
            format!("schema = 1\n[[model]]{entry}")
        };
        let mut all = ModelRegistry::shipped().clone();
        all.extend(&entry("own-model")).expect("new");
        assert!(all.find_entry("own-model").is_ok() && all.find_entry("all-MiniLM-L6-v2").is_ok());
        for name in ["all-MiniLM-L6-v2", "../own", "", ".hidden", "a/b"] {
            let refused = all.extend(&entry(name));
            assert!(matches!(refused, Err(NeuralError::ModelName { .. })), "{name}");
        }
    }

    #[test]
    fn an_unknown_model_lists_the_known_ones() {
        let error =
            ModelRegistry::shipped().find_entry("no-such-model").expect_err("not in the registry");
        assert!(error.to_string().contains("all-MiniLM-L6-v2"), "{error}");
    }

    #[test]
    fn a_reranker_is_not_given_as_an_embedder() {
        let registry = ModelRegistry::shipped();
        let refused =
            registry.find_entry_of_kind("ms-marco-MiniLM-L-12-v2", ModelKind::TextEmbedder);
        assert!(matches!(refused, Err(NeuralError::WrongKind { .. })));
    }
}
