//! A meeting document (TDoc) in a pack.

use serde::{Deserialize, Serialize};

use super::{PACKED_VERSION, decode_packed, document::has_valid_texts, encode_packed};
use crate::{
    ContentVectors, NewTdocText, RevisedSectionRow, Snapshot, StoreError, TdocContentRow,
    TdocTextEnds, TdocTextEntry, TdocTextRow, hash_passage,
    tables::{
        definitions::{TDOC_REVISED, TDOC_TEXT_ENDS},
        tdocs::read_tdoc_text,
    },
};
use document_model::MODEL_VERSION;
use domain::TdocId;

const WHAT: &str = "TDoc";

/// A meeting document in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackedTdoc {
    model_version: u8,
    /// What is known of its file; without contents, batch and date.
    row: TdocContentRow,
    text: TdocTextRow,
    ends: TdocTextEnds,
    revised: Vec<RevisedSectionRow>,
}

impl PackedTdoc {
    /// The content of a pack.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(PACKED_VERSION, self)
    }

    /// Reads the content of a pack.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        let tdoc: Self = decode_packed(PACKED_VERSION, bytes, WHAT)?;
        let is_whole = tdoc.model_version == MODEL_VERSION
            && tdoc.row.passages.len() == tdoc.text.passages.len()
            && tdoc
                .revised
                .iter()
                .flat_map(|section| [&section.before, &section.after])
                .all(|side| side.as_ref().is_none_or(|side| has_valid_texts(&side.body)));
        if is_whole { Ok(tdoc) } else { Err(StoreError::Packed { what: WHAT }) }
    }

    /// Its number.
    pub fn id(&self) -> &TdocId {
        &self.row.id
    }

    /// The texts that are embedded, each with the hash of its content.
    pub fn content_texts(&self) -> Vec<([u8; 32], String)> {
        let texts = self.text.passages.iter().map(|passage| passage.text_with_header());
        texts.map(|text| (hash_passage(&text), text)).collect()
    }

    /// The document as it is committed.
    pub fn to_new_text(&self, read_at: String) -> NewTdocText {
        NewTdocText {
            row: TdocContentRow { read_at, ..self.row.clone() },
            text: self.text.clone(),
            ends: self.ends.clone(),
            revised: self.revised.clone(),
            vectors: Vec::new(),
        }
    }
}

impl Snapshot {
    /// A meeting document as it goes into a pack.
    pub fn pack_tdoc(&self, entry: &TdocTextEntry) -> Result<PackedTdoc, StoreError> {
        let ends = self.metadata.open_table(TDOC_TEXT_ENDS)?;
        let ends = ends.get(entry.key)?;
        let ends = ends.map(|value| value.value().decode("ends of a TDoc's passages"));
        let revised = self.metadata.open_table(TDOC_REVISED)?;
        let revised = revised.get(entry.key)?;
        let revised = revised.map(|value| value.value().decode("tracked changes"));
        let mut row = TdocContentRow {
            read_at: String::new(),
            embedded: false,
            batch: 0,
            ..entry.row.clone()
        };
        row.passages.iter_mut().for_each(|(content, _)| *content = 0);
        Ok(PackedTdoc {
            model_version: MODEL_VERSION,
            row,
            text: read_tdoc_text(&self.metadata, entry.key)?,
            ends: ends.transpose()?.unwrap_or_default(),
            revised: revised.transpose()?.unwrap_or_default(),
        })
    }

    /// The vectors of the passages of a meeting document, under the hashes of their contents, each once, without
    /// passages that have none yet.
    pub fn pack_tdoc_vectors(
        &self,
        entry: &TdocTextEntry,
        packed: &PackedTdoc,
    ) -> Vec<ContentVectors> {
        let hashes = packed.content_texts().into_iter().map(|(hash, _)| hash);
        let ids = entry.row.passages.iter().map(|(content, _)| *content);
        let mut contents: Vec<([u8; 32], u64)> = hashes.zip(ids).collect();
        contents.sort_unstable();
        contents.dedup();
        self.vectors_of(contents)
    }
}
