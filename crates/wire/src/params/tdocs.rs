//! Parameters of `list_tdocs` and `get_tdoc`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lists meeting documents (TDocs) from their registers.
///
/// Searches titles and abstracts, not the text of the documents. Filters combine. Separate the members of a list with commas; a
/// document matches if it matches any of them. `coverage` names the meetings that were searched. An empty list means only that
/// nothing was found in those meetings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListTdocs {
    /// Only documents of this company: one of its names, or its ID. Tolerates typos; `source_resolution` shows how the name was
    /// interpreted.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"Ericsson")]
    pub source: Option<String>,
    /// Only documents in which the company has one of these roles: `submitter`, `co_submitter`, `editor`. A text that a company
    /// only edited does not state its position.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"submitter,co_submitter")]
    pub role: Option<String>,
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
    /// Only documents of these kinds, such as `contribution`, `cr`, `liaison statement` or `summary`.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"cr")]
    pub doc_kind: Option<String>,
    /// Only documents with one of these statuses, such as `agreed`, `noted` or `not treated`; `unknown` for documents without a
    /// status in their register.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"agreed,approved")]
    pub status: Option<String>,
    /// Only documents of the work item with this code.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"NR_MIMO_Ph5-Core")]
    pub work_item: Option<String>,
    /// Only documents about the specification with this number.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"38.214")]
    pub spec: Option<String>,
    /// Only documents of meetings that began on or after this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-01-01")]
    pub since: Option<String>,
    /// Only documents of meetings that began on or before this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-12-31")]
    pub until: Option<String>,
    /// Words that must all occur in the title or abstract.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"beam management")]
    pub q: Option<String>,
    /// Maximum number of documents to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Where to continue: `next_cursor` of the previous page, with the same filters.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub cursor: Option<String>,
}

impl Default for ListTdocs {
    fn default() -> Self {
        Self {
            source: None,
            role: None,
            meeting: None,
            group: None,
            agenda_item: None,
            doc_kind: None,
            status: None,
            work_item: None,
            spec: None,
            since: None,
            until: None,
            q: None,
            limit: default_limit(),
            cursor: None,
        }
    }
}

/// Returns the record of a meeting document (TDoc): title, sources, status, and the location of its file.
///
/// `include` adds parts, separated by commas: `units` (each numbered proposal and observation, word for word), `text`,
/// `revisions`. The outcome comes from the newest register.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetTdoc {
    /// The TDoc number, such as `R1-2405780`.
    #[schemars(length(max = 100), example = &"R1-2405780")]
    pub tdoc_id: String,
    /// Parts to add: `units`, `text`, `revisions`.
    #[serde(default)]
    #[schemars(length(max = 100), example = &"units,revisions")]
    pub include: Option<String>,
    /// First block of text to return: `text.next_offset` of the previous page.
    #[serde(default)]
    #[schemars(range(min = 0, max = 10_000_000))]
    pub text_offset: u32,
    /// Maximum number of characters of text to return.
    #[serde(default = "default_text")]
    #[schemars(range(min = 1, max = 150_000))]
    pub max_text_chars: u32,
}

impl Default for GetTdoc {
    fn default() -> Self {
        Self {
            tdoc_id: String::new(),
            include: None,
            text_offset: 0,
            max_text_chars: default_text(),
        }
    }
}

/// Fetches the file of a meeting document (TDoc), reads and indexes it, and returns its record.
///
/// Also works for documents that no register lists. A document that was read before is returned immediately. While a fetch is
/// running, the response has the status 202 and the code `tdoc_fetch_in_progress`; repeat the request after `retry_after`
/// seconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FetchTdoc {
    /// The TDoc number, such as `R1-2405780`.
    #[schemars(length(max = 100), example = &"R1-2405780")]
    pub tdoc_id: String,
    /// Parts to add: `units` (default), `text`, `revisions`.
    #[serde(default)]
    #[schemars(length(max = 100), example = &"units,revisions")]
    pub include: Option<String>,
    /// First block of text to return: `text.next_offset` of the previous page.
    #[serde(default)]
    #[schemars(range(min = 0, max = 10_000_000))]
    pub text_offset: u32,
    /// Maximum number of characters of text to return.
    #[serde(default = "default_text")]
    #[schemars(range(min = 1, max = 150_000))]
    pub max_text_chars: u32,
}

impl Default for FetchTdoc {
    fn default() -> Self {
        Self {
            tdoc_id: String::new(),
            include: None,
            text_offset: 0,
            max_text_chars: default_text(),
        }
    }
}

fn default_limit() -> u32 {
    50
}

fn default_text() -> u32 {
    30_000
}
