//! Headings and lines of the table of contents: their number and their title.

use domain::SectionNumber;

use crate::text::collapse_whitespace;

/// Units after a decimal number: `3.84 Mcps TDD option` and `5.9 GHz band` are titles.
const UNITS: [&str; 26] = [
    "ghz", "mhz", "khz", "hz", "mcps", "kbps", "mbps", "gbps", "kbit/s", "mbit/s", "gbit/s", "bps",
    "ms", "us", "ns", "sec", "seconds", "db", "dbm", "dbi", "dbc", "km", "mm", "km/h", "mw", "%",
];
/// First numbers of clauses end here. Larger ones are names: `802.11 access`. The largest that is printed is about 90.
const MAX_FIRST_NUMBER: u32 = 199;

/// A heading as printed, split into number and title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    /// The printed number: `5.3.5`, `A`; `None` for front matter and dashed headings.
    pub number: Option<String>,
    /// The title without number, dash or `Annex A (normative):`.
    pub title: String,
    /// Whether it has a dash instead of a number.
    pub dashed: bool,
    /// Whether the words `Annex A` precede the title.
    pub annex: bool,
    /// Whether no more than a blank separates the number from the title. Then only the headings before it tell
    /// `E.1 General` from `E.164 numbers`.
    pub spaced: bool,
    /// Whether it seems to begin with a number, which was not understood.
    pub unknown: bool,
    /// The heading in one line, with its number.
    pub printed: String,
}

/// Parses the text of a heading, in which tabs and line breaks are as in the file.
pub fn parse_heading(text: &str) -> Heading {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{c}');
    let heading = parse_annex(text).or_else(|| {
        let title = collapse_whitespace(strip_dash(text)?);
        Some(Heading { title, dashed: true, ..Heading::default() })
    });
    let heading = heading.unwrap_or_else(|| match split_number(text) {
        Some((number, title)) => {
            let gap = text.get(number.len()..text.len() - title.len()).unwrap_or_default();
            Heading {
                number: Some(number.to_owned()),
                title: collapse_whitespace(title),
                spaced: !gap.contains(['\t', '\n'])
                    && (!title.is_empty() || SectionNumber::is_of_annex(number)),
                ..Heading::default()
            }
        }
        None => Heading {
            title: collapse_whitespace(text),
            unknown: has_unknown_number(text),
            ..Heading::default()
        },
    });
    Heading { printed: collapse_whitespace(text), ..heading }
}

/// Whether a heading without a number seems to begin with one: with digits around a separator, with digits before a
/// tab, or with the word "Annex".
fn has_unknown_number(text: &str) -> bool {
    let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
    let (token, rest) = text.split_at(end);
    let separator = token.find(['.', ',', '_', '(']).filter(|at| at + 1 < token.len());
    let is_parted = separator.is_some_and(|at| token[..at].ends_with(|c: char| c.is_ascii_digit()));
    let is_number = token.starts_with(|c: char| c.is_ascii_digit())
        && (is_parted || rest.starts_with('\t'))
        && !is_quantity(token, text)
        && !is_name_in_dots(token);
    is_number || token.trim_end_matches([':', '.', '(']).eq_ignore_ascii_case("annex")
}

