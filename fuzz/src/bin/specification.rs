//! Any bytes as the archive of a specification; documents that name no specification are read, too.

#![no_main]

use extract::{ExtractOptions, read_file};
use fuzz_support::{let_libraries_panic, small_limits, write_input};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: let_libraries_panic(), |bytes: &[u8]| {
    let path = write_input("38990-i00.zip", bytes);
    let options = ExtractOptions { others: true, ..ExtractOptions::default() };
    let _ = read_file(&path, &small_limits(), &options);
});
