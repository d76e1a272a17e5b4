//! Parameters of `search_text`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::defaults;
use crate::values::{ResultGrouping, VersionScope};

/// Tells a model how to get the passages that were left out.
pub(super) const MORE_PASSAGES: &str = "get_sections returns a whole section (doc_number, version, section_number). \
    For more results at once, set include_section_text=false, or narrow the \
    search with filter_doc_number or filter_release.";

/// Searches the passages of specifications by meaning and by exact words.
///
/// Finds the passages closest to the query among those that the filters allow; filters combine. With `rerank`, passages that
/// match by words are added, a cross-encoder scores the best candidates, and results are ordered by `relevance_score`. Without
/// it, results are ordered by `similarity`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(example = json!({
    "query": "conditions to start timer T310",
    "rerank_top_k": 5,
    "filter_release": "Rel-18",
}))]
pub struct SearchText {
    /// The question or keywords. Identifiers such as `T310` and quoted phrases are matched literally.
    #[schemars(length(min = 1, max = 4000))]
    pub query: String,
    /// Number of passages to retrieve before reranking.
    #[serde(default = "defaults::match_count")]
    #[schemars(range(min = 1, max = 200))]
    pub match_count: u32,
    /// Minimum cosine similarity of a passage.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub match_threshold: f64,
    /// Whether to rerank the passages.
    #[serde(default = "defaults::yes")]
    pub rerank: bool,
    /// Number of passages to return after reranking.
    #[serde(default = "defaults::rerank_top_k")]
    #[schemars(range(min = 1, max = 50))]
    pub rerank_top_k: u32,
    /// Whether each result includes the text of its whole section.
    #[serde(default = "defaults::yes")]
    pub include_section_text: bool,
    /// Only documents of this release, such as `Rel-19`.
    #[serde(default)]
    pub filter_release: Option<String>,
    /// Only documents of this type, `TS` or `TR`.
    #[serde(default)]
    pub filter_doc_type: Option<String>,
    /// Only the document with this number, such as `38.331`, without TS or TR.
    #[serde(default)]
    pub filter_doc_number: Option<String>,
    /// Only documents of this series, such as `38`, or of several, such as `36,38`.
    #[serde(default)]
    pub filter_series: Option<String>,
    /// Only this section, such as `5.3.5`; use it with `filter_doc_number`.
    #[serde(default)]
    pub filter_section_number: Option<String>,
    /// Whether to repeat a passage for each version that contains it.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub expand_versions: bool,
    /// Whether to return only the best passage of each clause. `also_in` then lists the documents and versions of the other
    /// matching passages.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub collapse_versions: bool,
    /// Which versions of a clause are returned. With `newest`, each result is one clause in the newest version that the filters
    /// allow, and `expand_versions` has no effect.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub versions: VersionScope,
    /// What each result represents: with `section`, a passage includes the other matching passages of its section in
    /// `more_passages`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub group_by: ResultGrouping,
    /// Whether `explain` in the reply shows how the vectors were searched.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub explain: bool,
}

impl Default for SearchText {
    fn default() -> Self {
        Self {
            query: String::new(),
            match_count: defaults::match_count(),
            match_threshold: 0.0,
            rerank: defaults::yes(),
            rerank_top_k: defaults::rerank_top_k(),
            include_section_text: defaults::yes(),
            filter_release: None,
            filter_doc_type: None,
            filter_doc_number: None,
            filter_series: None,
            filter_section_number: None,
            expand_versions: false,
            collapse_versions: false,
            versions: VersionScope::default(),
            group_by: ResultGrouping::default(),
            explain: false,
        }
    }
}

impl OperationDeclaration for SearchText {
    const NAME: &'static str = "search_text";
    const ROUTE: Route = Route::post("/search/text");
    const STATUSES: &'static [u16] = &[503];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Search the text of specifications",
        group: ToolGroup::Specs,
        in_read_profile: true,
        advice: "Use this for a question in words: what a specification says, requires or defines. Use resolve_term \
            for an abbreviation, get_sections if you know the clause, and search_images if a drawing answers the \
            question.",
        rest: MORE_PASSAGES,
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "passages, best first";
    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("a question", "`search_text`, `POST /search/text`")];
    const EXAMPLE: &'static str = r#"{"query": "How long does a terminal wait after an overloaded beacon turned it away?", "filter_release": "Rel-18", "match_count": 20, "rerank_top_k": 1, "include_section_text": false, "collapse_versions": true}"#;
    type Reply = records::TextSearchReply;
}
