//! What a model does.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// Text to vector.
    TextEmbedder,
    /// Query and passage to score.
    Reranker,
    /// Picture, and with a text tower also text, to vector.
    ImageEmbedder,
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TextEmbedder => "text model",
            Self::Reranker => "reranker",
            Self::ImageEmbedder => "image model",
        })
    }
}
