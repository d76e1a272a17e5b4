//! What a request wants of a section: an anchor, a table, a row by its cells, or words.

use document_model::split_list_label;

use super::{
    anchor::PartAnchor,
    word_match::{join_words, split_words},
};

/// Words that say nothing about a part.
const FILLERS: [&str; 20] = [
    "the", "a", "an", "of", "in", "for", "to", "on", "with", "what", "does", "do", "mean", "means",
    "is", "are", "which", "when", "clause", "section",
];
/// Words that say of what kind a part is. Texts often leave them out: the row of a timer does not say `timer`.
pub(super) const HINTS: [&str; 22] = [
    "cause",
    "value",
    "values",
    "number",
    "code",
    "no",
    "row",
    "item",
    "entry",
    "field",
    "parameter",
    "ie",
    "element",
    "timer",
    "counter",
    "constant",
    "error",
    "information",
    "message",
    "bit",
    "bits",
    "default",
];
/// Protocols whose names have digits but number nothing.
const NUMBERED_PROTOCOLS: [&str; 3] = ["5gmm", "5gsm", "5gs"];

/// What a request wants of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) enum WantedPart {
    /// The part with an anchor.
    Anchor(WantedAnchor),
    /// A table by its number: `Table 7.5-1`.
    Table(WantedTable),
    /// A row by its cells, perhaps of one table.
    Row(WantedRow),
    /// A name, a number, a label or any words.
    Words(WantedWords),
}

/// The part with an anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) struct WantedAnchor(pub(super) PartAnchor);

/// A table, by the number in its caption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) struct WantedTable {
    /// `table7.5.1`.
    pub(super) caption: String,
}

/// A row, by its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) struct WantedRow {
    pub(super) table: Option<WantedTable>,
    /// The ways to read the text, the best first: the cells that the row has to have.
    pub(super) readings: Vec<Vec<String>>,
}

/// Words that a part has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::service) struct WantedWords {
    /// The label of a list item: `5>`.
    pub(super) label: Option<String>,
    /// Words that the part or what it is in has to have.
    pub(super) words: Vec<String>,
    /// Words that say what kind of part it is.
    pub(super) hints: Vec<String>,
    /// Whether it is the number of a cause: `#62`, `cause 62`. In running text, such a number follows `#`.
    pub(super) is_cause_number: bool,
}

impl WantedPart {
    /// Reads what is typed; `None` if it has neither letters nor digits nor a label.
    pub(in crate::service) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(['"', '\'', '`', '\u{201c}', '\u{201d}']).trim();
        if let Some(anchor) = PartAnchor::parse(text) {
            return Some(Self::Anchor(WantedAnchor(anchor)));
        }
        match split_table(text) {
            (Some(table), "") => return Some(Self::Table(table)),
            (Some(_), _) => return Self::parse_row(text),
            (None, _) => {}
        }
        let wanted = WantedWords::parse(text);
        let is_empty = wanted.words.is_empty() && wanted.label.is_none();
        (!is_empty).then_some(Self::Words(wanted))
    }

    /// Reads the cells of a row: `T310`, `n77, 100 MHz`, `Table 7.5-1: #26`.
    pub(in crate::service) fn parse_row(text: &str) -> Option<Self> {
        let (table, rest) = split_table(text.trim());
        let cells = |parts: Vec<&str>| -> Vec<String> {
            let keys = parts.into_iter().map(|part| join_words(&split_words(part)));
            keys.filter(|key| !key.is_empty()).collect()
        };
        let mut readings = vec![
            cells(vec![rest]),
            cells(rest.split('|').collect()),
            cells(rest.split([',', ';', '|']).collect()),
        ];
        readings.dedup();
        readings.retain(|reading| !reading.is_empty());
        (!readings.is_empty()).then_some(Self::Row(WantedRow { table, readings }))
    }
}

