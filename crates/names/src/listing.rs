//! The listing of a section: its code as one text.

use document_model::{Block, CodeLanguage};

/// A comment that says which ASN.1 belongs to the module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListingMark {
    /// `-- ASN1START`
    Start,
    /// `-- /example/ ASN1START`, the beginning of an example.
    ExampleStart,
    /// `-- ASN1STOP`
    Stop,
}

impl ListingMark {
    /// The mark that a line is, also misprinted: `--- ASN1START`, `--ASN1START`, `-- ASN1 START`, with dashes instead of
    /// hyphens.
    fn read(line: &str) -> Option<Self> {
        let is_dash = |c: char| c == '-' || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
        let line = line.trim();
        let comment = line.trim_start_matches(is_dash);
        if comment.len() == line.len() || !comment.contains("ASN1") {
            return None;
        }
        let words: String = comment.chars().filter(|c| !c.is_whitespace()).collect();
        match () {
            () if words.starts_with("ASN1START") => Some(Self::Start),
            () if words.contains("ASN1START") => Some(Self::ExampleStart),
            () if words.contains("ASN1STOP") => Some(Self::Stop),
            () => None,
        }
    }
}
/// Maximum length of a paragraph, in bytes, that may be a line of code in another style; a longer one is text between
/// two listings.
const MAX_STRAY_BYTES: usize = 100;

/// Maximum length of a listing, in bytes: that of all of 38.331 has 1.6 million. Names contain copies of the
/// definitions around them, so a larger limit multiplies memory.
pub(crate) const MAX_LISTING_BYTES: usize = 4 << 20;

/// Code of a section that belongs to a module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The code.
    pub(crate) text: String,
    /// Whether comments mark where it begins and ends.
    pub(crate) is_marked: bool,
}

/// The ASN.1 of a section; `None` if it has none, or more than a module can have. If comments mark what belongs to the
/// module, the rest is left out: it is an example.
pub(crate) fn find_listing(blocks: &[Block]) -> Option<Listing> {
    let has_code =
        |block: &Block| matches!(block, Block::Code(code) if code.language != CodeLanguage::Xml);
    let first = blocks.iter().position(has_code)?;
    let last = blocks.iter().rposition(has_code)?;
    let mut text = String::new();
    // Brackets that were opened and not closed.
    let mut open = 0i64;
    for block in &blocks[first..=last] {
        let line = match block {
            Block::Code(code) => code.text.as_str(),
            // A line of an open definition may be in another style; without it the definition would end there.
            Block::Paragraph(paragraph)
                if open > 0 && paragraph.text.as_str().len() <= MAX_STRAY_BYTES =>
            {
                paragraph.text.as_str()
            }
            _ => continue,
        };
        open += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        push_line(&mut text, line);
        if text.len() > MAX_LISTING_BYTES {
            return None;
        }
    }
    let begins = |line| {
        matches!(ListingMark::read(line), Some(ListingMark::Start | ListingMark::ExampleStart))
    };
    if !text.lines().any(begins) {
        return text.contains("::=").then_some(Listing { text, is_marked: false });
    }
    let marked = keep_marked(&text);
    (!marked.trim().is_empty()).then_some(Listing { text: marked, is_marked: true })
}

/// Which listings of a document belong to its modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListingRule {
    /// All: none has marks.
    All,
    /// Those with marks, and those without marks outside annexes: annexes have examples.
    Marked,
}

impl ListingRule {
    /// The rule of a document, by the blocks of its sections.
    pub fn of_document<'a>(sections: impl Iterator<Item = &'a [Block]>) -> Self {
        let listings: Vec<Listing> = sections.filter_map(find_listing).collect();
        Self::of_listings(listings.iter())
    }

    /// The rule of a document, by the listings of its sections.
    pub(crate) fn of_listings<'a>(mut listings: impl Iterator<Item = &'a Listing>) -> Self {
        if listings.any(|listing| listing.is_marked) { Self::Marked } else { Self::All }
    }

    /// Whether a listing belongs to a module, by the number of its section.
    pub(crate) fn admits(self, section_number: &str, listing: &Listing) -> bool {
        let mut signs = section_number.chars();
        let is_annex = signs.next().is_some_and(|c| c.is_ascii_uppercase())
            && signs.next().is_none_or(|c| c == '.');
        self == Self::All || listing.is_marked || !is_annex
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The lines between the marks.
fn keep_marked(text: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = false;
    for line in text.lines() {
        match ListingMark::read(line) {
            Some(mark) => is_kept = mark == ListingMark::Start,
            None if is_kept => push_line(&mut kept, line),
            None => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_known_as_they_are_misprinted() {
        for start in [
            "-- ASN1START",
            "--- ASN1START",
            "--ASN1START",
            "-- ASN1 START",
            "\u{2013}- ASN1START",
            "\u{2013}\u{2013} ASN1START",
            "\u{2014} ASN1START",
            "- ASN1START",
        ] {
            let text =
                format!("{start}\nA ::= INTEGER\n{}\nrest\n", start.replace("START", "STOP"));
            assert_eq!(keep_marked(&text), "A ::= INTEGER\n", "{start}");
        }
        let example = "-- /example/ ASN1START\nA ::= INTEGER\n-- ASN1STOP\n";
        assert_eq!(keep_marked(example), "");
        assert_eq!(keep_marked("-- ASN1START\nx -- no ASN1STOP here\n"), "x -- no ASN1STOP here\n");
    }
}
