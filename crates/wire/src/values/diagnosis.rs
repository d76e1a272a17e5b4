//! Kinds of reasons why an answer is empty or thin.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// The kind of reason why an answer is empty or thin.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DiagnosisCode {
    /// Nothing that the operation searches is indexed.
    NothingIndexed,
    /// The value cannot be read, or no document could have it.
    ValueNotUnderstood,
    /// The value can be read, but nothing that is indexed has it; `suggestions` has values that exist.
    ValueUnknown,
    /// The document is not indexed; `suggestions` has similar numbers.
    DocumentNotIndexed,
    /// The document is indexed in parts, which are in `suggestions`.
    DocumentInParts,
    /// The document is not indexed, but indexed sections cite it: `count` of them, those of the newest versions.
    DocumentOnlyCited,
    /// The version of the document is not indexed; `suggestions` has those that are.
    VersionNotIndexed,
    /// No document, or none with this number, is indexed for the release; `suggestions` has the releases that are.
    ReleaseNotIndexed,
    /// What the mirror lists of a document or version that is not indexed.
    ListedBySource,
    /// The document has no such section; `suggestions` has near ones.
    SectionNotFound,
    /// No document defines the name or term; `suggestions` has similar ones.
    NameNotFound,
    /// The filter leaves nothing; without it there are `count` results.
    FilterExcludesAll,
    /// No filter alone leaves nothing, but together they do.
    FiltersExcludeAll,
    /// No known meeting is in the range of dates, or has the requested state.
    NoMeetings,
    /// The sources of the meetings were not read: their documents were not fetched, or no notes were imported.
    NotRead,
    /// Results exist, but none reaches the threshold; `best_score` is the best of them.
    BelowThreshold,
    /// The page begins after the last of `count` results.
    PageAfterEnd,
    /// The query has no words.
    QueryWithoutWords,
    /// The query is in a script that no indexed text has.
    QueryInOtherScript,
    /// The words in `suggestions` occur in no indexed text.
    WordsNotFound,
    /// The results probably contain no answer.
    AnswerUnlikely,
}
