//! Tables of `meta.redb` and the keys they are reached by.

use std::ops::RangeInclusive;

use redb::{MultimapTableDefinition, TableDefinition};

use domain::{DocNumber, Version};

/// Format of the whole data folder.
pub(super) const FOLDER_FORMAT: u32 = 1;

/// Counters by name: format, batch, next ids.
pub(super) const COUNTERS: TableDefinition<&str, u64> = TableDefinition::new("counters");
/// The models whose vectors are stored, under `text` and `pictures`.
pub(super) const MODELS: TableDefinition<&str, &[u8]> = TableDefinition::new("models");
/// `38.331 18.0.0` -> document id, for ever.
pub(super) const DOCUMENT_IDS: TableDefinition<&str, u32> = TableDefinition::new("document_ids");
/// Document id -> `DocumentRow`.
pub(super) const DOCUMENTS: TableDefinition<u32, &[u8]> = TableDefinition::new("documents");
/// Section key -> `SectionHead`.
pub(super) const SECTION_HEADS: TableDefinition<u64, &[u8]> = TableDefinition::new("section_heads");
/// Section key -> compressed text.
pub(super) const SECTION_TEXTS: TableDefinition<u64, &[u8]> = TableDefinition::new("section_texts");
/// (section number, section key).
pub(super) const SECTION_NUMBERS: TableDefinition<(&str, u64), ()> =
    TableDefinition::new("section_numbers");
/// Passage id -> `PassageRow`.
pub(super) const PASSAGES: TableDefinition<u64, &[u8]> = TableDefinition::new("passages");
/// First 16 bytes of a content's hash -> content id, for ever.
pub(super) const CONTENT_IDS: TableDefinition<u128, u64> = TableDefinition::new("content_ids");
/// Content id -> ids of the passages that carry it.
pub(super) const CONTENT_PASSAGES: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("content_passages");
/// Key of a figure -> `FigureRow`.
pub(super) const FIGURES: TableDefinition<u64, &[u8]> = TableDefinition::new("figures");
/// Key of a figure -> its words, compressed.
pub(super) const FIGURE_WORDS: TableDefinition<u64, &[u8]> = TableDefinition::new("figure_words");
/// Content id -> keys of the figures whose words it stands for.
pub(super) const CONTENT_FIGURES: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("content_figures");
/// Hash of a picture -> keys of the figures that show it.
pub(super) const PICTURES: MultimapTableDefinition<&[u8; 32], u64> =
    MultimapTableDefinition::new("pictures");
/// Number of the file -> `SegmentRow`.
pub(super) const SEGMENTS: TableDefinition<u64, &[u8]> = TableDefinition::new("segments");
/// The same for the model that a reindexing makes vectors of.
pub(super) const NEXT_SEGMENTS: TableDefinition<u64, &[u8]> = TableDefinition::new("next_segments");
/// [`SEGMENTS`] of the vectors of pictures.
pub(super) const PICTURE_SEGMENTS: TableDefinition<u64, &[u8]> =
    TableDefinition::new("picture_segments");
/// Content id -> hash of the picture that its vector is made of.
pub(super) const PICTURE_SOURCES: TableDefinition<u64, &[u8; 32]> =
    TableDefinition::new("picture_sources");
/// Name of a vector file -> its length and time of writing, when its content was found sound.
pub(super) const SEGMENT_STAMPS: TableDefinition<&str, (u64, u64)> =
    TableDefinition::new("segment_stamps");
/// Source hash -> `SourceRow`.
pub(super) const SOURCES: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("sources");
/// (document id, place among its terms), packed -> `TermRow`.
pub(super) const TERMS: TableDefinition<u64, &[u8]> = TableDefinition::new("terms");
/// (key of a written form, key in [`TERMS`]).
pub(super) const TERM_KEYS: TableDefinition<(&str, u64), ()> = TableDefinition::new("term_keys");

/// Key of [`COUNTERS`]: format of the folder.
pub(super) const FORMAT: &str = "format";
/// Key of [`COUNTERS`]: last committed batch.
pub(super) const BATCH: &str = "batch";
/// Key of [`COUNTERS`]: next document id.
pub(super) const NEXT_DOCUMENT: &str = "next_document";
/// Key of [`COUNTERS`]: next passage id.
pub(super) const NEXT_PASSAGE: &str = "next_passage";
/// Key of [`COUNTERS`]: next content id.
pub(super) const NEXT_CONTENT: &str = "next_content";
/// Key of [`COUNTERS`]: next key of [`SEGMENTS`].
pub(super) const NEXT_SEGMENT: &str = "next_segment";
/// Key of [`COUNTERS`]: revision of the reading that made [`TERMS`].
pub(super) const TERMS_REVISION: &str = "terms_revision";
/// Key of [`COUNTERS`]: the batch up to which [`TERMS`] follows the documents.
pub(super) const TERMS_BATCH: &str = "terms_batch";
/// Key of [`MODELS`]: the text embedder.
pub(super) const TEXT_MODEL: &str = "text";
/// Key of [`MODELS`]: the image embedder.
pub(super) const PICTURE_MODEL: &str = "pictures";
/// Key of [`MODELS`]: the text embedder that a reindexing makes vectors of.
pub(super) const NEXT_TEXT_MODEL: &str = "text.next";

/// Key of a section, a figure or a term: document id and place among those of the document.
pub(super) fn place_key(document: u32, place: u32) -> u64 {
    u64::from(document) << 32 | u64::from(place)
}

/// Document id and place of a [`place_key`].
pub(super) fn place_of(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// The keys of everything in a document.
pub(super) fn places_of(document: u32) -> RangeInclusive<u64> {
    place_key(document, 0)..=place_key(document, u32::MAX)
}

/// Key of a document version in [`DOCUMENT_IDS`].
pub(super) fn version_key(number: &DocNumber, version: Version) -> String {
    format!("{number} {version}")
}

/// The part of a content's hash that names it; 128 bits keep accidental meetings out of reach.
pub(super) fn content_key(hash: &[u8; 32]) -> u128 {
    let mut low = [0; 16];
    low.copy_from_slice(&hash[..16]);
    u128::from_le_bytes(low)
}
