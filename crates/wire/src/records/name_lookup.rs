//! What `lookup_name` finds: definitions, or what else is known of a name that has none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{NameDefinition, NameUse, TermDefinition};
use crate::values::DefinedNameKind;

/// What `lookup_name` found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameLookup {
    /// How many definitions there are.
    pub total: u64,
    /// The definitions, the best first.
    pub definitions: Vec<NameDefinition>,
    /// Names that are spelled much like it, where there is no definition.
    pub did_you_mean: Vec<String>,
    /// The first of these names, with the beginnings of their definitions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub similar: Vec<DefinitionPlace>,
    /// The places of the definitions beyond `limit`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub more: Vec<DefinitionPlace>,
    /// Where no definition passes the filters: definitions of the name that they leave out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub defined_elsewhere: Vec<DefinitionPlace>,
    /// With `used_in`, where the document asked for does not define it: its definitions that name it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub used_by: Vec<NameUse>,
    /// Where there is no definition: what lists of abbreviations, terms and symbols say of it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub terms: Vec<TermDefinition>,
    /// Where there is no definition: clauses whose text has it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mentions: Vec<NameMention>,
}

/// A definition of a name, by its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionPlace {
    /// The name as printed.
    pub name: String,
    /// What it stands for.
    pub kind: DefinedNameKind,
    /// The type or message that it is in.
    pub within: Option<String>,
    /// The number of the document.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// Its version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    pub section_number: String,
    /// Its title.
    pub section_title: String,
    /// How the definition begins, where it is the best that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub definition: Option<String>,
}

/// A document whose text has a name that none defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameMention {
    /// The number of the document.
    #[schemars(example = &"38.300")]
    pub doc_number: String,
    /// The newest version that has the name, of those asked for.
    #[schemars(example = &"16.0.0")]
    pub version: String,
    /// The oldest indexed version whose text has it.
    #[schemars(example = &"16.0.0")]
    pub since_version: String,
    /// The clauses that have it, those that say most of it first.
    pub clauses: Vec<MentioningClause>,
}

/// A clause whose text has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MentioningClause {
    /// The number of the section.
    pub section_number: String,
    /// Its title.
    pub section_title: String,
    /// Of the first clauses: the lines that have the name, with what they depend on; of a clause that is called so, its beginning.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub sentence: String,
}
