//! Which sources ended their worker, so that one that always does is not read again and again.
//!
//! Kept beside the index, with a checksum: a note that is lost or damaged means only that a source is tried again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use durable_file::{Sealed, seal, unseal, write_file};
use serde::{Deserialize, Serialize};

/// How often a source may end its worker. Once may be chance, such as a lack of memory; a file that does it again
/// would do so in every run.
const MAX_DEATHS: u32 = 2;
/// Sources that are noted, in about 1 MB; with more, none is added.
const MAX_NOTED: usize = 10_000;

/// The sources that ended their worker, by the hashes of their contents.
#[derive(Debug, Default)]
pub(super) struct WorkerDeaths {
    path: PathBuf,
    deaths: BTreeMap<String, SourceDeaths>,
}

/// How often a source ended a worker, and with which reader: another one tries it again.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct SourceDeaths {
    count: u32,
    reader: u32,
}

impl WorkerDeaths {
    /// Those that are noted in a file; none if it is missing or damaged.
    pub(super) fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_default();
        let deaths = match unseal(&bytes) {
            Sealed::Whole(content) => serde_json::from_slice(content).unwrap_or_default(),
            Sealed::Unsealed(_) | Sealed::Damaged => BTreeMap::new(),
        };
        Self { path: path.to_owned(), deaths }
    }

    /// Whether a source is read only on request.
    pub(super) fn is_set_aside(&self, hash: &[u8; 32], reader: u32) -> bool {
        let known = self.deaths.get(&to_key(hash));
        known.is_some_and(|known| known.reader == reader && known.count >= MAX_DEATHS)
    }

    /// Notes that a source ended its worker. A note that cannot be written is lost with the process.
    pub(super) fn add_death(&mut self, hash: &[u8; 32], reader: u32) {
        let key = to_key(hash);
        if self.deaths.len() >= MAX_NOTED && !self.deaths.contains_key(&key) {
            return;
        }
        let known = self.deaths.entry(key).or_insert(SourceDeaths { count: 0, reader });
        let before = if known.reader == reader { known.count } else { 0 };
        *known = SourceDeaths { count: before.saturating_add(1), reader };
        self.write();
    }

    /// Forgets a source that was read.
    pub(super) fn forget(&mut self, hash: &[u8; 32]) {
        if self.deaths.remove(&to_key(hash)).is_some() {
            self.write();
        }
    }

    fn write(&self) {
        if let Ok(text) = serde_json::to_vec(&self.deaths) {
            let _ = write_file(&self.path, &seal(&text));
        }
    }
}

fn to_key(hash: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_ended_two_workers_is_set_aside_until_it_is_read_or_the_reader_changes() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("set-aside.json");
        let (killer, other) = ([1; 32], [2; 32]);
        for death in 0..2 {
            let mut noted = WorkerDeaths::read(&path);
            assert!(!noted.is_set_aside(&killer, 14), "after {death}");
            noted.add_death(&killer, 14);
        }
        let mut noted = WorkerDeaths::read(&path);
        assert!(noted.is_set_aside(&killer, 14) && !noted.is_set_aside(&other, 14));
        assert!(!noted.is_set_aside(&killer, 15), "another reader may read it");
        noted.add_death(&killer, 15);
        assert!(!WorkerDeaths::read(&path).is_set_aside(&killer, 15), "its first one");
        noted.forget(&killer);
        assert!(!WorkerDeaths::read(&path).is_set_aside(&killer, 14));
        for damaged in [&b"{}"[..], b"", b"\xff"] {
            fs::write(&path, damaged).expect("written");
            assert!(WorkerDeaths::read(&path).deaths.is_empty());
        }
    }
}
