//! What `lookup_name` finds: definitions, or what else is known of a name that has none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{NameDefinition, NameUse, TermDefinition};
use crate::values::DefinedNameKind;

/// The results of `lookup_name`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameLookup {
    /// The number of definitions.
    pub total: u64,
    /// The definitions, best first.
    pub definitions: Vec<NameDefinition>,
    /// Names with a similar spelling, if there is no definition.
    pub did_you_mean: Vec<String>,
    /// The first of these names, with the beginning of their definitions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub similar: Vec<DefinitionPlace>,
    /// The locations of the definitions beyond `limit`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub more: Vec<DefinitionPlace>,
    /// If no definition matches the filters: definitions of the name that the filters exclude.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub defined_elsewhere: Vec<DefinitionPlace>,
    /// With `used_in`, if the requested document does not define the name: definitions in that document that refer to it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub used_by: Vec<NameUse>,
    /// If the name has no definition: entries for it in lists of abbreviations, terms and symbols.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub terms: Vec<TermDefinition>,
    /// If the name has no definition: clauses whose text contains it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mentions: Vec<NameMention>,
}

/// The location of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionPlace {
    /// The name as printed.
    pub name: String,
    /// The kind of name.
    pub kind: DefinedNameKind,
    /// The type or message that contains it.
    pub within: Option<String>,
    /// The number of the document.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    pub section_number: String,
    /// The title of the section.
    pub section_title: String,
    /// The beginning of the definition, if it is the best that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub definition: Option<String>,
}

/// A document whose text contains an undefined name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameMention {
    /// The number of the document.
    #[schemars(example = &"38.300")]
    pub doc_number: String,
    /// The newest requested version that contains the name.
    #[schemars(example = &"16.0.0")]
    pub version: String,
    /// The oldest indexed version whose text contains it.
    #[schemars(example = &"16.0.0")]
    pub since_version: String,
    /// The clauses that contain it, the most informative first.
    pub clauses: Vec<MentioningClause>,
}

/// A clause whose text contains a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MentioningClause {
    /// The number of the section.
    pub section_number: String,
    /// The title of the section.
    pub section_title: String,
    /// For the first clauses: the lines that contain the name, with their conditions, or the beginning of the clause if the name
    /// is its title.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub sentence: String,
}
