//! Names that protocols define.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{DefinedNameKind, FieldPresence, NameFindingKind, PrintedForm};

/// A definition of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameDefinition {
    /// The name as printed.
    #[schemars(example = &"sps-ConfigToAddModList-r16")]
    pub name: String,
    /// What it stands for.
    pub kind: DefinedNameKind,
    /// The type or message that it is in, with the fields between.
    #[schemars(example = &"BWP-DownlinkDedicated")]
    pub within: Option<String>,
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    #[schemars(example = &"BWP-DownlinkDedicated")]
    pub section_number: String,
    /// The title of the section.
    pub section_title: String,
    /// The definition as printed. Of a row in a table: the heads with their cells, a line each. Of a
    /// timer in running text: what starts and stops it, and what happens when it expires.
    pub definition: String,
    /// How it is printed.
    pub form: PrintedForm,
    /// Whether a field or element has to be there.
    pub presence: Option<FieldPresence>,
    /// The value of a field that is left out, where it has one.
    pub default_value: Option<String>,
    /// The Need code of an optional field.
    #[schemars(example = &"N")]
    pub need: Option<String>,
    /// The condition of a conditional field.
    pub condition: Option<PresenceCondition>,
    /// What the table of field descriptions, or the comment beside it, says.
    pub description: Option<String>,
    /// For a definition in a listing: the row of the table that describes it, where the version has one.
    pub described_by: Option<DescribingRow>,
    /// The types and sets that the definition names.
    pub types: Vec<String>,
    /// Of a timer: what other clauses of the version say of its start, stop and expiry.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub statements: Vec<NameStatement>,
    /// The oldest indexed version of the document that has the name.
    #[schemars(example = &"16.1.0")]
    pub since_version: String,
    /// With `expand`: the types that the definition names, those that these name, and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansion: Option<TypeExpansion>,
    /// Its members and theirs. Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure: Option<NameStructure>,
    /// With `used_in`: where the name is used; left out where an earlier definition in the reply has the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<NameUses>,
    /// With `history`: the versions in which the definition is new or other than in the version before, the oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<DefinitionVersion>>,
}

/// What a clause says of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameStatement {
    /// The number of the section.
    #[schemars(example = &"5.3.8.6")]
    pub section_number: String,
    /// Its title.
    pub section_title: String,
    /// The lines that say it.
    pub text: String,
}

/// The row of a table that describes what a listing defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DescribingRow {
    /// The number of the section.
    pub section_number: String,
    /// The heads of the table with the cells of the row, a line each.
    pub text: String,
}

/// A definition as a version has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionVersion {
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    pub section_number: String,
    /// The lines that the version before has and this one has not.
    pub removed: Vec<String>,
    /// The lines that this version has and the one before has not; all of them in the oldest one.
    pub added: Vec<String>,
}

/// A condition on which a field is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PresenceCondition {
    /// Its name.
    #[schemars(example = &"SCellOnly")]
    pub name: String,
    /// What the specification says of it.
    pub text: Option<String>,
}

/// The types that a definition names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypeExpansion {
    /// The types, those that the definition names first.
    pub types: Vec<ExpandedType>,
    /// Types that were left out, because there is no room.
    pub left_out: Vec<String>,
    /// Types that no indexed document defines.
    pub not_indexed: Vec<MissingType>,
}

/// A type that no indexed document defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingType {
    /// Its name.
    pub name: String,
    /// The file that defines it, where the definition refers to one.
    #[schemars(example = &"TS29571_CommonData.yaml")]
    pub file: Option<String>,
}

/// The members of a message or type, and theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameStructure {
    /// The members in the order of the text; those of a member follow it, one deeper.
    pub members: Vec<NameMember>,
    /// The values of the name, where it is an enumeration.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    /// Whether it has more members than there is room for.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub has_more: bool,
}

