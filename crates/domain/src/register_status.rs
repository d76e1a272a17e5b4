//! The status of a meeting document, in one vocabulary for all years.

use crate::closed_set::closed_set;

closed_set! {
    /// Outcome of a meeting document, according to the newest register (TR 21.900, clause 9). The values are in alphabetical order,
    /// as in the counts by status.
    pub enum RegisterStatus {
        /// Its number is assigned; the document is not available yet.
        Reserved = "reserved",
        /// Available; not decided yet.
        Available = "available",
        /// Another document replaces it.
        Revised = "revised",
        /// Agreed, pending a higher body.
        Agreed = "agreed",
        /// Agreed conditionally.
        ConditionallyAgreed = "conditionally agreed",
        /// Approved; this group's decision is final.
        Approved = "approved",
        /// Approved conditionally.
        ConditionallyApproved = "conditionally approved",
        /// A part of it was approved.
        PartiallyApproved = "partially approved",
        /// The meeting handled it.
        Treated = "treated",
        /// Endorsed.
        Endorsed = "endorsed",
        /// A liaison statement that was answered.
        RepliedTo = "replied to",
        /// Merged with another document.
        Merged = "merged",
        /// Rejected.
        NotPursued = "not pursued",
        /// Postponed to a later meeting.
        Postponed = "postponed",
        /// Presented, with no decision.
        Noted = "noted",
        /// The meeting reached no conclusion.
        NotConcluded = "not concluded",
        /// Withdrawn.
        Withdrawn = "withdrawn",
        /// Issued again under the same number.
        Reissued = "reissued",
        /// The meeting did not handle it.
        NotTreated = "not treated",
        /// The register has no known status for it.
        Unknown = "unknown",
    }
    listed by word
}
