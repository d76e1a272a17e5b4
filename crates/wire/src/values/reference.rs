//! Words of references.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What a citation refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ReferenceKind {
    /// A clause.
    Clause,
    /// An annex, or a clause that is cited as an annex.
    Annex,
    /// A table.
    Table,
    /// A figure.
    Figure,
    /// An equation.
    Equation,
    /// A document as a whole.
    Document,
}

/// Which citations are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ReferenceDirection {
    /// In both directions.
    #[default]
    Both,
    /// What the section cites.
    Outgoing,
    /// What cites the section.
    Incoming,
}
