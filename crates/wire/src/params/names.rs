//! Parameters of `lookup_name`, `list_names`, `list_name_findings` and `get_module`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{DefinedNameKind, NameFindingKind};

/// Looks up a name of a protocol or an API: a message, type, field, value, constant, information element, timer, counter, cause,
/// operation, schema or attribute.
///
/// Case, hyphens, spaces and release suffixes (`-r16`) are ignored. Each definition is returned as printed, with its location; a
/// field also has its presence, Need code, condition and description.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct LookupName {
    /// The name.
    #[schemars(length(min = 1, max = 200), example = &"sps-ConfigToAddModList-r16")]
    pub name: String,
    /// Only names of this kind.
    #[serde(default)]
    pub kind: Option<DefinedNameKind>,
    /// Only names in this type or message, or in one of its fields. Use it for a field that many types contain.
    #[serde(default)]
    #[schemars(length(min = 1, max = 500), example = &"BWP-DownlinkDedicated")]
    pub within: Option<String>,
    /// Only definitions in this document, without TS or TR.
    #[serde(default)]
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only definitions in this version, or in the newest version of this release. Default: the newest version that has the
    /// name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20), example = &"Rel-18")]
    pub version: Option<String>,
    /// Number of levels of referenced types to add, as far as `expansion_tokens` allows.
    #[serde(default)]
    #[schemars(range(max = 5))]
    pub expand: u32,
    /// Number of levels of members to add, each with its types, presence, Need code, condition and values, as far as
    /// `expansion_tokens` allows.
    #[serde(default)]
    #[schemars(range(max = 10))]
    pub structure: u32,
    /// Whether to add the uses of the name: the types that contain it, and the messages that carry it.
    #[serde(default)]
    pub used_in: bool,
    /// Whether to add the indexed versions in which the definition changed, and how it changed.
    #[serde(default)]
    pub history: bool,
    /// Maximum number of definitions to return, best first.
    #[serde(default = "default_definitions")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: u32,
    /// Token budget for the types that `expand` adds to each definition, and for the members that `structure` adds.
    #[serde(default = "default_expansion")]
    #[schemars(range(min = 100, max = 20_000))]
    pub expansion_tokens: u32,
}

/// Lists the names that a document defines, by kind and prefix.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListNames {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// A version, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20), example = &"18.1.0")]
    pub version: Option<String>,
    /// Only names of this kind.
    #[serde(default)]
    pub kind: Option<DefinedNameKind>,
    /// Only names with this prefix. Case, hyphens and spaces are ignored.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"RRC")]
    pub prefix: Option<String>,
    /// Maximum number of names to return, in document order.
    #[serde(default = "default_names")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: u32,
    /// Number of names to skip.
    #[serde(default)]
    #[schemars(range(max = 1_000_000))]
    pub offset: u32,
}

/// Lists contradictions within a version of a document: a name in a table that is missing in ASN.1 or OpenAPI, or the other way
/// round; a different spelling, presence, criticality or value; an identifier that a message uses twice.
///
/// Each finding has both locations. Doubtful findings may be intentional.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListNameFindings {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// A version, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20), example = &"18.1.0")]
    pub version: Option<String>,
    /// Only findings of this kind.
    #[serde(default)]
    pub kind: Option<NameFindingKind>,
    /// Whether to omit doubtful findings.
    #[serde(default)]
    pub certain_only: bool,
    /// Maximum number of findings to return.
    #[serde(default = "default_findings")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u32,
    /// Number of findings to skip.
    #[serde(default)]
    #[schemars(range(max = 1_000_000))]
    pub offset: u32,
}

/// Returns an ASN.1 module or an OpenAPI file of a version, as one text that a compiler accepts.
///
/// ASN.1 listings are joined; examples are omitted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetModule {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// The name of the module or file. Without it, the modules and files of the document are listed.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), example = &"NR-RRC-Definitions")]
    pub module: Option<String>,
    /// A version, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20), example = &"18.1.0")]
    pub version: Option<String>,
    /// Number of characters of the module to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000_000))]
    pub char_offset: u32,
    /// Maximum number of characters to return.
    #[serde(default = "default_module_chars")]
    #[schemars(range(min = 1000, max = 10_000_000))]
    pub max_chars: u32,
}

impl Default for GetModule {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            module: None,
            version: None,
            char_offset: 0,
            max_chars: default_module_chars(),
        }
    }
}

impl Default for ListNameFindings {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            version: None,
            kind: None,
            certain_only: false,
            limit: default_findings(),
            offset: 0,
        }
    }
}

impl Default for LookupName {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: None,
            within: None,
            doc_number: None,
            version: None,
            expand: 0,
            structure: 0,
            used_in: false,
            history: false,
            limit: default_definitions(),
            expansion_tokens: default_expansion(),
        }
    }
}

impl Default for ListNames {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            version: None,
            kind: None,
            prefix: None,
            limit: default_names(),
            offset: 0,
        }
    }
}

fn default_definitions() -> u32 {
    5
}

fn default_expansion() -> u32 {
    1500
}

fn default_names() -> u32 {
    100
}

fn default_module_chars() -> u32 {
    20_000
}

fn default_findings() -> u32 {
    50
}
