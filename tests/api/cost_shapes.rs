//! Specifications that are large in one way each, and the parameters that ask for all of it.

use std::fmt::Write;

use crate::test_docx::{TestDocx, cover, paragraph, row};

/// A way in which a document can be large.
pub(crate) struct Shape {
    /// What there is much of.
    pub(crate) name: &'static str,
    /// How much of it the smaller document has; the larger one has four times as much.
    pub(crate) count: usize,
    /// A text that stands in it.
    pub(crate) text: &'static str,
    /// What follows the heading of its clause 1, in the first version and in the second.
    body: fn(usize, Version) -> String,
}

/// The versions of each document: the second one differs from the first here and there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    First,
    Second,
}

impl Version {
    pub(crate) const ALL: [Self; 2] = [Self::First, Self::Second];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::First => "18.0.0",
            Self::Second => "18.1.0",
        }
    }

    pub(crate) fn in_file_names(self) -> &'static str {
        match self {
            Self::First => "i00",
            Self::Second => "i10",
        }
    }
}

pub(crate) const SHAPES: &[Shape] = &[
    Shape { name: "words of a paragraph", count: 7_500, text: "beacon relay", body: words },
    Shape { name: "equal paragraphs", count: 5_000, text: "relay beacon", body: equal_paragraphs },
    Shape { name: "cells of a table", count: 2_500, text: "cell", body: cells },
    Shape { name: "items of a list", count: 1_250, text: "item", body: items },
    Shape { name: "types of a module", count: 750, text: "Type-7", body: types },
    Shape { name: "members of a type", count: 2_000, text: "field-7", body: members },
    Shape { name: "sections", count: 400, text: "Heading 7", body: sections },
    Shape { name: "references", count: 1_000, text: "clause 1", body: references },
    Shape { name: "references of a document", count: 750, text: "[7]", body: reference_list },
    Shape { name: "changes of typeface", count: 3_000, text: "x7", body: typefaces },
    Shape { name: "terms of a formula", count: 750, text: "formula", body: formula },
    Shape {
        name: "characters that look like formulas",
        count: 20_000,
        text: "cost",
        body: dollars,
    },
    Shape { name: "characters of a name", count: 10_000, text: "name", body: long_name },
    Shape { name: "characters of a line of code", count: 30_000, text: "line", body: long_line },
    Shape { name: "words of a caption", count: 3_000, text: "caption", body: caption },
    Shape { name: "abbreviations", count: 1_000, text: "AB7", body: abbreviations },
    Shape { name: "changes of the annex", count: 750, text: "Corrections", body: change_history },
];

/// The report of a meeting with many decisions.
pub(crate) const MINUTES: Shape =
    Shape { name: "decisions of a meeting", count: 250, text: "waiting time", body: decisions };

/// The file with the report of a meeting, given by its number.
pub(crate) fn minutes(meeting: &str, count: usize) -> Vec<u8> {
    let first_tdoc = if meeting == "190" { 2_600_101 } else { 2_600_201 };
    // As many documents with an outcome as a report has.
    let outcomes = each(3, |index| {
        let tdoc = first_tdoc + index;
        let line = paragraph("Normal", &format!("R1-{tdoc}\tOn beacon {index}\tExample Radio"));
        line + &paragraph("Normal", "Decision: The document is noted.")
    });
    let body = [
        paragraph("Normal", &format!("Final Report of 3GPP TSG RAN WG1 #{meeting} v1.0.0")),
        paragraph("Heading1", "1 Opening of the meeting"),
        outcomes,
        paragraph("Heading1", "8.1 Beacon overload"),
        (MINUTES.body)(count, Version::First),
        paragraph("Heading1", "12 Closing of the meeting"),
        paragraph("Normal", "The chair closed the meeting on Friday at 16:00."),
    ];
    TestDocx::new(&body.concat()).build()
}

fn decisions(count: usize, version: Version) -> String {
    let green =
        "<w:p><w:r><w:rPr><w:highlight w:val=\"green\"/></w:rPr><w:t>Agreement:</w:t></w:r></w:p>";
    each(count, |index| {
        let text = format!("The waiting time {index} of the {} is doubled.", word(index, version));
        green.to_owned() + &paragraph("Normal", &text)
    })
}

/// The file of a document.
pub(crate) fn document(number: &str, shape: &Shape, count: usize, version: Version) -> Vec<u8> {
    let cover = cover(number, version.as_str());
    let heading = paragraph("Heading1", "1\tScope");
    let body = (shape.body)(count, version);
    TestDocx::new(&[cover, heading, body].concat()).build()
}

const VOCABULARY: [&str; 12] = [
    "beacon", "relay", "shall", "terminal", "power", "when", "timer", "cell", "link", "expires",
    "starts", "upon",
];

/// A word that differs between the versions now and then.
fn word(index: usize, version: Version) -> String {
    let other = version == Version::Second && index.is_multiple_of(97);
    // A sequence without a short period.
    let place = index.wrapping_mul(index).wrapping_add(index / 7) % VOCABULARY.len();
    if other { format!("changed{index}") } else { VOCABULARY[place].to_owned() }
}

fn text(count: usize, version: Version) -> String {
    (0..count).map(|index| word(index, version) + " ").collect()
}

fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn words(count: usize, version: Version) -> String {
    paragraph("Normal", &text(count, version))
}

fn equal_paragraphs(count: usize, version: Version) -> String {
    // The second version begins elsewhere, so that every paragraph may have been moved.
    let start = usize::from(version == Version::Second);
    each(count, |index| {
        paragraph("Normal", ["The relay beacon waits.", "The beacon relays."][(index + start) % 2])
    })
}