impl WantedWords {
    fn parse(text: &str) -> Self {
        // A label alone is followed by nothing.
        let labelled = format!("{text} .");
        let (label, rest) = match split_list_label(&labelled) {
            Some((label, start)) => {
                (Some(label.to_owned()), labelled.get(start..).unwrap_or_default())
            }
            None => (None, text),
        };
        let all: Vec<String> = split_words(rest)
            .into_iter()
            .filter(|word| !FILLERS.contains(&word.as_str()))
            .collect();
        let is_hint = |word: &String| HINTS.contains(&word.as_str());
        let (hints, words): (Vec<String>, Vec<String>) = all.iter().cloned().partition(is_hint);
        let has_sign = text
            .match_indices('#')
            .any(|(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let has_number = words.iter().any(|word| is_whole_number(word));
        let is_cause_number = has_number && (has_sign || hints.iter().any(|hint| hint == "cause"));
        if words.is_empty() {
            // `Cause` alone is the name of an element.
            return Self { label, words: all, ..Self::default() };
        }
        Self { label, words, hints, is_cause_number }
    }

    /// The words with digits, which name what is wanted if the others are not found.
    pub(super) fn numbered_words(&self) -> Vec<String> {
        let has_digit = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
        let numbered = self.words.iter().filter(has_digit);
        numbered.filter(|word| !NUMBERED_PROTOCOLS.contains(&word.as_str())).cloned().collect()
    }
}

pub(super) fn is_whole_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The table that a text begins with, and the rest: `Table 7.5-1: #26`.
fn split_table(text: &str) -> (Option<WantedTable>, &str) {
    let lead = text.get(..6).unwrap_or_default();
    if !lead.eq_ignore_ascii_case("table ") {
        return (None, text);
    }
    let rest = text[6..].trim_start();
    let end = rest.find(|c: char| c.is_whitespace() || c == ':' || c == ',').unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return (None, text);
    }
    let caption = join_words(&split_words(&format!("Table {number}")));
    (Some(WantedTable { caption }), rest.trim_start_matches([':', ',']).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_an_anchor_a_table_a_row_or_words() {
        let words = |text: &str| match WantedPart::parse(text) {
            Some(WantedPart::Words(wanted)) => (
                wanted.label.unwrap_or_default(),
                wanted.words.join(" "),
                wanted.hints.join(" "),
                wanted.is_cause_number,
            ),
            other => panic!("{text}: {other:?}"),
        };
        for (text, label, found, hints, is_cause) in [
            ("#62", "", "62", "", true),
            ("cause 62", "", "62", "cause", true),
            ("what does 5GSM cause #26 mean", "", "5gsm 26", "cause", true),
            ("timer T310", "", "t310", "timer", false),
            ("5>", "5>", "", "", false),
            ("5> stop T310", "5>", "stop t310", "", false),
            ("a)", "a)", "", "", false),
            ("Cause", "", "cause", "", false),
            ("\"AMF UE NGAP ID\"", "", "amf ue ngap id", "", false),
            ("NOTE 2", "", "note 2", "", false),
            ("62", "", "62", "", false),
        ] {
            let expected = (label.to_owned(), found.to_owned(), hints.to_owned(), is_cause);
            assert_eq!(words(text), expected, "{text}");
        }
        assert!(matches!(WantedPart::parse("#p3.2"), Some(WantedPart::Anchor(_))));
        assert!(matches!(WantedPart::parse("table 7.5-1"), Some(WantedPart::Table(_))));
        assert!(matches!(WantedPart::parse("Table 7.5-1: #26"), Some(WantedPart::Row(_))));
        assert!(matches!(WantedPart::parse("Table of bands"), Some(WantedPart::Words(_))));
        for text in ["", " ", "\"\"", "?", "!!"] {
            assert_eq!(WantedPart::parse(text), None, "{text}");
            assert_eq!(WantedPart::parse_row(text), None, "{text}");
        }
    }
}
