//! Numbers of clauses, tables, figures and equations, as texts print them.

use std::{ops::Range, sync::LazyLock};

use domain::SectionNumber;
use regex::Regex;

use domain::ReferenceKind;

/// The number of a clause: `5.3.5.13a`, `A`, `B.2.1`, `5.2.48B4A10`, `6.2B.1.3_1`, `8.x`.
const CLAUSE_NUMBER: &str = concat!(
    r"(?:\d{1,3}[A-Za-z]{0,2}\d?|[A-Z]{1,2}\d{0,2}[A-Za-z]?)(?:_\d{1,2}[A-Z]?)*",
    r"(?:\.(?:\d{1,3}(?:[A-Za-z]{1,4}\d{1,3}){0,3}[A-Za-z]{0,4}|[A-Z]{1,2}\d{0,3}|[x-z]{1,3})(?:_\d{1,2}[A-Z]?)*)*"
);

/// A clause number at the start of a text.
pub(crate) static CLAUSE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("^{CLAUSE_NUMBER}")).expect("the pattern is a constant"));
/// The number of a table or figure at the start of a text: `6.3.3.1-4B`, `4-1`, `1`, and with a mistake, `6.3.3.1.-2`.
static CAPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"^{CLAUSE_NUMBER}(?:\.?[-\u{{2013}}:]\d{{1,3}}[A-Za-z]{{0,2}}\d?)*"))
        .expect("the pattern is a constant")
});
/// The rest of the number of one table in a list: `-2`, `/3`.
static CAPTION_REST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[-/]?(\d{1,3}[A-Za-z]{0,2})").expect("the pattern is a constant")
});
/// The second part of a number that has no dash: `/2` of "Table 5.2.1.1.1/2".
static SLASH_PART: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^/\d{1,2}[A-Za-z]?").expect("the pattern is a constant"));

/// The number at a byte of a text; `None` if it continues as a word.
pub(crate) fn read_number(
    text: &str,
    at: usize,
    kind: ReferenceKind,
    previous: Option<&str>,
    is_slash: bool,
) -> Option<(String, Range<usize>)> {
    let rest = text.get(at..)?;
    let opened = usize::from(kind == ReferenceKind::Equation && rest.starts_with('('));
    let number = match kind {
        ReferenceKind::Clause | ReferenceKind::Annex => CLAUSE.find(&rest[opened..])?,
        _ => {
            if let Some(number) = read_rest_of_caption(rest, previous, is_slash) {
                let length = CAPTION_REST.find(rest)?.end();
                return Some((number, at..at + length));
            }
            CAPTION.find(&rest[opened..])?
        }
    };
    let mut end = at + opened + number.end();
    if matches!(kind, ReferenceKind::Table | ReferenceKind::Figure) {
        end += count_slash_part(&text[at..end], &text[end..]);
    }
    let mut next = end;
    if let Some((number_end, word_end)) = find_joined_word(text, at, end) {
        (end, next) = (number_end, word_end);
    }
    let number = text.get(at + opened..end)?.trim_end_matches([':', '-']);
    if !is_plausible(
        number,
        kind,
        previous.is_some_and(|previous| previous.contains('.')),
        text.get(next..)?,
    ) {
        return None;
    }
    if opened == 1 && text[end..].starts_with(')') {
        end += 1;
    }
    // "Table 6.1.3.5.-1" is one of clause 6.1.3.5.
    Some((number.replace('\u{2013}', "-").replace(".-", "-"), at..end))
}

/// The ends of a number and of a word that lost the blank before it: "figure 9.9.3.35.1and", "Table 6.1.4.1-1to".
fn find_joined_word(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    const WORDS: [&str; 10] = ["and", "or", "to", "of", "in", "is", "for", "the", "are", "with"];
    let number = text.get(start..end)?.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let number_end = start + number.len();
    let rest = text.get(number_end..)?;
    let word = rest.find(|c: char| !c.is_ascii_lowercase()).map_or(rest, |length| &rest[..length]);
    (number.ends_with(|c: char| c.is_ascii_digit()) && WORDS.contains(&word))
        .then(|| (number_end, number_end + word.len()))
}

