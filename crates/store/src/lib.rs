//! The store of everything: redb (the source of truth), tantivy (words), `index-format` (vectors).
//!
//! Owns the data folder, its lock, the commit that spans the three and the snapshot that readers
//! hold. Promises that a document version is replaced whole or not at all, whenever the process
//! ends. Knows nothing of file formats, models or the wire.
//!
//! From the bottom up: `tables` (rows and codecs), `catalog`, `vectors` and `words`, `snapshot`,
//! `commit` (writer and recovery); on these `documents`, `figures`, `terms`, `tdocs` and `meetings`,
//! each with a reader of a snapshot and its changes; on top `open` and `maintenance`.

#![forbid(unsafe_code)]

mod applied_list;
mod belonging;
mod catalog;
mod commit;
mod current_index;
#[cfg(test)]
mod damage_tests;
mod documents;
mod drawing_file;
mod error;
mod figures;
mod folder;
mod journal;
mod maintenance;
mod meetings;
mod names_index;
mod new_document;
mod open;
mod open_index;
#[cfg(test)]
mod open_tests;
mod packed;
mod picture_folder;
mod reading_copy;
mod replacement;
#[cfg(test)]
mod replacement_tests;
mod snapshot;
mod store;
mod tables;
mod tdocs;
mod terms;
#[cfg(test)]
mod tests;
mod trash;
mod vectors;
mod words;

pub use catalog::{DocumentCatalog, DocumentEntry, DocumentFilter};
pub use commit::Writer;
pub use documents::{
    ContentReader, DocumentCommit, DocumentReader, SectionTexts, VectorQuery, sections_within,
};
pub use drawing_file::unpack_drawing;
pub use error::StoreError;
pub use figures::{FigureReader, PendingPicture};
pub use folder::{DataFolder, FolderLock};
pub use journal::{JournalReader, JournalRow};
pub use maintenance::{
    FolderExamination, FolderFault, GraphBuilder, MissingVectors, OptimizeOptions, OptimizeSummary,
    PassageCoverage, Reindex, Thoroughness, VerifyReport, WatchBuild,
};
pub use meetings::{MeetingReader, NotesStoreResult};
pub use names_index::{ListedNameRow, NameReader};
pub use new_document::{
    ContentVectors, NewDocument, NewFigure, NewInlinePicture, NewPassage, NewPicture, NewSection,
};
pub use packed::{
    DocumentPictures, DocumentState, IndexState, MeetingToPack, PackedDecisionVectors,
    PackedDocument, PackedMeeting, PackedNotes, PackedOrigin, PackedPicture, PackedTdoc, TdocState,
};
pub use replacement::{Replacement, RolledBack};
pub use snapshot::{LackingVectors, Snapshot};
pub use store::Store;
pub use tables::{
    captions::CaptionRow,
    decisions::{DecisionVector, DoubtfulRow, NotesBases, NotesDoubts, NotesRow},
    documents::{
        DocumentRow, EXTRACTOR_REVISION, ModelRow, PassageRow, SectionHead, SectionKey,
        SourceReading, SourceRow, hash_heading_path,
    },
    figures::{FigureKey, FigureRow, FigureWords, PictureHash, PictureRow, hash_figure},
    inline_pictures::{InlinePictureRow, PlacedPicture},
    journal_entry::JournalEntry,
    registers::{
        CalendarNote, MeetingRow, RegisterNote, RegisterPosition, ReportedMeeting, TdocRow,
    },
    tdoc_jobs::{TdocJobKind, TdocJobRow},
    tdoc_texts::{
        ContentStatus, RevisedSectionRow, RevisedSideRow, TdocBlockRow, TdocContentRow,
        TdocTextEnds, TdocTextEntry, TdocTextRow, hash_passage,
    },
};
pub use tdocs::{
    NewRegister, NewTdocText, RegisterImportCounts, TdocPassageKey, TdocReader, TdocScope,
};
pub use terms::{DefinedTerm, TermReader};
pub use vectors::{VectorHit, VectorHits};
pub use words::VocabularyReader;

pub use index_format::{SearchExplanation, SearchStrategy};
