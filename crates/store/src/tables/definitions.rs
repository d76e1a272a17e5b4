//! Tables of `meta.redb`, and the keys of counters and models.

use rand::{TryRng, rngs::SysRng};
use redb::{MultimapTableDefinition, ReadableTable, TableDefinition, WriteTransaction};

use crate::StoreError;
use database_file::DatabaseFile;

/// Format of the whole data folder.
pub(crate) const FOLDER_FORMAT: u32 = 1;

/// Counters by name: format, batch, next ids.
pub(crate) const COUNTERS: TableDefinition<&str, u64> = TableDefinition::new("counters");
/// The models whose vectors are stored, under `text` and `pictures`.
pub(crate) const MODELS: TableDefinition<&str, &[u8]> = TableDefinition::new("models");
/// `38.331 18.0.0` -> document id, permanently: a version that is removed gets the same id again.
pub(crate) const DOCUMENT_IDS: TableDefinition<&str, u32> = TableDefinition::new("document_ids");
/// Document id -> `DocumentRow`.
pub(crate) const DOCUMENTS: TableDefinition<u32, &[u8]> = TableDefinition::new("documents");
/// Document id -> checksum and `DocumentContents`, compressed. Missing for documents written by versions without this table.
pub(crate) const DOCUMENT_CONTENTS: TableDefinition<u32, &[u8]> =
    TableDefinition::new("document_contents");
/// Section key -> `SectionHead`.
pub(crate) const SECTION_HEADS: TableDefinition<u64, &[u8]> = TableDefinition::new("section_heads");
/// Section key -> version of the model and `SectionBody`, compressed.
pub(crate) const SECTION_BODIES: TableDefinition<u64, &[u8]> =
    TableDefinition::new("section_bodies");
/// Section key -> compressed text, of documents that were stored before there was a model.
pub(crate) const SECTION_TEXTS: TableDefinition<u64, &[u8]> = TableDefinition::new("section_texts");
/// (section number, section key).
pub(crate) const SECTION_NUMBERS: TableDefinition<(&str, u64), ()> =
    TableDefinition::new("section_numbers");
/// Passage id -> `PassageRow`.
pub(crate) const PASSAGES: TableDefinition<u64, &[u8]> = TableDefinition::new("passages");
/// Section key -> its `PlacedCitation`s, compressed.
pub(crate) const CITATIONS: TableDefinition<u64, &[u8]> = TableDefinition::new("citations");
/// Section key -> its `InlinePictureRow`s, compressed.
pub(crate) const INLINE_PICTURES: TableDefinition<u64, &[u8]> =
    TableDefinition::new("inline_pictures");
/// (number of the cited document, blank, number of the target; key of the citing section).
pub(crate) const CITED_TARGETS: TableDefinition<(&str, u64), ()> =
    TableDefinition::new("cited_targets");
/// First 16 bytes of a content's hash -> content id, permanently.
pub(crate) const CONTENT_IDS: TableDefinition<u128, u64> = TableDefinition::new("content_ids");
/// Document id -> for each section in order, the content id of its heading path. No row for documents that were
/// stored before headings had vectors.
pub(crate) const HEADINGS: TableDefinition<u32, &[u8]> = TableDefinition::new("headings");
/// Content id of a heading path -> packed [`SectionKey`](crate::SectionKey)s of the sections that have it.
pub(crate) const HEADING_SECTIONS: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("heading_sections");
/// Content id -> ids of the passages that carry it.
pub(crate) const CONTENT_PASSAGES: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("content_passages");
/// Key of a figure -> `FigureRow`.
pub(crate) const FIGURES: TableDefinition<u64, &[u8]> = TableDefinition::new("figures");
/// Key of a figure -> its words, compressed.
pub(crate) const FIGURE_WORDS: TableDefinition<u64, &[u8]> = TableDefinition::new("figure_words");
/// Content id -> keys of the figures that have these words.
pub(crate) const CONTENT_FIGURES: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("content_figures");
/// Hash of a picture -> keys of the figures that show it, and of the sections that show it in a line.
pub(crate) const PICTURES: MultimapTableDefinition<&[u8; 32], u64> =
    MultimapTableDefinition::new("pictures");
/// Hash of a picture -> hash of its drawing as stored. Missing for drawings that were stored by versions without this table.
pub(crate) const DRAWINGS: TableDefinition<&[u8; 32], &[u8; 32]> = TableDefinition::new("drawings");
/// Number of the file -> `SegmentRow`.
pub(crate) const SEGMENTS: TableDefinition<u64, &[u8]> = TableDefinition::new("segments");
/// The same for the model of a reindexing in progress.
pub(crate) const NEXT_SEGMENTS: TableDefinition<u64, &[u8]> = TableDefinition::new("next_segments");
/// [`SEGMENTS`] of the vectors of pictures.
pub(crate) const PICTURE_SEGMENTS: TableDefinition<u64, &[u8]> =
    TableDefinition::new("picture_segments");
