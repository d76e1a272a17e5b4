//! The contents of a whole document in one row, so that a start reads thousands of rows and not millions.

use serde::{Deserialize, Serialize};

use super::codec;
use crate::{DocumentRow, StoreError};

/// The contents of a document, as the catalog needs them. It repeats what the rows of passages, figures and headings say: where it
/// is missing, they are read instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DocumentContents {
    /// For each passage in order: its content id and the ordinal of its section.
    pub(crate) passages: Vec<(u64, u32)>,
    /// The content id of each figure in order.
    pub(crate) figures: Vec<u64>,
    /// The content id of the heading path of each section; empty where none are stored.
    pub(crate) headings: Vec<Option<u64>>,
}

/// The same as differences from one id to the next. Most are 1, because a new document gets its ids in order.
#[derive(Serialize, Deserialize)]
struct StoredContents {
    /// The batch that wrote the document: a program that does not know these rows leaves an older one.
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
        codec::encode_compressed(&stored)
    }

    /// Reads a row of a document; none where it does not decode, or is not that of the document.
    pub(crate) fn decode(bytes: &[u8], document: &DocumentRow) -> Option<Self> {
        let stored: StoredContents = codec::decode_compressed(bytes, "contents").ok()?;
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

/// The difference from the id before, which becomes this one.
fn step_to(before: &mut u64, id: u64) -> i64 {
    id.wrapping_sub(std::mem::replace(before, id)).cast_signed()
}

fn section_step_to(before: &mut u32, ordinal: u32) -> i32 {
    ordinal.wrapping_sub(std::mem::replace(before, ordinal)).cast_signed()
}

/// The id that differs so from the one before.
fn follow(before: &mut u64, step: i64) -> u64 {
    *before = before.wrapping_add_signed(step);
    *before
}
