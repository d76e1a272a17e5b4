//! The table of contents as printed: one paragraph for each entry, page number at the end.

use std::collections::{HashMap, HashSet};

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

/// The words of an entry that is meant to be compared: letters and digits in lower case. Blanks, dashes and quotation
/// marks differ between a heading and its entry, and a formula has its own notation in each.
pub fn fold_entry(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            // A command of LaTeX, such as `\mathrm`.
            '\\' => rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()),
            _ if c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ => {}
        }
    }
    out
}

/// The entries of the printed table of contents without a section of that number and title, as printed. Headings and
/// entries are compared as text, not by the numbers that were read from them.
pub fn find_missing_entries(document: &Document) -> Vec<String> {
    let mut headings = HashSet::new();
    let mut titles: HashMap<String, Vec<&str>> = HashMap::new();
    let mut previous = String::new();
    for section in &document.sections {
        let title = fold_entry(&section.title);
        let number = fold_entry(&section.number);
        let printed = if number == title { title.clone() } else { format!("{number}{title}") };
        // One heading may be printed as two paragraphs: "Annex A" and its title.
        headings.insert(format!("{previous}{title}"));
        for status in ["", "normative", "informative"] {
            headings.insert(format!("annex{number}{status}{title}"));
        }
        headings.insert(title);
        titles.entry(number).or_default().push(&section.title);
        headings.insert(printed.clone());
        previous = printed;
    }
    let is_missing = |entry: &&ContentsEntry| {
        let printed = print_entry(entry);
        let folded = fold_entry(&printed);
        let same_number = titles.get(&fold_entry(&entry.number));
        !is_listed_caption(&printed)
            && !headings.contains(&folded)
            && !headings.contains(folded.trim_end_matches(|c: char| c.is_ascii_digit()))
            && !same_number.into_iter().flatten().any(|title| is_reworded(&entry.title, title))
    };
    let missing = document.printed_contents.iter().filter(is_missing);
    missing.map(print_entry).collect()
}

/// Number and title in one line; a title alone once.
fn print_entry(entry: &ContentsEntry) -> String {
    if entry.number == entry.title {
        entry.title.clone()
    } else {
        format!("{} {}", entry.number, entry.title)
    }
}

/// Whether an entry is of a list of figures or tables: `Figure 68c: Procedure`.
fn is_listed_caption(entry: &str) -> bool {
    let (word, rest) = entry.split_once(' ').unwrap_or((entry, ""));
    matches!(word, "Figure" | "Table")
        && rest.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
}

/// Whether two titles share half of their words: the table of contents was not updated after a change of the title.
fn is_reworded(entry: &str, title: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        text.split_whitespace().map(fold_entry).filter(|word| !word.is_empty()).collect()
    };
    let (entry, title) = (words(entry), words(title));
    let shared = entry.intersection(&title).count();
    shared > 0 && shared * 2 >= entry.len().min(title.len())
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
    fn entries_are_found_however_they_are_printed() {
        for (line, number, title) in [
            ("5.1\tTime \u{2013} \u{201c}it\u{201d}\t4", "5.1", "Time - $i_{\\mathrm{t}}$"),
            ("5.1\tGeneral 12", "5.1", "General"),
            ("5.1\tGeneral aspects of the case\t4", "5.1", "General aspects"),
            ("Annex D (normative):\tCodes\t4", "D", "Codes"),
            ("Annex Da (normative):\tCodes\t4", "Da", "Codes"),
            ("6.2.1_1\tVariant\t4", "6.2.1_1", "Variant"),
            ("E.164 numbers\t4", "E.164 numbers", "E.164 numbers"),
            ("5.2 GHz band\t4", "5.2 GHz band", "5.2 GHz band"),
            ("Figure 68c: Procedure\t4", "1", "Scope"),
        ] {
            let section = Section {
                number: number.to_owned(),
                title: title.to_owned(),
                ..Section::default()
            };
            let entry = parse_contents_entry(line).expect(line);
            let document = Document {
                sections: vec![section],
                printed_contents: vec![entry],
                ..Document::default()
            };
            assert_eq!(find_missing_entries(&document), [""; 0], "{line}");
        }
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
