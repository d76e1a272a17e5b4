//! Labels of proposals and observations: `Proposal 1:`, `Observation 2.1`, `[FL2][H] Proposal 6.1-1-rev1`.
//!
//! Promises that a sentence which speaks of a proposal ("Proposal 1 and 2 were discussed") is none.

use serde::{Deserialize, Serialize};

/// What a unit says: what is to be done, or what was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum UnitKind {
    /// What the authors want to be agreed.
    Proposal,
    /// What the authors found.
    Observation,
}

/// A label and what follows it in its paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedLabel<'a> {
    pub(super) kind: UnitKind,
    /// The label as written, with the tags before it.
    pub(super) label: &'a str,
    /// The label's number in one spelling; empty where it has none.
    pub(super) number: String,
    /// The text after it, without the mark that parts them.
    pub(super) rest: &'a str,
}

/// How sure it is that a paragraph which begins like a label is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelCertainty {
    /// Nothing sets its first words apart.
    Plain,
    /// Its first words are bold.
    Bold,
    /// It is what automatic numbering printed, or a heading.
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
/// The label stands within so many bytes from the start.
const MAX_TAG_BYTES: usize = 60;
/// A number is no longer than this.
const MAX_NUMBER_BYTES: usize = 24;
/// What may stand behind the number and be part of the label: `(H)`, `- offline consensus`.
const MAX_TAIL_BYTES: usize = 40;
/// Words that go on with a sentence about a proposal.
const CONTINUING_WORDS: [&str; 30] = [
    "and", "or", "in", "from", "of", "is", "was", "were", "are", "can", "could", "to", "for", "by",
    "with", "has", "have", "should", "will", "would", "on", "as", "at", "that", "which", "above",
    "below", "if", "may", "shall",
];

/// Reads the label that a paragraph begins with.
pub(super) fn parse_label(text: &str, look: LabelCertainty) -> Option<ParsedLabel<'_>> {
    let start = skip_tags(text)?;
    let (kind, word) = parse_unit_kind(&text[start..])?;
    let after_word = start + word;
    let gap = skip_number_sign(&text[after_word..]);
    let number_at = text.len() - gap.len();
    let number_len = number_length(gap);
    if number_len == 0 {
        return parse_unnumbered_label(text, kind, after_word, start, look);
    }
    if has_second_number(&gap[number_len..]) {
        return None;
    }
    // "Proposals7" is no label of a proposal, "Proposal7" is.
    let number_end = number_at + number_len;
    let spelled = normalise_number(&text[number_at..number_end]);
    let (label_end, rest) = find_label_end(text, number_end, look)?;
    Some(ParsedLabel { kind, label: text[..label_end].trim(), number: spelled, rest })
}

/// What follows the marks between the word and its number: `#`, `No.`, an open bracket before digits.
fn skip_number_sign(text: &str) -> &str {
    let gap = text.trim_start_matches([' ', '-', '#', '\u{2013}', '\u{a0}', '_']);
    for sign in ["no.", "nr.", "n\u{b0}", "("] {
        let Some(found) = gap.get(..sign.len()) else { continue };
        let rest = gap[sign.len()..].trim_start_matches([' ', '\u{a0}']);
        if found.eq_ignore_ascii_case(sign) && rest.starts_with(|c: char| c.is_ascii_digit()) {
            return rest;
        }
    }
    gap
}

/// Whether what follows a number names a second one: "Proposal 11 versus Proposal 12".
fn has_second_number(rest: &str) -> bool {
    let mut words = rest.split_whitespace();
    let joins =
        matches!(words.next(), Some("and" | "or" | "versus" | "vs" | "vs." | "to" | "&" | "/"));
    joins
        && words.next().is_some_and(|word| {
            parse_unit_kind(word).is_some() || word.starts_with(|c: char| c.is_ascii_digit())
        })
}

/// Where the word `Proposal` or `Observation` begins: after tags in brackets and words such as "Updated".
fn skip_tags(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches([' ', '*', '\u{a0}', ':', '-', '\u{2022}']);
        let here = at + rest.len() - trimmed.len();
        if here > MAX_TAG_BYTES {
            return None;
        }
        if parse_unit_kind(trimmed).is_some() {
            return Some(here);
        }
        at = here + tag_length(trimmed)?;
    }
}

