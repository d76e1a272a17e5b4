//! Any text as the parts of a presentation.

#![no_main]

use extract::{ExtractOptions, read_contribution};
use fuzz_support::{package_from_parts, small_limits, write_input};
use libfuzzer_sys::fuzz_target;

const PARTS: [&str; 4] = [
    "ppt/presentation.xml",
    "ppt/_rels/presentation.xml.rels",
    "ppt/slides/slide1.xml",
    "[Content_Types].xml",
];

fuzz_target!(|input: &[u8]| {
    // The last part makes it a package, whatever the input has.
    let input = [input, b"\0\0\0\0"].concat();
    let path = write_input("R1-2600103.pptx", &package_from_parts(&PARTS, &input));
    let _ = read_contribution(&path, "R1-2600103", &small_limits(), &ExtractOptions::default());
});
