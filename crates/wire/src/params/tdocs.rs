//! Parameters of `list_tdocs` and `get_tdoc`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
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

impl OperationDeclaration for ListTdocs {
    const NAME: &'static str = "list_tdocs";
    const ROUTE: Route = Route::get("/tdocs");
    const STATUSES: &'static [u16] = &[400, 409];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List meeting documents",
        group: ToolGroup::Tdocs,
        in_read_profile: false,
        advice: "Use this to find contributions, change requests, liaison statements and summaries of meetings by \
            company, meeting, agenda item, kind, status, work item or words in the title or abstract. A document \
            states a company's position only if the company is submitter or co_submitter; a proposal is not an \
            agreement: status gives the outcome.",
        rest: "Continue within this page with result_offset; after its last document, use cursor=next_cursor and the \
            same filters. Set limit for shorter pages.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "meeting documents, filtered by company, meeting, agenda item, kind, status and more, in pages";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a company, a meeting, an agenda item or a status, and you want the contributions",
        "`list_tdocs`, `GET /tdocs?source=Ericsson&meeting=R1-118`",
    )];
    const EXAMPLE: &'static str =
        r#"{"source": "Exampel Radio", "q": "beacon overload", "limit": 1}"#;
    type Reply = records::TdocListReply;
}

impl OperationDeclaration for GetTdoc {
    const NAME: &'static str = "get_tdoc";
    const ROUTE: Route = Route::get("/tdocs/{tdoc_id}");
    const STATUSES: &'static [u16] = &[400, 404, 410];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Read a meeting document",
        group: ToolGroup::Tdocs,
        in_read_profile: true,
        advice: "Use this with a document number (R1-2405780): what it is, who submitted it, and \
            its outcome. include=units returns its numbered proposals and observations word for \
            word, include=text its text, include=revisions the documents that replaced it.",
        rest: "Request less text with max_text_chars, and continue with text_offset=text.next_offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str =
        "one meeting document: sources, status, change request, revisions, units, text";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "the number of a meeting document (R1-2405780)",
        "`get_tdoc`, `GET /tdocs/R1-2405780?include=units`",
    )];
    const EXAMPLE: &'static str = r#"{"tdoc_id": "R1-2600110", "include": "units,revisions"}"#;
    type Reply = records::TdocRecord;
}

impl OperationDeclaration for FetchTdoc {
    const NAME: &'static str = "fetch_tdoc";
    const ROUTE: Route = Route::post_query("/tdocs/{tdoc_id}/fetch");
    const STATUSES: &'static [u16] = &[202, 400, 404, 410];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Fetch a meeting document",
        group: ToolGroup::Tdocs,
        in_read_profile: true,
        advice: "Use this if get_tdoc says that the content of a document is not_retrieved, or that the document is \
            not indexed: its file is fetched, read and indexed, usually within a minute. If the reply has the code \
            tdoc_fetch_in_progress, call again after retry_after seconds.",
        rest: "Request less text with max_text_chars, and continue with text_offset=text.next_offset.",
        continuable_field: None,
        effect: ToolEffect::Fetches,
        is_record: false,
    });
    const ANSWERS: &'static str =
        "the same, after fetching and reading its file; 202 while the fetch is running";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a meeting document that is `not_retrieved` or `tdoc_not_indexed`",
        "`fetch_tdoc`, `POST /tdocs/R1-2405780/fetch`",
    )];
    const EXAMPLE: &'static str = r#"{"tdoc_id": "R1-2600104"}"#;
    type Reply = records::TdocRecord;
}
