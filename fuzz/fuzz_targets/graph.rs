//! Edits of a sound file with a graph, whose checksums are made right again.

#![no_main]

#[path = "../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use index_format::GraphOptions;
use index_format::SegmentInfo;
use index_format::SegmentWriter;
use libfuzzer_sys::fuzz_target;

static SOUND: LazyLock<(tempfile::TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sound.seg");
    let info = SegmentInfo { dimension: 70, model: [3; 32] };
    let mut writer = SegmentWriter::create(&path, info).expect("a writer");
    for row in 0..60_u32 {
        let vector: Vec<f32> = (0..70).map(|at| ((row * 71 + at * 13) as f32).sin()).collect();
        writer.push(u64::from(row / 2), &vector).expect("a sound vector");
    }
    let options = GraphOptions { degree: 2, ..GraphOptions::default() };
    writer.finish_with_graph(&options).expect("a segment");
    let bytes = std::fs::read(&path).expect("the file");
    (folder, bytes)
});

fuzz_target!(|edits: &[u8]| {
    let (folder, sound) = &*SOUND;
    mutate::open_and_use(&folder.path().join("fuzzed.seg"), &mutate::mutated(sound, edits));
});
