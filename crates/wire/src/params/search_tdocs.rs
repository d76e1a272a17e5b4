//! Parameters of `search_tdocs`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;
use crate::values::UnitType;

/// Searches the text of meeting documents (TDocs) that were read, by meaning and by exact words.
///
/// Numbers of documents, names of information elements, numbers of specifications and quoted phrases in the query
/// are matched literally; the passages that hold them come first. A proposal is what its authors want, and no
/// agreement. `coverage` names the meetings that were searched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SearchTdocs {
    /// What to look for, in plain words.
    #[schemars(length(min = 1, max = 4000), example = &"proposals on beam failure recovery")]
    pub query: String,
    /// Which documents to search; all parts must match.
    #[serde(default)]
    pub filters: Option<TdocFilters>,
    /// Which passages to return: `proposal`, `observation`, `body`; all when not given.
    #[serde(default)]
    pub unit_types: Option<Vec<UnitType>>,
    /// How many passages to return.
    #[serde(default = "defaults::rerank_top_k")]
    #[schemars(range(min = 1, max = 50))]
    pub rerank_top_k: u32,
    /// How many passages of one document to return at most; 1 gives distinct documents.
    #[serde(default = "default_max_per_tdoc")]
    #[schemars(range(min = 1, max = 50))]
    pub max_per_tdoc: u32,
    /// Whether each result carries its text.
    #[serde(default = "defaults::yes")]
    pub include_text: bool,
    /// Whether the passages are reranked; faster without. (An addition to the contract.)
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

/// Which documents to search. Lists are parted by commas, and match any of their members.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TdocFilters {
    /// Only what this company submitted, alone or with others: its name, another name of it, or its id.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"Ericsson")]
    pub source: Option<String>,
    /// Only these meetings, such as `R1-126` or `RAN1#126`.
    #[serde(default)]
    #[schemars(length(max = 2000), example = &"R1-118")]
    pub meeting: Option<String>,
    /// Only meetings of these groups, such as `R1`, `RAN2` or `S2`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"R1,S2")]
    pub group: Option<String>,
    /// Only this item of the agenda, with those below it.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"8.1")]
    pub agenda_item: Option<String>,
    /// Only these kinds, such as `contribution`, `cr` or `summary`.
    #[serde(default)]
    #[schemars(length(max = 500), example = &"contribution")]
    pub doc_kind: Option<String>,
    /// Only documents of which this became, such as `agreed` or `noted`; `unknown` where no register says it.
    #[serde(default)]
    #[schemars(length(max = 500), example = &"agreed,approved")]
    pub status: Option<String>,
    /// Only documents of this work item, by its code.
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
    /// Only meetings that began on this day or later (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-01-01")]
    pub since: Option<String>,
    /// Only meetings that began on this day or before (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-12-31")]
    pub until: Option<String>,
}

fn default_max_per_tdoc() -> u32 {
    2
}
