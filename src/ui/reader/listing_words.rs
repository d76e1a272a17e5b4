//! The words of listings and their classes, line by line.

use document_model::CodeLanguage;

/// The class of a word in a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordClass {
    Plain,
    Comment,
    Keyword,
    Text,
    Number,
    /// A name that begins with a capital letter: in ASN.1, a type.
    Type,
    /// A name that begins with a small letter: in ASN.1, a field or a value.
    Name,
    /// The key of a YAML or JSON value, or the tag of an XML element.
    Key,
}

impl WordClass {
    pub(super) fn css_class(self) -> Option<&'static str> {
        match self {
            Self::Plain | Self::Name => None,
            Self::Comment => Some("c-comment"),
            Self::Keyword => Some("c-keyword"),
            Self::Text => Some("c-text"),
            Self::Number => Some("c-number"),
            Self::Type => Some("c-type"),
            Self::Key => Some("c-key"),
        }
    }
}

/// Reserved words of ASN.1 (ITU-T X.680, 12.38).
const ASN1_KEYWORDS: [&str; 46] = [
    "ABSENT",
    "ALL",
    "ANY",
    "APPLICATION",
    "AUTOMATIC",
    "BEGIN",
    "BIT",
    "BOOLEAN",
    "BY",
    "CHOICE",
    "CLASS",
    "COMPONENT",
    "COMPONENTS",
    "CONSTRAINED",
    "CONTAINING",
    "DEFAULT",
    "DEFINITIONS",
    "ENCODED",
    "END",
    "ENUMERATED",
    "EXPLICIT",
    "EXPORTS",
    "EXTENSIBILITY",
    "FALSE",
    "FROM",
    "IDENTIFIER",
    "IMPLICIT",
    "IMPORTS",
    "INCLUDES",
    "INTEGER",
    "MAX",
    "MIN",
    "NULL",
    "OBJECT",
    "OCTET",
    "OF",
    "OPTIONAL",
    "PRESENT",
    "SEQUENCE",
    "SET",
    "SIZE",
    "STRING",
    "SYNTAX",
    "TAGS",
    "TRUE",
    "UNIQUE",
];

/// The words of a line; nothing is left out.
pub(super) fn split_line(language: CodeLanguage, line: &str) -> Vec<(WordClass, &str)> {
    let mut words = Vec::new();
    match language {
        CodeLanguage::Asn1 => push_asn1_line(line, &mut words),
        CodeLanguage::Yaml | CodeLanguage::Json => push_keyed_line(line, &mut words),
        CodeLanguage::Xml => push_xml_line(line, &mut words),
        CodeLanguage::Other => words.push((WordClass::Plain, line)),
    }
    words
}

fn push_asn1_line<'a>(line: &'a str, words: &mut Vec<(WordClass, &'a str)>) {
    let (text, comment) = line.split_at(line.find("--").unwrap_or(line.len()));
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '"') {
        words.push((WordClass::Plain, &rest[..start]));
        rest = &rest[start..];
        if rest.starts_with('"') {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            words.push((WordClass::Text, &rest[..end]));
            rest = &rest[end..];
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        words.push((asn1_class(word), word));
        rest = after;
    }
    words.push((WordClass::Plain, rest));
    if !comment.is_empty() {
        words.push((WordClass::Comment, comment));
    }
}

fn asn1_class(word: &str) -> WordClass {
    match word.bytes().next() {
        Some(b'0'..=b'9') => WordClass::Number,
        Some(b'A'..=b'Z') if ASN1_KEYWORDS.contains(&word) => WordClass::Keyword,
        Some(b'A'..=b'Z') => WordClass::Type,
        Some(b'a'..=b'z') => WordClass::Name,
        _ => WordClass::Plain,
    }
}

/// YAML and JSON: a key before its colon, then its value.
fn push_keyed_line<'a>(line: &'a str, words: &mut Vec<(WordClass, &'a str)>) {
    let indent = line.len() - line.trim_start_matches([' ', '-']).len();
    let (lead, text) = line.split_at(indent);
    words.push((WordClass::Plain, lead));
    if text.starts_with('#') {
        words.push((WordClass::Comment, text));
        return;
    }
    let colon = text.find(':').filter(|colon| {
        let after = &text[colon + 1..];
        after.is_empty() || after.starts_with(' ')
    });
    let (key, value) = text.split_at(colon.map_or(0, |colon| colon));
    if !key.is_empty() {
        words.push((WordClass::Key, key));
    }
    let bare = value.trim_start_matches([':', ' ']);
    words.push((WordClass::Plain, &value[..value.len() - bare.len()]));
    let class = match bare.bytes().next() {
        Some(b'\'' | b'"') => WordClass::Text,
        Some(b'0'..=b'9') if bare.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            WordClass::Number
        }
        _ if matches!(bare, "true" | "false" | "null") => WordClass::Keyword,
        _ => WordClass::Plain,
    };
    words.push((class, bare));
}

/// XML: tags and comments that are within the line.
fn push_xml_line<'a>(line: &'a str, words: &mut Vec<(WordClass, &'a str)>) {
    let mut rest = line;
    while let Some(start) = rest.find('<') {
        words.push((WordClass::Plain, &rest[..start]));
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let tag = &rest[start..end];
        let class = if tag.starts_with("<!--") { WordClass::Comment } else { WordClass::Key };
        words.push((class, tag));
        rest = &rest[end..];
    }
    words.push((WordClass::Plain, rest));
}