fn cells(count: usize, version: Version) -> String {
    let rows = each(count / 4, |index| {
        let cells =
            [0, 1, 2, 3].map(|column| format!("cell {}", word(index * 4 + column, version)));
        row("TAL", &cells.each_ref().map(String::as_str))
    });
    format!("{}<w:tbl>{rows}</w:tbl>", paragraph("TH", "Table 1-1: Values"))
}

fn items(count: usize, version: Version) -> String {
    each(count, |index| paragraph("B1", &format!("-\titem {}", word(index, version))))
}

/// A module of ASN.1 with the given lines.
fn module(lines: &str) -> String {
    let head = ["-- ASN1START", "Module-1 DEFINITIONS AUTOMATIC TAGS ::=", "BEGIN"];
    let code = |line: &str| paragraph("PL", line);
    let head: String = head.into_iter().map(code).collect();
    let lines: String = lines.lines().map(code).collect();
    [head, lines, code("END"), code("-- ASN1STOP")].concat()
}

fn types(count: usize, version: Version) -> String {
    module(&each(count, |index| {
        let next = (index + 1) % count;
        let kind = if word(index, version).starts_with("changed") { "BOOLEAN" } else { "INTEGER" };
        format!("Type-{index} ::= SEQUENCE {{ first {kind}, next Type-{next} OPTIONAL }}\n")
    }))
}

fn members(count: usize, version: Version) -> String {
    let fields = each(count, |index| {
        let kind = if word(index, version).starts_with("changed") { "BOOLEAN" } else { "Type-7" };
        format!("    field-{index} {kind} OPTIONAL,\n")
    });
    module(&format!("Type-7 ::= INTEGER\nLarge ::= SEQUENCE {{\n{fields}    last NULL\n}}\n"))
}

fn sections(count: usize, version: Version) -> String {
    each(count, |index| {
        let heading = paragraph("Heading2", &format!("1.{index}\tHeading {index}"));
        heading + &paragraph("Normal", &format!("The {} of it.", word(index, version)))
    })
}

fn references(count: usize, version: Version) -> String {
    let sentence = |index: usize| {
        let target = if index.is_multiple_of(2) { "clause 1" } else { "clause 5.2 of TS 38.331" };
        format!("The {} is in {target}. ", word(index, version))
    };
    paragraph("Normal", &each(count, sentence))
}

fn reference_list(count: usize, _version: Version) -> String {
    let entry = |index: usize| {
        paragraph("EX", &format!("[{index}]\t3GPP TS 23.{:03}: \"Title {index}\".", index % 1000))
    };
    let cites = each(count, |index| format!("See [{index}]. "));
    [paragraph("Heading1", "2\tReferences"), each(count, entry), paragraph("Normal", &cites)]
        .concat()
}

fn typefaces(count: usize, version: Version) -> String {
    let run = |index: usize| {
        let word = word(index, version);
        format!(
            "<w:r><w:t>x{index} {word}</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"subscript\"/></w:rPr><w:t>i</w:t></w:r>"
        )
    };
    format!("<w:p>{}</w:p>", each(count, run))
}

fn formula(count: usize, _version: Version) -> String {
    let term = |index: usize| {
        format!(
            "<m:f><m:num><m:r><m:t>a{index}</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>\
             <m:r><m:t>+</m:t></m:r>"
        )
    };
    let formula = format!("<w:p><m:oMath>{}</m:oMath></w:p>", each(count, term));
    [paragraph("Normal", "The formula is:"), formula].concat()
}

fn dollars(count: usize, _version: Version) -> String {
    paragraph("Normal", &format!("The cost is {}", "\\$".repeat(count / 2)))
}

fn long_name(count: usize, version: Version) -> String {
    let end = if version == Version::Second { "z" } else { "y" };
    let name = format!("name{}{end}", "Abc".repeat(count / 3));
    let sentence = paragraph("Normal", &format!("The name {name} is long."));
    [sentence, module(&format!("Type-7 ::= SEQUENCE {{ {name} INTEGER }}\n"))].concat()
}

fn long_line(count: usize, version: Version) -> String {
    let mut line = "-- line ".to_owned();
    let mut index = 0;
    while line.len() < count {
        let _ = write!(line, "{} ", word(index, version));
        index += 1;
    }
    module(&format!("{line}\nType-7 ::= INTEGER\n"))
}

fn caption(count: usize, version: Version) -> String {
    let caption = format!("Table 1-1: The caption {}", text(count, version));
    let table = format!("<w:tbl>{}</w:tbl>", row("TAL", &["a", "b"]));
    [paragraph("TH", &caption), table].concat()
}

fn abbreviations(count: usize, version: Version) -> String {
    let line =
        |index: usize| paragraph("EX", &format!("AB{index}\tThe {} of it", word(index, version)));
    [paragraph("Heading1", "3\tAbbreviations"), each(count, line)].concat()
}

fn change_history(count: usize, version: Version) -> String {
    let line = |index: usize| {
        let number = format!("{index:04}");
        let subject = format!("Corrections to the {}", word(index, version));
        row(
            "TAL",
            &["2023-12", "RAN#102", "RP-233000", &number, "1", "F", &subject, version.as_str()],
        )
    };
    let head = row(
        "TAH",
        &["Date", "Meeting", "TDoc", "CR", "Rev", "Cat", "Subject/Comment", "New version"],
    );
    let table = format!("<w:tbl>{head}{}</w:tbl>", each(count, line));
    [paragraph("Heading8", "Annex A (informative):\nChange history"), table].concat()
}
