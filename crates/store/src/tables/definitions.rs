//! Tables of `meta.redb`, and the keys of counters and models.

use domain::RecordedDecision;
use rand::{TryRng, rngs::SysRng};
use redb::{MultimapTableDefinition, ReadableTable, TableDefinition, WriteTransaction};

use super::{
    captions::CaptionRow,
    codec::{Compressed, Packed},
    decisions::{DecisionVector, NotesBases, NotesDoubts, NotesRow},
    documents::{DocumentRow, ModelRow, PassageRow, SectionHead, SourceRow},
    figures::{FigureRow, FigureWords},
    inline_pictures::InlinePictureRow,
    journal_entry::JournalEntry,
    registers::{MeetingRow, RegisterPosition, ReportedMeeting, TdocRow},
    segments::SegmentRow,
    tdoc_jobs::TdocJobRow,
    tdoc_texts::{RevisedSectionRow, TdocBlockRow, TdocContentRow, TdocTextEnds, TdocTextRow},
};
use crate::{
    StoreError,
    names_index::{DocumentNamesRow, RecordedFacts},
};
use citation::PlacedCitation;
use database_file::DatabaseFile;
use definitions::TermEntry;
use document_model::SectionBody;
use domain::ReadingCheck;
use names::{Module, SectionNames};
use register::ChangeRequestPackEntry;

/// Format of the whole data folder.
pub(crate) const FOLDER_FORMAT: u32 = 1;

/// A table as its page in the documentation describes it.
#[cfg(test)]
pub(crate) struct DeclaredTable {
    pub(crate) constant: &'static str,
    pub(crate) name: &'static str,
    /// `table`: one row for a key; `multimap`: several.
    pub(crate) kind: &'static str,
    pub(crate) key: &'static str,
    pub(crate) row: &'static str,
    pub(crate) description: &'static str,
}

