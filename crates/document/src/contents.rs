//! The table of contents as printed: one paragraph for each entry, page number at the end.

use std::collections::HashSet;

use crate::document::{ContentsEntry, Document};
use crate::heading::parse_heading;
use crate::text::collapse_whitespace;

/// An entry from the text of one paragraph, without its page number; `None` for an empty line.
pub fn parse_contents_entry(text: &str) -> Option<ContentsEntry> {
    let heading = parse_heading(strip_page_number(text).0);
    let title = heading.title;
    if title.is_empty() && heading.number.is_none() {
        return None;
    }
    let number = heading.number.unwrap_or_else(|| collapse_whitespace(&title));
    Some(ContentsEntry { number, title })
}

/// Whether the line ends with a page number, as an entry does.
pub fn has_page_number(text: &str) -> bool {
    strip_page_number(text).1
}

/// Cuts `<tab>123`, `<tab>xii` or `....... 123` off the end.
fn strip_page_number(text: &str) -> (&str, bool) {
    let text = text.trim_end();
    let end =
        text.rfind(['\t', '.']).map(|at| at + 1).or_else(|| text.rfind("  ").map(|at| at + 2));
    let Some(page_start) = end else { return (text, false) };
    let (before, page) = (&text[..page_start], text[page_start..].trim_start());
    let leader = before.ends_with('\t') || before.ends_with("...") || before.ends_with("  ");
    let digits = !page.is_empty() && page.len() <= 5 && page.bytes().all(|b| b.is_ascii_digit());
    let roman = !page.is_empty() && page.bytes().all(|b| b"ivxlc".contains(&b));
    if !leader || !(digits || roman) {
        return (text, false);
    }
    let before = before.trim_end();
    // A full stop before the tab belongs to the title, a row of stops is the leader.
    (if before.ends_with("..") { before.trim_end_matches(['.', ' ']) } else { before }, true)
}

/// The entries of the printed table of contents without a section of that number and title, as printed.
pub fn find_missing_entries(document: &Document) -> Vec<String> {
    let fold = |text: &str| collapse_whitespace(text).to_lowercase();
    let mut numbered = HashSet::new();
    let mut titles = HashSet::new();
    for section in &document.sections {
        titles.insert(fold(&section.title));
        numbered.insert((section.number.as_str(), fold(&section.title)));
    }
    let is_missing = |entry: &&ContentsEntry| {
        let title = fold(&entry.title);
        let is_titled = entry.number == entry.title && titles.contains(&title);
        !is_titled && !numbered.contains(&(entry.number.as_str(), title))
    };
    let missing = document.printed_contents.iter().filter(is_missing);
    missing.map(|entry| format!("{} {}", entry.number, entry.title)).collect()
}

#[cfg(test)]
mod tests {
    use crate::contents::*;
    use crate::document::Section;

    #[test]
    fn entries_without_a_section_are_missing() {
        let section = |number: &str, title: &str| Section {
            number: number.to_owned(),
            title: title.to_owned(),
            ..Section::default()
        };
        let lines = ["Foreword\t3", "1\tScope\t4", "5.1\tGeneral  case\t5", "5.2\tLost\t6"];
        let document = Document {
            sections: vec![
                section("Foreword", "Foreword"),
                section("1", "Scope"),
                section("5.1", "General Case"),
                section("5.2", "Other"),
            ],
            printed_contents: lines.into_iter().filter_map(parse_contents_entry).collect(),
            ..Document::default()
        };
        assert_eq!(find_missing_entries(&document), ["5.2 Lost"]);
    }

    #[test]
    fn page_numbers_are_cut_off_and_numbers_kept() {
        for (line, number, title) in [
            ("5.3.1\tIntroduction\t57", "5.3.1", "Introduction"),
            ("Foreword\t5", "Foreword", "Foreword"),
            ("Annex B (informative): Change history\t30", "B", "Change history"),
            ("1 Scope......... 9", "1", "Scope"),
            ("\u{2013}\tBWP\t639", "BWP", "BWP"),
            ("4.2\tCases of use.\t8", "4.2", "Cases of use."),
            ("4.2\tReleases 15 and 16\t12", "4.2", "Releases 15 and 16"),
        ] {
            let entry = parse_contents_entry(line).expect(line);
            assert_eq!((entry.number.as_str(), entry.title.as_str()), (number, title));
            assert!(has_page_number(line), "{line}");
        }
        assert_eq!(parse_contents_entry(" \t "), None);
        assert!(!has_page_number("\tthe range extends to 327"));
    }
}
