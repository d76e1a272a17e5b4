//! Any text as the sections of a specification that define names: listings of ASN.1 and OpenAPI, tables, a row to a line
//! with bars between its cells, paragraphs behind `=` and items of lists behind one `*` for each level. Sections stand behind lines that
//! begin with `#`.

#![no_main]

use document_model::{
    Block, CellParagraph, CodeBlock, CodeLanguage, ListItem, Paragraph, Table, TableCell, TableRow,
};
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

/// Text with bars is a table, and text without a sign before it a listing.
fn to_block(text: &str) -> Block {
    if let Some(text) = text.strip_prefix('=') {
        return Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() });
    }
    let item = text.trim_start_matches('*');
    if item.len() < text.len() {
        let depth = u8::try_from(text.len() - item.len()).unwrap_or(u8::MAX);
        return Block::ListItem(ListItem { depth, label: None, text: item.into(), changed: false });
    }
    if !text.contains('|') {
        let language = CodeLanguage::detect(text);
        return Block::Code(CodeBlock { language, text: text.to_owned() });
    }
    let (caption, text) = match text.split_once(":: ") {
        Some((caption, rest)) => (Some(caption.into()), rest),
        None => (None, text),
    };
    let rows = text.lines().enumerate().map(|(index, line)| TableRow {
        is_head: index == 0,
        skipped_columns: 0,
        cells: line.split('|').map(to_cell).collect(),
    });
    Block::Table(Table { caption, rows: rows.collect() })
}

fn to_cell(text: &str) -> TableCell {
    let paragraphs = vec![CellParagraph { label: None, text: text.into() }];
    TableCell { span: 1, continues: false, paragraphs }
}
