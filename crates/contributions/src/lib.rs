//! Meeting documents (TDocs): their register rows, sources and outcomes.
//!
//! Owns the catalog that queries are answered from, and the import of registers and calendars into the
//! store. Promises that a company's position is never taken from a document that it only wrote for others,
//! and that the outcome of a document is that in the newest register.

#![forbid(unsafe_code)]

mod activity;
mod annex_items;
mod calendar;
mod catalog;
mod catalog_cache;
mod change_requests;
mod clauses;
mod decision_life;
mod decision_remarks;
mod decision_statement;
mod decisions;
mod entry;
mod file_name;
mod filter;
mod first_page;
mod first_page_number;
mod found_files;
mod identify;
mod import;
mod kind;
mod label;
mod learned_parties;
mod linked_folders;
mod locate;
mod matching;
mod meetings;
mod notes;
mod notes_version;
mod official_links;
mod outcome_statements;
mod revision_links;
mod row_test;
mod similarity;
mod titled_change;
mod topics;

pub use activity::OrganizationCounts;
pub use annex_items::agenda_item_of;
pub use calendar::{CalendarError, ReadCalendar, read_calendar};
pub use catalog::TdocCatalog;
pub use catalog_cache::TdocCatalogCache;
pub use change_requests::{join_covers, read_clauses, read_completed_row, read_cover_field};
pub use clauses::{match_clause_list, mentions_clause, mentions_clause_within};
pub use decision_life::{DecisionAddress, DecisionLife, LifeLink};
pub use decisions::{
    DecisionOccurrence, DecisionSources, MeetingDecisions, MergedDecision, ReportPresence,
    load_decision_sources,
};
pub use entry::{PartyEntry, PartyRoles, TdocEntry, plain_change_number, work_items};
pub use file_name::tdoc_stem;
pub use filter::{TdocFilter, is_within_agenda_item};
pub use first_page::entry_from_first_page;
pub use first_page_number::warn_of_other_number;
pub use found_files::{FoundFiles, find_meeting_files, find_registers};
pub use import::{ImportError, ImportReport, RefusedRegister, RegisterImporter, RegisterReport};

pub use label::status_label;
pub use locate::{
    LocatedTdoc, list_inbox_revisions, list_inner_files, list_meeting_folders, list_meeting_tdocs,
    locate_in_meeting, locate_tdoc,
};
pub use matching::{AdmittedMeetings, Coverage, MatchingPage};
pub use meetings::{Meeting, MeetingDates};
pub use notes::{
    RecognisedNotes, ReportGap, UnrecognisedNotes, list_meeting_notes, meeting_in,
    notes_kind_of_entry, recognise_notes, recognise_tdoc_notes, to_decision_rows, to_notes_bases,
    to_notes_doubts,
};
pub use official_links::meeting_folder_url;
pub use outcome_statements::outcome_statements;
pub use similarity::word_containment;
pub use topics::{
    Abbreviations, AgendaTitles, Equivalent, MeaningIndex, QuestionVector, TopicHit, TopicIndex,
    TopicQuery, merged_equivalents, rank_decisions, topic_phrase,
};
