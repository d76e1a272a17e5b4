//! Parameters of `suggest`.

use crate::{OperationDeclaration, Route, ToolFacts, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Completes text in a search box as you type.
///
/// Suggests documents by number and title, clauses by title, abbreviations, terms and identifiers, from the newest version of
/// each document. `38.331 5.3.5` suggests that clause and the clauses whose numbers begin with it; `38.331 radio link` suggests
/// the matching clauses of that document. `did_you_mean` corrects very rare words. Calls are not charged.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Suggest {
    /// The text typed so far. A space at its end marks the last word as complete.
    #[schemars(length(min = 1, max = 200), example = &"38.331 5.3.5")]
    pub text: String,
    /// Maximum number of suggestions to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: u32,
}

impl Default for Suggest {
    fn default() -> Self {
        Self { text: String::new(), limit: default_limit() }
    }
}

fn default_limit() -> u32 {
    10
}

impl OperationDeclaration for Suggest {
    const NAME: &'static str = "suggest";
    const ROUTE: Route = Route::get("/suggest");
    const METERED: bool = false;
    const TOOL: Option<ToolFacts> = None;
    const ANSWERS: &'static str = "completions for typed text: documents, clauses, terms, identifiers; `38.331 5.3.5` leads to the clause; corrects misspelt words; not charged; not a tool";
    const EXAMPLE: &'static str = r#"{"text": "38.990 5.3", "limit": 2}"#;
    type Reply = records::SuggestReply;
}
