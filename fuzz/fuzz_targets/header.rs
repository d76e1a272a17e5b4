//! Any bytes as a vector file: an error, or answers within it.

#![no_main]

#[path = "../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a folder"));

fuzz_target!(|bytes: &[u8]| {
    let path: PathBuf = FOLDER.path().join("fuzzed.seg");
    mutate::open_and_use(&path, bytes);
    if bytes.len() >= 4096 {
        // The same with right checksums, so that more than those are reached.
        mutate::open_and_use(&path, &mutate::mutated(bytes, &[]));
    }
});
