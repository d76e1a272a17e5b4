//! A bit for each change request of a chunk: nearly all chunks are passed over without a look at their rows.

use std::hash::{DefaultHasher, Hash, Hasher};

use domain::DocNumber;

/// Bits of a chunk. With 128 change requests, 6 % of the others are looked for in vain.
const BITS: usize = 2048;

/// The bit of a change request.
#[derive(Clone, Copy)]
pub(super) struct ChangeMark(usize);

impl ChangeMark {
    /// The bit of the change request with a number, in the form in which entries have it.
    pub(super) fn of((spec, number): (&DocNumber, &str)) -> Self {
        let mut hasher = DefaultHasher::new();
        (spec.as_str(), number).hash(&mut hasher);
        Self(hasher.finish() as usize % BITS)
    }
}

/// The bits of all change requests of a chunk.
#[derive(Debug)]
pub(super) struct ChangeMarks([u64; BITS / 64]);

impl ChangeMarks {
    /// Sets the bits of change requests.
    pub(super) fn new<'a>(changes: impl Iterator<Item = (&'a DocNumber, &'a str)>) -> Self {
        let mut bits = [0; BITS / 64];
        for change in changes {
            let ChangeMark(bit) = ChangeMark::of(change);
            bits[bit / 64] |= 1 << (bit % 64);
        }
        Self(bits)
    }

    /// Whether the change request with a bit may be among them.
    pub(super) fn may_contain(&self, ChangeMark(bit): ChangeMark) -> bool {
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }
}
