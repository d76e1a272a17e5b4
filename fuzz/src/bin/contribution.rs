//! Any bytes as the file of a contribution: archive, text, slides, sheets.

#![no_main]

use extract::{ExtractOptions, read_contribution};
use fuzz_support::{let_libraries_panic, small_limits, write_input};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: let_libraries_panic(), |bytes: &[u8]| {
    // The reader of PDF has a target of its own, with bounds that fit it.
    if bytes.starts_with(b"%PDF") {
        return;
    }
    let path = write_input("R1-2600103.zip", bytes);
    let _ = read_contribution(&path, "R1-2600103", &small_limits(), &ExtractOptions::default());
});
