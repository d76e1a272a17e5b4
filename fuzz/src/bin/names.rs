//! Any text as the sections of a specification that define names: listings of ASN.1 and OpenAPI, and tables, a row to a line
//! with bars between its cells. Sections stand behind lines that begin with `#`.

#![no_main]

use document_model::{Block, CellParagraph, CodeBlock, CodeLanguage, Table, TableCell, TableRow};
use libfuzzer_sys::fuzz_target;
use names::{ListingRule, SectionBlocks, base_name, find_disagreements, name_key, read_names};

fuzz_target!(|text: &str| {
    let sections: Vec<(String, Vec<Block>)> = text
        .split("\n#")
        .map(|section| {
            let (title, rest) = section.split_once('\n').unwrap_or((section, ""));
            (title.to_owned(), rest.split("\n\n").map(to_block).collect())
        })
        .collect();
    for (title, blocks) in &sections {
        let found = read_names("6.2.2", title, blocks, ListingRule::All);
        for name in &found.names {
            let base = base_name(&name.name);
            assert!(name_key(&name.name).starts_with(&name_key(base)), "{:?}", name.name);
        }
        let _ = found.used_types();
    }
    let sections: Vec<SectionBlocks<'_>> = sections
        .iter()
        .map(|(title, blocks)| SectionBlocks { number: "6.2.2", title, blocks })
        .collect();
    for finding in find_disagreements(&sections) {
        assert!(!finding.places.is_empty(), "{}", finding.message);
        assert!(finding.places.iter().all(|place| place.section < sections.len()));
    }
});

/// Text with bars is a table, and all other text a listing.
fn to_block(text: &str) -> Block {
    if !text.contains('|') {
        let language = CodeLanguage::detect(text);
        return Block::Code(CodeBlock { language, text: text.to_owned() });
    }
    let rows = text.lines().enumerate().map(|(index, line)| TableRow {
        is_head: index == 0,
        skipped_columns: 0,
        cells: line.split('|').map(to_cell).collect(),
    });
    Block::Table(Table { caption: None, rows: rows.collect() })
}

fn to_cell(text: &str) -> TableCell {
    let paragraphs = vec![CellParagraph { label: None, text: text.into() }];
    TableCell { span: 1, continues: false, paragraphs }
}
