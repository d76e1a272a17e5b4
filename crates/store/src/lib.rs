//! Where everything is kept: redb (the truth), tantivy (words), `index-format` (vectors).
//!
//! Owns the data folder, its lock, the commit that spans the three and the snapshot that readers
//! hold. Promises that a document version is replaced whole or not at all, whenever the process
//! ends. Knows nothing of file formats, models or the wire.

mod batch;
mod catalog;
mod check_vectors;
mod codec;
mod collection;
mod commit;
mod compact;
mod context;
#[cfg(test)]
mod damage_tests;
mod decisions;
mod error;
mod figures;
mod folder;
mod new_document;
mod open;
mod optimize;
mod picture_vectors;
mod pictures;
mod reindex;
mod rows;
mod segment_list;
mod segment_row;
mod snapshot;
mod tables;
mod tdoc_jobs;
mod tdoc_texts;
mod tdocs;
mod terms;
#[cfg(test)]
mod tests;
mod vectors;
mod verify;
mod words;

pub use catalog::{Catalog, DocumentEntry, DocumentFilter};
pub use commit::Writer;
pub use context::context_header;
pub use decisions::{DecisionRow, NotesFate, NotesRow};
pub use error::StoreError;
pub use figures::{FigurePlace, FigureRow, FigureWords, PictureRow};
pub use folder::{DataFolder, FolderLock};
pub use new_document::{
    ContentVectors, NewDocument, NewFigure, NewPassage, NewPicture, NewSection,
};
pub use open::Store;
pub use optimize::{Building, GraphBuilder, Optimized, Thoroughness, WatchBuild};
pub use picture_vectors::PendingPicture;
pub use pictures::PictureHash;
pub use reindex::Reindex;
pub use rows::{
    DocumentRow, EXTRACTOR_REVISION, ModelRow, PassageRow, SectionHead, SourceRow, TextRange,
};
pub use snapshot::{ContentHit, SectionKey, Snapshot, VectorQuery};
pub use tdoc_jobs::{TdocJobKind, TdocJobRow};
pub use tdoc_texts::{
    ContentStatus, NewTdocText, PassageKind, TdocBlockRow, TdocContentRow, TdocPassageRow,
    TdocPlace, TdocScope, TdocTextEntry, TdocTextRow, TdocUnitRow, passage_hash,
};
pub use tdocs::{CalendarNote, Imported, MeetingRow, NewRegister, RegisterNote, TdocRow};
pub use terms::{DefinedTerm, TermRow};
pub use vectors::{Nearest, SearchPlan};
pub use verify::VerifyReport;
