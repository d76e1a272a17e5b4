//! Small parts of XML read as a whole: charts, diagrams, pages of drawings.
//!
//! The parser compares the attributes of an element with each other, and copies the namespaces of
//! the enclosing elements: long tags and many namespaces are rejected before it reads them.

use roxmltree::{Document, ParsingOptions};

/// Maximum bytes of a part.
const MAX_PART_BYTES: usize = 8 << 20;
/// Maximum bytes of a tag. It has room for more than a thousand attributes, which take half a million comparisons.
const MAX_TAG_BYTES: usize = 8 << 10;
/// Maximum number of namespaces that a part declares; each element may copy all of them.
const MAX_NAMESPACES: usize = 500;
/// Maximum number of elements and texts of a part: 8 MiB can have two million, each of which the tree makes larger.
const MAX_NODES: u32 = 400_000;
/// Bytes at the beginning of a part in which its marker is searched for; its root element is in them, and most parts
/// are pictures, of any size.
const MARKER_BYTES: usize = 2000;

/// Parses a part that contains `marker` near its beginning; `None` if it does not, is too large, or
/// is not well-formed.
pub(super) fn parse_document<'a>(bytes: &'a [u8], marker: &str) -> Option<Document<'a>> {
    if bytes.len() > MAX_PART_BYTES {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    // The cheap check comes first: most of the parts are pictures.
    let beginning = &text[..text.floor_char_boundary(MARKER_BYTES)];
    if !beginning.contains(marker) || text.matches("xmlns").count() > MAX_NAMESPACES {
        return None;
    }
    let is_long = |tag: &str| tag.find('>').unwrap_or(tag.len()) > MAX_TAG_BYTES;
    if text.split('<').skip(1).any(is_long) {
        return None;
    }
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_would_take_long_to_parse_are_refused() {
        assert!(parse_document(b"<part><a/></part>", "part").is_some());
        let attributes: String = (0..3000).map(|n| format!(" a{n}=\"\"")).collect();
        let namespaces: String = (0..600).map(|n| format!("<a xmlns:n{n}=\"u\"/>")).collect();
        let many = "<a/>".repeat(500_000);
        let large = " ".repeat(9 << 20);
        for inner in [format!("<a{attributes}/>"), namespaces, many, large] {
            assert!(parse_document(format!("<part>{inner}</part>").as_bytes(), "part").is_none());
        }
        assert!(parse_document(b"<other/>", "part").is_none());
        assert!(parse_document(b"<part>", "part").is_none());
    }
}
