//! Addresses as people type them: `38.331 5.3.5`, `TS 38.331 v18.1.0 clause 5.3`, `38331#B.2`.

use domain::{DocNumber, SectionNumber, Version, strip_clause_word};

/// A document and what is typed after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseAddress<'a> {
    /// The document.
    pub number: DocNumber,
    /// Its version, if one is named.
    pub version: Option<Version>,
    /// What follows: the beginning of a section number, words of a title, or nothing.
    pub rest: &'a str,
}

impl<'a> ClauseAddress<'a> {
    /// Reads an address; `None` if the text does not begin with a document number.
    pub fn parse_text(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let bare = strip_type(text);
        let (number, rest) = take_word(bare);
        // A year or a frequency is not a document: digits alone count only with a type before or a section after them.
        // Otherwise `2025 work plan` would be an address.
        let is_plain = number.bytes().all(|b| b.is_ascii_digit());
        let number: DocNumber = number.parse().ok()?;
        let (version, rest) = take_version(rest);
        let rest = strip_clause_word(rest);
        let address = Self { number, version, rest };
        let is_certain = !is_plain || bare.len() < text.len() || address.section().is_some();
        is_certain.then_some(address)
    }

    /// The section number that is typed, perhaps only its beginning.
    pub fn section(&self) -> Option<&'a str> {
        is_section(self.rest).then_some(self.rest)
    }
}

/// The text after `TS`, `TR` and `3GPP`.
fn strip_type(text: &str) -> &str {
    let (word, rest) = take_word(text);
    let is_type = ["3GPP", "TS", "TR"].iter().any(|name| word.eq_ignore_ascii_case(name));
    if is_type && !rest.is_empty() { strip_type(rest) } else { text }
}

/// The first word, and what follows it.
fn take_word(text: &str) -> (&str, &str) {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '#' | ',' | ';' | ':');
    let text = text.trim_start_matches(is_gap);
    let end = text.find(is_gap).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches(is_gap))
}

/// The version that a text begins with, and what follows it. Bare numbers are a version only before a section number.
fn take_version(text: &str) -> (Option<Version>, &str) {
    let (word, rest) = take_word(text);
    let version = match word.strip_prefix(['v', 'V']) {
        Some(bare) => parse_version(bare),
        None if is_section(strip_clause_word(rest)) => parse_version(word),
        None => None,
    };
    if version.is_some() { (version, rest) } else { (None, text) }
}

/// `18.1.0`, or `18.1` for its first edition `18.1.0`.
fn parse_version(word: &str) -> Option<Version> {
    let short = word.matches('.').count() == 1;
    if short { format!("{word}.0").parse().ok() } else { word.parse().ok() }
}

fn is_section(text: &str) -> bool {
    let number = text.strip_suffix('.').unwrap_or(text).to_ascii_uppercase();
    SectionNumber::is_numbered(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let address = ClauseAddress::parse_text(text)?;
        let version = address.version.map(|version| format!(" v{version}")).unwrap_or_default();
        let kind = if address.section().is_some() { "section" } else { "words" };
        Some(format!("{}{version} {kind} {}", address.number, address.rest).trim_end().to_owned())
    }

    #[test]
    fn addresses_are_read_as_they_are_typed() {
        for (text, expected) in [
            ("38.331 5.3.5", "38.331 section 5.3.5"),
            ("  TS 38.331, clause 5.3.5 ", "38.331 section 5.3.5"),
            ("38331#B.2", "38.331 section B.2"),
            ("3GPP TS 38.331 v18.1.0 \u{a7}5.3.", "38.331 v18.1.0 section 5.3."),
            ("38.331 18.1.0 5.3.5", "38.331 v18.1.0 section 5.3.5"),
            ("38.331 18.1 clause 5.3.5", "38.331 v18.1.0 section 5.3.5"),
            ("38.331 v18.1", "38.331 v18.1.0 words"),
            ("38.331 5.3", "38.331 section 5.3"),
            ("38.331 18.1.0", "38.331 section 18.1.0"),
            ("TR38.901: Annex A", "38.901 section A"),
            ("38.101-1 6.2", "38.101-1 section 6.2"),
            ("38.331", "38.331 words"),
            ("ts 38331", "38.331 words"),
            ("38.331 rrc re-est", "38.331 words rrc re-est"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_addresses() {
        for text in ["", "T310", "timer 38.331", "2025 work plan", "38331", "5.3.5", "TS"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
