//! The second look at a package: the walk through its text, and the parts that nobody visited.

use std::io::{BufReader, Read, Seek};

use document::{Archive, Limits, UnpackBudget, one_line};
use domain::{ReadingCheck, ReadingCheckKind};
use reading_check::{PrintedText, StyleRoles, carries_text, find_body_name, walk_body};

/// The parts beside the body whose text is printed with it.
const NOTE_PARTS: [&str; 2] = ["footnotes.xml", "endnotes.xml"];

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
    let styles = StyleRoles::read_styles(&styles);
    let mut printed = PrintedText::default();
    let markup = archive.open_entry(&body, &body, limits, &budget).ok()??;
    walk_body(BufReader::new(markup), &styles, &mut printed).ok()?;
    for part in NOTE_PARTS.map(|part| format!("{folder}/{part}")) {
        if let Ok(Some(markup)) = archive.open_entry(&part, &part, limits, &budget) {
            walk_body(BufReader::new(markup), &styles, &mut printed).ok()?;
        }
    }
    Some(printed)
}

/// The parts of a package that carry text, and those of them that its reader never opened. `draws` says whether it reads what is drawn.
pub(crate) fn find_unvisited<R: Read + Seek>(archive: &Archive<R>, draws: bool) -> ReadingCheck {
    let mut check = ReadingCheck::new(ReadingCheckKind::Parts);
    for (entry, is_opened) in archive.visited_entries() {
        if !entry.directory && carries_text(&entry.name, draws) {
            let (name, bytes) = (one_line(&entry.name), entry.bytes);
            check.count_one(is_opened, || format!("'{name}' ({bytes} bytes)"));
        }
    }
    check
}
