//! The second look at a file: what its package prints, against the sections that were read, and what the text itself shows of its gaps.

mod own_references;
mod package;
mod text_checks;

use document::{Document, Section, find_missing_entries};
use document_model::Block;
use domain::{ReadingCheck, ReadingCheckKind};
use reading_check::{PrintedText, StoredSection, compare_text};

pub(crate) use package::{find_unvisited, walk_package};
pub(crate) use text_checks::check_derived;
use text_checks::check_figures;

/// The checks whose findings are warnings of the document too. The reader has sentences of its own for the others.
const WARNED_KINDS: [ReadingCheckKind; 3] =
    [ReadingCheckKind::Words, ReadingCheckKind::Headings, ReadingCheckKind::Contents];

/// Checks a document against what its packages print, if they could be walked, and adds what its reader left out.
pub(crate) fn check_reading(
    printed: Option<&PrintedText>,
    document: &mut Document,
) -> Vec<ReadingCheck> {
    let sections: Vec<StoredSection<'_>> = document.sections.iter().map(to_stored).collect();
    let mut checks = compare_text(printed, &sections);
    checks.extend(check_figures(&document.sections));
    for gap in std::mem::take(&mut document.gaps) {
        add_gap(&mut checks, &gap);
    }
    checks
}

/// Adds what a reader left out. What both it and the second look count is not counted twice.
pub(crate) fn add_gap(checks: &mut Vec<ReadingCheck>, gap: &ReadingCheck) {
    let known = checks.iter_mut().find(|check| check.kind == gap.kind);
    match known {
        _ if gap.checked == 0 => {}
        None => checks.push(gap.clone()),
        Some(check) if gap.kind == ReadingCheckKind::Parts => check.add_check(gap),
        Some(check) if gap.missing > check.missing => {
            let checked = check.checked.max(gap.checked);
            *check = ReadingCheck { checked, ..gap.clone() };
        }
        Some(_) => {}
    }
}

/// Sentences about what a document lacks. Without a second look, its entries of the table of contents are compared as its reader
/// understood them.
pub(crate) fn describe_missing(document: &Document) -> Vec<String> {
    let checks = document.reading.as_deref().unwrap_or_default();
    if ReadingCheck::compare_file(checks) {
        let worth = checks.iter().filter(|check| check.is_worth_warning());
        let warned = worth.filter(|check| WARNED_KINDS.contains(&check.kind));
        return warned.map(ReadingCheck::describe).collect();
    }
    let missing = find_missing_entries(document);
    if missing.is_empty() {
        return Vec::new();
    }
    let mut check = ReadingCheck::new(ReadingCheckKind::Contents);
    check.checked = document.printed_contents.len() as u64;
    missing.iter().for_each(|entry| check.add_failures(1, entry));
    vec![check.describe()]
}

fn to_stored(section: &Section) -> StoredSection<'_> {
    let mut texts: Vec<&str> = Vec::new();
    for block in &section.blocks {
        texts.extend(block.texts().into_iter().map(|text| text.as_str()));
        match block {
            Block::ListItem(item) => texts.extend(item.label.as_deref()),
            Block::Code(code) => texts.push(&code.text),
            Block::Paragraph(_) | Block::Table(_) => {}
        }
    }
    for figure in &section.figures {
        texts.extend(figure.caption.iter().chain(&figure.labels).map(String::as_str));
    }
    texts.extend(section.inline_pictures.iter().map(|picture| picture.words.as_str()));
    StoredSection { number: &section.number, title: &section.title, texts }
}
