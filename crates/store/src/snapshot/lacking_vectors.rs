//! What of a snapshot lacks vectors.

/// What lacks vectors of the text model, by kind: the list from which they are computed, and which is reported to
/// people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LackingVectors {
    /// Versions of specifications.
    pub documents: u64,
    /// TDocs.
    pub tdocs: u64,
    /// Reports and notes of meetings, for their decisions.
    pub notes: u64,
}

impl LackingVectors {
    /// Whether nothing lacks vectors.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
