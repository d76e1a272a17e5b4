//! What became of a document, in one vocabulary for all years.

/// The status of a document in a register (TR 21.900, clause 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Its number is given out, and it is not there yet.
    Reserved,
    /// It is there.
    Available,
    /// Another document takes its place.
    Revised,
    /// Agreed; a higher body has the last word.
    Agreed,
    /// Agreed on a condition.
    ConditionallyAgreed,
    /// Approved; this group has the last word.
    Approved,
    /// Approved on a condition.
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
    /// Put off to a later meeting.
    Postponed,
    /// Presented, and nothing was done about it.
    Noted,
    /// The meeting came to no conclusion.
    NotConcluded,
    /// Taken back.
    Withdrawn,
    /// Given out again under the same number.
    Reissued,
    /// The meeting did not deal with it.
    NotTreated,
}

/// Each status with the word that workbooks have for it (their sheet of parameters), and others that
/// were found: `rejected` in those of earlier years; on pages what is open while the meeting lasts, which
/// is there and not decided.
const WORDS: [(Status, &str, &[&str]); 19] = [
    (Status::Reserved, "reserved", &[]),
    (Status::Available, "available", &["open", "reply open", "block approve?"]),
    (Status::Revised, "revised", &[]),
    (Status::Agreed, "agreed", &[]),
    (Status::ConditionallyAgreed, "conditionally agreed", &[]),
    (Status::Approved, "approved", &[]),
    (Status::ConditionallyApproved, "conditionally approved", &[]),
    (Status::PartiallyApproved, "partially approved", &[]),
    (Status::Treated, "treated", &[]),
    (Status::Endorsed, "endorsed", &[]),
    (Status::RepliedTo, "replied to", &[]),
    (Status::Merged, "merged", &[]),
    (Status::NotPursued, "not pursued", &["rejected"]),
    (Status::Postponed, "postponed", &[]),
    (Status::Noted, "noted", &[]),
    (Status::NotConcluded, "not concluded", &[]),
    (Status::Withdrawn, "withdrawn", &[]),
    (Status::Reissued, "reissued", &[]),
    (Status::NotTreated, "not treated", &[]),
];

impl Status {
    /// The status that a word means; none for a word that no register has used.
    pub fn of(word: &str) -> Option<Self> {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let means = |(_, own, others): &&(Self, &str, &[&str])| {
            *own == word || others.contains(&word.as_str())
        };
        WORDS.iter().find(means).map(|(status, ..)| *status)
    }

    /// Every status.
    pub fn all() -> impl Iterator<Item = Self> {
        WORDS.iter().map(|(status, ..)| *status)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        // Every status stands in the table; a test walks them.
        WORDS.iter().find(|(status, ..)| *status == self).map_or("", |(_, word, _)| word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_one_status_and_every_status_has_its_word() {
        let mut all = Vec::new();
        for (status, word, others) in WORDS {
            assert_eq!((status.as_str(), Status::of(word)), (word, Some(status)));
            all.extend([word].iter().chain(others).copied());
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(Status::of(" Not  Treated "), Some(Status::NotTreated));
        assert_eq!(Status::of("rejected"), Some(Status::NotPursued));
        assert_eq!(Status::of("maybe"), None);
    }
}
