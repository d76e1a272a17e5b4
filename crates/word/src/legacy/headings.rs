//! Headings of legacy files, corrected by the table of contents.

use std::collections::HashSet;

use document::{has_page_number, parse_contents_entry, parse_heading, split_number};
use domain::SectionNumber;

use crate::item::{BodyItem, BodyParagraph};
use crate::role::ParagraphRole;

/// Maximum bytes of a heading that is recognised by its form; a longer line that begins with a number is an item of a
/// list.
const MAX_HEADING_BYTES: usize = 150;

/// Corrects headings: the library calls every paragraph of an outline level a heading, and files
/// without styles have none.
pub(super) fn mark_headings(items: &mut [BodyItem]) {
    let numbered = |paragraph: &BodyParagraph| split_number(paragraph.text.trim()).is_some();
    let styled = items.iter_mut().filter_map(as_paragraph).any(|paragraph| {
        matches!(paragraph.role, ParagraphRole::Heading(_)) && numbered(paragraph)
    });
    let listed = collect_listed_headings(items, styled);
    if styled {
        drop_false_headings(items, &listed);
    } else {
        promote_headings(items, &listed);
    }
}

/// Number and title of each line of the table of contents; lines without the style of contents
/// are marked.
fn collect_listed_headings(items: &mut [BodyItem], styled: bool) -> HashSet<(String, String)> {
    let mut listed = HashSet::new();
    for paragraph in items.iter_mut().filter_map(as_paragraph) {
        let line = paragraph.text.trim();
        let marked = paragraph.role == ParagraphRole::Contents;
        let looks_listed =
            !styled && split_number(line).is_some() && line.len() <= 2 * MAX_HEADING_BYTES;
        if (marked || looks_listed) && has_page_number(line) {
            listed.extend(parse_contents_entry(line).map(|entry| (entry.number, entry.title)));
            paragraph.role = ParagraphRole::Contents;
        }
    }
    listed
}

/// Turns unnumbered headings that the table of contents does not list into text: lines of the cover,
/// and comments that structure code.
fn drop_false_headings(items: &mut [BodyItem], listed: &HashSet<(String, String)>) {
    let mut in_code = false;
    for paragraph in items.iter_mut().filter_map(as_paragraph) {
        if matches!(paragraph.role, ParagraphRole::Heading(_)) && !listed.is_empty() {
            let heading = parse_heading(&paragraph.text);
            let title = heading.title.clone();
            if heading.number.is_none() && !listed.contains(&(title.clone(), title)) {
                paragraph.role = if in_code { ParagraphRole::Code } else { ParagraphRole::Body };
            }
        }
        if !paragraph.text.trim().is_empty() {
            in_code = paragraph.role == ParagraphRole::Code;
        }
    }
}

/// Turns plain lines into headings: those that the table of contents lists, or, if there is none,
/// numbered lines in ascending order.
fn promote_headings(items: &mut [BodyItem], listed: &HashSet<(String, String)>) {
    let mut last: Option<SectionNumber> = None;
    for paragraph in items.iter_mut().filter_map(as_paragraph) {
        let line = paragraph.text.trim();
        let heading = parse_heading(line);
        let Some(number) = heading.number else {
            continue;
        };
        if paragraph.role != ParagraphRole::Body {
            continue;
        }
        let own = SectionNumber::new(&number);
        let is_ascending = last.as_ref().is_none_or(|last| *last < own);
        let looks_like_heading =
            line.len() <= MAX_HEADING_BYTES && !line.ends_with(['.', ';', ':', ',']);
        let is_heading = if listed.is_empty() {
            looks_like_heading && is_ascending && (line.contains('\t') || heading.annex)
        } else {
            listed.contains(&(number, heading.title))
        };
        if is_heading {
            let level = u8::try_from(own.as_str().split('.').count()).unwrap_or(9);
            paragraph.role = ParagraphRole::Heading(level.clamp(1, 9));
            last = Some(own);
        }
    }
}

fn as_paragraph(item: &mut BodyItem) -> Option<&mut BodyParagraph> {
    match item {
        BodyItem::Paragraph(paragraph) => Some(paragraph),
        BodyItem::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(lines: &[&str]) -> Vec<BodyItem> {
        let paragraph = |text: &&str| {
            BodyItem::Paragraph(BodyParagraph {
                text: (*text).to_owned(),
                ..BodyParagraph::default()
            })
        };
        lines.iter().map(paragraph).collect()
    }

    fn headings(items: &[BodyItem]) -> Vec<&str> {
        let mut headings = Vec::new();
        for item in items {
            item.visit_paragraphs(&mut |p| {
                if matches!(p.role, ParagraphRole::Heading(_)) {
                    headings.push(p.text.as_str());
                }
            });
        }
        headings
    }

    #[test]
    fn unstyled_headings_are_found_by_the_table_of_contents() {
        let mut items = items(&[
            "1\tScope\t5",
            "2\tTerms\t6",
            "1\tScope",
            "Text.",
            "2\tTerms",
            "7\tbits of the field",
        ]);
        mark_headings(&mut items);
        assert_eq!(headings(&items), ["1\tScope", "2\tTerms"]);
    }

    #[test]
    fn unstyled_headings_without_contents_are_found_by_ascending_numbers() {
        let mut items =
            items(&["1\tScope", "2\tTerms", "1\tof the list", "2.1\tWords", "3\tends in a stop."]);
        mark_headings(&mut items);
        assert_eq!(headings(&items), ["1\tScope", "2\tTerms", "2.1\tWords"]);
    }

    #[test]
    fn headings_that_are_not_listed_become_text_or_code() {
        let line = |role, text: &str| {
            BodyItem::Paragraph(BodyParagraph {
                role,
                text: text.to_owned(),
                ..BodyParagraph::default()
            })
        };
        let mut items = [
            line(ParagraphRole::Heading(1), "3GPP TS 29.999 V15.0.0 (2018-06)"),
            line(ParagraphRole::Contents, "Foreword\t4"),
            line(ParagraphRole::Contents, "1\tCodes\t5"),
            line(ParagraphRole::Heading(1), "Foreword"),
            line(ParagraphRole::Heading(1), "1\tCodes"),
            line(ParagraphRole::Code, "A ::= INTEGER"),
            line(ParagraphRole::Heading(4), "-- Common lists"),
        ];
        mark_headings(&mut items);
        assert_eq!(headings(&items), ["Foreword", "1\tCodes"]);
        assert!(matches!(&items[6], BodyItem::Paragraph(p) if p.role == ParagraphRole::Code));
    }
}
