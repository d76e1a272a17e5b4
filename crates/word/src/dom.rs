//! Small parts of XML read as a whole: charts, diagrams, pages of drawings.
//!
//! The parser compares the attributes of an element with each other, and copies the namespaces of
//! those around it: long tags and many namespaces are refused before it sees them.

use roxmltree::{Document, ParsingOptions};

/// Bytes of a part.
const LONGEST: usize = 8 << 20;
/// Bytes of a tag.
const LONGEST_TAG: usize = 8 << 10;
/// Namespaces that a part declares.
const MOST_NAMESPACES: usize = 500;
/// Elements and texts of a part.
const MOST_NODES: u32 = 400_000;

/// Reads a part that holds `word` near its beginning; none where it does not, is too large, or is
/// not sound.
pub(super) fn parse<'a>(bytes: &'a [u8], word: &str) -> Option<Document<'a>> {
    if bytes.len() > LONGEST {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    // Cheap before all else: most of what is asked about are pictures.
    let beginning = &text[..text.floor_char_boundary(2000)];
    if !beginning.contains(word) || text.matches("xmlns").count() > MOST_NAMESPACES {
        return None;
    }
    let is_long = |tag: &str| tag.find('>').unwrap_or(tag.len()) > LONGEST_TAG;
    if text.split('<').skip(1).any(is_long) {
        return None;
    }
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_take_long_is_refused() {
        assert!(parse(b"<part><a/></part>", "part").is_some());
        let attributes: String = (0..3000).map(|n| format!(" a{n}=\"\"")).collect();
        let namespaces: String = (0..600).map(|n| format!("<a xmlns:n{n}=\"u\"/>")).collect();
        let many = "<a/>".repeat(500_000);
        let large = " ".repeat(9 << 20);
        for inner in [format!("<a{attributes}/>"), namespaces, many, large] {
            assert!(parse(format!("<part>{inner}</part>").as_bytes(), "part").is_none());
        }
        assert!(parse(b"<other/>", "part").is_none());
        assert!(parse(b"<part>", "part").is_none());
    }
}
