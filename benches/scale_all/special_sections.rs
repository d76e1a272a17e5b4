//! The clauses that every specification has, and those of protocols: references, definitions, abbreviations, listings,
//! timers, history. Programs read rows from them, so they stand as real documents have them.

use document_model::{Block, CellParagraph, CodeBlock, CodeLanguage, Table, TableCell, TableRow};

use crate::{
    random::Random,
    specification::{Specification, VERSIONS, cited_index, mix, paragraph},
    words::Vocabulary,
};

/// Every so many specifications one is of a protocol, with messages and timers.
const SPECIFICATIONS_PER_PROTOCOL: u64 = 12;
const FIRST: [(&str, &str); 5] = [
    ("1", "Scope"),
    ("2", "References"),
    ("3", "Definitions and abbreviations"),
    ("3.1", "Definitions"),
    ("3.2", "Abbreviations"),
];
const TIMERS: (&str, &str) = ("90", "Timers");
const HISTORY: (&str, &str) = ("Z", "Change history");
/// Messages of a protocol, each in a clause of its own.
const MESSAGES: [&str; 24] = [
    "91", "91.1", "91.2", "91.3", "91.4", "91.5", "91.6", "91.7", "91.8", "91.9", "91.10", "91.11",
    "91.12", "91.13", "91.14", "91.15", "91.16", "91.17", "91.18", "91.19", "91.20", "91.21",
    "91.22", "91.23",
];

/// Numbers and titles of special clauses: those before the others, and those after them.
pub(crate) fn special_heads(index: u64) -> [Vec<(&'static str, &'static str)>; 2] {
    let mut last = Vec::new();
    if is_protocol(index) {
        last.push(TIMERS);
        last.extend(MESSAGES.map(|number| (number, "Message definitions")));
    }
    last.push(HISTORY);
    [FIRST.to_vec(), last]
}

/// Whether a specification is that of a protocol.
pub(crate) fn is_protocol(index: u64) -> bool {
    index.is_multiple_of(SPECIFICATIONS_PER_PROTOCOL)
}

/// The name of a message of a protocol.
pub(crate) fn message_name(spec: &Specification, words: &Vocabulary, message: usize) -> String {
    let name: String =
        words.name(spec.names[message]).chars().filter(char::is_ascii_alphanumeric).collect();
    let (first, rest) = name.split_at(1);
    format!("{}{rest}Request", first.to_ascii_uppercase())
}

/// The blocks of a special clause; none for others.
pub(crate) fn make_special_blocks(
    spec: &Specification,
    words: &Vocabulary,
    version: usize,
    clause: usize,
) -> Option<Vec<Block>> {
    let mut random = Random(mix(&[6, spec.index, clause as u64]));
    let number = spec.clauses[clause].number.as_str();
    let blocks = match number {
        "2" => make_references(spec, words, &mut random),
        "3.1" => make_definitions(words, &mut random),
        "3.2" => make_abbreviations(words, &mut random),
        "90" => vec![make_timers(words, &mut random)],
        "Z" => vec![make_history(spec, words, version)],
        _ => {
            let message = MESSAGES.iter().position(|message| *message == number)?;
            let wording = spec.wording(version, clause, 0);
            make_message(spec, words, message, wording)
        }
    };
    Some(blocks)
}

fn make_references(spec: &Specification, words: &Vocabulary, random: &mut Random) -> Vec<Block> {
    let line = |reference: u64| {
        let cited = Specification::number_of(cited_index(spec.index, reference));
        paragraph(format!("[{reference}]\t3GPP TS {cited}: \"{}\".", words.write_title(random)))
    };
    (1..10).map(line).collect()
}

fn make_definitions(words: &Vocabulary, random: &mut Random) -> Vec<Block> {
    let mut blocks = vec![paragraph("For the purposes of the present document:".to_owned())];
    for _ in 0..6 + random.below(12) {
        let mut text = format!("{}: ", words.write_title(random));
        let count = 12 + random.below(20) as usize;
        words.write_sentences(&mut text, random, count, &[]);
        blocks.push(paragraph(text));
    }
    blocks
}

