//! The recorded models that are not operations of the service, for their schemas.

#![expect(dead_code, reason = "only the schemas are used")]

use schemars::JsonSchema;
use serde::Deserialize;

/// The variant under `/v/min`: a short query and a closed set of types.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchTextMin {
    #[schemars(length(min = 1, max = 20))]
    query: String,
    filter_doc_type: Option<DocTypeWord>,
}

/// The two types of a document.
#[derive(Deserialize, JsonSchema)]
pub(crate) enum DocTypeWord {
    TS,
    TR,
}

/// The variant under `/v/forbid`: other fields are faults.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchTextForbid {
    query: String,
}

/// The body of `/tdocs/search`: lists and nested objects.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct TdocSearchModel {
    query: String,
    filters: Option<TdocFiltersModel>,
    unit_types: Option<Vec<UnitTypeWord>>,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    rerank_top_k: u32,
    #[serde(default = "two")]
    #[schemars(range(min = 1))]
    max_per_tdoc: u32,
    #[serde(default = "yes")]
    include_text: bool,
}

/// The object within it.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct TdocFiltersModel {
    source: Option<String>,
    meeting: Option<String>,
    since: Option<String>,
}

/// The words of its list.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UnitTypeWord {
    Proposal,
    Observation,
    Body,
}

/// A path and a query string in one request.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct TdocModel {
    tdoc_id: String,
    include: Option<String>,
    #[serde(default)]
    #[schemars(range(min = 0))]
    text_offset: i64,
    #[serde(default = "thirty_thousand")]
    #[schemars(range(min = 1, max = 150_000))]
    max_text_chars: i64,
}

/// A bounded integer in a query string.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct TdocListModel {
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    limit: u32,
    since: Option<String>,
}

/// Three parameters in a path.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ImageModel {
    doc_number: String,
    version: String,
    image_index: i64,
}

fn ten() -> u32 {
    10
}

fn two() -> u32 {
    2
}

fn fifty() -> u32 {
    50
}

fn thirty_thousand() -> i64 {
    30_000
}

fn yes() -> bool {
    true
}
