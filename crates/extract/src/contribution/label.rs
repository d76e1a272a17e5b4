//! Labels of proposals and observations: `Proposal 1:`, `Observation 2.1`, `[FL2][H] Proposal 6.1-1-rev1`.
//!
//! A sentence about a proposal ("Proposal 1 and 2 were discussed") is not a label.

use domain::UnitType;

/// A label and the rest of its paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedLabel<'a> {
    pub(super) kind: UnitType,
    /// The label as written, with the tags before it.
    pub(super) label: &'a str,
    /// The label's number in one spelling; empty if it has none.
    pub(super) number: String,
    /// The text after it, without the separator.
    pub(super) rest: &'a str,
}

/// How certain it is that the beginning of a paragraph is a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelCertainty {
    /// Its first words are not emphasized.
    Plain,
    /// Its first words are bold.
    Bold,
    /// It was printed by automatic numbering, or is a heading.
    Certain,
}

/// Words before the label itself that belong to it.
const TAG_WORDS: [&str; 34] = [
    "fl",
    "feature",
    "lead",
    "lead's",
    "leads",
    "moderator",
    "moderator's",
    "rapporteur",
    "rapporteur's",
    "updated",
    "revised",
    "initial",
    "new",
    "draft",
    "offline",
    "online",
    "high",
    "medium",
    "low",
    "priority",
    "stable",
    "closed",
    "open",
    "potential",
    "tentative",
    "first",
    "second",
    "third",
    "round",
    "summary",
    "final",
    "modified",
    "easy",
    "main",
];
/// Maximum bytes of all tags before the word `Proposal` or `Observation`; after more, the word is part of a sentence.
const MAX_TAG_BYTES: usize = 60;
/// Maximum bytes of a tag in brackets; longer brackets contain a remark.
const MAX_BRACKET_BYTES: usize = 24;
/// Maximum bytes of a number: `6.1-1-rev1` and the like; a longer token is a name.
const MAX_NUMBER_BYTES: usize = 24;
/// Maximum bytes of a note after the number that is part of the label: `- offline consensus`.
const MAX_NOTE_BYTES: usize = 40;
/// Words that continue a sentence about a proposal, such as "Proposal 1 is agreed": as a label, it would be a second
/// proposal of this number.
const CONTINUING_WORDS: [&str; 30] = [
    "and", "or", "in", "from", "of", "is", "was", "were", "are", "can", "could", "to", "for", "by",
    "with", "has", "have", "should", "will", "would", "on", "as", "at", "that", "which", "above",
    "below", "if", "may", "shall",
];

/// Reads the label that a paragraph begins with.
pub(super) fn parse_label(text: &str, certainty: LabelCertainty) -> Option<ParsedLabel<'_>> {
    let start = skip_tags(text)?;
    let (kind, word) = parse_unit_kind(&text[start..])?;
    let after_word = start + word;
    let gap = skip_number_sign(&text[after_word..]);
    let number_start = text.len() - gap.len();
    let number_len = number_length(gap);
    if number_len == 0 {
        return parse_unnumbered_label(text, kind, after_word, start, certainty);
    }
    if has_second_number(&gap[number_len..]) {
        return None;
    }
    // "Proposals7" is not the label of a proposal, "Proposal7" is.
    let number_end = number_start + number_len;
    let spelled = normalise_number(&text[number_start..number_end]);
    let (label_end, rest) = find_label_end(text, number_end, certainty)?;
    Some(ParsedLabel { kind, label: text[..label_end].trim(), number: spelled, rest })
}

/// The text after the marks between the word and its number: `#`, `No.`, an open bracket before digits.
fn skip_number_sign(text: &str) -> &str {
    let gap = text.trim_start_matches([' ', '-', '#', '\u{2013}', '\u{a0}', '_']);
    for sign in ["no.", "nr.", "n\u{b0}", "("] {
        let Some(start) = gap.get(..sign.len()) else { continue };
        let rest = gap[sign.len()..].trim_start_matches([' ', '\u{a0}']);
        if start.eq_ignore_ascii_case(sign) && rest.starts_with(|c: char| c.is_ascii_digit()) {
            return rest;
        }
    }
    gap
}

