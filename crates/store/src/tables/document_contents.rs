//! The contents of a whole document in one row, so that a start reads thousands of rows and not millions.

use serde::{Deserialize, Serialize};

use super::codec;
use crate::{DocumentRow, StoreError};

/// Maximum bytes of a passage or heading in a row before compression: two differences of at most 10 and 5 bytes. A
/// row that claims to be longer is damaged and is not decompressed.
const MAX_ID_BYTES: u64 = 16;
/// Maximum bytes of all figures of a document in its row. Their number is not in the record, so the bound is a
/// constant: room for 100,000 figures of 10 bytes.
const MAX_FIGURE_BYTES: u64 = 1 << 20;
/// Length of the checksum before each row.
const CHECKSUM_BYTES: usize = 8;

/// The contents of a document, as the catalog needs them. They repeat what the rows of passages, figures and headings
/// say; these are read if the row is missing or damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DocumentContents {
    /// For each passage in order: its content id and the ordinal of its section.
    pub(crate) passages: Vec<(u64, u32)>,
    /// The content id of each figure in order.
    pub(crate) figures: Vec<u64>,
    /// The content id of the heading path of each section; empty if none are stored.
    pub(crate) headings: Vec<Option<u64>>,
}

/// Delta-encoded form: each id as the difference from the previous one. Most are 1, because a new document gets its ids in order.
#[derive(Serialize, Deserialize)]
struct StoredContents {
    /// The batch that wrote the document. Versions without this table rewrite a document and leave this row: it no longer matches then.
    batch: u64,
    passages: Vec<(i64, i32)>,
    figures: Vec<i64>,
    headings: Vec<Option<i64>>,
}

impl DocumentContents {
    /// All contents, those of figures and headings too.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        let passages = self.passages.iter().map(|(content, _)| *content);
        passages.chain(self.figures.iter().copied()).chain(self.headings.iter().flatten().copied())
    }

    /// The row of a document.
    pub(crate) fn encode(&self, document: &DocumentRow) -> Result<Vec<u8>, StoreError> {
        let (mut passage, mut figure, mut heading) = Default::default();
        let mut section = 0_u32;
        let stored = StoredContents {
            batch: document.batch,
            passages: self
                .passages
                .iter()
                .map(|(content, ordinal)| {
                    (step_to(&mut passage, *content), section_step_to(&mut section, *ordinal))
                })
                .collect(),
            figures: self.figures.iter().map(|content| step_to(&mut figure, *content)).collect(),
            headings: self
                .headings
                .iter()
                .map(|content| content.map(|content| step_to(&mut heading, content)))
                .collect(),
        };
        let encoded = codec::encode_compressed(&stored)?;
        Ok([&checksum_of(&encoded)[..], &encoded].concat())
    }

    /// Reads the row of a document; `None` if it is damaged or of an earlier state of the document.
    pub(crate) fn decode(bytes: &[u8], document: &DocumentRow) -> Option<Self> {
        let (checksum, encoded) = bytes.split_first_chunk::<CHECKSUM_BYTES>()?;
        let counted = u64::from(document.passage_count) + u64::from(document.section_count);
        let most_bytes = counted * MAX_ID_BYTES + MAX_FIGURE_BYTES;
        let is_plausible = u64::from(codec::decompressed_length(encoded)?) <= most_bytes;
        if !is_plausible || *checksum != checksum_of(encoded) {
            return None;
        }
        let stored: StoredContents = codec::decode_compressed(encoded, "contents").ok()?;
        let (mut passage, mut figure, mut heading) = Default::default();
        let mut section = 0_u32;
        let contents = Self {
            passages: stored
                .passages
                .into_iter()
                .map(|(content, ordinal)| {
                    section = section.wrapping_add_signed(ordinal);
                    (follow(&mut passage, content), section)
                })
                .collect(),
            figures: stored.figures.into_iter().map(|step| follow(&mut figure, step)).collect(),
            headings: stored
                .headings
                .into_iter()
                .map(|step| step.map(|step| follow(&mut heading, step)))
                .collect(),
        };
        let is_whole = contents.passages.len() == document.passage_count as usize;
        (is_whole && stored.batch == document.batch).then_some(contents)
    }
}

/// The beginning of the BLAKE3 hash of a row: a flipped bit would change all ids after it.
fn checksum_of(encoded: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash = blake3::hash(encoded);
    std::array::from_fn(|index| hash.as_bytes()[index])
}

/// The difference from the previous id, which is replaced by this one.
fn step_to(before: &mut u64, id: u64) -> i64 {
    id.wrapping_sub(std::mem::replace(before, id)).cast_signed()
}

fn section_step_to(before: &mut u32, ordinal: u32) -> i32 {
    ordinal.wrapping_sub(std::mem::replace(before, ordinal)).cast_signed()
}

/// Adds a difference to the previous id.
fn follow(before: &mut u64, step: i64) -> u64 {
    *before = before.wrapping_add_signed(step);
    *before
}