/// Content id -> hash of the picture that its vector is made of.
pub(crate) const PICTURE_SOURCES: TableDefinition<u64, &[u8; 32]> =
    TableDefinition::new("picture_sources");
/// Name of a vector file -> its size in bytes and modification time in nanoseconds since 1970, when it was
/// verified.
pub(crate) const SEGMENT_STAMPS: TableDefinition<&str, (u64, u64)> =
    TableDefinition::new("segment_stamps");
/// Source hash -> `SourceRow`.
pub(crate) const SOURCES: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("sources");
/// (document id, ordinal among its terms), packed -> `TermEntry`.
pub(crate) const TERMS: TableDefinition<u64, &[u8]> = TableDefinition::new("terms");
/// (key of a written form, key in [`TERMS`]).
pub(crate) const TERM_KEYS: TableDefinition<(&str, u64), ()> = TableDefinition::new("term_keys");

/// (key of a name, key of a section that defines it).
pub(crate) const NAME_KEYS: TableDefinition<(&str, u64), ()> = TableDefinition::new("name_keys");
/// (key of the name of a type, key of a section whose definitions name it).
pub(crate) const NAME_USES: TableDefinition<(&str, u64), ()> = TableDefinition::new("name_uses");
/// Document id -> `DocumentNamesRow`, compressed. No row if it defines no names.
pub(crate) const DOCUMENT_NAMES: TableDefinition<u32, &[u8]> =
    TableDefinition::new("document_names");
/// Section key -> its `SectionNames`, compressed. No row if it defines no names.
pub(crate) const SECTION_NAMES: TableDefinition<u64, &[u8]> = TableDefinition::new("section_names");
/// (document id, ordinal among its modules), packed -> `Module`, compressed.
pub(crate) const MODULES: TableDefinition<u64, &[u8]> = TableDefinition::new("modules");
/// Document id -> `RecordedFacts`, compressed. Missing for documents whose definitions are not stored: older versions
/// read them from the text for each request.
pub(crate) const RECORDED_FACTS: TableDefinition<u32, &[u8]> =
    TableDefinition::new("recorded_facts");

/// Number of a TDoc -> `TdocRow`.
pub(crate) const TDOCS: TableDefinition<&str, &[u8]> = TableDefinition::new("tdocs");
/// Number of a TDoc -> `RegisterPosition`.
pub(crate) const TDOC_POSITIONS: TableDefinition<&str, &[u8]> =
    TableDefinition::new("tdoc_positions");
/// Numbers of TDocs that no register lists, known from their own file only.
pub(crate) const TDOCS_UNLISTED: TableDefinition<&str, ()> = TableDefinition::new("tdocs_unlisted");
/// Number of a change request's TDoc -> what a TSG's register says of it.
pub(crate) const TDOC_PACKS: TableDefinition<&str, &[u8]> = TableDefinition::new("tdoc_packs");
/// Number of a document -> its key, permanently.
pub(crate) const TDOC_KEYS: TableDefinition<&str, u32> = TableDefinition::new("tdoc_keys");
/// Key of a document -> `TdocContentRow`.
pub(crate) const TDOC_CONTENTS: TableDefinition<u32, &[u8]> = TableDefinition::new("tdoc_contents");
/// Key of a document -> `TdocTextRow`, compressed.
pub(crate) const TDOC_TEXTS: TableDefinition<u32, &[u8]> = TableDefinition::new("tdoc_texts");
/// Key of a document -> `TdocTextEnds`, compressed.
pub(crate) const TDOC_TEXT_ENDS: TableDefinition<u32, &[u8]> =
    TableDefinition::new("tdoc_text_ends");
/// Key of a document -> the `RevisedSectionRow`s of its tracked changes, compressed. No row if it has none, or was
/// read before these were kept.
pub(crate) const TDOC_REVISED: TableDefinition<u32, &[u8]> = TableDefinition::new("tdoc_revised");
/// Content id -> packed keys of the passages of documents that carry it.
pub(crate) const CONTENT_TDOCS: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("content_tdocs");
/// Number of a document -> `TdocJobRow`.
pub(crate) const TDOC_JOBS: TableDefinition<&str, &[u8]> = TableDefinition::new("tdoc_jobs");
/// Number of an entry -> `JournalEntry`.
pub(crate) const JOURNAL: TableDefinition<u64, &[u8]> = TableDefinition::new("journal");
/// Id of a meeting -> `MeetingRow`.
pub(crate) const MEETINGS: TableDefinition<&str, &[u8]> = TableDefinition::new("meetings");
/// Meeting and key of a source -> `NotesRow`.
pub(crate) const NOTES: TableDefinition<(&str, &str), &[u8]> =
    TableDefinition::new("meeting_notes");
