//! Bytes as the records of an equation, and as an object that holds one: a formula or an error, and LaTeX of bounded size.

#![no_main]

use formula::mtef::{read_mtef, read_object};
use libfuzzer_sys::fuzz_target;

/// What one byte of a file may become: a command and its braces.
const MAX_GROWTH: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    for formula in [read_mtef(bytes), read_object(bytes)].into_iter().flatten() {
        assert!(formula.to_latex().len() <= MAX_GROWTH * (bytes.len() + 1));
    }
});
