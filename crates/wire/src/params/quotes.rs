//! Parameters of `verify_quote`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Checks whether a text occurs word for word in specifications, meeting documents, or meeting notes and reports.
///
/// `exact`: every word, number, name and symbol is the same. White space, line breaks, the markup of lists, tables and equations,
/// and the form of dashes and quotation marks may differ. `near`: a similar text exists, and `differences` shows how it differs.
/// `absent`: neither was found. The text is compared with all indexed versions of specifications, the meeting documents that were
/// read, and meeting notes and reports.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct VerifyQuote {
    /// The text to verify, without omissions. If a quote contains `...`, verify each part separately.
    #[schemars(
        length(min = 1, max = 4000),
        example = &"the UE shall inform upper layers about the failure of the link setup"
    )]
    pub quote: String,
    /// Only this document: a specification (`38.331`), a version of it (`38.331 18.1.0`), a meeting document
    /// (`R1-2405780`), the notes and reports of a meeting (`R1-118`), or the file of one of those.
    #[serde(default)]
    #[schemars(length(max = 300), example = &"38.990 18.1.0")]
    pub document: Option<String>,
    /// Maximum number of occurrences to return.
    #[serde(default = "default_places")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: u32,
}

impl Default for VerifyQuote {
    fn default() -> Self {
        Self { quote: String::new(), document: None, limit: default_places() }
    }
}

fn default_places() -> u32 {
    10
}

impl OperationDeclaration for VerifyQuote {
    const NAME: &'static str = "verify_quote";
    const ROUTE: Route = Route::post("/quotes/verify");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Verify a quote",
        group: ToolGroup::Specs,
        in_read_profile: true,
        advice: "Use this before you cite: pass the text that you are about to quote, and in document what you cite \
            (38.331 18.1.0, R1-2405780, R1-118). Quote only what is exact. For exact_except, take the formulas, \
            pictures and tables in wildcards from the document; for near, use the text in the reply.",
        rest: "Set document, or request fewer occurrences with limit.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "whether a text occurs word for word in specifications, meeting documents or notes: where, or what differs";
    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("a text that you are about to quote", "`verify_quote`, `POST /quotes/verify`")];
    const EXAMPLE: &'static str = r#"{"quote": "When C_SETUP has reached N391 the UE shall inform upper layers about the failure", "document": "38.990"}"#;
    type Reply = records::QuoteVerification;
}
