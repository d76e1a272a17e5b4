//! Diagnosis: why an answer is empty or thin, from what the service knows. One mechanism for all operations.
//!
//! An operation says in [`Operation::diagnose`](super::Operation::diagnose) which reasons to look for; this module
//! looks, within limits of its own that no caller is charged for, and owns the words. Only what is known is said:
//! what is indexed, what is not, what is near, and how much there would be without a filter.

mod documents;
mod filters;
mod meetings;
mod names;
mod notes;
mod numbers;
mod query;
mod reasons;
mod sections;

pub(super) use documents::{DocumentFilters, FilterValue, diagnose_documents, diagnose_figures};
pub(super) use filters::{diagnose_cursor, diagnose_filters, diagnose_page, diagnose_threshold};
pub(super) use meetings::{
    MeetingRange, diagnose_meetings, diagnose_unknown_company, diagnose_unread_document,
    diagnose_unread_meetings, diagnose_unread_tdocs,
};
pub(super) use names::{diagnose_name, diagnose_term};
pub(crate) use notes::join_messages;
pub(super) use query::{
    diagnose_named_documents, diagnose_query, diagnose_unknown_words, diagnose_unlikely_answer,
};
pub(super) use reasons::{DiagnosisContext, Reasons, reasons_meter};
pub(super) use sections::diagnose_sections;
