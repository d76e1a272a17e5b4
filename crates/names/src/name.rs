//! A name with its definition.

use serde::{Deserialize, Serialize};

/// What a name stands for. Stored by place: new kinds come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DefinedKind {
    /// A message of a protocol.
    Message,
    /// A type of ASN.1, or a class.
    Type,
    /// A field of a type, or an alternative of a choice.
    Field,
    /// A value of an enumeration, or a named number or bit.
    Value,
    /// A constant.
    Constant,
    /// A set of information objects of ASN.1.
    ObjectSet,
    /// An elementary procedure.
    Procedure,
    /// A module of ASN.1.
    Module,
    /// An information element in a table of a message.
    Element,
    /// A timer.
    Timer,
    /// A counter.
    Counter,
    /// A cause.
    Cause,
    /// A service of OpenAPI.
    Service,
    /// An operation of a service.
    Operation,
    /// A parameter of an operation.
    Parameter,
    /// A schema of OpenAPI.
    Schema,
    /// An attribute of a schema.
    Attribute,
    /// A capability of the terminal.
    Capability,
    /// A condition on which fields are present.
    Condition,
    /// A state variable.
    Variable,
    /// A response, body or header that operations of OpenAPI share.
    Response,
    /// A parameter of RRC in a specification of the physical layer.
    PhysicalParameter,
}

impl DefinedKind {
    /// All kinds, in the order in which they were added.
    pub const ALL: [Self; 22] = [
        Self::Message,
        Self::Type,
        Self::Field,
        Self::Value,
        Self::Constant,
        Self::ObjectSet,
        Self::Procedure,
        Self::Module,
        Self::Element,
        Self::Timer,
        Self::Counter,
        Self::Cause,
        Self::Service,
        Self::Operation,
        Self::Parameter,
        Self::Schema,
        Self::Attribute,
        Self::Capability,
        Self::Condition,
        Self::Variable,
        Self::Response,
        Self::PhysicalParameter,
    ];

    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Type => "type",
            Self::Field => "field",
            Self::Value => "value",
            Self::Constant => "constant",
            Self::ObjectSet => "object_set",
            Self::Procedure => "procedure",
            Self::Module => "module",
            Self::Element => "element",
            Self::Timer => "timer",
            Self::Counter => "counter",
            Self::Cause => "cause",
            Self::Service => "service",
            Self::Operation => "operation",
            Self::Parameter => "parameter",
            Self::Schema => "schema",
            Self::Attribute => "attribute",
            Self::Capability => "capability",
            Self::Condition => "condition",
            Self::Variable => "variable",
            Self::Response => "response",
            Self::PhysicalParameter => "physical_parameter",
        }
    }
}

/// How a definition is printed. Stored by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DefinitionForm {
    /// In a listing: ASN.1 or OpenAPI.
    Listing,
    /// As a row of a table, as a whole table, or in running text.
    Row,
}

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
    pub kind: DefinedKind,
    /// The name as printed.
    pub name: String,
    /// The type or message that it is in, with the fields between, divided by full stops.
    pub within: Option<String>,
    /// How its definition is printed.
    pub form: DefinitionForm,
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
    pub(crate) fn new(kind: DefinedKind, name: impl Into<String>, definition: String) -> Self {
        Self {
            kind,
            name: name.into(),
            within: None,
            form: DefinitionForm::Listing,
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
    pub(crate) fn in_row(kind: DefinedKind, name: impl Into<String>, definition: String) -> Self {
        Self { form: DefinitionForm::Row, ..Self::new(kind, name, definition) }
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
