//! A name with its definition.

use domain::{DefinedNameKind, PrintedForm};
use serde::{Deserialize, Serialize};

/// Whether something has to be there. Stored by place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NamePresence {
    /// It has.
    Mandatory,
    /// It may be left out.
    Optional,
    /// A condition decides.
    Conditional,
    /// It has this value where it is left out.
    Default(String),
    /// As the table says, in a code of its own.
    Other(String),
}

/// A condition on which a field is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// What the table below the listing says of it.
    pub text: Option<String>,
}

/// A name that a section defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedName {
    /// What it stands for.
    pub kind: DefinedNameKind,
    /// The name as printed.
    pub name: String,
    /// The type or message that it is in, with the fields between, divided by full stops.
    pub within: Option<String>,
    /// How its definition is printed.
    pub form: PrintedForm,
    /// Its definition as printed: of a row in a table the heads with their cells, a line each.
    pub definition: String,
    /// The types and sets that the definition names, each once.
    pub types: Vec<String>,
    /// Whether it has to be there.
    pub presence: Option<NamePresence>,
    /// The Need code of an optional field.
    pub need: Option<String>,
    /// The condition of a conditional field.
    pub condition: Option<Condition>,
    /// What the table of field descriptions, or the comment beside it, says.
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
