//! Parameters of RRC in the specifications of the physical layer: the clause that describes each in most detail.
//!
//! The 21x specifications of the series 36 to 38 set the names of parameters in italics, `nrofSlots` or
//! `PUCCH-Config`, and describe how the terminal uses them. Type and values of a parameter are defined in the RRC
//! specification.

use std::{collections::HashMap, ops::Range};

use document_model::{Block, RichText, SpanKind};

use crate::name::{DefinedName, SectionNames};
use domain::DefinedNameKind;

/// Minimum and maximum length of a name: shorter words in italics are symbols of formulas.
const MIN_NAME_BYTES: usize = 5;
const MAX_NAME_BYTES: usize = 100;
/// Maximum length of a definition, in bytes: a clause may name a parameter in every paragraph.
const MAX_TEXT_BYTES: usize = 2000;
/// Words before a name that is not in italics.
const LEADS: [&str; 3] = ["higher layer parameter ", "higher-layer parameter ", "RRC parameter "];

/// Whether a document describes the physical layer, by its number: `38.213`, `36.211`, `37.213`.
pub(crate) fn describes_physical_layer(number: &str) -> bool {
    let Some((series, part)) = number.split_once('.') else { return false };
    matches!(series, "36" | "37" | "38") && part.len() == 3 && part.starts_with("21")
}

/// Reads the parameters that the texts of a section name, each with the paragraphs and items that name it.
pub fn read_physical_parameters(blocks: &[Block], into: &mut SectionNames) {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    // The paragraph that a list continues: `The UE is provided:`.
    let mut lead = "";
    for block in blocks {
        let (text, lead_of_item) = match block {
            Block::Paragraph(paragraph) => {
                let text = paragraph.text.as_str();
                lead = if text.ends_with(':') { text } else { "" };
                (&paragraph.text, "")
            }
            Block::ListItem(item) => (&item.text, lead),
            Block::Table(_) | Block::Code(_) => continue,
        };
        for name in parameter_names(text) {
            let place = *places.entry(name.to_owned()).or_insert_with(|| {
                found.push((name.to_owned(), String::new()));
                found.len() - 1
            });
            add_lines(&mut found[place].1, lead_of_item, text.as_str());
        }
    }
    let names = found.into_iter();
    into.names.extend(names.map(|(name, definition)| {
        DefinedName::in_row(DefinedNameKind::PhysicalParameter, name, definition)
    }));
}

/// Adds a text below the paragraph that it continues. The first one is stored whole, because a definition without it
/// would be empty.
fn add_lines(definition: &mut String, lead: &str, text: &str) {
    if !definition.is_empty() && definition.len() + lead.len() + text.len() > MAX_TEXT_BYTES {
        return;
    }
    for line in [lead, text] {
        if !line.is_empty() && !definition.contains(line) {
            if !definition.is_empty() {
                definition.push('\n');
            }
            definition.push_str(line);
        }
    }
}

/// The parameters that a text names, each once and in order.
fn parameter_names(text: &RichText) -> Vec<&str> {
    let plain = text.as_str();
    let italics = text.spans().iter().filter(|span| span.kind == SpanKind::Italic);
    let mut ranges: Vec<Range<usize>> =
        italics.map(|span| span.start as usize..span.end as usize).collect();
    let led = |lead: &str| {
        let behind = plain.match_indices(lead).map(|(at, lead)| at + lead.len());
        behind.map(|at| at..at + 1).collect::<Vec<_>>()
    };
    ranges.extend(LEADS.into_iter().flat_map(led));
    let mut names: Vec<&str> = Vec::new();
    let mut at = 0;
    for word in plain.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))) {
        // If part of a name is in italics, all of it counts: Word splits runs within a name.
        let (start, end) = (at, at + word.len());
        at = end + plain[end..].chars().next().map_or(0, char::len_utf8);
        let is_marked = || ranges.iter().any(|range| range.start < end && start < range.end);
        let name = word.trim_matches('-');
        if is_parameter(name) && !names.contains(&name) && is_marked() {
            names.push(name);
        }
    }
    names
}

/// Whether a word is spelled like a name of RRC: lower-case letters, and a capital after the first letter.
fn is_parameter(word: &str) -> bool {
    let is_sized = (MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&word.len());
    let has_small = word.bytes().filter(u8::is_ascii_lowercase).count() >= 3;
    let has_capital = word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    let begins = word.starts_with(|c: char| c.is_ascii_alphabetic());
    is_sized && begins && has_small && has_capital && !is_words(word)
}

/// Whether a word consists of capitalised words, such as `Type-A` or `Cross-Carrier`, which are not parameters.
fn is_words(word: &str) -> bool {
    word.split('-').all(|part| part.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()))
        && word.starts_with(|c: char| c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::{ListItem, Paragraph, RichTextBuilder};

    /// Text whose parts between asterisks are in italics.
    fn rich(marked: &str) -> RichText {
        let mut builder = RichTextBuilder::default();
        for (index, part) in marked.split('*').enumerate() {
            let start = builder.as_str().len();
            builder.push_str(part);
            if index % 2 == 1 {
                builder.add_span(start, start + part.len(), SpanKind::Italic);
            }
        }
        builder.finish()
    }

    fn paragraph(marked: &str) -> Block {
        Block::Paragraph(Paragraph { text: rich(marked), ..Paragraph::default() })
    }

    fn item(marked: &str) -> Block {
        Block::ListItem(ListItem {
            depth: 1,
            label: Some("-".into()),
            text: rich(marked),
            changed: false,
        })
    }

    #[test]
    fn a_parameter_has_the_paragraphs_that_name_it() {
        let blocks = [
            paragraph("The lamp blinks for *nrofBlinks* times, or once for *k* = 1."),
            paragraph("With *lampConfig and LAMP-Config* it is set, see the *Note-On* lamps."),
            paragraph(
                "If *nrof*Blinks is absent, and without higher layer parameter lampSpeed, it rests.",
            ),
            paragraph("An aGain without a mark is none."),
            paragraph("The lamp is given:"),
            item("a colour by *lampColour*;"),
            item("a *lampColour* for the night."),
        ];
        let mut found = SectionNames::default();
        read_physical_parameters(&blocks, &mut found);
        let names: Vec<(&str, usize)> = found
            .names
            .iter()
            .map(|name| (name.name.as_str(), name.definition.lines().count()))
            .collect();
        assert_eq!(
            names,
            [
                ("nrofBlinks", 2),
                ("lampConfig", 1),
                ("LAMP-Config", 1),
                ("lampSpeed", 1),
                ("lampColour", 3)
            ]
        );
        assert!(found.names.iter().all(|name| name.kind == DefinedNameKind::PhysicalParameter));
    }

    #[test]
    fn specifications_of_the_physical_layer_are_told_by_their_numbers() {
        for number in ["38.213", "36.211", "37.213"] {
            assert!(describes_physical_layer(number), "{number}");
        }
        for number in ["38.331", "38.321", "38.2", "29.213", "38.201", ""] {
            assert!(!describes_physical_layer(number), "{number}");
        }
    }
}
