//! Which content each file of an index has. A checksum inside a file shows that it is whole, but not that it is the
//! file of that name: two files of the same kind that were exchanged both look whole.
//!
//! tantivy never changes a segment's file and never uses its name again, except for deletions, which are left out here.
//! So a file that differs from its recorded fingerprint is another file.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The record in the folder of the index.
const RECORD: &str = "fingerprints";
/// The checksum at the end of a file is shorter than this.
const TAIL_BYTES: u64 = 256;
/// Extension of files whose names are used again after a crash: a recorded fingerprint would make the new file look
/// exchanged.
const DELETIONS: &str = "del";

/// The recorded files of an index, by name.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    folder: PathBuf,
    by_name: BTreeMap<String, String>,
}

impl Fingerprints {
    /// Reads the record of a folder: empty if there is none, or a damaged one.
    pub(crate) fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(RECORD)).unwrap_or_default();
        let by_name = parse_record(&text).unwrap_or_default();
        Self { folder: folder.to_owned(), by_name }
    }

    /// Whether a file is there and is another one than was recorded. A file that cannot be read is not judged.
    pub(crate) fn is_other_file(&self, name: &Path) -> bool {
        let recorded = name.to_str().and_then(|name| self.by_name.get(name));
        recorded.is_some_and(|recorded| {
            take_fingerprint(&self.folder.join(name)).is_ok_and(|found| found != *recorded)
        })
    }

    /// Records the files of the last commit that are new, and forgets those that are gone. An index works without a
    /// record, so an error is only logged.
    pub(crate) fn update(&mut self, listed: impl Iterator<Item = PathBuf>) {
        let before = self.by_name.len();
        let mut known = std::mem::take(&mut self.by_name);
        let mut new = 0;
        for path in listed.filter(|path| path.extension().is_some_and(|end| end != DELETIONS)) {
            let Some(name) = path.to_str() else { continue };
            let fingerprint = known.remove(name).or_else(|| {
                new += 1;
                take_fingerprint(&self.folder.join(name)).ok()
            });
            self.by_name.extend(fingerprint.map(|fingerprint| (name.to_owned(), fingerprint)));
        }
        if (new > 0 || self.by_name.len() != before)
            && let Err(error) = self.write()
        {
            tracing::debug!(%error, "cannot record the files of {}", self.folder.display());
        }
    }

    fn write(&self) -> io::Result<()> {
        let unfinished = self.folder.join(RECORD).with_extension("unfinished");
        let written = fs::write(&unfinished, format_record(&self.by_name))
            .and_then(|()| fs::rename(&unfinished, self.folder.join(RECORD)));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written
    }
}

/// One line for each file, and a last line with the hash of the others.
fn format_record(by_name: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (name, fingerprint) in by_name {
        writeln!(text, "{name} {fingerprint}").expect("a string takes all");
    }
    let hash = blake3::hash(text.as_bytes()).to_hex();
    text + &hash
}

/// `None` for a damaged record.
fn parse_record(text: &str) -> Option<BTreeMap<String, String>> {
    let (lines, hash) = text.split_at_checked(text.rfind('\n').map_or(0, |at| at + 1))?;
    if blake3::hash(lines.as_bytes()).to_hex().as_str() != hash {
        return None;
    }
    let pairs = lines.lines().map(|line| line.split_once(' '));
    pairs.map(|pair| pair.map(|(name, found)| (name.to_owned(), found.to_owned()))).collect()
}

/// The length of a file and a hash of its end, where its checksum is.
fn take_fingerprint(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail)?;
    Ok(format!("{length} {}", &blake3::hash(&tail).to_hex()[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchanged_file_is_another_one_and_a_damaged_record_is_none() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = |name: &str| folder.path().join(name);
        let names = ["a.pos", "b.pos", "b.7.del"];
        for (name, content) in names.iter().zip(["one", "two", "three"]) {
            fs::write(path(name), content).expect("written");
        }
        Fingerprints::read(folder.path()).update(names.iter().map(PathBuf::from));
        let others = || {
            let found = Fingerprints::read(folder.path());
            let others = names.iter().filter(|name| found.is_other_file(Path::new(name)));
            others.copied().collect::<Vec<_>>()
        };
        assert_eq!(others(), Vec::<&str>::new());
        fs::write(path("b.7.del"), "written again under its name").expect("written");
        assert_eq!(others(), Vec::<&str>::new());
        fs::write(path("a.pos"), "two").expect("written");
        fs::write(path("b.pos"), "one").expect("written");
        assert_eq!(others(), ["a.pos", "b.pos"]);
        let record = fs::read_to_string(path(RECORD)).expect("read");
        for damaged in ["", "\n", &record[1..], &record[..record.len() - 1], "a.pos\n"] {
            fs::write(path(RECORD), damaged).expect("written");
            assert_eq!(others(), Vec::<&str>::new(), "{damaged}");
        }
    }
}
