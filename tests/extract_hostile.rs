//! Damaged archives by the thousand: each is read or refused, none ends the run or holds it up.

use std::{
    env, fs,
    io::{Cursor, Read},
    path::{Path, PathBuf},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use document::{ExtractError, Limits};
use extract::{ExtractOptions, Extraction, read_file};

#[path = "../crates/word/tests/support/test_docx.rs"]
mod test_docx;

use test_docx::{sample, zip_of};

/// Damaged files of a whole run, and of a quick one (`SPECBOX_QUICK=1`).
const MUTANTS: usize = 1_000;
const QUICK_MUTANTS: usize = 200;

/// A file that is read for so long is read for ever.
const READ_WITHIN: Duration = Duration::from_secs(60);

/// A small generator with a fixed seed, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("below a usize")
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

/// Flips, overwrites, cuts, repeats or drops pieces.
fn mutate(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        let length = random.below(64.min(bytes.len() - at) + 1);
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.byte(),
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let piece = bytes[at..at + length].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let value = [0, 1, 0x7f, 0xff][random.below(4)];
                bytes[at..at + length.min(4)].fill(value);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Damages one member and packs it again, so that the damage passes the checksums.
fn damage_inside(archive: &[u8], random: &mut Random) -> Vec<u8> {
    let mut source = zip::ZipArchive::new(Cursor::new(archive)).expect("a zip");
    let chosen = random.below(source.len());
    let mut members = Vec::new();
    for at in 0..source.len() {
        let mut member = source.by_index(at).expect("a member");
        let mut content = Vec::new();
        member.read_to_end(&mut content).expect("intact");
        let is_archive = content.starts_with(b"PK\x03\x04");
        if at == chosen && !content.is_empty() {
            content =
                if is_archive { damage_inside(&content, random) } else { mutate(&content, random) };
        }
        members.push((member.name().expect("a name").into_owned(), content));
    }
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
    zip_of(&members)
}

fn seeds() -> Vec<(String, Vec<u8>)> {
    let docx = sample("38.999", "18.0.0").build();
    let archive = zip_of(&[("38999-i00.docx", &docx), ("TS38999_Api.yaml", b"openapi: 3.0.0\n")]);
    let mut seeds =
        vec![("38999-i00.docx".to_owned(), docx), ("38999-i00.zip".to_owned(), archive)];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample");
    for path in archives(&folder) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("readable");
        if bytes.len() < 2_000_000 {
            seeds.push((name, bytes));
        }
    }
    seeds
}

/// Archives and documents of a folder and the folders in it.
fn archives(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if path.is_dir() {
            found.extend(archives(&path));
        } else if matches!(extension, "zip" | "docx" | "doc") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Reads a file on a thread of its own, so that one that never ends fails the test instead of holding it up.
fn read_in_time(path: &Path) -> Result<Extraction, ExtractError> {
    let (sender, receiver) = channel();
    let file = path.to_owned();
    thread::spawn(move || {
        let _ = sender.send(read_file(&file, &Limits::default(), &ExtractOptions::default()));
    });
    match receiver.recv_timeout(READ_WITHIN) {
        Ok(read) => read,
        Err(RecvTimeoutError::Timeout) => panic!("reading {} does not end", path.display()),
        Err(RecvTimeoutError::Disconnected) => panic!("reading {} panicked", path.display()),
    }
}

#[test]
fn damaged_archives_are_read_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let is_quick = env::var_os("SPECBOX_QUICK").is_some_and(|value| value == "1");
    let mutants = if is_quick { QUICK_MUTANTS } else { MUTANTS };
    let seeds = seeds();
    let mut random = Random(0x5eed_0f5b_ec0b_0c5d);
    let (mut read, mut refused) = (0, 0);
    for round in 0..mutants {
        let (name, original) = &seeds[round % seeds.len()];
        let path = folder.path().join(name);
        let inside = random.below(3) > 0 && original.starts_with(b"PK\x03\x04");
        let mutant = if inside {
            damage_inside(original, &mut random)
        } else {
            mutate(original, &mut random)
        };
        fs::write(&path, mutant).expect("writable");
        match read_in_time(&path) {
            Ok(_) => read += 1,
            Err(error) => {
                let message = error.to_string();
                assert!(!message.contains('\n') && message.len() < 600, "round {round}: {message}");
                refused += 1;
            }
        }
    }
    println!("{} seeds: {read} read, {refused} refused", seeds.len());
    assert!(
        read * 20 > mutants && refused * 20 > mutants,
        "{read} read, {refused} refused: the damage has no effect"
    );
}
