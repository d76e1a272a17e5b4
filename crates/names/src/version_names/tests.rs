//! Whole versions: their modules, and the limits of their definitions.

use super::*;
use crate::tests::{code, paragraph};

#[test]
fn the_modules_of_a_version_are_whole_in_the_signs_of_compilers() {
    let first = [
        code("-- before the first --\nLamp-Module DEFINITIONS ::= BEGIN\nLampId ::= INTEGER"),
        paragraph("Some words."),
    ];
    let rest = [code("Wick ::= INTEGER (0\u{2026}7)\n\u{2013}\u{2013} of a lamp")];
    let second = [code("Oil-Module DEFINITIONS ::= BEGIN\nOil ::= INTEGER\nEND")];
    let file = [code("openapi: 3.0.0\ninfo:\n  title: Lamps")];
    let blocks = [&first[..], &rest, &second, &file];
    let titles = ["First", "Rest", "Second", "Lamps API"];
    let sections: Vec<SectionBlocks<'_>> = titles
        .iter()
        .zip(blocks)
        .map(|(title, blocks)| SectionBlocks { number: "9", title, blocks })
        .collect();
    let modules = read_version("38.990", &sections).modules;
    let texts: Vec<(&str, &str)> =
        modules.iter().map(|module| (module.name.as_str(), module.text.as_str())).collect();
    assert_eq!(
        texts,
        [
            (
                "Lamp-Module",
                "Lamp-Module DEFINITIONS ::= BEGIN\nLampId ::= INTEGER\nWick ::= INTEGER (0...7)\n-- of a lamp\n\nEND\n"
            ),
            ("Oil-Module", "Oil-Module DEFINITIONS ::= BEGIN\nOil ::= INTEGER\nEND\n"),
            ("Lamps API", "openapi: 3.0.0\ninfo:\n  title: Lamps\n"),
        ]
    );
}

#[test]
fn definitions_beyond_what_a_version_may_have_are_left_out_and_counted() {
    // Each level of a type is a separate definition.
    let depth = 45;
    let open: String = (0..depth).map(|level| format!("a{level} SEQUENCE {{ ")).collect();
    let listing = format!("Deep ::= SEQUENCE {{ {open}b INTEGER {}}}\n", "} ".repeat(depth));
    let padded =
        listing.replacen("b INTEGER", &format!("b INTEGER -- {} --\n", "x".repeat(900_000)), 1);
    let block = [code(&padded)];
    let sections: Vec<SectionBlocks<'_>> =
        (0..4).map(|_| SectionBlocks { number: "9", title: "Deep", blocks: &block }).collect();
    let read = read_version("38.990", &sections).sections;
    let counts: Vec<(bool, bool)> =
        read.iter().map(|names| (names.names.is_empty(), names.unread > 0)).collect();
    assert_eq!(counts[0], (false, false));
    assert_eq!(counts[3], (true, true), "four of them have over 64 MiB");
}