/// The length of a tag: what stands in brackets, or a word of those that labels have.
fn tag_length(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix(['[', '(', '<']) {
        // A bracket may be written twice.
        let end = inner.find([']', ')', '>'])?;
        // "[Proposal 1]" is a label in brackets: the bracket alone is passed.
        if parse_unit_kind(inner).is_some() {
            return Some(1);
        }
        return (end <= 24).then_some(end + 2);
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
fn parse_unit_kind(text: &str) -> Option<(UnitKind, usize)> {
    let words = [
        ("proposals", UnitKind::Proposal),
        ("proposal", UnitKind::Proposal),
        ("observations", UnitKind::Observation),
        ("observation", UnitKind::Observation),
        ("prop.", UnitKind::Proposal),
        ("obs.", UnitKind::Observation),
    ];
    words.into_iter().find_map(|(word, kind)| {
        let found = text.get(..word.len()).filter(|found| found.eq_ignore_ascii_case(word))?;
        let ends = !text[found.len()..].starts_with(char::is_alphabetic);
        ends.then_some((kind, found.len()))
    })
}

/// The length of the number that a text begins with: `1`, `2.1`, `6.1-1-rev1`, `5.3-5-1a-off`, `A`, `IV`.
fn number_length(text: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric();
    let is_joint = |c: char| matches!(c, '.' | '-' | '_' | '\u{2013}' | '\u{2011}');
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
            Some(joint) if is_joint(joint) && following.next().is_some_and(part) => {
                rest = &rest[length + joint.len_utf8()..];
            }
            _ => break,
        }
    }
    let token = &text[..end];
    let first = token.split(is_joint).next().unwrap_or_default();
    let letters = first.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = first.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    let starts = if digits > 0 {
        letters <= 2 && first[..letters].bytes().all(|b| b.is_ascii_uppercase())
    } else {
        first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase()) || is_roman(first)
    };
    let bounded = end <= MAX_NUMBER_BYTES;
    if starts && bounded { end } else { 0 }
}

fn is_roman(word: &str) -> bool {
    (2..=5).contains(&word.len()) && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X'))
}

/// One spelling of a number: small letters, one kind of dash.
fn normalise_number(number: &str) -> String {
    let dashed = number.replace(['\u{2013}', '\u{2011}', '_'], "-");
    dashed.trim_end_matches(['.', '-']).to_lowercase()
}

/// Where a label whose number ends at `end` ends itself, and what follows it; none where it is part of a
/// sentence.
fn find_label_end(text: &str, end: usize, look: LabelCertainty) -> Option<(usize, &str)> {
    let mut end = end;
    let mut rest = &text[end..];
    // Tags after the number: "(H)", "[closed]", and the bracket of a label in brackets.
    loop {
        let trimmed = rest.trim_start_matches([' ', '\u{a0}']);
        let at = text.len() - trimmed.len();
        let closed = trimmed.strip_prefix([']', ')', '>']).map(|_| 1);
        let opened = trimmed.strip_prefix(['[', '(']).and_then(|inner| {
            let length = inner.find([']', ')'])?;
            (length <= 24).then_some(length + 2)
        });
        let Some(length) = closed.or(opened) else { break };
        let tagged = &text[at + length..];
        // "Proposal 1 (which is new) is ..." goes on; a tag is followed by a mark or the end.
        let marks = tagged.trim_start().is_empty()
            || tagged
                .trim_start()
                .starts_with([':', '\u{ff1a}', '.', '-', '\u{2013}', '[', '(', '\n']);
        if closed.is_none() && !(marks || look == LabelCertainty::Certain) {
            break;
        }
        end = at + length;
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
        '.' if look != LabelCertainty::Plain => Some((end, after.trim())),
        '\u{2013}' | '\u{2014}' | '-' | '\u{2012}' if is_note(after, look) => {
            Some((text.len(), ""))
        }
        '\u{2013}' | '\u{2014}' | '-' | '\u{2012}' => {
            // "Proposal 6 - 8 were discussed" speaks of three.
            let next = after.split_whitespace().next().unwrap_or_default();
            let is_range = !next.is_empty() && next.bytes().all(|b| b.is_ascii_digit());
            (!is_range).then(|| (end, after.trim()))
        }
        _ if spaced => is_own_text(trimmed, look).then(|| (end, trimmed.trim())),
        _ => None,
    }
}

/// "Proposal 6.2.1-7 - offline consensus" is a label to its end; "Proposal 1 - RAN1 to study" is not.
fn is_note(rest: &str, look: LabelCertainty) -> bool {
    let rest = rest.trim();
    let short = rest.len() <= MAX_TAIL_BYTES && rest.split_whitespace().count() <= 3;
    look == LabelCertainty::Certain && short && !rest.ends_with('.')
}

/// Whether what follows the number after a blank alone is the proposal's own text.
fn is_own_text(rest: &str, look: LabelCertainty) -> bool {
    let word = rest.split_whitespace().next().unwrap_or_default();
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let goes_on = CONTINUING_WORDS.contains(&bare.to_lowercase().as_str())
        && bare.chars().all(char::is_lowercase);
    let several = bare.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(" and ");
    match look {
        LabelCertainty::Certain => true,
        LabelCertainty::Bold => !goes_on,
        LabelCertainty::Plain => {
            let begins = bare.starts_with(|c: char| c.is_uppercase());
            begins && !goes_on && !several && rest.split_whitespace().count() >= 3
        }
    }
}

/// "Proposal: RAN1 to study" has no number. It is a label where it stands in a paragraph of its own.
fn parse_unnumbered_label(
    text: &str,
    kind: UnitKind,
    end: usize,
    start: usize,
    look: LabelCertainty,
) -> Option<ParsedLabel<'_>> {
    let plural = text[start..end].to_ascii_lowercase().ends_with('s');
    let rest = text[end..].trim_start().strip_prefix([':', '\u{ff1a}'])?.trim();
    let alone = start == 0 && !plural && look != LabelCertainty::Certain;
    (alone && !rest.is_empty()).then(|| ParsedLabel {
        kind,
        label: text[..end].trim(),
        number: String::new(),
        rest,
    })
}

#[cfg(test)]
mod tests;