/// A field, an information element, an attribute or a parameter, with what somebody who fills it in has to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameMember {
    /// 1 for a member of the name itself, 2 for a member of that, and so on.
    #[schemars(example = &1)]
    pub depth: u32,
    /// Its name.
    #[schemars(example = &"sps-ConfigToAddModList-r16")]
    pub name: String,
    /// What it stands for.
    pub kind: DefinedNameKind,
    /// The type or message that it is in, with the fields between.
    #[schemars(example = &"BWP-DownlinkDedicated")]
    pub within: String,
    /// The document that defines it, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(example = &"29.571")]
    pub doc_number: Option<String>,
    /// The version of that document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The types that its definition names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub types: Vec<String>,
    /// Whether it has to be there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub presence: Option<FieldPresence>,
    /// The value that stands for it where it is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub default_value: Option<String>,
    /// The Need code of an optional field.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(example = &"N")]
    pub need: Option<String>,
    /// The name of the condition on which it is present.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(example = &"SCellOnly")]
    pub condition: Option<String>,
    /// The values of its enumeration.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    /// Whether it has members that are left out: there is no room, they are deeper than asked for, or its type stands above.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub has_more: bool,
}

/// A type that a definition names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandedType {
    /// Its name.
    pub name: String,
    /// The number of the document that defines it.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The number of the section.
    pub section_number: String,
    /// Its definition as printed.
    pub definition: String,
}

/// Where a name is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameUses {
    /// The definitions of the same version that name it.
    pub definitions: Vec<NameUse>,
    /// The messages that carry it, directly or within other types.
    pub messages: Vec<String>,
    /// The clauses that speak of it: those of its own version, and then of other documents.
    pub clauses: Vec<ClauseMention>,
}

/// A clause that speaks of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseMention {
    /// The number of the document.
    #[schemars(example = &"38.321")]
    pub doc_number: String,
    /// Its version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    pub section_number: String,
    /// Its title.
    pub section_title: String,
}

/// A definition that names another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameUse {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub kind: DefinedNameKind,
    /// The type or message that it is in.
    pub within: Option<String>,
    /// The number of the section.
    pub section_number: String,
}

/// The names that a document defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameList {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// How many names there are, of those asked for.
    pub total: u64,
    /// How many names of each kind the document defines, whatever was asked for.
    pub kinds: Vec<NameKindCount>,
    /// Definitions in ASN.1 that could not be read.
    pub unread_definitions: u64,
    /// The names, in the order of the text.
    pub names: Vec<ListedName>,
}

/// How many names of a kind a document defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameKindCount {
    /// The kind.
    pub kind: DefinedNameKind,
    /// Number of names.
    #[schemars(example = &1)]
    pub names: u64,
}

/// A name in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedName {
    /// The name as printed.
    pub name: String,
    /// What it stands for.
    pub kind: DefinedNameKind,
    /// The type or message that it is in.
    pub within: Option<String>,
    /// The number of the section that defines it.
    pub section_number: String,
}

/// Where a version of a document contradicts itself about names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameFindingList {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// How many findings there are, of those asked for.
    pub total: u64,
    /// The findings, in the order of their first places.
    pub findings: Vec<NameFinding>,
}

/// Two places of a version that disagree about a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameFinding {
    /// What they disagree about.
    pub kind: NameFindingKind,
    /// The name, as the first place prints it.
    pub name: String,
    /// The type or message that it is in.
    pub within: Option<String>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Whether the places may be meant for different things.
    pub is_doubtful: bool,
    /// The places.
    pub places: Vec<NameFindingPlace>,
}

/// A place of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameFindingPlace {
    /// The number of the section.
    pub section_number: String,
    /// How it is printed there.
    pub form: PrintedForm,
    /// What stands there; null where the name is missing.
    pub text: Option<String>,
}

/// A module of ASN.1, or the modules of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleText {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The modules of the document.
    pub modules: Vec<ModuleSummary>,
    /// The text of the module asked for, or the part of it from `char_offset`.
    pub text: Option<String>,
    /// The `char_offset` of the next part; null at the end.
    pub next_char_offset: Option<u64>,
}

/// A module of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleSummary {
    /// Its name.
    #[schemars(example = &"NR-RRC-Definitions")]
    pub name: String,
    /// How long its text is.
    pub characters: u64,
}