fn make_abbreviations(words: &Vocabulary, random: &mut Random) -> Vec<Block> {
    let line = |_| {
        let meaning: Vec<String> = (0..3)
            .map(|_| {
                let word = words.draw_word(random);
                word[..1].to_uppercase() + &word[1..]
            })
            .collect();
        let short: String = meaning.iter().map(|word| &word[..1]).collect();
        paragraph(format!("{short}{}\t{}", random.below(9), meaning.join(" ")))
    };
    (0..25).map(line).collect()
}

fn make_timers(words: &Vocabulary, random: &mut Random) -> Block {
    let head = ["Timer", "Start", "Stop", "At expiry"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for timer in 0..20 {
        let mut row = vec![format!("T{}", 300 + timer * 3 + random.below(3))];
        for _ in 0..3 {
            let mut text = String::new();
            words.write_sentences(&mut text, random, 9, &[]);
            row.push(text);
        }
        rows.push(row);
    }
    make_table("Table 90-1: Timers", rows)
}

fn make_history(spec: &Specification, words: &Vocabulary, version: usize) -> Block {
    let head = ["Date", "Meeting", "TDoc", "CR", "Rev", "Cat", "Subject/Comment", "New version"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (at, version) in VERSIONS.iter().enumerate().take(version + 1) {
        let mut random = Random(mix(&[7, spec.index, at as u64]));
        for change in 0..3 + random.below(8) {
            rows.push(vec![
                format!("20{}-03", 19 + at),
                format!("RAN#{}", 83 + at * 4),
                format!("RP-{}{:04}", 190 + at * 10, random.below(3000)),
                format!("{:04}", at as u64 * 20 + change + 1),
                "1".to_owned(),
                "F".to_owned(),
                words.write_title(&mut random),
                (*version).to_owned(),
            ]);
        }
    }
    make_table("", rows)
}

fn make_message(
    spec: &Specification,
    words: &Vocabulary,
    message: usize,
    wording: u64,
) -> Vec<Block> {
    let mut random = Random(mix(&[8, spec.index, message as u64, wording]));
    let name = message_name(spec, words, message);
    let mut fields = Vec::new();
    for field in 0..8 + random.below(14) {
        let letters: String =
            words.draw_word(&mut random).chars().filter(char::is_ascii_alphanumeric).collect();
        let lower = letters[..1].to_lowercase() + &letters[1..];
        fields.push(format!("{lower}-{field}"));
    }
    let mut code = format!("-- ASN1START\n\n{name} ::= SEQUENCE {{\n");
    for field in &fields {
        let bound = 1 + random.below(4000);
        code.push_str(&format!("    {field}    INTEGER (0..{bound})    OPTIONAL,    -- Need M\n"));
    }
    code.push_str("    ...\n}\n\n-- ASN1STOP");
    let mut rows = vec![vec![format!("{name} field descriptions")]];
    for field in &fields {
        let mut text = format!("{field}\n");
        words.write_sentences(&mut text, &mut random, 14, &spec.names);
        rows.push(vec![text]);
    }
    let mut intro = format!("The {name} message is used as follows. ");
    words.write_sentences(&mut intro, &mut random, 30, &spec.names);
    let listing = CodeBlock { language: CodeLanguage::Asn1, text: code };
    vec![paragraph(intro), Block::Code(listing), make_table("", rows)]
}

fn make_table(caption: &str, rows: Vec<Vec<String>>) -> Block {
    let cell = |text: String| {
        let lines = text.lines().map(|line| CellParagraph { label: None, text: line.into() });
        TableCell { span: 1, continues: false, paragraphs: lines.collect() }
    };
    let rows = rows.into_iter().enumerate().map(|(at, cells)| TableRow {
        is_head: at == 0,
        skipped_columns: 0,
        cells: cells.into_iter().map(cell).collect(),
    });
    let caption = (!caption.is_empty()).then(|| caption.into());
    Block::Table(Table { caption, rows: rows.collect() })
}