/// Meeting and key of a source -> its `DecisionRow`s, compressed.
pub(crate) const DECISIONS: TableDefinition<(&str, &str), &[u8]> =
    TableDefinition::new("decisions");
/// Meeting and key of a source -> its `NotesDoubts`, compressed.
pub(crate) const NOTES_DOUBTS: TableDefinition<(&str, &str), &[u8]> =
    TableDefinition::new("notes_doubts");
/// Meeting and key of a source -> the `TdocBlockRow`s of its text, compressed.
pub(crate) const NOTES_TEXTS: TableDefinition<(&str, &str), &[u8]> =
    TableDefinition::new("notes_texts");
/// Meeting and key of a source -> the identity of the model of its decisions' vectors.
pub(crate) const DECISION_VECTOR_MODELS: TableDefinition<(&str, &str), [u8; 32]> =
    TableDefinition::new("decision_vector_models");
/// Meeting and key of a source -> the `DecisionVector`s of its decisions.
pub(crate) const DECISION_VECTORS: TableDefinition<(&str, &str), &[u8]> =
    TableDefinition::new("decision_vectors");

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

fn open_all_tables(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(MODELS)?;
    txn.open_table(DOCUMENT_IDS)?;
    txn.open_table(DOCUMENTS)?;
    txn.open_table(DOCUMENT_CONTENTS)?;
    txn.open_table(SECTION_HEADS)?;
    txn.open_table(SECTION_BODIES)?;
    txn.open_table(SECTION_TEXTS)?;
    txn.open_table(SECTION_NUMBERS)?;
    txn.open_table(CITATIONS)?;
    txn.open_table(INLINE_PICTURES)?;
    txn.open_table(CITED_TARGETS)?;
    txn.open_table(PASSAGES)?;
    txn.open_table(CONTENT_IDS)?;
    txn.open_table(HEADINGS)?;
    txn.open_multimap_table(HEADING_SECTIONS)?;
    txn.open_multimap_table(CONTENT_PASSAGES)?;
    txn.open_table(FIGURES)?;
    txn.open_table(FIGURE_WORDS)?;
    txn.open_multimap_table(CONTENT_FIGURES)?;
    txn.open_multimap_table(PICTURES)?;
    txn.open_table(DRAWINGS)?;
    txn.open_table(SEGMENTS)?;
    txn.open_table(NEXT_SEGMENTS)?;
    txn.open_table(PICTURE_SEGMENTS)?;
    txn.open_table(PICTURE_SOURCES)?;
    txn.open_table(SEGMENT_STAMPS)?;
    txn.open_table(SOURCES)?;
    txn.open_table(TDOCS)?;
    txn.open_table(TDOC_POSITIONS)?;
    txn.open_table(TDOCS_UNLISTED)?;
    txn.open_table(TDOC_PACKS)?;
    txn.open_table(TDOC_KEYS)?;
    txn.open_table(TDOC_CONTENTS)?;
    txn.open_table(TDOC_TEXTS)?;
    txn.open_table(TDOC_TEXT_ENDS)?;
    txn.open_table(TDOC_REVISED)?;
    txn.open_multimap_table(CONTENT_TDOCS)?;
    txn.open_table(TDOC_JOBS)?;
    txn.open_table(JOURNAL)?;
    txn.open_table(MEETINGS)?;
    txn.open_table(NOTES)?;
    txn.open_table(DECISIONS)?;
    txn.open_table(NOTES_DOUBTS)?;
    txn.open_table(NOTES_TEXTS)?;
    txn.open_table(DECISION_VECTOR_MODELS)?;
    txn.open_table(DECISION_VECTORS)?;
    txn.open_table(TERMS)?;
    txn.open_table(TERM_KEYS)?;
    txn.open_table(NAME_KEYS)?;
    txn.open_table(NAME_USES)?;
    txn.open_table(DOCUMENT_NAMES)?;
    txn.open_table(SECTION_NAMES)?;
    txn.open_table(MODULES)?;
    txn.open_table(RECORDED_FACTS)?;
    Ok(())
}
