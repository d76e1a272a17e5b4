//! The identity of a model: two vectors may be compared only when their models' identities are equal.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How a window's token states become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over all tokens.
    Mean,
    /// The state of the first token.
    Cls,
    /// The state of the last token.
    Last,
}

impl fmt::Display for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Cls => "cls",
            Self::Last => "last",
        })
    }
}

/// Everything that determines which vector or score a model gives for a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// The model's name in the registry.
    pub name: String,
    /// Which weights exactly.
    pub revision: String,
    /// Numbers in a vector; 1 for a reranker.
    pub dimension: u32,
    /// How token states become one vector.
    pub pooling: Pooling,
    /// Text put before every query.
    pub query_prompt: String,
    /// Text put before every document.
    pub document_prompt: String,
    /// Tokens in a window, special tokens and prompt included.
    pub max_tokens: u32,
}

impl ModelIdentity {
    /// Returns a hash of all fields; it stays the same over versions of the program.
    #[must_use]
    pub fn identity_hash(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        for text in [&self.name, &self.revision, &self.query_prompt, &self.document_prompt] {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.update(self.dimension.to_le_bytes());
        hasher.update(self.max_tokens.to_le_bytes());
        hasher.update(self.pooling.to_string().as_bytes());
        hasher.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> ModelIdentity {
        ModelIdentity {
            name: "small".to_owned(),
            revision: "1".to_owned(),
            dimension: 384,
            pooling: Pooling::Mean,
            query_prompt: "ab".to_owned(),
            document_prompt: String::new(),
            max_tokens: 512,
        }
    }

    #[test]
    fn every_field_changes_the_hash() {
        let base = identity();
        let others = [
            ModelIdentity { name: "large".to_owned(), ..base.clone() },
            ModelIdentity { revision: "2".to_owned(), ..base.clone() },
            ModelIdentity { dimension: 385, ..base.clone() },
            ModelIdentity { pooling: Pooling::Cls, ..base.clone() },
            ModelIdentity { query_prompt: "b".to_owned(), ..base.clone() },
            ModelIdentity { document_prompt: "b".to_owned(), ..base.clone() },
            ModelIdentity { max_tokens: 256, ..base.clone() },
        ];
        for other in &others {
            assert_ne!(base.identity_hash(), other.identity_hash(), "{other:?}");
        }
        assert_eq!(base.identity_hash(), identity().identity_hash());
    }

    #[test]
    fn text_moved_between_prompts_changes_the_hash() {
        let base = identity();
        let moved = ModelIdentity {
            query_prompt: "a".to_owned(),
            document_prompt: "b".to_owned(),
            ..base.clone()
        };
        assert_ne!(base.identity_hash(), moved.identity_hash());
    }
}
