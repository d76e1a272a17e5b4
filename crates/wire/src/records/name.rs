//! Names that protocols define.

use domain::NameFinding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{DefinedNameKind, FieldPresence, PrintedForm};

/// A definition of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameDefinition {
    /// The name as printed.
    #[schemars(example = &"sps-ConfigToAddModList-r16")]
    pub name: String,
    /// The kind of name.
    pub kind: DefinedNameKind,
    /// The type or message that contains it, with intermediate fields.
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
    /// The numbered clause that contains the definition, for citation: that of the section, or the nearest one above a section
    /// without a number, such as an information element of TS 38.331.
    #[schemars(example = &"6.3.2")]
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clause: Option<String>,
    /// The title of that clause, if it is not the section.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clause_title: Option<String>,
    /// Other sections of the version that print the definition again, word for word.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub repeated_in: Vec<String>,
    /// The definition as printed. For a table row: the headings with their cells, one per line. For a timer in running text:
    /// what starts and stops it, and what happens when it expires.
    pub definition: String,
    /// The form of the definition.
    pub form: PrintedForm,
    /// Presence of a field or element: mandatory, optional, conditional or default.
    pub presence: Option<FieldPresence>,
    /// The default value of an omitted field.
    pub default_value: Option<String>,
    /// The Need code of an optional field.
    #[schemars(example = &"N")]
    pub need: Option<String>,
    /// The condition of a conditional field.
    pub condition: Option<PresenceCondition>,
    /// The text from the field description table, or from the comment beside the field.
    pub description: Option<String>,
    /// For a definition in a listing or a command: the table row that describes it, if the version has one.
    pub described_by: Option<DescribingRow>,
    /// The types and sets that the definition refers to.
    pub types: Vec<String>,
    /// For a timer: what other clauses of the version say about its start, stop and expiry.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub statements: Vec<NameStatement>,
    /// The oldest indexed version of the document that contains the name.
    #[schemars(example = &"16.1.0")]
    pub since_version: String,
    /// With `expand`: the types that the definition refers to, the types that those refer to, and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansion: Option<TypeExpansion>,
    /// Its members and their members, if requested; those of a grouped element always. Omitted if an earlier definition in the
    /// reply has the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure: Option<NameStructure>,
    /// With `used_in`: the uses of the name; omitted if an earlier definition in the reply has the same uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<NameUses>,
    /// With `history`: the versions in which the definition is new or changed, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<DefinitionVersion>>,
}

/// A statement about a name in a clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameStatement {
    /// The number of the section.
    #[schemars(example = &"5.3.8.6")]
    pub section_number: String,
    /// The title of the section.
    pub section_title: String,
    /// The lines of the statement.
    pub text: String,
}

/// The table row that describes an item of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DescribingRow {
    /// The number of the section.
    pub section_number: String,
    /// The headings of the table with the cells of the row, one per line.
    pub text: String,
}

/// A definition in one version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionVersion {
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    pub section_number: String,
    /// The lines that are in the previous version but not in this one.
    pub removed: Vec<String>,
    /// The lines that are in this version but not in the previous one; for the oldest version, all lines.
    pub added: Vec<String>,
}

/// A condition on which a field is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PresenceCondition {
    /// The name of the condition.
    #[schemars(example = &"SCellOnly")]
    pub name: String,
    /// The text of the condition in the specification.
    pub text: Option<String>,
}

/// The types that a definition refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypeExpansion {
    /// The types. Those that the definition itself refers to come first.
    pub types: Vec<ExpandedType>,
    /// Types that were omitted for lack of space.
    pub left_out: Vec<String>,
    /// Types that no indexed document defines.
    pub not_indexed: Vec<MissingType>,
}

/// A type that no indexed document defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingType {
    /// The name of the type.
    pub name: String,
    /// The file that defines it, if the definition refers to one.
    #[schemars(example = &"TS29571_CommonData.yaml")]
    pub file: Option<String>,
}

/// The members of a message or type, and their members.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameStructure {
    /// The members in the order of the text; the members of a member follow it, one level deeper.
    pub members: Vec<NameMember>,
    /// The values of the name, if it is an enumeration.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    /// Whether members were omitted for lack of space.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub has_more: bool,
}

/// A field, an information element, an attribute or a parameter, with the information needed to fill it in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameMember {
    /// Level: 1 for a member of the name itself, 2 for a member of that, and so on.
    #[schemars(example = &1)]
    pub depth: u32,
    /// The name of the member.
    #[schemars(example = &"sps-ConfigToAddModList-r16")]
    pub name: String,
    /// The kind of member.
    pub kind: DefinedNameKind,
    /// The type or message that contains it, with intermediate fields.
    #[schemars(example = &"BWP-DownlinkDedicated")]
    pub within: String,
    /// The document that defines it, if different.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(example = &"29.571")]
    pub doc_number: Option<String>,
    /// The version of that document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The types that its definition refers to.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub types: Vec<String>,
    /// Whether it is mandatory.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub presence: Option<FieldPresence>,
    /// The default value of the member.
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
    /// Whether its members were omitted: for lack of space, because they are deeper than requested, or because its type is
    /// listed above.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub has_more: bool,
}

/// A type that a definition refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandedType {
    /// The name of the type.
    pub name: String,
    /// The number of the document that defines it.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The number of the section.
    pub section_number: String,
    /// The definition as printed.
    pub definition: String,
}

/// The uses of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameUses {
    /// The definitions of the same version that refer to it.
    pub definitions: Vec<NameUse>,
    /// The messages that carry it, directly or within other types.
    pub messages: Vec<String>,
    /// The clauses that mention it: first those of its own version, then those of other documents.
    pub clauses: Vec<ClauseMention>,
}

/// A clause that mentions a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseMention {
    /// The number of the document.
    #[schemars(example = &"38.321")]
    pub doc_number: String,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    pub section_number: String,
    /// The title of the section.
    pub section_title: String,
}

/// A definition that refers to another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameUse {
    /// The name of the definition.
    pub name: String,
    /// The kind of name.
    pub kind: DefinedNameKind,
    /// The type or message that contains it.
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
    /// Number of matching names.
    pub total: u64,
    /// Number of names of each kind in the document, regardless of filters.
    pub kinds: Vec<NameKindCount>,
    /// Definitions in ASN.1 that could not be read.
    pub unread_definitions: u64,
    /// The names, in the order of the text.
    pub names: Vec<ListedName>,
}

/// Number of names of a kind in a document.
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
    /// The kind of name.
    pub kind: DefinedNameKind,
    /// The type or message that contains it.
    pub within: Option<String>,
    /// The number of the section that defines it.
    pub section_number: String,
}

/// Contradictions about names in a version of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameFindingList {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// Number of matching findings.
    pub total: u64,
    /// The findings, in the order of their first locations.
    pub findings: Vec<NameFinding<NameFindingPlace>>,
}

/// A location of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameFindingPlace {
    /// The number of the section.
    pub section_number: String,
    /// The form of the definition at this location.
    pub form: PrintedForm,
    /// The text at this location; null if the name is missing.
    pub text: Option<String>,
}

/// An ASN.1 module, or the modules of a document.
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
    /// The text of the requested module, or the part of it from `char_offset`.
    pub text: Option<String>,
    /// The `char_offset` of the next part; null at the end.
    pub next_char_offset: Option<u64>,
}

/// A module of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleSummary {
    /// The name of the module.
    #[schemars(example = &"NR-RRC-Definitions")]
    pub name: String,
    /// The length of its text.
    pub characters: u64,
}
