//! Words of sections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What a part of a section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SectionPartKind {
    /// A row of a table, or several.
    Row,
    /// An item of a list.
    ListItem,
    /// A note, an example or an editor's note.
    Note,
    /// A paragraph.
    Paragraph,
    /// Lines of ASN.1, OpenAPI or other code.
    Listing,
    /// A whole table.
    Table,
}
