//! Headings without the style of one: lines of the text that the table of contents lists.

use std::collections::HashSet;

use document::{
    ContentsEntry, Heading, collapse_whitespace, fold_entry, has_page_number, parse_contents_entry,
    parse_heading,
};

use super::item::BodyParagraph;
use super::role::ParagraphRole;

/// Maximum bytes of a heading that the table of contents confirms. Longer lines are text, and are not compared.
const MAX_HEADING_BYTES: usize = 400;
/// Headings that one warning names.
const MAX_NAMED_HEADINGS: usize = 5;

/// The table of contents, and which of its entries no heading has been found for.
#[derive(Debug, Default)]
pub(super) struct ListedHeadings {
    /// Entries with a page number.
    paged: Vec<ContentsEntry>,
    /// Lines without one: in most documents the copyright and the titles of lists.
    unpaged: Vec<ContentsEntry>,
    /// Lines of the table of contents that do not have its style.
    unstyled: Vec<String>,
    /// The words of the entries without a heading.
    entries: HashSet<String>,
    /// Whether a heading with a style has been seen.
    styled: bool,
}

impl ListedHeadings {
    /// Adds a line of the table of contents.
    pub(super) fn add_line(&mut self, text: &str) {
        let Some(entry) = parse_contents_entry(text) else { return };
        let number = if entry.number == entry.title { "" } else { &entry.number };
        self.entries.insert(fold_entry(&format!("{number} {}", entry.title)));
        let target = if has_page_number(text) { &mut self.paged } else { &mut self.unpaged };
        target.push(entry);
    }

    /// Adds a line that looks like one of the table of contents.
    pub(super) fn add_unstyled_line(&mut self, text: &str) {
        self.add_line(text);
        self.unstyled.push(text.to_owned());
    }

    /// The lines that only looked like a table of contents: none of them led to a heading.
    pub(super) fn take_unconfirmed_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unstyled)
    }

    /// The entries in the order of the text. Lines without a page number are entries only if no line has one.
    pub(super) fn into_entries(self) -> Vec<ContentsEntry> {
        if self.paged.is_empty() { self.unpaged } else { self.paged }
    }

    /// Notes a heading that has a style: its entry is no longer looked for.
    pub(super) fn remove_entry(&mut self, heading: &Heading) {
        self.styled = true;
        self.entries.remove(&fold_heading(heading));
    }

    /// The heading that a line without a style is, if the table of contents lists it, and the level of its number. In a
    /// text whose headings have styles, only a number can be confirmed: titles repeat in the text.
    pub(super) fn find_heading(&mut self, paragraph: &BodyParagraph) -> Option<(Heading, u8)> {
        let text = paragraph.text.trim();
        if self.entries.is_empty()
            || paragraph.role != ParagraphRole::Body
            || text.is_empty()
            || text.len() > MAX_HEADING_BYTES
        {
            return None;
        }
        let heading = match paragraph.label.as_deref() {
            Some(label) => parse_heading(&format!("{label}\t{text}")),
            None => parse_heading(text),
        };
        let is_numbered = heading.number.is_some();
        if (!is_numbered && self.styled) || !self.entries.remove(&fold_heading(&heading)) {
            return None;
        }
        let fields = heading.number.as_deref().map_or(1, |number| number.split('.').count());
        // What the table of contents lists is a number, whatever separates it.
        Some((Heading { spaced: false, ..heading }, u8::try_from(fields).unwrap_or(9).min(9)))
    }
}

/// The words of a heading, as those of its entry.
fn fold_heading(heading: &Heading) -> String {
    fold_entry(&format!("{} {}", heading.number.as_deref().unwrap_or_default(), heading.title))
}

/// Whether a line without a style, before the first heading, is a line of the table of contents: it has a page number,
/// and a number of its own or other lines before it.
pub(super) fn is_unstyled_entry(paragraph: &BodyParagraph, in_contents: bool) -> bool {
    paragraph.role == ParagraphRole::Body
        && has_page_number(&paragraph.text)
        && (in_contents || parse_heading(&paragraph.text).number.is_some())
}

/// Whether a heading is that of the table of contents.
pub(super) fn is_contents_title(text: &str) -> bool {
    let text = collapse_whitespace(text).to_ascii_lowercase();
    matches!(text.as_str(), "" | "contents" | "table of contents" | "content")
}

/// A warning about headings that seem to begin with a number, which was not understood.
pub(super) fn describe_unknown_numbers(headings: &[String]) -> Option<String> {
    let listed = headings.get(..headings.len().min(MAX_NAMED_HEADINGS))?.join("; ");
    match headings.len() {
        0 => None,
        1 => Some(format!("1 heading begins with a number that was not understood: {listed}")),
        count => {
            Some(format!("{count} headings begin with a number that was not understood: {listed}"))
        }
    }
}
