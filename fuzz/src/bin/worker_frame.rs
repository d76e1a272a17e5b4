//! Any bytes as frames between a worker and its parent.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| extract::fuzzing::read_frames(bytes));