/// Declares the tables: each has a constant that opens it, [`open_all_tables`] creates it, and `docs/database-format.md` lists it.
macro_rules! tables {
    ($($(#[doc = $doc:literal])* $kind:ident $table:ident: $key:ty => $row:ty = $name:literal;)*) => {
        $(tables! { @declare $kind, $(#[doc = $doc])* $table, $key, $row, $name })*

        #[cfg(test)]
        pub(crate) const DECLARED_TABLES: &[DeclaredTable] = &[$(DeclaredTable {
            constant: stringify!($table),
            name: $name,
            kind: stringify!($kind),
            key: stringify!($key),
            row: stringify!($row),
            description: concat!($($doc),*),
        }),*];

        fn open_all_tables(txn: &WriteTransaction) -> Result<(), StoreError> {
            $(tables! { @open $kind, txn, $table })*
            Ok(())
        }
    };
    (@declare table, $(#[$doc:meta])* $table:ident, $key:ty, $row:ty, $name:literal) => {
        $(#[$doc])*
        pub(crate) const $table: TableDefinition<$key, $row> = TableDefinition::new($name);
    };
    (@declare multimap, $(#[$doc:meta])* $table:ident, $key:ty, $row:ty, $name:literal) => {
        $(#[$doc])*
        pub(crate) const $table: MultimapTableDefinition<$key, $row> =
            MultimapTableDefinition::new($name);
    };
    (@open table, $txn:ident, $table:ident) => {
        $txn.open_table($table)?;
    };
    (@open multimap, $txn:ident, $table:ident) => {
        $txn.open_multimap_table($table)?;
    };
}

tables! {
    /// Counters by name: format, batch, next ids.
    table COUNTERS: &str => u64 = "counters";
    /// The models whose vectors are stored, under `text` and `pictures`.
    table MODELS: &str => Packed<ModelRow> = "models";
    /// `38.331 18.0.0` -> document id, permanently: a version that is removed gets the same id again.
    table DOCUMENT_IDS: &str => u32 = "document_ids";
    /// By document id.
    table DOCUMENTS: u32 => Packed<DocumentRow> = "documents";
    /// Document id -> checksum and `DocumentContents`, compressed. Missing for documents written by versions without
    /// this table.
    table DOCUMENT_CONTENTS: u32 => &[u8] = "document_contents";
    /// Document id -> what the second look at its file found. No row if there was none.
    table READING_CHECKS: u32 => Packed<Vec<ReadingCheck>> = "reading_checks";
    /// By section key.
    table SECTION_HEADS: u64 => Packed<SectionHead> = "section_heads";
    /// Section key -> version of the model and `SectionBody`.
    table SECTION_BODIES: u64 => Compressed<(u8, SectionBody)> = "section_bodies";
    /// Section key -> compressed text, of documents that were stored before there was a model.
    table SECTION_TEXTS: u64 => &[u8] = "section_texts";
    /// (section number, section key).
    table SECTION_NUMBERS: (&str, u64) => () = "section_numbers";
    /// By passage id.
    table PASSAGES: u64 => Packed<PassageRow> = "passages";
    /// By section key.
    table CITATIONS: u64 => Compressed<Vec<PlacedCitation>> = "citations";
    /// By section key.
    table INLINE_PICTURES: u64 => Compressed<Vec<InlinePictureRow>> = "inline_pictures";
    /// Document id -> its tables and figures by number. Missing for documents that were stored by versions without this
    /// table.
    table CAPTIONS: u32 => Compressed<Vec<CaptionRow>> = "captions";
    /// (number of the cited document, blank, number of the target; key of the citing section).
    table CITED_TARGETS: (&str, u64) => () = "cited_targets";
    /// First 16 bytes of a content's hash -> content id, permanently.
    table CONTENT_IDS: u128 => u64 = "content_ids";
    /// Document id -> for each section in order, the content id of its heading path. No row for documents that were
    /// stored before headings had vectors.
    table HEADINGS: u32 => Packed<Vec<Option<u64>>> = "headings";
    /// Content id of a heading path -> packed [`SectionKey`](crate::SectionKey)s of the sections that have it.
    multimap HEADING_SECTIONS: u64 => u64 = "heading_sections";
    /// Content id -> ids of the passages that carry it.
    multimap CONTENT_PASSAGES: u64 => u64 = "content_passages";
    /// By key of a figure.
    table FIGURES: u64 => Packed<FigureRow> = "figures";
    /// Key of a figure -> its words.
    table FIGURE_WORDS: u64 => Compressed<FigureWords> = "figure_words";
    /// Content id -> keys of the figures that have these words.
    multimap CONTENT_FIGURES: u64 => u64 = "content_figures";
    /// Hash of a picture -> keys of the figures that show it, and of the sections that show it in a line.
    multimap PICTURES: &[u8; 32] => u64 = "pictures";
    /// Hash of a picture -> hash of its drawing as stored. Missing for drawings that were stored by versions without
    /// this table.
    table DRAWINGS: &[u8; 32] => &[u8; 32] = "drawings";
    /// By number of the file.
    table SEGMENTS: u64 => Packed<SegmentRow> = "segments";
    /// The same for the model of a reindexing in progress.
    table NEXT_SEGMENTS: u64 => Packed<SegmentRow> = "next_segments";
    /// [`SEGMENTS`] of the vectors of pictures.
    table PICTURE_SEGMENTS: u64 => Packed<SegmentRow> = "picture_segments";
    /// Content id -> hash of the picture that its vector is made of.
    table PICTURE_SOURCES: u64 => &[u8; 32] = "picture_sources";
    /// Name of a vector file -> its size in bytes and modification time in nanoseconds since 1970, when it was
    /// verified.
    table SEGMENT_STAMPS: &str => (u64, u64) = "segment_stamps";
    /// By source hash.
    table SOURCES: &[u8; 32] => Packed<SourceRow> = "sources";
    /// By (document id, ordinal among its terms), packed.
    table TERMS: u64 => Packed<TermEntry> = "terms";
    /// (key of a written form, key in [`TERMS`]).
    table TERM_KEYS: (&str, u64) => () = "term_keys";

    /// (key of a name, key of a section that defines it).
    table NAME_KEYS: (&str, u64) => () = "name_keys";
    /// (key of the name of a type, key of a section whose definitions name it).
    table NAME_USES: (&str, u64) => () = "name_uses";
    /// Document id -> `DocumentNamesRow`. No row if it defines no names.
    table DOCUMENT_NAMES: u32 => Compressed<DocumentNamesRow> = "document_names";
    /// Section key -> its `SectionNames`. No row if it defines no names.
    table SECTION_NAMES: u64 => Compressed<SectionNames> = "section_names";
    /// By (document id, ordinal among its modules), packed.
    table MODULES: u64 => Compressed<Module> = "modules";
    /// Document id -> `RecordedFacts`. Missing for documents whose definitions are not stored: older versions
    /// read them from the text for each request.
    table RECORDED_FACTS: u32 => Compressed<RecordedFacts> = "recorded_facts";

    /// By number of a TDoc.
    table TDOCS: &str => Packed<TdocRow> = "tdocs";
    /// By number of a TDoc.
    table TDOC_POSITIONS: &str => Packed<RegisterPosition> = "tdoc_positions";
    /// Numbers of TDocs that no register lists, known from their own file only.
    table TDOCS_UNLISTED: &str => () = "tdocs_unlisted";
    /// Number of a change request's TDoc -> what a TSG's register says of it.
    table TDOC_PACKS: &str => Packed<ChangeRequestPackEntry> = "tdoc_packs";
    /// Number of a document -> its key, permanently.
    table TDOC_KEYS: &str => u32 = "tdoc_keys";
    /// By key of a document.
    table TDOC_CONTENTS: u32 => Packed<TdocContentRow> = "tdoc_contents";
    /// By key of a document.
    table TDOC_TEXTS: u32 => Compressed<TdocTextRow> = "tdoc_texts";
    /// By key of a document.
    table TDOC_TEXT_ENDS: u32 => Compressed<TdocTextEnds> = "tdoc_text_ends";
    /// Key of a document -> the `RevisedSectionRow`s of its tracked changes. No row if it has none, or was
    /// read before these were kept.
    table TDOC_REVISED: u32 => Compressed<Vec<RevisedSectionRow>> = "tdoc_revised";
    /// Content id -> packed keys of the passages of documents that carry it.
    multimap CONTENT_TDOCS: u64 => u64 = "content_tdocs";
    /// By number of a document.
    table TDOC_JOBS: &str => Packed<TdocJobRow> = "tdoc_jobs";
    /// By number of an entry.
    table JOURNAL: u64 => Packed<JournalEntry> = "journal";
    /// By id of a meeting.
    table MEETINGS: &str => Packed<MeetingRow> = "meetings";
    /// Id of a meeting -> what the first page of its report says. Missing if no report was imported since this is read.
    table MEETING_REPORTS: &str => Packed<ReportedMeeting> = "meeting_reports";
    /// By meeting and key of a source.
    table NOTES: (&str, &str) => Packed<NotesRow> = "meeting_notes";
    /// By meeting and key of a source.
    table DECISIONS: (&str, &str) => Compressed<Vec<RecordedDecision>> = "decisions";
    /// By meeting and key of a source.
    table NOTES_DOUBTS: (&str, &str) => Compressed<NotesDoubts> = "notes_doubts";
    /// Meeting and key of a source -> where the rules come from that read its decisions. Missing if it was read before
    /// this was recorded.
    table NOTES_BASES: (&str, &str) => Packed<NotesBases> = "notes_bases";
    /// Meeting and key of a source -> the `TdocBlockRow`s of its text.
    table NOTES_TEXTS: (&str, &str) => Compressed<Vec<TdocBlockRow>> = "notes_texts";
    /// Meeting and key of a source -> the identity of the model of its decisions' vectors.
    table DECISION_VECTOR_MODELS: (&str, &str) => [u8; 32] = "decision_vector_models";
    /// Meeting and key of a source -> the `DecisionVector`s of its decisions.
    table DECISION_VECTORS: (&str, &str) => Packed<Vec<DecisionVector>> = "decision_vectors";
}

/// Key of [`COUNTERS`]: format of the folder.
pub(crate) const FORMAT: &str = "format";
/// Key of [`COUNTERS`]: last committed batch.
pub(crate) const BATCH: &str = "batch";
/// Key of [`COUNTERS`]: how many changes the database has had.
pub(crate) const COMMITS: &str = "commits";
/// Key of [`COUNTERS`]: next document id.
pub(crate) const NEXT_DOCUMENT: &str = "next_document";
/// Key of [`COUNTERS`]: next passage id.
pub(crate) const NEXT_PASSAGE: &str = "next_passage";
/// Key of [`COUNTERS`]: next content id.
pub(crate) const NEXT_CONTENT: &str = "next_content";
/// Key of [`COUNTERS`]: next key of [`SEGMENTS`].
pub(crate) const NEXT_SEGMENT: &str = "next_segment";
/// Key of [`COUNTERS`]: next key of [`TDOC_CONTENTS`].
pub(crate) const NEXT_TDOC: &str = "next_tdoc";
/// Key of [`COUNTERS`]: how often the tables of registers and meetings were changed.
pub(crate) const TDOCS_GENERATION: &str = "tdocs_generation";
/// Key of [`COUNTERS`]: next key of [`JOURNAL`].
pub(crate) const NEXT_JOURNAL: &str = "next_journal";
/// Key of [`COUNTERS`]: a random number that no other journal has.
pub(crate) const JOURNAL_ID: &str = "journal_id";
/// Key of [`MODELS`]: the text embedder.
pub(crate) const TEXT_MODEL: &str = "text";
/// Key of [`MODELS`]: the image embedder.
pub(crate) const PICTURE_MODEL: &str = "pictures";
/// Key of [`MODELS`]: the text embedder of a reindexing in progress.
pub(crate) const NEXT_TEXT_MODEL: &str = "text.next";

/// Creates every table, so that readers find them, and checks the format.
pub(crate) fn create_tables(metadata: &DatabaseFile) -> Result<(), StoreError> {
    let txn = metadata.begin_write()?;
    {
        let mut counters = txn.open_table(COUNTERS)?;
        let found = counters.get(FORMAT)?.map(|value| value.value());
        match found {
            None => {
                counters.insert(FORMAT, u64::from(FOLDER_FORMAT))?;
            }
            Some(found) if found != u64::from(FOLDER_FORMAT) => {
                let found = u32::try_from(found).unwrap_or(u32::MAX);
                return Err(StoreError::Format { found, expected: FOLDER_FORMAT });
            }
            Some(_) => {}
        }
        if counters.get(JOURNAL_ID)?.is_none() {
            let id = SysRng.try_next_u64().map_err(|_| StoreError::Random)?;
            counters.insert(JOURNAL_ID, id)?;
        }
    }
    open_all_tables(&txn)?;
    txn.commit()?;
    Ok(())
}
