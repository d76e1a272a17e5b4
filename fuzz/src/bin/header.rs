//! Any bytes as a vector file: opening fails, or every read stays within the file.

#![no_main]

#[path = "../../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use fuzz_support::segment_fixture::SegmentFixture;
use libfuzzer_sys::fuzz_target;

/// The fields of the header begin after the eight bytes of the magic number.
const FIELDS_OFFSET: usize = 8;
const HEADER_BYTES: usize = 512;

static FIXTURE: LazyLock<SegmentFixture> = LazyLock::new(|| SegmentFixture::new(20, 13, None));

fuzz_target!(|bytes: &[u8]| {
    mutate::open_and_use(&FIXTURE.mutated_path(), bytes);
    // The same bytes as the header of a valid file, with the checksums corrected.
    let mut file = FIXTURE.bytes.clone();
    let fields = &mut file[FIELDS_OFFSET..HEADER_BYTES];
    let count = bytes.len().min(fields.len());
    fields[..count].copy_from_slice(&bytes[..count]);
    mutate::open_and_use(&FIXTURE.mutated_path(), &mutate::mutated(&file, &[]));
});
