//! The clauses of a specification that contain some words.

use maud::{Markup, html};
use store::{DocumentEntry, SectionHead, SectionKey, Snapshot, StoreError};

use super::contents::format_heading;
use crate::ui::reader_path::reader_path;

/// Maximum number of clauses that are listed: a word such as `shall` is in nearly every one.
const MAX_LISTED: usize = 300;
/// Bytes of text on either side of the words.
const CONTEXT_BYTES: usize = 70;
/// Shortest and longest text that is searched for, in bytes; a single letter is in nearly every clause.
pub(super) const WORDS: std::ops::RangeInclusive<usize> = 2..=200;

/// A clause with the words.
struct FoundSection<'a> {
    head: &'a SectionHead,
    count: usize,
    /// The text around the first of them.
    before: String,
    words: String,
    after: String,
}

/// Renders the clauses of a version that contain some words, in either case.
pub(super) fn render_found(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    words: &str,
) -> Result<Markup, StoreError> {
    let heads = snapshot.documents().section_heads(entry.id)?;
    let mut found = Vec::new();
    let (mut sections, mut total) = (0, 0);
    for (ordinal, head) in (0u32..).zip(&heads) {
        let text = snapshot.documents().section_text(SectionKey { document: entry.id, ordinal })?;
        if let Some(section) = find_in_section(head, &text, words) {
            sections += 1;
            total += section.count;
            if found.len() < MAX_LISTED {
                found.push(section);
            }
        }
    }
    let row = &entry.row;
    let version = row.version.to_string();
    Ok(html! {
        section.find-page {
            h1 { "Find in " (row.doc_type) " " (row.number) " " (row.version) }
            form method="get" role="search" {
                input type="search" name="q" value=(words) aria-label="Words to find" maxlength="200";
                button type="submit" { "Find" }
            }
            p.found-count role="status" {
                @if words.len() < *WORDS.start() { "Enter at least two letters." }
                @else if sections == 0 { "No clause contains " q { (words) } "." }
                @else { (total) " matches in " (sections) @if sections == 1 { " clause" } @else { " clauses" } }
            }
            ol.found-sections {
                @for section in &found {
                    @let path = reader_path(row.number.as_str(), &version, Some(&section.head.number));
                    li data-count=(section.count) {
                        a href=(path) { (format_heading(section.head)) }
                        " " span.tag { (section.count) }
                        p { "\u{2026}" (section.before) mark { (section.words) } (section.after) "\u{2026}" }
                    }
                }
            }
            @if sections > found.len() { p { "The first " (found.len()) " clauses are shown." } }
        }
    })
}

fn find_in_section<'a>(head: &'a SectionHead, text: &str, words: &str) -> Option<FoundSection<'a>> {
    if !WORDS.contains(&words.len()) {
        return None;
    }
    let mut places = find_places(text, words);
    let (start, end) = places.next()?;
    let boundary_before = start.saturating_sub(CONTEXT_BYTES);
    let from = (boundary_before..=start).find(|at| text.is_char_boundary(*at)).unwrap_or(start);
    let boundary_after = (end + CONTEXT_BYTES).min(text.len());
    let to = (end..=boundary_after).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(end);
    Some(FoundSection {
        head,
        count: 1 + places.count(),
        before: text[from..start].to_owned(),
        words: text[start..end].to_owned(),
        after: text[end..to].to_owned(),
    })
}

/// The places of words in a text: letters of ASCII in either case.
fn find_places<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
    let (bytes, wanted) = (text.as_bytes(), words.as_bytes());
    let first = wanted.first().copied().unwrap_or_default();
    let starts = [first.to_ascii_lowercase(), first.to_ascii_uppercase()];
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(offset) = bytes.get(from..)?.iter().position(|byte| starts.contains(byte)) {
            let start = from + offset;
            let candidate = bytes.get(start..start + wanted.len())?;
            if candidate.eq_ignore_ascii_case(wanted) {
                from = start + wanted.len();
                return Some((start, from));
            }
            from = start + 1;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_either_case_and_counted() {
        let head = SectionHead {
            number: "5".to_owned(),
            title: String::new(),
            level: 1,
            parent: None,
            token_count: 0,
            fragment_count: 0,
        };
        let text = "The \u{e9}t\u{e9} of T310: when t310 expires, stop T310.";
        let found = find_in_section(&head, text, "t310").expect("found");
        assert_eq!((found.count, found.words.as_str()), (3, "T310"));
        assert_eq!(found.before, "The \u{e9}t\u{e9} of ");
        for words in ["t311", "t", "", &"x".repeat(300)] {
            assert!(find_in_section(&head, text, words).is_none(), "{words}");
        }
    }
}
