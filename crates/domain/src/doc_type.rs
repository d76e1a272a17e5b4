//! Technical specification or technical report.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::ParseError;

/// `TS` or `TR`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DocType {
    /// Technical specification: normative.
    #[serde(rename = "TS")]
    Specification,
    /// Technical report: informative.
    #[serde(rename = "TR")]
    Report,
}

impl DocType {
    /// Its two letters, as in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Specification => "TS",
            Self::Report => "TR",
        }
    }
}

impl fmt::Display for DocType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for DocType {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim().to_ascii_uppercase().as_str() {
            "TS" => Ok(Self::Specification),
            "TR" => Ok(Self::Report),
            _ => Err(ParseError::new(text, "a document type, TS or TR")),
        }
    }
}
