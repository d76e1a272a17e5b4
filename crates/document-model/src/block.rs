//! The typed blocks of a section.

use serde::{Deserialize, Serialize};

use crate::rich_text::RichText;

/// A block of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// Running text, a note, an example, a caption, or a formula on its own.
    Paragraph(Paragraph),
    /// One item of a list.
    ListItem(ListItem),
    /// A table with its title.
    Table(Table),
    /// ASN.1, YAML, XML, or another listing.
    Code(CodeBlock),
}

/// A paragraph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// What it is.
    pub kind: ParagraphKind,
    /// Its text; lines are separated by line breaks.
    pub text: RichText,
    /// Whether a tracked change touched it.
    pub changed: bool,
}

/// What a paragraph is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParagraphKind {
    /// Running text.
    #[default]
    Text,
    /// `NOTE 1: ...`
    Note,
    /// `EXAMPLE: ...`
    Example,
    /// `Editor's note: ...`
    EditorsNote,
    /// The title of a figure, below it, or of a table whose rows could not be read.
    Caption,
    /// Nothing but a formula, and its number.
    Formula,
}

impl ParagraphKind {
    /// Note, example or editor's note by the words at the start of a paragraph, else text.
    pub fn from_first_words(text: &str) -> Self {
        let start = text.trim_start().as_bytes();
        let begins = |word: &str| {
            start.len() > word.len() && start[..word.len()].eq_ignore_ascii_case(word.as_bytes())
        };
        // A label ends early, as in `NOTE 12:`; a colon further on belongs to a sentence about notes.
        let is_labelled = text.get(..24.min(text.len())).unwrap_or(text).contains([':', '\t']);
        match () {
            () if text.starts_with("NOTE") && is_labelled => Self::Note,
            () if text.starts_with("EXAMPLE") && is_labelled => Self::Example,
            () if begins("Editor's note") || begins("Editor\u{2019}s note") => Self::EditorsNote,
            () => Self::Text,
        }
    }
}

/// One item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListItem {
    /// Depth from 1.
    pub depth: u8,
    /// The printed label: `-`, `1>`, `a)`; `None` if the item has none.
    pub label: Option<String>,
    /// Its text without the label.
    pub text: RichText,
    /// Whether a tracked change touched it.
    pub changed: bool,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The title above it.
    pub caption: Option<RichText>,
    /// Its rows, from the top.
    pub rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRow {
    /// Whether it is a head row: marked as one, or all of it in the style of heads.
    pub is_head: bool,
    /// Columns of the grid left free before the first cell.
    pub skipped_columns: u16,
    /// Its cells.
    pub cells: Vec<TableCell>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCell {
    /// Columns of the grid it covers, at least 1.
    pub span: u16,
    /// Whether it continues the cell above.
    pub continues: bool,
    /// Its paragraphs; rows of a table within the cell are paragraphs, their cells divided by semicolons.
    pub paragraphs: Vec<CellParagraph>,
}

/// A paragraph of a cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellParagraph {
    /// What automatic numbering prints before it.
    pub label: Option<String>,
    /// Its text; lines are separated by line breaks.
    pub text: RichText,
}

/// A listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeBlock {
    /// Its language, detected from its text.
    pub language: CodeLanguage,
    /// Its lines, separated by line breaks; no empty lines at the ends.
    pub text: String,
}

/// The language of a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeLanguage {
    /// ASN.1.
    Asn1,
    /// YAML, such as OpenAPI.
    Yaml,
    /// JSON.
    Json,
    /// XML, such as schemas.
    Xml,
    /// Any other, or none.
    #[default]
    Other,
}

impl CodeBlock {
    /// The listing of some lines, without the empty ones at its ends; `None` if all lines are empty.
    pub fn from_lines<S: AsRef<str>>(lines: &[S]) -> Option<Self> {
        let has_text = |line: &S| !line.as_ref().trim().is_empty();
        let first = lines.iter().position(has_text)?;
        let last = lines.iter().rposition(has_text)?;
        let lines: Vec<&str> = lines[first..=last].iter().map(AsRef::as_ref).collect();
        let text = lines.join("\n");
        Some(Self { language: CodeLanguage::detect(&text), text })
    }
}

