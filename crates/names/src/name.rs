//! A name with its definition.

use domain::{DefinedNameKind, PrintedForm};
use serde::{Deserialize, Serialize};

/// Whether something has to be present. Stored by the position of the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NamePresence {
    /// It has to be present.
    Mandatory,
    /// It may be left out.
    Optional,
    /// A condition decides.
    Conditional,
    /// It has this value if it is left out.
    Default(String),
    /// A code of the table's own.
    Other(String),
}

/// A condition on which a field is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// Its explanation in the table below the listing.
    pub text: Option<String>,
}

/// A name that a section defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedName {
    /// Its kind.
    pub kind: DefinedNameKind,
    /// The name as printed.
    pub name: String,
    /// The type or message that it is in, with the fields between, divided by full stops.
    pub within: Option<String>,
    /// How its definition is printed.
    pub form: PrintedForm,
    /// Its definition as printed; for a table row the headings with their cells, one per line.
    pub definition: String,
    /// The types and sets that the definition names, each once.
    pub types: Vec<String>,
    /// Whether it has to be present.
    pub presence: Option<NamePresence>,
    /// The Need code of an optional field.
    pub need: Option<String>,
    /// The condition of a conditional field.
    pub condition: Option<Condition>,
    /// Its description in the table of field descriptions, or in the comment beside it.
    pub description: Option<String>,
}

/// The names that a section defines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionNames {
    /// The names, in the order of the text.
    pub names: Vec<DefinedName>,
    /// Definitions in ASN.1 that could not be read.
    pub unread: usize,
}

impl DefinedName {
    pub(crate) fn new(kind: DefinedNameKind, name: impl Into<String>, definition: String) -> Self {
        Self {
            kind,
            name: name.into(),
            within: None,
            form: PrintedForm::Listing,
            definition,
            types: Vec::new(),
            presence: None,
            need: None,
            condition: None,
            description: None,
        }
    }

    /// Bytes of its texts.
    pub(crate) fn text_bytes(&self) -> usize {
        let condition = self.condition.as_ref().and_then(|of| of.text.as_deref());
        let rest = [self.description.as_deref(), condition, self.within.as_deref()];
        let rest: usize = rest.into_iter().flatten().map(str::len).sum();
        self.name.len() + self.definition.len() + rest
    }

    /// The same, defined by a row of a table.
    pub(crate) fn in_row(
        kind: DefinedNameKind,
        name: impl Into<String>,
        definition: String,
    ) -> Self {
        Self { form: PrintedForm::Row, ..Self::new(kind, name, definition) }
    }
}

impl SectionNames {
    /// The types and sets that definitions of the section name, each once and in order.
    pub fn used_types(&self) -> Vec<&str> {
        let mut types: Vec<&str> =
            self.names.iter().flat_map(|name| name.types.iter().map(String::as_str)).collect();
        types.sort_unstable();
        types.dedup();
        types
    }
}
