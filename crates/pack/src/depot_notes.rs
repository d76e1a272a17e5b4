//! Notes that builders of packs leave in a depot for later processes: which packs came from a source, and which
//! vectors a pack got. Any number of processes write them at the same time; the list of packs is made from all notes.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Depot, ListedPack, ListedVectors, ObjectHash, PackError};

/// The packs of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceNote {
    /// Hash of the source files.
    pub source: ObjectHash,
    /// Revision of the extraction.
    pub revision: u32,
    /// Whether drafts were read.
    pub drafts: bool,
    /// Whether a converter was available for files from which it gets more.
    pub converter: bool,
    /// When it was read, RFC 3339 in UTC.
    pub built_at: String,
    /// The name of its first file.
    pub file: String,
    /// Its packs.
    pub packs: Vec<ListedPack>,
}

/// The vectors that a pack got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingNote {
    /// The pack.
    pub pack: ObjectHash,
    /// Its vectors.
    pub vectors: ListedVectors,
}

const SOURCES: &str = "sources";
const EMBEDDINGS: &str = "embeddings";

impl Depot {
    /// The packs of a source, read by a revision of the extraction, with or without drafts and a converter.
    pub fn find_source(
        &self,
        source: &ObjectHash,
        revision: u32,
        (drafts, converter): (bool, bool),
    ) -> Result<Option<SourceNote>, PackError> {
        self.read_note(SOURCES, &source_name(source, revision, drafts, converter))
    }

    /// Notes the packs of a source.
    pub fn note_source(&self, note: &SourceNote) -> Result<(), PackError> {
        let name = source_name(&note.source, note.revision, note.drafts, note.converter);
        self.write_note(SOURCES, &name, &to_json(note))
    }

    /// The notes of all sources.
    pub fn source_notes(&self) -> Result<Vec<SourceNote>, PackError> {
        self.all_notes(SOURCES)
    }

    /// The vectors of a pack by a model.
    pub fn find_embedding(
        &self,
        pack: &ObjectHash,
        model: &ObjectHash,
    ) -> Result<Option<EmbeddingNote>, PackError> {
        self.read_note(EMBEDDINGS, &embedding_name(pack, model))
    }

    /// Notes the vectors of a pack.
    pub fn note_embedding(&self, note: &EmbeddingNote) -> Result<(), PackError> {
        let name = embedding_name(&note.pack, &note.vectors.model.identity);
        self.write_note(EMBEDDINGS, &name, &to_json(note))
    }

    /// The vectors that packs got.
    pub fn embedding_notes(&self) -> Result<Vec<EmbeddingNote>, PackError> {
        self.all_notes(EMBEDDINGS)
    }

    fn read_note<T: DeserializeOwned>(
        &self,
        folder: &str,
        name: &str,
    ) -> Result<Option<T>, PackError> {
        let bytes = self.read_note_file(folder, name)?;
        let damaged = |_| PackError::DamagedFile { name: format!("{folder}/{name}") };
        bytes.map(|bytes| serde_json::from_slice(&bytes).map_err(damaged)).transpose()
    }

    fn all_notes<T: DeserializeOwned>(&self, folder: &str) -> Result<Vec<T>, PackError> {
        let names = self.list_note_files(folder)?;
        let notes = names.iter().map(|name| self.read_note(folder, name));
        notes.filter_map(Result::transpose).collect()
    }
}

fn source_name(source: &ObjectHash, revision: u32, drafts: bool, converter: bool) -> String {
    let drafts = if drafts { "-drafts" } else { "" };
    let converter = if converter { "-converter" } else { "" };
    format!("{source}-r{revision}{drafts}{converter}.json")
}

fn embedding_name(pack: &ObjectHash, model: &ObjectHash) -> String {
    format!("{pack}-{}.json", &model.to_string()[..16])
}

fn to_json<T: Serialize>(note: &T) -> Vec<u8> {
    serde_json::to_vec_pretty(note).expect("names and numbers are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_process_notes_another_finds() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let (one, other) = (Depot::in_folder(dir.path()), Depot::in_folder(dir.path()));
        let source = ObjectHash::of(b"archive");
        let file = "38331-i00.zip".to_owned();
        let note = SourceNote {
            source,
            revision: 12,
            drafts: false,
            converter: true,
            built_at: "2026-01-01T00:00:00Z".to_owned(),
            file,
            packs: Vec::new(),
        };
        assert_eq!(other.find_source(&source, 12, (false, true)).expect("read"), None);
        assert!(other.source_notes().expect("no folder yet").is_empty());
        one.note_source(&note).expect("written");
        assert_eq!(
            other.find_source(&source, 12, (false, true)).expect("read"),
            Some(note.clone())
        );
        assert_eq!(other.find_source(&source, 13, (false, true)).expect("read"), None);
        assert_eq!(other.find_source(&source, 12, (true, true)).expect("read"), None);
        assert_eq!(other.source_notes().expect("read"), [note]);
    }
}
