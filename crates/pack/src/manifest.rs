//! A list of packs: what an index, or a delivery to one, consists of.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::{
    ObjectHash, PackError, PackKind, StoredObject,
    vector_file::{VectorModel, VectorSubject},
};

const FORMAT: u32 = 1;
/// Bytes of a manifest, at most: a hundred thousand packs have 40 MB.
pub(crate) const MAX_MANIFEST_BYTES: u64 = 512 << 20;

/// A list of packs. Its file is JSON; its name is the hash of that file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Format of the list.
    pub format: u32,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// Version of the program that made it.
    pub program: String,
    /// The list that it continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<ObjectHash>,
    /// The packs, in the order in which they are imported.
    pub packs: Vec<ListedPack>,
    /// What belongs to one index alone: ids and dates. Backups have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StoredObject>,
    /// Accounts and settings, encrypted. Backups have it if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secrets: Option<StoredObject>,
    /// Files that come with the packs: those of models, and the program. Bundles have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ListedFile>,
}

/// A file in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedFile {
    /// Where it belongs: `models/all-MiniLM-L6-v2/config.json`, `program/specbox`.
    pub name: String,
    /// The file.
    pub file: StoredObject,
}

/// A pack in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedPack {
    /// What it contains.
    pub kind: PackKind,
    /// Its title: `38.331 18.4.0`, `R1-2400001`, `R1-118`.
    pub title: String,
    /// The pack.
    pub pack: StoredObject,
    /// Its vectors, one file for each model and subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vectors: Vec<ListedVectors>,
}

impl ListedPack {
    /// What distinguishes it from other packs of a list.
    pub fn key(&self) -> (PackKind, &str) {
        (self.kind, &self.title)
    }
}

/// The vectors of a pack in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedVectors {
    /// What they are vectors of.
    pub subject: VectorSubject,
    /// What made them.
    pub model: VectorModel,
    /// Their file.
    pub file: StoredObject,
}

impl Manifest {
    /// An empty list.
    pub fn new(created_at: String, program: String, parent: Option<ObjectHash>) -> Self {
        Self {
            format: FORMAT,
            created_at,
            program,
            parent,
            packs: Vec::new(),
            state: None,
            secrets: None,
            files: Vec::new(),
        }
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        let mut file = serde_json::to_vec_pretty(self).expect("names and numbers are JSON");
        file.push(b'\n');
        file
    }

    /// Reads a file.
    pub fn decode(file: &[u8]) -> Result<Self, PackError> {
        #[derive(Deserialize)]
        struct FormatOnly {
            format: u32,
        }
        // First, because a later format may have fields that this program would reject with a less useful error.
        let FormatOnly { format } = serde_json::from_slice(file).map_err(PackError::Manifest)?;
        if format != FORMAT {
            return Err(PackError::Format { what: "manifest", found: format, known: FORMAT });
        }
        serde_json::from_slice(file).map_err(PackError::Manifest)
    }

    /// The models whose vectors it lists.
    pub fn models(&self) -> BTreeSet<(VectorSubject, &VectorModel)> {
        let vectors = self.packs.iter().flat_map(|listed| &listed.vectors);
        vectors.map(|vectors| (vectors.subject, &vectors.model)).collect()
    }

    /// The packs that another list lacks, or has with other vectors.
    pub fn packs_beyond<'a>(&'a self, other: &Self) -> Vec<&'a ListedPack> {
        let known: HashMap<(PackKind, &str), &ListedPack> =
            other.packs.iter().map(|listed| (listed.key(), listed)).collect();
        self.packs.iter().filter(|listed| known.get(&listed.key()) != Some(listed)).collect()
    }

    /// How many packs there are of a kind.
    pub fn count(&self, kind: PackKind) -> usize {
        self.packs.iter().filter(|listed| listed.kind == kind).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Manifest {
        let object = |text: &str| StoredObject { hash: ObjectHash::of(text.as_bytes()), bytes: 7 };
        let model =
            VectorModel { name: "tiny".to_owned(), identity: ObjectHash::of(b"m"), dimension: 8 };
        let subject = VectorSubject::Texts;
        let mut manifest =
            Manifest::new("2026-01-01T00:00:00Z".to_owned(), "0.2.0".to_owned(), None);
        manifest.packs.push(ListedPack {
            kind: PackKind::Document,
            title: "38.331 18.4.0".to_owned(),
            pack: object("pack"),
            vectors: vec![ListedVectors { subject, model, file: object("vectors") }],
        });
        manifest
    }

    #[test]
    fn a_manifest_round_trips_and_counts() {
        let manifest = sample();
        assert_eq!(Manifest::decode(&manifest.encode()).expect("own bytes"), manifest);
        assert_eq!((manifest.count(PackKind::Document), manifest.count(PackKind::Tdoc)), (1, 0));
        assert_eq!(manifest.models().len(), 1);
    }

    #[test]
    fn what_no_writer_makes_is_refused() {
        let text = String::from_utf8(sample().encode()).expect("JSON");
        for (from, to) in [
            ("\"format\": 1", "\"format\": 2"),
            ("\"format\": 1,", "\"format\": 1, \"extra\": 1,"),
            ("\"kind\": \"document\"", "\"kind\": \"program\""),
            ("\"hash\": \"", "\"hash\": \"../"),
        ] {
            assert_ne!(text, text.replace(from, to), "{from}");
            assert!(Manifest::decode(text.replace(from, to).as_bytes()).is_err(), "{to}");
        }
    }
}
