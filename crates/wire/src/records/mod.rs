//! The records of replies, with the field names of the contract.
//!
//! A field that may be null is always present. Fields that the contract does not have come
//! last and are marked as additions.

mod change_request;
mod comparison;
mod decision;
mod decision_search;
mod diagnosis;
mod document;
mod health;
mod image;
mod meeting;
mod name;
mod name_lookup;
mod organization;
mod organization_resolution;
mod quota;
mod quote;
mod reference;
mod related_decision;
mod search;
mod section;
mod suggestion;
mod tdoc;
mod tdoc_mention;
mod tdoc_search;
mod term;
mod trace;
mod traced_decision;

pub use change_request::{
    ChangeBaseline, ChangeRequestDetails, MirrorChangeRequest, RevisedClause,
};
pub use comparison::{
    AttributedChange, ChangeList, DifferenceHunk, DifferencePiece, DocumentComparison, LineHunk,
    RecordedChange, RegisteredChange, RowHunk, SectionComparison, SectionCounts, SectionDifference,
    SectionDifferenceSummary, SectionHistoryEntry, SectionHistoryReply,
};
pub use decision::{
    AdoptedProposal, ClauseChange, DecisionListReply, DecisionRecord, DecisionSource, DecisionTdoc,
    DoubtfulDecisionRecord, NamedProposalRecord,
};
pub use decision_search::{
    AgendaTopic, DecisionSearchCoverage, DecisionSearchReply, MeetingDecisionRecord, TimelineEntry,
};
pub use diagnosis::{DiagnosisField, DiagnosisReason};
pub use document::{DocumentInfo, DocumentList, SourceListing};
pub use health::{HealthResponse, INTERFACE_VERSION, ModelNames, ReplicaHealth, WithoutVectors};
pub use image::{
    CombinedSearchReply, ImageOccurrence, ImageRecord, ImageResult, ImageSearchReply,
    SimilarImagesReply,
};
pub use meeting::{
    AgendaItemRecord, DecisionCounts, DecisionCoverage, DecisionOrigins, DecisionSourceRecord,
    KeyDocument, MeetingDetail, MeetingListReply, MeetingRecord, TdocRange,
};
pub use name::{
    ClauseMention, DefinitionVersion, DescribingRow, ExpandedType, ListedName, MissingType,
    ModuleSummary, ModuleText, NameDefinition, NameFindingList, NameFindingPlace, NameKindCount,
    NameList, NameMember, NameStatement, NameStructure, NameUse, NameUses, PresenceCondition,
    TypeExpansion,
};
pub use name_lookup::{DefinitionPlace, MentioningClause, NameLookup, NameMention};
pub use organization::{OrganizationActivity, OrganizationRecord};
pub use organization_resolution::{OrganizationCandidate, OrganizationResolution};
pub use quota::{Price, QuotaDetail, Upgrade};
pub use quote::{
    QuoteCoverage, QuoteDifference, QuoteOccurrence, QuoteVerification, QuoteWildcard,
};
pub use reference::{IncomingReference, OutgoingReference, ReferenceReply};
pub use related_decision::{QuotedDecision, RelatedDecision};
pub use search::{
    FoundPassage, Occurrence, TextResult, TextSearchReply, VectorCoverage, VectorSearch,
};
pub use section::{InlinePictureRecord, SectionPart, SectionParts, SectionResult, SectionSummary};
pub use suggestion::{SuggestReply, SuggestionRecord};
pub use tdoc::{
    ChangeRequest, FetchTimes, TdocBlock, TdocContent, TdocCoverage, TdocListReply, TdocMeeting,
    TdocRecord, TdocRevision, TdocSource, TdocText, TdocUnit,
};
pub use tdoc_mention::TdocMention;
pub use tdoc_search::{TdocOccurrence, TdocPassage, TdocSearchReply};
pub use term::TermDefinition;
pub use trace::{TraceCoverage, TraceReply, TracedChange, TracedPassage};
pub use traced_decision::TracedDecision;
