//! The status of a document, in one vocabulary for all years.

use serde::{Deserialize, Serialize};

/// The status of a document in a register (TR 21.900, clause 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TdocStatus {
    /// Its number is assigned, but it is not available yet.
    Reserved,
    /// It is available.
    Available,
    /// Another document replaces it.
    Revised,
    /// Agreed; a higher body decides.
    Agreed,
    /// Agreed under a condition.
    ConditionallyAgreed,
    /// Approved; this group's decision is final.
    Approved,
    /// Approved under a condition.
    ConditionallyApproved,
    /// A part of it was approved.
    PartiallyApproved,
    /// The meeting dealt with it.
    Treated,
    /// Endorsed.
    Endorsed,
    /// A liaison statement that was answered.
    RepliedTo,
    /// Joined with another one.
    Merged,
    /// Rejected.
    NotPursued,
    /// Postponed to a later meeting.
    Postponed,
    /// Presented, and nothing was done about it.
    Noted,
    /// The meeting came to no conclusion.
    NotConcluded,
    /// Withdrawn.
    Withdrawn,
    /// Issued again under the same number.
    Reissued,
    /// The meeting did not deal with it.
    NotTreated,
}

/// Each status with its word in workbooks (their sheet of parameters) and other words in use: `rejected` in workbooks
/// of earlier years, `not handled` on pages of SA2; on pages, words for documents that are available but not decided
/// yet during the meeting. A word that is missing here makes the status unknown.
const STATUS_WORDS: [(TdocStatus, &str, &[&str]); 19] = [
    (TdocStatus::Reserved, "reserved", &[]),
    (TdocStatus::Available, "available", &["open", "reply open"]),
    (TdocStatus::Revised, "revised", &[]),
    (TdocStatus::Agreed, "agreed", &[]),
    (TdocStatus::ConditionallyAgreed, "conditionally agreed", &[]),
    (TdocStatus::Approved, "approved", &[]),
    (TdocStatus::ConditionallyApproved, "conditionally approved", &[]),
    (TdocStatus::PartiallyApproved, "partially approved", &[]),
    (TdocStatus::Treated, "treated", &[]),
    (TdocStatus::Endorsed, "endorsed", &["technically endorsed"]),
    (TdocStatus::RepliedTo, "replied to", &[]),
    (TdocStatus::Merged, "merged", &[]),
    (TdocStatus::NotPursued, "not pursued", &["rejected"]),
    (TdocStatus::Postponed, "postponed", &[]),
    (TdocStatus::Noted, "noted", &[]),
    (TdocStatus::NotConcluded, "not concluded", &[]),
    (TdocStatus::Withdrawn, "withdrawn", &[]),
    (TdocStatus::Reissued, "reissued", &[]),
    (TdocStatus::NotTreated, "not treated", &["not handled"]),
];

/// The word after a status on pages of SA2 if the secretary has to return to the document: `Postponed OPEN`.
const OPEN_MARK: &str = " open";

impl TdocStatus {
    /// The status that a word means; `None` for an unknown word.
    ///
    /// A word with a question mark (`Block Approve?`) is what the chair suggests: the document is not decided yet.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if word.len() > 1 && word.ends_with('?') {
            return Some(Self::Available);
        }
        Self::from_plain_word(&word)
            .or_else(|| Self::from_plain_word(word.strip_suffix(OPEN_MARK)?))
    }

    fn from_plain_word(word: &str) -> Option<Self> {
        let means =
            |(_, own, others): &&(Self, &str, &[&str])| *own == word || others.contains(&word);
        STATUS_WORDS.iter().find(means).map(|(status, ..)| *status)
    }

    /// Every status.
    pub fn all() -> impl Iterator<Item = Self> {
        STATUS_WORDS.iter().map(|(status, ..)| *status)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        // Every status is in the table; a test checks it.
        STATUS_WORDS.iter().find(|(status, ..)| *status == self).map_or("", |(_, word, _)| word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_one_status_and_every_status_has_its_word() {
        let mut all = Vec::new();
        for (status, word, others) in STATUS_WORDS {
            assert_eq!((status.as_str(), TdocStatus::from_word(word)), (word, Some(status)));
            all.extend([word].iter().chain(others).copied());
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn words_of_all_years_and_pages_mean_a_status() {
        for (word, status) in [
            (" Not  Treated ", Some(TdocStatus::NotTreated)),
            ("Not Handled", Some(TdocStatus::NotTreated)),
            ("rejected", Some(TdocStatus::NotPursued)),
            ("Technically Endorsed", Some(TdocStatus::Endorsed)),
            ("OPEN", Some(TdocStatus::Available)),
            ("REPLY OPEN", Some(TdocStatus::Available)),
            ("Postponed OPEN", Some(TdocStatus::Postponed)),
            ("Block Approve?", Some(TdocStatus::Available)),
            ("Merge?", Some(TdocStatus::Available)),
            ("?", None),
            ("maybe", None),
            ("maybe open", None),
            ("", None),
        ] {
            assert_eq!(TdocStatus::from_word(word), status, "{word:?}");
        }
    }
}
