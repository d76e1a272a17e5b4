//! Any text as the parts of a register's workbook, or a complete workbook.

#![no_main]

use fuzz_support::package_from_parts;
use libfuzzer_sys::fuzz_target;
use register::{parse_parties, read_register, read_sheets};

const PARTS: [&str; 6] = [
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/worksheets/sheet1.xml",
    "xl/sharedStrings.xml",
    "xl/styles.xml",
    "xl/worksheets/_rels/sheet1.xml.rels",
];

fuzz_target!(|input: &[u8]| {
    let packed;
    let bytes = if input.starts_with(b"PK") {
        input
    } else {
        packed = package_from_parts(&PARTS, input);
        &packed
    };
    if let Ok(register) = read_register(bytes) {
        for entry in &register.entries {
            let _ = entry.status();
            let sources = entry.column_text(register::Column::Source).map(parse_parties);
            drop(sources);
        }
    }
    let _ = read_sheets(bytes);
});