/// Bytes of `/2` after `5.2.1.1.1`, the number of a clause: "Table 5.2.1.1.1/2" is one table, "Tables 5/6" and
/// "Table 5.1-1/2" are two.
fn count_slash_part(number: &str, after: &str) -> usize {
    if !number.contains('.') || number.contains('-') {
        return 0;
    }
    let part = SLASH_PART.find(after).map_or(0, |part| part.end());
    let goes_on = after[part..].starts_with(|c: char| c.is_alphanumeric() || c == '/')
        || after[part..]
            .strip_prefix(['.', '-'])
            .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphanumeric()));
    if goes_on { 0 } else { part }
}

/// `/3` after `5.1.2.1.1-2`, `-2` after `6.3-1`.
fn read_rest_of_caption(rest: &str, previous: Option<&str>, is_slash: bool) -> Option<String> {
    let (stem, _) = previous?.rsplit_once('-')?;
    let found = CAPTION_REST.captures(rest)?;
    let after = &rest[found[0].len()..];
    let is_whole = !after.starts_with(|c: char| c.is_alphanumeric())
        && !after
            .strip_prefix(['.', '-'])
            .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphanumeric()));
    let is_rest = found[0].starts_with('-') || is_slash;
    (is_whole && is_rest).then(|| format!("{stem}-{}", &found[1]))
}

/// Whether a number is plausible for its kind: "annex A" has a letter alone, a clause of the body has digits, and the
/// text after it does not continue the word.
fn is_plausible(number: &str, kind: ReferenceKind, follows_parts: bool, after: &str) -> bool {
    let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        || after.strip_prefix(['-', '/']).is_some_and(|next| {
            kind == ReferenceKind::Clause && next.starts_with(|c: char| c.is_ascii_lowercase())
        });
    let has_digit = number.bytes().any(|byte| byte.is_ascii_digit());
    let is_letter = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_uppercase());
    // An annex that was inserted between two others: "annex Da".
    let is_inserted = matches!(number.as_bytes(), [b'A'..=b'Z', b'a'..=b'f']);
    // "clauses 5.2, 5.3 and 3 of the ..." ends the list: a listed number has as many parts as clauses have.
    let counts_something = follows_parts
        && !number.contains(['.', '-'])
        && after.trim_start().starts_with(|c: char| c.is_lowercase())
        && !after.trim_start().starts_with(|c: char| "oifs".contains(c));
    // "clause 5.2 and 3G GBA", "clause 5.2, N bits": a generation of networks, and a variable.
    let is_generation = matches!(number.as_bytes(), [b'2'..=b'6', b'G']);
    let is_variable = follows_parts && is_letter && number.len() == 1 && !after.starts_with('.');
    let form = number.split(['-', '\u{2013}', '/']).next().unwrap_or(number).trim_end_matches('.');
    !goes_on
        && !counts_something
        && !is_generation
        && !is_variable
        && SectionNumber::is_numbered(form)
        && match kind {
            ReferenceKind::Annex => has_digit || is_letter || is_inserted,
            // Broken cross-references of Word print a zero.
            ReferenceKind::Clause => {
                (has_digit && number != "0") || (is_letter && number.len() == 1 && !is_word(after))
            }
            ReferenceKind::Equation => number.contains(['.', '-']),
            _ => has_digit,
        }
}

/// Whether a letter is the article of a sentence: "clause A new".
fn is_word(after: &str) -> bool {
    after.trim_start().starts_with(|c: char| c.is_lowercase())
        && !["of ", "in ", "and ", "or ", "to ", "for ", "shall ", "is "]
            .iter()
            .any(|word| after.trim_start().starts_with(word))
}
