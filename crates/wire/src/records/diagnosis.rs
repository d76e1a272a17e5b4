//! Why an answer is empty or thin, from what the service knows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DiagnosisCode;

/// A reason why an answer is empty or thin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosisReason {
    /// The kind of reason.
    #[schemars(example = &"document_not_indexed")]
    pub code: DiagnosisCode,
    /// The parameter that it is about, such as `filter_release` or `filters.meeting`; absent if it is about the whole request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"doc_number")]
    pub parameter: Option<String>,
    /// The reason as a sentence.
    #[schemars(example = &"38.101 is indexed as parts 1 to 5.")]
    pub message: String,
    /// The number that belongs to the code: of results without the filter, of indexed sections that cite the document, or of all
    /// results if the page begins after the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The best similarity that was found, if it is below the threshold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_score: Option<f64>,
    /// Values of the parameter that the index has, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
}

impl DiagnosisReason {
    /// A reason about the whole request.
    pub fn new(code: DiagnosisCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            parameter: None,
            message,
            count: None,
            best_score: None,
            suggestions: Vec::new(),
        }
    }

    /// The same, about a parameter.
    pub fn of_parameter(self, parameter: impl Into<String>) -> Self {
        Self { parameter: Some(parameter.into()), ..self }
    }

    /// The same, with the number of its code.
    pub fn with_count(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }

    /// The same, with values that the index has.
    pub fn with_suggestions(self, suggestions: Vec<String>) -> Self {
        Self { suggestions, ..self }
    }
}

/// The field that a reply has if it is empty or thin. Replies do not declare it: it is added to all of them alike.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosisField {
    /// Why the answer is empty or thin; absent if it is neither, or if nothing is known.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnosis: Vec<DiagnosisReason>,
}