impl CodeLanguage {
    /// The language of a listing, by the forms that only this language has.
    pub fn detect(text: &str) -> Self {
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        // RFC 8407: the marks around a YANG module.
        let first = lines().find(|line| !line.starts_with("<CODE BEGINS>")).unwrap_or_default();
        if text.contains("::=") || first.starts_with("-- ASN1") || first.starts_with("--ASN1") {
            return Self::Asn1;
        }
        match first.as_bytes().first() {
            Some(b'<') => Self::Xml,
            Some(b'{' | b'[') => Self::Json,
            _ => {
                let keyed = |line: &str| {
                    line.starts_with("- ")
                        || line.split_once(':').is_some_and(|(key, value)| {
                            !key.contains([' ', '(', ';'])
                                && (value.is_empty() || value.starts_with(' '))
                        })
                };
                // Two of three lines: comments and folded texts have no key. One line says too little.
                let total = lines().count();
                let yaml = lines().filter(|line| keyed(line)).count();
                if total >= 2 && yaml * 3 >= total * 2 { Self::Yaml } else { Self::Other }
            }
        }
    }

    /// Its name: `asn1`, `yaml`, `json`, `xml`; `None` for other listings.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Asn1 => Some("asn1"),
            Self::Yaml => Some("yaml"),
            Self::Json => Some("json"),
            Self::Xml => Some("xml"),
            Self::Other => None,
        }
    }
}

/// The label at the start of an item whose blanks are collapsed, and the byte where its text begins:
/// `- text`, `1> text`, `a) text`.
pub fn split_list_label(text: &str) -> Option<(&str, usize)> {
    let (label, rest) = text.split_once(' ')?;
    let is_bullet = matches!(label, "-" | "\u{2013}" | "\u{2014}" | "\u{2022}" | "*" | "\u{b7}");
    let inner = label.trim_start_matches('(');
    let is_counted = inner.len() <= 5
        && inner.ends_with([')', '>'])
        && inner.len() > 1
        && inner[..inner.len() - 1].bytes().all(|b| b.is_ascii_alphanumeric());
    ((is_bullet || is_counted) && !rest.is_empty() && !rest.starts_with('\n'))
        .then_some((label, label.len() + 1))
}

impl Block {
    /// Its texts in order: the text of a paragraph or item; the caption of a table, then its cells row by row.
    /// The index of a text among them identifies it within the block.
    pub fn texts(&self) -> Vec<&RichText> {
        match self {
            Self::Paragraph(paragraph) => vec![&paragraph.text],
            Self::ListItem(item) => vec![&item.text],
            Self::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                let texts = cells.flat_map(|cell| &cell.paragraphs).map(|line| &line.text);
                table.caption.iter().chain(texts).collect()
            }
            Self::Code(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_items_are_told_from_words() {
        for (text, label) in [
            ("- stop T310;", Some("-")),
            ("1> if so:", Some("1>")),
            ("a) one", Some("a)")),
            ("(iv) four", Some("(iv)")),
            ("\u{2022} point", Some("\u{2022}")),
            ("A word", None),
            (") x", None),
            ("-", None),
            ("- ", None),
            ("function(a) b", None),
        ] {
            assert_eq!(split_list_label(text).map(|(label, _)| label), label, "{text}");
        }
    }

    #[test]
    fn paragraphs_are_told_by_their_first_words() {
        for (text, kind) in [
            ("NOTE 1: A note.", ParagraphKind::Note),
            ("NOTE:\tA note.", ParagraphKind::Note),
            ("NOTES of the meeting are kept where all can read them:", ParagraphKind::Text),
            ("EXAMPLE: 3.", ParagraphKind::Example),
            ("Editor's Note: open.", ParagraphKind::EditorsNote),
            ("Not a note: text", ParagraphKind::Text),
        ] {
            assert_eq!(ParagraphKind::from_first_words(text), kind, "{text}");
        }
    }

    #[test]
    fn languages_are_told_by_forms_of_their_own() {
        for (text, language) in [
            ("A ::= SEQUENCE {}", CodeLanguage::Asn1),
            ("-- ASN1START", CodeLanguage::Asn1),
            ("openapi: 3.0.0\ninfo:\n  title: Nx", CodeLanguage::Yaml),
            ("{\n \"a\": 1\n}", CodeLanguage::Json),
            ("<?xml version=\"1.0\"?>", CodeLanguage::Xml),
            ("AT+CSQ\nOK", CodeLanguage::Other),
            ("<CODE BEGINS> file \"x.yang\"\nmodule x {\n}\n<CODE ENDS>", CodeLanguage::Other),
            ("<CODE BEGINS>\n<a/>", CodeLanguage::Xml),
            ("", CodeLanguage::Other),
        ] {
            assert_eq!(CodeLanguage::detect(text), language, "{text}");
        }
    }
}
