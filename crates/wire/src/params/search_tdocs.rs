//! Parameters of `search_tdocs`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;
use crate::values::UnitType;

/// Searches the text of meeting documents (TDocs), by meaning and by exact words.
///
/// Document numbers, names of information elements, specification numbers and quoted phrases in the query are matched
/// literally; passages that contain them come first. A proposal is not an agreement. `coverage` names the meetings that were
/// searched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SearchTdocs {
    /// The question or keywords. Document numbers and quoted phrases are matched literally.
    #[schemars(length(min = 1, max = 4000), example = &"proposals on beam failure recovery")]
    pub query: String,
    /// Which documents to search; all filters must match.
    #[serde(default)]
    pub filters: Option<TdocFilters>,
    /// Which passages to return: `proposal`, `observation`, `body`. Default: all.
    #[serde(default)]
    pub unit_types: Option<Vec<UnitType>>,
    /// Maximum number of passages to return.
    #[serde(default = "defaults::rerank_top_k")]
    #[schemars(range(min = 1, max = 50))]
    pub rerank_top_k: u32,
    /// Maximum number of passages per document; 1 gives distinct documents.
    #[serde(default = "default_max_per_tdoc")]
    #[schemars(range(min = 1, max = 50))]
    pub max_per_tdoc: u32,
    /// Whether each result includes its text.
    #[serde(default = "defaults::yes")]
    pub include_text: bool,
    /// Whether to rerank the passages. Searches are faster without reranking.
    #[schemars(extend("x-addition" = true))]
    #[serde(default = "defaults::yes")]
    pub rerank: bool,
}

impl Default for SearchTdocs {
    fn default() -> Self {
        Self {
            query: String::new(),
            filters: None,
            unit_types: None,
            rerank_top_k: defaults::rerank_top_k(),
            max_per_tdoc: default_max_per_tdoc(),
            include_text: defaults::yes(),
            rerank: defaults::yes(),
        }
    }
}

/// Which documents to search. Separate the members of a list with commas; a document matches if it matches any of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TdocFilters {
    /// Only documents that this company submitted, alone or with others: one of its names, or its ID.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"Ericsson")]
    pub source: Option<String>,
    /// Only documents of these meetings, such as `R1-126` or `RAN1#126`.
    #[serde(default)]
    #[schemars(length(max = 2000), example = &"R1-118")]
    pub meeting: Option<String>,
    /// Only documents of meetings of these groups, such as `R1`, `RAN2` or `S2`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"R1,S2")]
    pub group: Option<String>,
    /// Only documents under this agenda item or its sub-items.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"8.1")]
    pub agenda_item: Option<String>,
    /// Only documents of these kinds, such as `contribution`, `cr` or `summary`.
    #[serde(default)]
    #[schemars(length(max = 500), example = &"contribution")]
    pub doc_kind: Option<String>,
    /// Only documents with this outcome, such as `agreed` or `noted`; `unknown` if no register has one.
    #[serde(default)]
    #[schemars(length(max = 500), example = &"agreed,approved")]
    pub status: Option<String>,
    /// Only documents of the work item with this code.
    #[serde(default)]
    #[schemars(length(max = 100), example = &"NR_MIMO_Ph5-Core")]
    pub work_item: Option<String>,
    /// Only documents about this specification.
    #[serde(default)]
    #[schemars(length(max = 20), example = &"38.214")]
    pub spec: Option<String>,
    /// Only documents for this release.
    #[serde(default)]
    #[schemars(length(max = 20), example = &"Rel-19")]
    pub release: Option<String>,
    /// Only documents of meetings that began on or after this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-01-01")]
    pub since: Option<String>,
    /// Only documents of meetings that began on or before this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-12-31")]
    pub until: Option<String>,
}

fn default_max_per_tdoc() -> u32 {
    2
}

impl OperationDeclaration for SearchTdocs {
    const NAME: &'static str = "search_tdocs";
    const ROUTE: Route = Route::post("/tdocs/search");
    const STATUSES: &'static [u16] = &[400, 409, 502, 503];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Search the text of meeting documents",
        group: ToolGroup::Tdocs,
        in_read_profile: true,
        advice: "Use this to find what companies proposed, observed or argued, with filters.source for one company's \
            position and unit_types=[\"proposal\"] for proposals only. A proposal is not an agreement: status gives \
            the outcome of the document. Only documents that were fetched are searched: coverage lists them; \
            fetch_tdoc fetches another one.",
        rest: "get_tdoc with include=units or text returns the whole document. Request fewer results with \
            rerank_top_k, or narrow the search with filters.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "passages, proposals and observations of fetched documents";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a question about what a company proposed, observed or argued",
        "`search_tdocs`, `POST /tdocs/search`",
    )];
    const EXAMPLE: &'static str = r#"{"query": "How long shall a device wait after it was refused twice?", "filters": {"source": "Example Radio"}, "unit_types": ["proposal"], "rerank_top_k": 1}"#;
    type Reply = records::TdocSearchReply;
}
