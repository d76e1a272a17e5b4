//! The second look at a file: what its package prints, against the sections that were read.

use std::io::{BufReader, Read, Seek};

use document::{Archive, Document, Limits, Section, UnpackBudget, find_missing_entries};
use document_model::Block;
use domain::{ReadingCheck, ReadingCheckKind};
use reading_check::{
    PrintedText, StoredSection, StyleRoles, compare_text, find_body_name, walk_body,
};

/// What a package prints; `None` if it could not be walked.
pub(crate) fn walk_package<R: Read + Seek>(
    archive: &mut Archive<R>,
    limits: &Limits,
) -> Option<PrintedText> {
    // The reader has unpacked the same parts within the file's budget.
    let budget = UnpackBudget::new(limits);
    let mut read_text = |part: &str| {
        let bytes = archive.read_entry(part, part, limits, &budget).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let body = find_body_name(&read_text("[Content_Types].xml").unwrap_or_default());
    let folder = body.rsplit_once('/').map_or("", |(folder, _)| folder);
    let styles = read_text(&format!("{folder}/styles.xml")).unwrap_or_default();
    let markup = archive.open_entry(&body, &body, limits, &budget).ok()??;
    let mut printed = PrintedText::default();
    let styles = StyleRoles::read_styles(&styles);
    walk_body(BufReader::new(markup), &styles, &mut printed).ok()?;
    Some(printed)
}

/// Checks a document against what its packages print.
pub(crate) fn check_reading(printed: &PrintedText, document: &Document) -> Vec<ReadingCheck> {
    let sections: Vec<StoredSection<'_>> = document.sections.iter().map(to_stored).collect();
    compare_text(printed, &sections)
}

/// Sentences about what a document lacks. Without a second look, its entries of the table of contents are compared as its reader
/// understood them.
pub(crate) fn describe_missing(document: &Document) -> Vec<String> {
    if let Some(checks) = &document.reading {
        let worth = checks.iter().filter(|check| check.is_worth_warning());
        return worth.map(ReadingCheck::describe).collect();
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