/// `Annex A (normative):<break>Title` and its many misprints.
fn parse_annex(text: &str) -> Option<Heading> {
    let word = text.get(..5).filter(|word| word.eq_ignore_ascii_case("annex"))?;
    let rest = text[word.len()..].strip_prefix(|c: char| c.is_whitespace())?.trim_start();
    let rest = rest.strip_prefix('<').unwrap_or(rest);
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let end = rest.find(|c: char| !is_inner(c)).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    let number = number.trim_end_matches('.');
    if !SectionNumber::is_of_annex(number) {
        return None;
    }
    let rest = rest.strip_prefix('>').unwrap_or(rest);
    let rest = rest.trim_start();
    let (rest, described) = strip_status(rest);
    let bare = rest.trim_start_matches([':', '.', ' ', '\t', '\n', '-', '\u{2013}']);
    let separated = described || bare.len() < rest.len() || rest.is_empty();
    // "Annex B specifies ..." is a sentence.
    let sentence = !separated && bare.starts_with(|c: char| c.is_ascii_lowercase());
    (!sentence).then(|| Heading {
        number: Some(number.to_owned()),
        title: collapse_whitespace(bare),
        annex: true,
        ..Heading::default()
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
    let tabbed = rest.trim_start_matches([' ', '\u{a0}']).starts_with(['\t', '\n']);
    let plain_digits = number.bytes().all(|b| b.is_ascii_digit());
    let is_stopped = token.ends_with('.') && number.len() <= 3;
    let has_title = !rest.trim().is_empty();
    let is_number = if number.contains('.') {
        tabbed || !is_quantity(number, text) && !is_name_in_dots(number)
    } else if SectionNumber::is_of_annex(number) {
        // "A" alone and "UE capabilities" are titles; "A<tab>Title" is an annex.
        tabbed && number.len() == 1
    } else {
        // "3GPP PS Data Off" and "10 MHz" are titles; "1A<tab>Title" and "1A. Title" are clauses.
        let is_short = plain_digits && number.len() <= 2 && !is_quantity(number, text);
        tabbed || has_title && (is_short || is_stopped)
    };
    is_number.then(|| (number, rest.trim_start()))
}

/// Whether a number, at the start of a text, counts units: `5.9 GHz band`, `10 MHz`, `3.84Mcps`.
fn is_quantity(number: &str, text: &str) -> bool {
    let is_unit = |word: &str| {
        let word = word.trim_matches(['(', ')', ',', ':']).to_ascii_lowercase();
        UNITS.contains(&word.as_str())
    };
    let suffix = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let next = text.get(number.len()..).and_then(|rest| rest.split_whitespace().next());
    is_unit(suffix) || (suffix.is_empty() && next.is_some_and(is_unit))
}

/// Whether a number before a blank is the name of a standard: `802.11 access`.
fn is_name_in_dots(number: &str) -> bool {
    let first = number.split('.').next().unwrap_or_default();
    first.parse::<u32>().is_ok_and(|first| first > MAX_FIRST_NUMBER)
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
            ("6.2B.1.3_1\tVariant", "6.2B.1.3_1", "Variant"),
            ("5.2.48B4A10\tLong field", "5.2.48B4A10", "Long field"),
            ("8.x\tPlaceholder", "8.x", "Placeholder"),
            ("8.xx. Stop and blank", "8.xx", "Stop and blank"),
            ("1A. Stop and blank", "1A", "Stop and blank"),
            ("5.3\u{a0}No-break space", "5.3", "No-break space"),
            ("802.11\tA tab decides", "802.11", "A tab decides"),
            ("Annex Da (informative):\nFlows", "Da", "Flows"),
            ("Annex A1 (normative):\nCodes", "A1", "Codes"),
            ("ANNEX AA: Codes", "AA", "Codes"),
            ("Annex A_1 (normative):\nVariant", "A_1", "Variant"),
        ] {
            assert_eq!(cut(text), (Some(number.to_owned()), title.to_owned()), "{text}");
        }
    }

    #[test]
    fn titles_without_a_number_stay_whole() {
        for title in [
            "Foreword",
            "A",
            "0-9",
            "3GPP PS Data Off",
            "UE capabilities",
            "A general case",
            "802.11 access",
            "5.9 GHz band",
            "10 MHz",
            "1.28Mcps TDD option",
            "e.g. this",
            "U.S. law",
            "4-step RA procedure",
        ] {
            let heading = parse_heading(title);
            assert_eq!((heading.number, heading.title.as_str()), (None, title));
            assert!(!heading.unknown, "{title}");
        }
        let dashed = parse_heading("\u{2013}\tAMF-Identifier");
        assert!(dashed.dashed && dashed.number.is_none() && dashed.title == "AMF-Identifier");
        assert_eq!(cut("Annex B specifies the codes.").0, None);
        assert_eq!(cut("Annex In this case").0, None);
    }

    #[test]
    fn numbers_that_are_not_understood_are_known_to_be_some() {
        for text in [
            "5.3..1\tTitle",
            "5,3 Title",
            "7(1)\tTitle",
            "12/4\tTitle",
            "4.General",
            "Annex: Codes",
            "Annex 1: Codes",
        ] {
            let heading = parse_heading(text);
            assert!(heading.number.is_none() && heading.unknown, "{text}");
        }
        assert!(!parse_heading("5.3\tTitle").unknown && !parse_heading("Annexes").unknown);
    }

    #[test]
    fn a_number_before_a_blank_is_known_to_be_uncertain() {
        for (text, spaced) in
            [("E.164 numbers", true), ("E.1\tTitle", false), ("5.3", false), ("Annex A: B", false)]
        {
            assert_eq!(parse_heading(text).spaced, spaced, "{text}");
        }
    }
}
