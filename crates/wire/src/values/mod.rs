//! The closed sets of words that fields of records take.
//!
//! Each is an enum, so that a reply cannot hold another word and the OpenAPI document lists them all. It is named
//! after its field; where the word stands for a value of the domain, it is converted from that. Words of registers
//! that are not in a set keep a field of their own, as text.

mod change_request;
mod comparison;
mod decision;
mod document;
mod meeting;
mod name;
mod organization;
mod quote;
mod reference;
mod search;
mod suggestion;
mod tdoc;
mod trace;

use std::fmt;

use schemars::Schema;
use serde::Serialize;
use serde_json::{Value, json};

pub use change_request::{BaselineFit, TrackedChangesStatus};
pub use comparison::{
    AttributionCertainty, AttributionEvidence, DifferenceForm, DifferencePieceKind, HunkBlock,
    HunkKind, SectionChangeKind,
};
pub use decision::{
    AdoptionMatch, DecisionDoubt, DecisionOrder, DecisionSourceKind, DecisionSourceStatus,
    DecisionType, DocumentOutcome, ReportStanding,
};
pub use document::{DefinitionKind, DocumentType, IndexingStatus, PassageContentType};
pub use meeting::{KeyDocumentKind, MeetingCoverage, MeetingState, RegisterCoverage};
pub use name::{DefinedNameKind, FieldPresence, NameFindingKind, PrintedForm};
pub use organization::OrganizationResolutionStatus;
pub use quote::{QuoteDifferenceKind, QuoteSource, QuoteVerdict};
pub use reference::{ReferenceDirection, ReferenceKind};
pub use search::{
    HealthStatus, ResultGrouping, SearchPath, SearchShortfall, TdocMatch, UnitType, VectorPlan,
};
pub use suggestion::SuggestionKind;
pub use tdoc::{
    DocKind, NumberedUnitType, RegisterStatus, RevisionRelation, SourceRole, TdocContentStatus,
};
pub use trace::{ClauseRelation, DecisionLink};

/// Prints values as JSON has them.
macro_rules! display_as_in_json {
    ($($name:ident),* $(,)?) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.serialize(f)
            }
        }
    )*};
}

display_as_in_json!(
    AdoptionMatch,
    BaselineFit,
    ClauseRelation,
    DecisionLink,
    DecisionDoubt,
    DecisionOrder,
    DecisionSourceKind,
    DecisionSourceStatus,
    DecisionType,
    DefinedNameKind,
    PrintedForm,
    NameFindingKind,
    DefinitionKind,
    AttributionCertainty,
    AttributionEvidence,
    DifferenceForm,
    DocKind,
    DocumentOutcome,
    DocumentType,
    FieldPresence,
    HealthStatus,
    HunkBlock,
    HunkKind,
    IndexingStatus,
    KeyDocumentKind,
    MeetingCoverage,
    MeetingState,
    NumberedUnitType,
    OrganizationResolutionStatus,
    PassageContentType,
    DifferencePieceKind,
    QuoteDifferenceKind,
    QuoteSource,
    QuoteVerdict,
    ReferenceDirection,
    ReferenceKind,
    RegisterCoverage,
    RegisterStatus,
    ReportStanding,
    ResultGrouping,
    RevisionRelation,
    SearchPath,
    SearchShortfall,
    SectionChangeKind,
    SourceRole,
    TrackedChangesStatus,
    SuggestionKind,
    TdocContentStatus,
    TdocMatch,
    UnitType,
    VectorPlan,
);

/// Lists the words of an enum under `enum`, with what each means in the description. As derived they are
/// alternatives with one word each, which fewer programs understand, and from which a map does not learn its keys.
fn list_words(schema: &mut Schema) {
    let Some(Value::Array(variants)) = schema.remove("oneOf") else { return };
    let mut description =
        schema.get("description").and_then(Value::as_str).unwrap_or("").to_owned();
    let mut words = Vec::new();
    for variant in &variants {
        let (word, meaning) = (&variant["const"], variant["description"].as_str());
        if let (Some(word), Some(meaning)) = (word.as_str(), meaning) {
            description.push_str(&format!(" `{word}`: {}", meaning.replace('\n', " ")));
        }
        words.push(word.clone());
    }
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("enum".to_owned(), Value::Array(words));
    schema.insert("description".to_owned(), json!(description.trim_start()));
}

#[cfg(test)]
mod tests;
