//! Parameters of `verify_quote`.

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
