//! Any bytes as a row of the table of vector files: refused, or the name of a file in its folder.

#![no_main]

#[path = "../../../crates/store/src/tables/segments.rs"]
#[expect(dead_code, reason = "the store uses the rest")]
mod segment_row;

use std::path::Component;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use segment_row::SegmentRow;

fuzz_target!(|bytes: &[u8]| {
    let Ok(row) = postcard::from_bytes::<SegmentRow>(bytes) else { return };
    let path: &Path = row.file.as_ref();
    let parts: Vec<Component<'_>> = path.components().collect();
    assert!(matches!(parts[..], [Component::Normal(_)]), "{path:?}");
    assert!(path.extension().is_some_and(|extension| extension == "seg"), "{path:?}");
    let again = postcard::to_stdvec(&row).expect("plain data");
    let back = postcard::from_bytes::<SegmentRow>(&again);
    assert!(back.as_ref() == Ok(&row), "{back:?}");
});
