//! Parameters of `lookup_name`, `list_names`, `list_name_findings` and `get_module`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
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
    /// The name, or the path of an operation of an API: `PUT /ue-contexts/{ueContextId}`. The method, the address before the
    /// path and the names of its parameters are optional.
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
    /// `expansion_tokens` allows. Default: 1 for a grouped information element, otherwise 0.
    #[serde(default)]
    #[schemars(range(max = 10))]
    pub structure: Option<u32>,
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
            structure: None,
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

impl OperationDeclaration for LookupName {
    const NAME: &'static str = "lookup_name";
    const ROUTE: Route = Route::get("/names");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Look up a protocol name",
        group: ToolGroup::Names,
        in_read_profile: true,
        advice: "Use this first for any name in ASN.1, tables or an API: one call returns the definition as printed, \
            with presence, Need code, condition and description. Set structure to add its members, level by level; \
            expand to add the definitions of its types; used_in to add the messages that carry it. For \
            abbreviations, use resolve_term.",
        rest: "Set doc_number or kind, or request fewer definitions with limit.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "the definition of a message, type, field, value, element, timer, counter, constant, cause, condition, feature or parameter, and of an operation, schema or attribute of an API, as printed, with presence, Need code, condition and description; its members by level, the types it uses and the messages that carry it";
    const GUIDE: &'static [(&'static str, &'static str)] = &[
        (
            "a name of a protocol or an API: a field, a type, a message, a timer, a constant, a schema",
            "`lookup_name`, `GET /names?name=T310`",
        ),
        (
            "a message, and you want its contents and mandatory fields",
            "`lookup_name` with `structure`, `GET /names?name=RRCSetupRequest&structure=5`",
        ),
    ];
    const EXAMPLE: &'static str = r#"{"name": "wakeUpConfig", "expand": 1, "used_in": true}"#;
    type Reply = records::NameLookup;
}

impl OperationDeclaration for ListNames {
    const NAME: &'static str = "list_names";
    const ROUTE: Route = Route::get("/names/list");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List the names that a document defines",
        group: ToolGroup::Names,
        in_read_profile: false,
        advice: "Use this for all messages of a protocol, all timers of a specification, or all names with the same \
            prefix. For the definition of a name, use lookup_name.",
        rest: "Narrow the list with kind or prefix, or request the next page with offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "the names that a document defines, by kind and prefix";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a specification, and you want its messages, timers or other names",
        "`list_names`, `GET /names/list?doc_number=38.331&kind=message`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "kind": "timer"}"#;
    type Reply = records::NameList;
}

impl OperationDeclaration for ListNameFindings {
    const NAME: &'static str = "list_name_findings";
    const ROUTE: Route = Route::get("/names/findings");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List contradictions about names",
        group: ToolGroup::Names,
        in_read_profile: false,
        advice: "Use this to find errors in a specification: contradictions between its tables, ASN.1 and OpenAPI \
            about a name, its spelling, presence, criticality or value.",
        rest: "Request the next page with offset, or only one kind with kind.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str =
        "where tables, ASN.1 and OpenAPI of a version contradict each other, with both locations";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a specification, and you want its contradictions",
        "`list_name_findings`, `GET /names/findings?doc_number=36.413`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "29.990"}"#;
    type Reply = records::NameFindingList;
}

impl OperationDeclaration for GetModule {
    const NAME: &'static str = "get_module";
    const ROUTE: Route = Route::get("/names/module");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Read an ASN.1 module or OpenAPI file",
        group: ToolGroup::Names,
        in_read_profile: false,
        advice: "Use this only for a whole module or file that a compiler accepts: a long text, returned in parts. \
            For one definition, use lookup_name. Without module, it lists the modules of the document.",
        rest: "Request the next part with char_offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "an ASN.1 module or OpenAPI file of a version, as one text that a compiler accepts; without a name, the list of modules";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a compiler that needs a whole ASN.1 module or OpenAPI file",
        "`get_module`, `GET /names/module?doc_number=38.331`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990"}"#;
    type Reply = records::ModuleText;
}