/// Whether a second number follows the first: "Proposal 11 versus Proposal 12".
fn has_second_number(rest: &str) -> bool {
    let mut words = rest.split_whitespace();
    let joins =
        matches!(words.next(), Some("and" | "or" | "versus" | "vs" | "vs." | "to" | "&" | "/"));
    joins
        && words.next().is_some_and(|word| {
            parse_unit_kind(word).is_some() || word.starts_with(|c: char| c.is_ascii_digit())
        })
}

/// The start of the word `Proposal` or `Observation`, after tags in brackets and words such as "Updated".
fn skip_tags(text: &str) -> Option<usize> {
    let mut offset = 0;
    loop {
        let trimmed = text[offset..].trim_start_matches([' ', '*', '\u{a0}', ':', '-', '\u{2022}']);
        let tag_start = text.len() - trimmed.len();
        if tag_start > MAX_TAG_BYTES {
            return None;
        }
        if parse_unit_kind(trimmed).is_some() {
            return Some(tag_start);
        }
        offset = tag_start + tag_length(trimmed)?;
    }
}

/// The length of a tag: something in brackets, or one of [`TAG_WORDS`].
fn tag_length(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix(['[', '(', '<']) {
        // A bracket may be written twice.
        let end = inner.find([']', ')', '>'])?;
        // "[Proposal 1]" is a label in brackets: only the bracket is skipped.
        if parse_unit_kind(inner).is_some() {
            return Some(1);
        }
        return (end <= MAX_BRACKET_BYTES).then_some(end + 2);
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '\u{2019}'));
    let word = &text[..end.unwrap_or(text.len())];
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    // `FL1` and the `FL1]` whose bracket was lost.
    let numbered = lower.strip_prefix("fl").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let closing = text[word.len()..].starts_with(']');
    if (numbered || TAG_WORDS.contains(&lower.as_str())) && !word.is_empty() {
        return Some(word.len() + usize::from(closing));
    }
    None
}

/// The kind that a text begins with, and the length of its word.
fn parse_unit_kind(text: &str) -> Option<(UnitType, usize)> {
    let words = [
        ("proposals", UnitType::Proposal),
        ("proposal", UnitType::Proposal),
        ("observations", UnitType::Observation),
        ("observation", UnitType::Observation),
        ("prop.", UnitType::Proposal),
        ("obs.", UnitType::Observation),
    ];
    words.into_iter().find_map(|(word, kind)| {
        let start = text.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word))?;
        let ends = !text[start.len()..].starts_with(char::is_alphabetic);
        ends.then_some((kind, start.len()))
    })
}

/// The length of the number that a text begins with: `1`, `2.1`, `6.1-1-rev1`, `5.3-5-1a-off`, `A`, `IV`.
fn number_length(text: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric();
    let is_separator = |c: char| matches!(c, '.' | '-' | '_' | '\u{2013}' | '\u{2011}');
    let mut end = 0;
    let mut rest = text;
    loop {
        let length = rest.find(|c: char| !part(c)).unwrap_or(rest.len());
        if length == 0 {
            break;
        }
        end = text.len() - rest.len() + length;
        let mut following = rest[length..].chars();
        match following.next() {
            Some(separator) if is_separator(separator) && following.next().is_some_and(part) => {
                rest = &rest[length + separator.len_utf8()..];
            }
            _ => break,
        }
    }
    let token = &text[..end];
    let first = token.split(is_separator).next().unwrap_or_default();
    let letters = first.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = first.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    let starts_number = if digits > 0 {
        letters <= 2 && first[..letters].bytes().all(|b| b.is_ascii_uppercase())
    } else {
        first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase()) || is_roman(first)
    };
    if starts_number && end <= MAX_NUMBER_BYTES { end } else { 0 }
}

fn is_roman(word: &str) -> bool {
    (2..=5).contains(&word.len()) && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X'))
}

/// A number in one spelling: lower case, one kind of dash.
fn normalise_number(number: &str) -> String {
    let dashed = number.replace(['\u{2013}', '\u{2011}', '_'], "-");
    dashed.trim_end_matches(['.', '-']).to_lowercase()
}

