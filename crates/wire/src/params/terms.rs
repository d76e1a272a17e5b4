//! Parameters of `resolve_term`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the meaning of an abbreviation, term or symbol, with the clause that defines it.
///
/// Works in both directions: `RRC` returns its long form, `radio resource control` its abbreviation. Case, hyphens and plurals
/// are ignored. Definitions from the given document come first, then those from TR 21.905, then those from other documents. If
/// nothing matches, the list is empty.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ResolveTerm {
    /// The abbreviation, term or symbol, or the long form of an abbreviation.
    #[schemars(length(min = 1, max = 200), example = &"RRC")]
    pub term: String,
    /// The number of the document whose definitions come first, without TS or TR.
    #[serde(default)]
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only definitions of this release.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Maximum number of different definitions to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: u32,
}

impl Default for ResolveTerm {
    fn default() -> Self {
        Self { term: String::new(), doc_number: None, release: None, limit: default_limit() }
    }
}

fn default_limit() -> u32 {
    10
}

impl OperationDeclaration for ResolveTerm {
    const NAME: &'static str = "resolve_term";
    const ROUTE: Route = Route::get("/terms/resolve");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Explain an abbreviation or term",
        group: ToolGroup::Names,
        in_read_profile: true,
        advice: "Use this first for an abbreviation, term or symbol that you are asked about or do not know. Use \
            lookup_name for a protocol name (T310, sps-Config), and search_text to find out how something works.",
        rest: "Request fewer definitions with limit, or set doc_number.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "what an abbreviation, term or symbol means, with the defining clause; works in both directions; falls back to protocol names";
    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("an abbreviation or a term", "`resolve_term`, `GET /terms/resolve?term=RRC`")];
    const EXAMPLE: &'static str = r#"{"term": "LRC", "doc_number": "38.990"}"#;
    type Reply = Vec<records::TermDefinition>;
}
