//! Headings and lines of the table of contents: their number and their title.

use domain::SectionNumber;

use crate::text::collapse_whitespace;

/// A heading as printed, split into number and title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The printed number: `5.3.5`, `A`; `None` for front matter and dashed headings.
    pub number: Option<String>,
    /// The title without number, dash or `Annex A (normative):`.
    pub title: String,
    /// Whether it has a dash instead of a number.
    pub dashed: bool,
    /// Whether the words `Annex A` precede the title.
    pub annex: bool,
}

/// Parses the text of a heading, in which tabs and line breaks are as in the file.
pub fn parse_heading(text: &str) -> Heading {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{c}');
    if let Some(annex) = parse_annex(text) {
        return annex;
    }
    if let Some(title) = strip_dash(text) {
        return Heading {
            number: None,
            title: collapse_whitespace(title),
            dashed: true,
            annex: false,
        };
    }
    let (number, title) = split_number(text).map_or((None, text), |(n, t)| (Some(n), t));
    let number = number.map(str::to_owned);
    Heading { number, title: collapse_whitespace(title), dashed: false, annex: false }
}

/// `Annex A (normative):<break>Title` and its many misprints.
fn parse_annex(text: &str) -> Option<Heading> {
    let word = text.get(..5).filter(|word| word.eq_ignore_ascii_case("annex"))?;
    let rest = text[word.len()..].strip_prefix(|c: char| c.is_whitespace())?.trim_start();
    let rest = rest.strip_prefix('<').unwrap_or(rest);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    let number = number.trim_end_matches('.');
    let lettered = number.starts_with(|c: char| c.is_ascii_uppercase());
    if !lettered || !SectionNumber::is_numbered(number) {
        return None;
    }
    let rest = rest.strip_prefix('>').unwrap_or(rest).trim_start();
    let (rest, described) = strip_status(rest);
    let bare = rest.trim_start_matches([':', '.', ' ', '\t', '\n', '-', '\u{2013}']);
    let separated = described || bare.len() < rest.len() || rest.is_empty();
    // "Annex B specifies ..." is a sentence.
    let sentence = !separated && bare.starts_with(|c: char| c.is_ascii_lowercase());
    (!sentence).then(|| Heading {
        number: Some(number.to_owned()),
        title: collapse_whitespace(bare),
        dashed: false,
        annex: true,
    })
}

/// Strips `(normative)` or `(informative)` off the front, misprints included; also returns whether it was there. A
/// longer parenthesis belongs to the title.
fn strip_status(text: &str) -> (&str, bool) {
    let inner = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match inner {
        Some((word, rest))
            if word.trim().len() <= 14 && word.to_ascii_lowercase().contains("mative") =>
        {
            (rest.trim_start_matches(' '), true)
        }
        _ => (text, false),
    }
}

fn strip_dash(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '\u{2013}', '\u{2014}', '\u{2212}'])?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// Splits a heading into the number at its start and the rest; `None` if it has no number.
pub fn split_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (token, rest) = text.split_at(end);
    let number = token.trim_end_matches(['.', ':']);
    if !SectionNumber::is_numbered(number) {
        return None;
    }
    let lettered = number.bytes().all(|b| b.is_ascii_alphabetic());
    let tabbed = rest.trim_start_matches(' ').starts_with(['\t', '\n']);
    let plain_digits = number.bytes().all(|b| b.is_ascii_digit());
    let is_number = match (lettered, number.contains('.')) {
        // "A" alone and "UE capabilities" are titles; "A<tab>Title" is an annex.
        (true, _) => tabbed && number.len() == 1,
        (false, true) => true,
        // "3GPP PS Data Off" is a title; "1A<tab>Title" is a clause.
        (false, false) => tabbed || (plain_digits && number.len() <= 2 && !rest.trim().is_empty()),
    };
    is_number.then(|| (number, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use crate::heading::*;

    fn cut(text: &str) -> (Option<String>, String) {
        let heading = parse_heading(text);
        (heading.number, heading.title)
    }

    #[test]
    fn numbers_of_every_printed_form_are_cut_off() {
        for (text, number, title) in [
            ("5.3.1\tTitle", "5.3.1", "Title"),
            ("10 \tData Off", "10", "Data Off"),
            ("D.1 General", "D.1", "General"),
            ("5.3.5.13a\tMore  blanks", "5.3.5.13a", "More blanks"),
            ("6.3A.4.1.1.1\t\tMinimum", "6.3A.4.1.1.1", "Minimum"),
            ("4.\tScope", "4", "Scope"),
            ("Annex A (normative):\nCodes", "A", "Codes"),
            ("Annex D(informative):\nExamples", "D", "Examples"),
            ("Annex E (informative): Flows", "E", "Flows"),
            ("Annex A:\nChange history", "A", "Change history"),
            ("Annex <A> (informative):\nChange history", "A", "Change history"),
            ("Annex A (normative):\tTabbed", "A", "Tabbed"),
            ("B.4.5.1 \tScenarios", "B.4.5.1", "Scenarios"),
            ("7.3.9", "7.3.9", ""),
            ("5.5.1.2.5B1\tAttach", "5.5.1.2.5B1", "Attach"),
            ("F10.1 General", "F10.1", "General"),
        ] {
            assert_eq!(cut(text), (Some(number.to_owned()), title.to_owned()), "{text}");
        }
    }

    #[test]
    fn titles_without_a_number_stay_whole() {
        for title in
            ["Foreword", "A", "0-9", "3GPP PS Data Off", "UE capabilities", "A general case"]
        {
            assert_eq!(cut(title), (None, title.to_owned()));
        }
        let dashed = parse_heading("\u{2013}\tAMF-Identifier");
        assert!(dashed.dashed && dashed.number.is_none() && dashed.title == "AMF-Identifier");
        assert_eq!(cut("Annex B specifies the codes.").0, None);
    }
}
