//! The status of a document, in one vocabulary for all years.

/// The status of a document in a register (TR 21.900, clause 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// Each status with its word in workbooks (their sheet of parameters) and other words in use: `rejected`
/// in workbooks of earlier years; on pages, words for documents that are available and not decided yet
/// during the meeting.
const STATUS_WORDS: [(TdocStatus, &str, &[&str]); 19] = [
    (TdocStatus::Reserved, "reserved", &[]),
    (TdocStatus::Available, "available", &["open", "reply open", "block approve?"]),
    (TdocStatus::Revised, "revised", &[]),
    (TdocStatus::Agreed, "agreed", &[]),
    (TdocStatus::ConditionallyAgreed, "conditionally agreed", &[]),
    (TdocStatus::Approved, "approved", &[]),
    (TdocStatus::ConditionallyApproved, "conditionally approved", &[]),
    (TdocStatus::PartiallyApproved, "partially approved", &[]),
    (TdocStatus::Treated, "treated", &[]),
    (TdocStatus::Endorsed, "endorsed", &[]),
    (TdocStatus::RepliedTo, "replied to", &[]),
    (TdocStatus::Merged, "merged", &[]),
    (TdocStatus::NotPursued, "not pursued", &["rejected"]),
    (TdocStatus::Postponed, "postponed", &[]),
    (TdocStatus::Noted, "noted", &[]),
    (TdocStatus::NotConcluded, "not concluded", &[]),
    (TdocStatus::Withdrawn, "withdrawn", &[]),
    (TdocStatus::Reissued, "reissued", &[]),
    (TdocStatus::NotTreated, "not treated", &[]),
];

impl TdocStatus {
    /// The status that a word means; none for an unknown word.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let means = |(_, own, others): &&(Self, &str, &[&str])| {
            *own == word || others.contains(&word.as_str())
        };
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
        assert_eq!(TdocStatus::from_word(" Not  Treated "), Some(TdocStatus::NotTreated));
        assert_eq!(TdocStatus::from_word("rejected"), Some(TdocStatus::NotPursued));
        assert_eq!(TdocStatus::from_word("maybe"), None);
    }
}
