//! Section titles that have no heading style.

use word::{ParagraphPiece, PieceKind};

/// Titles that nearly every contribution has, recognised without bold type or a number.
const KNOWN_TITLES: [&str; 22] = [
    "introduction",
    "background",
    "discussion",
    "discussions",
    "conclusion",
    "conclusions",
    "summary",
    "reference",
    "references",
    "annex",
    "appendix",
    "proposal",
    "proposals",
    "observations",
    "text proposal",
    "overall description",
    "actions",
    "conclusion and proposals",
    "summary and conclusion",
    "reason for change",
    "proposed changes",
    "first change",
];
/// Maximum bytes of a title; a longer bold paragraph with a number is an emphasised item.
const MAX_TITLE_BYTES: usize = 100;

/// Whether a paragraph is the title of a section: one of the usual titles, or short, bold and numbered.
pub(super) fn is_title(line: &ParagraphPiece) -> bool {
    if matches!(line.kind, PieceKind::Heading(_)) {
        return true;
    }
    let text = line.text.trim();
    if text.is_empty()
        || text.len() > MAX_TITLE_BYTES
        || line.column.is_some()
        || line.kind == PieceKind::ContentsLine
    {
        return false;
    }
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '\t');
    let bare = text.trim_start_matches(number).trim_end_matches([':', '.', ' ']).to_lowercase();
    // `a)` and `1)` number items.
    let counted =
        line.label.as_deref().filter(|label| !label.ends_with(')')).and_then(parse_counter);
    let counted = counted.is_some_and(|counter| counter.starts_with(|c: char| c.is_ascii_digit()));
    let is_known = KNOWN_TITLES.contains(&bare.as_str()) && !text.ends_with(':');
    let ends = text.ends_with(['.', ':', ';', ',', '?']);
    is_known && line.label.as_deref() != Some("-")
        || line.bold && !ends && (counted || has_number(text))
}

/// Whether a text begins with the number of a section: `2.1 Beams`, not `6GR supports`.
fn has_number(text: &str) -> bool {
    let Some((number, title)) = text.split_once(char::is_whitespace) else { return false };
    let number = number.strip_suffix('.').unwrap_or(number);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    number.split('.').all(digits) && title.trim_start().starts_with(char::is_uppercase)
}

/// The counter in a label, without the marks around it: `3` for `3.`, `a` for `(a)`, `2.1` for `2.1`.
pub(super) fn parse_counter(label: &str) -> Option<String> {
    let bare = label.trim_matches(|c: char| !c.is_alphanumeric());
    let is_counter = bare.len() <= 12
        && bare.split('.').all(|part| {
            let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            digits
                || part.len() <= 3
                    && part.bytes().all(|b| b.is_ascii_alphabetic())
                    && !part.is_empty()
        });
    is_counter.then(|| bare.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_distinguished_from_items() {
        let line = |label: Option<&str>, bold, text: &str| ParagraphPiece {
            kind: if label.is_some() { PieceKind::Item(1) } else { PieceKind::Text },
            label: label.map(str::to_owned),
            text: text.to_owned(),
            bold,
            ..ParagraphPiece::default()
        };
        for (label, bold, text, expected) in [
            (Some("4."), false, "Conclusions", true),
            (None, false, "5 References", true),
            (Some("3"), true, "Remaining issues", true),
            (Some("1."), false, "Remaining issues", false),
            (Some("-"), false, "Summary", false),
            (None, false, "Proposals:", false),
            (None, true, "Option 1 is better", false),
            (None, true, "2.1 Beams", true),
            (None, true, "3GPP TSG RAN WG1 #125", false),
            (None, true, "6GR supports sensing in FR2", false),
            (Some("a)"), true, "Monostatic sensing", false),
        ] {
            assert_eq!(is_title(&line(label, bold, text)), expected, "{text}");
        }
        assert_eq!(parse_counter("(a)").as_deref(), Some("a"));
        assert_eq!(parse_counter("-"), None);
    }
}
