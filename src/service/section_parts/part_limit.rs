//! How long a part of a section may be.

/// Longest part, in bytes: what belongs to it is left out beyond this.
pub(super) const MAX_PART_BYTES: usize = 6_000;
