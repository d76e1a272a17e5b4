//! Any bytes as a vector file: an error, or answers within it.

#![no_main]

#[path = "../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use index_format::SegmentInfo;
use index_format::SegmentWriter;
use libfuzzer_sys::fuzz_target;

/// Behind the eight bytes by which a file is known.
const FIRST_FIELD: usize = 8;

static SOUND: LazyLock<(tempfile::TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sound.seg");
    let info = SegmentInfo { dimension: 13, model: [3; 32] };
    let mut writer = SegmentWriter::create(&path, info).expect("a writer");
    for row in 0..20_u32 {
        let vector: Vec<f32> = (0..13).map(|at| ((row * 71 + at * 13) as f32).sin()).collect();
        writer.push(u64::from(row), &vector).expect("a sound vector");
    }
    writer.finish().expect("a segment");
    let bytes = std::fs::read(&path).expect("the file");
    (folder, bytes)
});

fuzz_target!(|bytes: &[u8]| {
    let (folder, sound) = &*SOUND;
    let path = folder.path().join("fuzzed.seg");
    mutate::open_and_use(&path, bytes);
    // The same as the fields of a sound file, whose checksums are made right again.
    let mut file = sound.clone();
    let fields = &mut file[FIRST_FIELD..512];
    let count = bytes.len().min(fields.len());
    fields[..count].copy_from_slice(&bytes[..count]);
    mutate::open_and_use(&path, &mutate::mutated(&file, &[]));
});
