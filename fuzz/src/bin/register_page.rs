//! Any bytes as a register that is a page.

#![no_main]

use libfuzzer_sys::fuzz_target;
use register::{Column, parse_parties, read_register};

fuzz_target!(|input: &[u8]| {
    let page = [b"<html>", input].concat();
    let Ok(register) = read_register(&page) else { return };
    for entry in &register.entries {
        let _ = entry.status();
        let _ = entry.column_text(Column::Source).map(parse_parties);
    }
});
