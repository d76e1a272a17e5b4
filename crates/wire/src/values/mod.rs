//! The closed sets of words of record fields.
//!
//! Each is an enum, so that a reply cannot contain another word and the OpenAPI document lists them all. It is named
//! after its field; if the word represents a value of the domain, it is converted from that. Words of registers that
//! are not in a set are in a separate field, as text.

mod change_request;
mod comparison;
mod decision;
mod diagnosis;
mod document;
mod meeting;
mod name;
mod quote;
mod reference;
mod search;
mod section;
mod suggestion;
mod tdoc;
mod trace;

use std::fmt;

use domain::list_words;
use serde::Serialize;

pub use change_request::{BaselineFit, TrackedChangesStatus};
pub use comparison::{
    AttributionCertainty, AttributionEvidence, DifferenceForm, HunkKind, SectionChangeKind,
};
pub use decision::{
    AdoptionMatch, DecisionOrder, DecisionSourceKind, DecisionSourceReading, DecisionSourceStatus,
    LeftOutElement, ReportStanding,
};
pub use diagnosis::DiagnosisCode;
pub use document::{DefinitionKind, DocumentType, DocumentTypeOrigin, IndexingStatus};
pub use domain::{BlockKind, RegisterStatus, WildcardKind};
pub use domain::{
    ClauseRelation, DecisionDoubt, DecisionRelation, DecisionStanding, DecisionType,
    DefinedNameKind, DifferencePieceKind, DocKind, DocumentOutcome, NameFindingKind,
    OrganizationResolutionStatus, PassageContentType, PrintedForm, QuoteDifferenceKind,
    ReferenceKind, ReferenceTargetStatus, SearchShortfall, SourceRole, TdocMatch, UnitType,
};
pub use meeting::{KeyDocumentKind, MeetingCoverage, MeetingState, RegisterCoverage};
pub use name::FieldPresence;
pub use quote::{QuoteSource, QuoteVerdict};
pub use reference::ReferenceDirection;
pub use search::{Detail, HealthStatus, ResultGrouping, SearchPath, VectorPlan, VersionScope};
pub use section::SectionPartKind;
pub use suggestion::SuggestionKind;
pub use tdoc::{NumberedUnitType, RevisionRelation, TdocContentStatus};
pub use trace::DecisionLink;

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
    DecisionLink,
    DecisionOrder,
    DecisionSourceKind,
    DecisionSourceReading,
    DecisionSourceStatus,
    DefinitionKind,
    AttributionCertainty,
    AttributionEvidence,
    DifferenceForm,
    DocumentType,
    FieldPresence,
    HealthStatus,
    HunkKind,
    IndexingStatus,
    KeyDocumentKind,
    LeftOutElement,
    MeetingCoverage,
    MeetingState,
    NumberedUnitType,
    QuoteSource,
    QuoteVerdict,
    ReferenceDirection,
    RegisterCoverage,
    ReportStanding,
    ResultGrouping,
    RevisionRelation,
    SearchPath,
    SectionChangeKind,
    SectionPartKind,
    TrackedChangesStatus,
    SuggestionKind,
    TdocContentStatus,
    VectorPlan,
);

#[cfg(test)]
mod tests;
