//! A catalog in a file, so that the first request after a start need not read all registers: a million documents load
//! in 0.4 s and are built in 8 s.
//!
//! The file is a cache. It is used only by the program that wrote it, for the store that it was built from, and if it
//! is intact; otherwise the catalog is built from the registers. So it needs no version and no repair, and is not
//! backed up.
//!
//! The magic bytes, then the length (64 bits, little-endian), the BLAKE3 hash and the bytes of the header, then the
//! chunks that the header lists. Header and chunks are in postcard's format.

use std::{
    borrow::Cow,
    collections::HashMap,
    env,
    fs::{self, File},
    io::{self, BufWriter, Write},
    os::unix::fs::{FileExt, MetadataExt},
    path::Path,
    sync::Arc,
};

use organizations::OrganizationDirectory;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    JournalPosition, MeetingKeys, TdocCatalog,
    chunk::{CatalogChunk, ChunkFacts},
};
use crate::topics::Abbreviations;
use domain::MeetingId;
use store::{Snapshot, StoreError};

const MAGIC: [u8; 8] = *b"SPBXTDC1";
/// Bytes before the header: magic, length and hash.
const HEAD_START: u64 = 8 + 8 + 32;

/// A catalog without its chunks.
#[derive(Serialize, Deserialize)]
struct SavedHead<'a> {
    program: String,
    generation: u64,
    journal: JournalPosition,
    directory: Cow<'a, OrganizationDirectory>,
    abbreviations: Cow<'a, Abbreviations>,
    /// The meetings by their numbers, with the number of documents of each.
    meetings: Vec<(MeetingId, u32)>,
    organization_counts: Cow<'a, HashMap<u32, u32>>,
    chunks: Vec<SavedChunk>,
}

/// A chunk in the file.
#[derive(Serialize, Deserialize)]
struct SavedChunk {
    bytes: u32,
    hash: [u8; 32],
}

impl TdocCatalog {
    /// Writes the catalog to a file and replaces the existing one.
    pub(crate) fn save(&self, path: &Path) -> io::Result<()> {
        let mut meetings: Vec<(&MeetingId, u32)> =
            self.keys.by_id.iter().map(|(id, key)| (id, *key)).collect();
        meetings.sort_unstable_by_key(|(_, key)| *key);
        let documents = |(id, key): (&MeetingId, u32)| {
            (id.clone(), self.keys.documents.get(key as usize).copied().unwrap_or_default())
        };
        let list: Vec<io::Result<SavedChunk>> = self
            .chunks
            .par_iter()
            .map(|chunk| {
                let encoded = encode(&chunk.facts)?;
                let bytes = u32::try_from(encoded.len()).map_err(io::Error::other)?;
                Ok(SavedChunk { bytes, hash: blake3::hash(&encoded).into() })
            })
            .collect();
        let head = encode(&SavedHead {
            program: program_identity()?,
            generation: self.generation,
            journal: self.journal,
            directory: Cow::Borrowed(&self.directory),
            abbreviations: Cow::Borrowed(&self.abbreviations),
            meetings: meetings.into_iter().map(documents).collect(),
            organization_counts: Cow::Borrowed(&self.organization_counts),
            chunks: list.into_iter().collect::<io::Result<_>>()?,
        })?;
        let unfinished = path.with_extension("unfinished");
        let mut file = BufWriter::new(File::create(&unfinished)?);
        file.write_all(&MAGIC)?;
        file.write_all(&(head.len() as u64).to_le_bytes())?;
        file.write_all(blake3::hash(&head).as_bytes())?;
        file.write_all(&head)?;
        // Encoded a second time, so that the chunks are never all in memory twice.
        for chunk in &self.chunks {
            file.write_all(&encode(&chunk.facts)?)?;
        }
        // Not synced: a file torn by a power loss fails its hashes and is not used.
        file.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&unfinished, path)
    }

    /// The catalog of a snapshot, from a file with this or an earlier state; `None` if the file is of no use:
    /// damaged, of another store, or of a later state than a restored index.
    pub(crate) fn load(path: &Path, snapshot: &Snapshot) -> Result<Option<Self>, StoreError> {
        let saved = match read(path) {
            Ok(saved) => saved,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::info!(%error, "the saved catalog of TDocs was not used");
                }
                return Ok(None);
            }
        };
        let now = JournalPosition::of(snapshot)?;
        if saved.journal.id != now.id || saved.journal.last > now.last {
            return Ok(None);
        }
        if saved.generation != snapshot.tdocs().tdocs_generation()? {
            return saved.updated(snapshot);
        }
        let mut catalog = saved;
        catalog.unlisted = snapshot.tdocs().unlisted_tdocs()?.into();
        catalog.set_meetings(snapshot.meetings().meeting_rows()?);
        catalog.add_reports(snapshot)?;
        Ok(Some(catalog))
    }
}