/// The end of a label whose number ends at `end`, and the text after it; `None` if it is part of a sentence.
fn find_label_end(text: &str, end: usize, certainty: LabelCertainty) -> Option<(usize, &str)> {
    let mut end = end;
    let mut rest = &text[end..];
    // Tags after the number: "(H)", "[closed]", and the bracket of a label in brackets.
    loop {
        let trimmed = rest.trim_start_matches([' ', '\u{a0}']);
        let tag_start = text.len() - trimmed.len();
        let closed = trimmed.strip_prefix([']', ')', '>']).map(|_| 1);
        let opened = trimmed.strip_prefix(['[', '(']).and_then(|inner| {
            let length = inner.find([']', ')'])?;
            (length <= MAX_BRACKET_BYTES).then_some(length + 2)
        });
        let Some(length) = closed.or(opened) else { break };
        let after_tag = &text[tag_start + length..];
        // "Proposal 1 (which is new) is ..." is a sentence; a tag is followed by a mark or the end.
        let ends_label = after_tag.trim_start().is_empty()
            || after_tag
                .trim_start()
                .starts_with([':', '\u{ff1a}', '.', '-', '\u{2013}', '[', '(', '\n']);
        if closed.is_none() && !(ends_label || certainty == LabelCertainty::Certain) {
            break;
        }
        end = tag_start + length;
        rest = &text[end..];
    }
    let trimmed = rest.trim_start_matches([' ', '\u{a0}']);
    if trimmed.is_empty() || trimmed.starts_with('\n') {
        return Some((end, trimmed.trim()));
    }
    let spaced = trimmed.len() < rest.len();
    let mut chars = trimmed.chars();
    let mark = chars.next()?;
    let after = chars.as_str();
    match mark {
        ':' | '\u{ff1a}' | ';' => Some((end, after.trim())),
        '.' | ')' | ']' if after.starts_with(char::is_whitespace) || after.is_empty() => {
            Some((end, after.trim()))
        }
        '.' if certainty != LabelCertainty::Plain => Some((end, after.trim())),
        '\u{2013}' | '\u{2014}' | '-' | '\u{2012}' if is_note(after, certainty) => {
            Some((text.len(), ""))
        }
        '\u{2013}' | '\u{2014}' | '-' | '\u{2012}' => {
            // "Proposal 6 - 8 were discussed" is about three proposals.
            let next = after.split_whitespace().next().unwrap_or_default();
            let is_range = !next.is_empty() && next.bytes().all(|b| b.is_ascii_digit());
            (!is_range).then(|| (end, after.trim()))
        }
        _ if spaced => is_own_text(trimmed, certainty).then(|| (end, trimmed.trim())),
        _ => None,
    }
}

/// "Proposal 6.2.1-7 - offline consensus" is a label to its end; "Proposal 1 - RAN1 to study" is not.
fn is_note(rest: &str, certainty: LabelCertainty) -> bool {
    let rest = rest.trim();
    let short = rest.len() <= MAX_NOTE_BYTES && rest.split_whitespace().count() <= 3;
    certainty == LabelCertainty::Certain && short && !rest.ends_with('.')
}

/// Whether text that only a blank separates from the number is the proposal's own.
fn is_own_text(rest: &str, certainty: LabelCertainty) -> bool {
    let word = rest.split_whitespace().next().unwrap_or_default();
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let continues_sentence = CONTINUING_WORDS.contains(&bare.to_lowercase().as_str())
        && bare.chars().all(char::is_lowercase);
    let several = bare.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(" and ");
    match certainty {
        LabelCertainty::Certain => true,
        LabelCertainty::Bold => !continues_sentence,
        LabelCertainty::Plain => {
            let begins = bare.starts_with(|c: char| c.is_uppercase());
            begins && !continues_sentence && !several && rest.split_whitespace().count() >= 3
        }
    }
}

/// "Proposal: RAN1 to study" has no number. It is a label only at the beginning of a paragraph.
fn parse_unnumbered_label(
    text: &str,
    kind: UnitType,
    end: usize,
    start: usize,
    certainty: LabelCertainty,
) -> Option<ParsedLabel<'_>> {
    let plural = text[start..end].to_ascii_lowercase().ends_with('s');
    let rest = text[end..].trim_start().strip_prefix([':', '\u{ff1a}'])?.trim();
    let alone = start == 0 && !plural && certainty != LabelCertainty::Certain;
    (alone && !rest.is_empty()).then(|| ParsedLabel {
        kind,
        label: text[..end].trim(),
        number: String::new(),
        rest,
    })
}

#[cfg(test)]
mod tests;
