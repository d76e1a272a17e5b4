//! Edits of a valid vector file with a graph, with the checksums corrected.

#![no_main]

#[path = "../../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use fuzz_support::segment_fixture::SegmentFixture;
use index_format::GraphOptions;
use libfuzzer_sys::fuzz_target;

static FIXTURE: LazyLock<SegmentFixture> = LazyLock::new(|| {
    let options = GraphOptions { m: 2, ..GraphOptions::default() };
    SegmentFixture::new(60, 70, Some(options))
});

fuzz_target!(|edits: &[u8]| {
    mutate::open_and_use(&FIXTURE.mutated_path(), &mutate::mutated(&FIXTURE.bytes, edits));
});
