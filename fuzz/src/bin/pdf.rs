//! Any bytes as a PDF of a contribution.

#![no_main]

use fuzz_support::let_libraries_panic;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: let_libraries_panic(), |bytes: &[u8]| {
    let _ = extract::fuzzing::can_read_pdf(bytes);
});
