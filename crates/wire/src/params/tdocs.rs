//! Parameters of `list_tdocs` and `get_tdoc`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lists meeting documents (TDocs) by what their registers say.
///
/// Searches titles and abstracts, not the text of the documents. Filters combine; lists are parted by
/// commas and match any of their members. `coverage` names the meetings that were looked at: an empty list
/// means that there is nothing in those.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListTdocs {
    /// Only documents of this company: its name, another name of it, or its id. Slips of the pen are
    /// understood; `source_resolution` tells how.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"Ericsson")]
    pub source: Option<String>,
    /// Only where the company has one of these roles: `submitter`, `co_submitter`, `editor`. What an editor
    /// wrote is not the company's position.
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
    /// Only documents of this item of the agenda, with those below it.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"8.1")]
    pub agenda_item: Option<String>,
    /// Only documents of these kinds, such as `contribution`, `cr`, `liaison statement` or `summary`.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"cr")]
    pub doc_kind: Option<String>,
    /// Only documents with one of these statuses, such as `agreed`, `noted` or `not treated`; `unknown` for those
    /// whose register has none.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"agreed,approved")]
    pub status: Option<String>,
    /// Only documents of the work item with this code.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"NR_MIMO_Ph5-Core")]
    pub work_item: Option<String>,
    /// Only documents about the specification of this number.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"38.214")]
    pub spec: Option<String>,
    /// Only documents of meetings that began on this day (YYYY-MM-DD) or later.
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-01-01")]
    pub since: Option<String>,
    /// Only documents of meetings that began on this day (YYYY-MM-DD) or earlier.
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-12-31")]
    pub until: Option<String>,
    /// Words that must all stand in title or abstract.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"beam management")]
    pub q: Option<String>,
    /// How many documents to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Where to go on: `next_cursor` of the page before, with the same filters.
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

/// Returns the record of a meeting document (TDoc): title, sources, status, and where its file is.
///
/// `include` adds what else is wanted, parted by commas: `units` (each numbered proposal and observation as
/// it stands), `text`, `revisions`. What became of the document is what the newest register says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetTdoc {
    /// The number of the document.
    #[schemars(length(max = 100), example = &"R1-2405780")]
    pub tdoc_id: String,
    /// What to add: `units`, `text`, `revisions`.
    #[serde(default)]
    #[schemars(length(max = 100), example = &"units,revisions")]
    pub include: Option<String>,
    /// The first block of text to return; `text.next_offset` of the page before.
    #[serde(default)]
    #[schemars(range(min = 0, max = 10_000_000))]
    pub text_offset: u32,
    /// How many characters of text to return at most.
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
/// Works for documents that no register lists, too. One that was read before is returned at once. While a fetch
/// runs, the answer is 202 with the code `tdoc_fetch_in_progress`; ask again after `retry_after` seconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FetchTdoc {
    /// The number of the document.
    #[schemars(length(max = 100), example = &"R1-2405780")]
    pub tdoc_id: String,
    /// What to add: `units` (the default), `text`, `revisions`.
    #[serde(default)]
    #[schemars(length(max = 100), example = &"units,revisions")]
    pub include: Option<String>,
    /// The first block of text to return; `text.next_offset` of the page before.
    #[serde(default)]
    #[schemars(range(min = 0, max = 10_000_000))]
    pub text_offset: u32,
    /// How many characters of text to return at most.
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