/// The content of a file; meetings and unlisted documents are added from the store.
fn read(path: &Path) -> io::Result<TdocCatalog> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = [0; HEAD_START as usize];
    file.read_exact_at(&mut start, 0)?;
    let (magic, rest) = start.split_at(MAGIC.len());
    let (head_length, head_hash) = rest.split_at(8);
    let head_length = u64::from_le_bytes(head_length.try_into().map_err(io::Error::other)?);
    if magic != MAGIC || head_length > length {
        return Err(invalid("not a saved catalog"));
    }
    let head = read_hashed(&file, HEAD_START, head_length, head_hash)?;
    let head: SavedHead<'_> = postcard::from_bytes(&head).map_err(io::Error::other)?;
    if head.program != program_identity()? {
        return Err(invalid("another version of specbox wrote it"));
    }
    let mut at = HEAD_START + head_length;
    let mut positions = Vec::with_capacity(head.chunks.len());
    for chunk in &head.chunks {
        positions.push((at, chunk));
        at += u64::from(chunk.bytes);
    }
    let (meetings, organizations) = (head.meetings.len(), head.directory.organizations().len());
    let chunks: io::Result<Vec<Arc<CatalogChunk>>> = positions
        .into_par_iter()
        .map(|(at, chunk)| {
            let bytes = read_hashed(&file, at, u64::from(chunk.bytes), &chunk.hash)?;
            let facts: ChunkFacts = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
            if !facts.are_well_formed(meetings, organizations) {
                return Err(invalid("a part is not well formed"));
            }
            Ok(Arc::new(CatalogChunk::from_facts(facts)))
        })
        .collect();
    let mut keys = MeetingKeys::default();
    for (id, documents) in &head.meetings {
        let key = keys.key_of(id);
        keys.documents[key as usize] = *documents;
    }
    Ok(TdocCatalog {
        generation: head.generation,
        directory: head.directory.into_owned().into(),
        abbreviations: head.abbreviations.into_owned().into(),
        meetings: Vec::new(),
        chunks: chunks?,
        unlisted: Arc::default(),
        journal: head.journal,
        keys,
        organization_counts: head.organization_counts.into_owned(),
        replaced_chunks: 0,
    })
}

/// A part of a file, checked against its hash.
fn read_hashed(file: &File, at: u64, length: u64, hash: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, at)?;
    if blake3::hash(&bytes).as_bytes().as_slice() == hash {
        Ok(bytes)
    } else {
        Err(invalid("a part is damaged"))
    }
}

fn encode(part: &impl Serialize) -> io::Result<Vec<u8>> {
    postcard::to_stdvec(part).map_err(io::Error::other)
}

fn invalid(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Identifies this program file: another build may read registers differently, or lay out the file differently.
fn program_identity() -> io::Result<String> {
    let program = fs::metadata(env::current_exe()?)?;
    let (modified, nanoseconds) = (program.mtime(), program.mtime_nsec());
    let length = program.len();
    Ok(format!("{} {length} {modified}.{nanoseconds}", env!("CARGO_PKG_VERSION")))
}
