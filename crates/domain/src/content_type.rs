//! What a passage consists of.

use serde::{Deserialize, Serialize};

/// The kind of text a passage or block holds; printed as `text`, `table` or `code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentType {
    /// Running text, lists, notes, equations.
    Text,
    /// A table in Markdown.
    Table,
    /// ASN.1, YAML, XML or another fenced block.
    Code,
}

impl ContentType {
    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Table => "table",
            Self::Code => "code",
        }
    }
}
