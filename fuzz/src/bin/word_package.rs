//! Any bytes as a Word package: the archive around the parts.

#![no_main]

use std::io::Cursor;

use document::{Archive, UnpackBudget};
use fuzz_support::small_limits;
use libfuzzer_sys::fuzz_target;
use word::{DocxReadOptions, TrackedChanges, read_docx, read_docx_pieces};

fuzz_target!(|bytes: &[u8]| {
    let limits = small_limits();
    let Ok(mut archive) = Archive::open_zip(Cursor::new(bytes), "a.docx", &limits) else { return };
    let budget = UnpackBudget::new(&limits);
    let tracked = TrackedChanges::Accepted;
    let options = DocxReadOptions { limits: &limits, budget: &budget, figures: true, tracked };
    let _ = read_docx(&mut archive, "a.docx", options);
    let before = DocxReadOptions { tracked: TrackedChanges::Rejected, figures: false, ..options };
    let _ = read_docx(&mut archive, "a.docx", before);
    let _ = read_docx_pieces(&mut archive, "a.docx", options);
});
