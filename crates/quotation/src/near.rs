//! Near matches: the part of a text that a quotation most resembles, and the differences.

use domain::QuoteDifferenceKind;
use std::{collections::HashMap, ops::Range};

use cost_meter::spend;

use crate::{
    Quotation, TokenizedText,
    align::{Alignment, AlignmentStep, align_tokens, token_weight},
    bounds::{cut_after, cut_before},
    token::{QuoteToken, TokenPresence},
};

/// Minimum share of the weight of both that must be equal. With less, two sentences on the same subject would be near;
/// with more, a short quotation with one wrong word would match nothing.
const MIN_SIMILARITY: f32 = 0.7;
/// Minimum number of equal words and numbers: two words alone are not a quotation.
const MIN_MATCHED_WORDS: usize = 3;
/// Tokens of a window beyond those of the quotation, and a quarter of it: for a short quotation, a quarter alone would
/// leave no room for words that it lacks.
const WINDOW_SLACK: usize = 12;
/// Minimum share of the quotation's words that a window must have, in any order. It is below [`MIN_SIMILARITY`],
/// because signs count only in the alignment.
const MIN_WINDOW_SHARE: f32 = 0.6;
/// Maximum number of aligned windows of a text. A table whose rows are alike has hundreds, and each costs a table of
/// costs as wide as the window and as high as the quotation.
const MAX_WINDOWS: usize = 3;
/// Maximum number of listed differences of a match: with [`MAX_DIFFERENCE_BYTES`] on both sides, 32 kB of an answer.
const MAX_DIFFERENCES: usize = 40;
/// Maximum length of the text of a difference; the rest is cut.
const MAX_DIFFERENCE_BYTES: usize = 400;

/// A difference between a quotation and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is.
    pub kind: QuoteDifferenceKind,
    /// The words of the quotation; empty if it lacks some.
    pub quoted: String,
    /// The words of the text; empty if the quotation has too many.
    pub actual: String,
}

/// A part of a text that resembles a quotation.
#[derive(Debug, Clone, PartialEq)]
pub struct NearMatch {
    /// Its position, as bytes.
    pub range: Range<usize>,
    /// Share that is equal, 0 to 1.
    pub similarity: f32,
    /// The differences; empty if the text contains the quotation as it is.
    pub differences: Vec<Difference>,
}

/// The part of a text that a quotation most resembles; `None` if too little is equal.
pub fn find_near_match(quotation: &Quotation, text: &TokenizedText) -> Option<NearMatch> {
    let plain = find_as_written(quotation, text);
    let joined = quotation.unhyphenated.as_deref().and_then(|joined| find_as_written(joined, text));
    [plain, joined]
        .into_iter()
        .flatten()
        .reduce(|best, other| if other.similarity > best.similarity { other } else { best })
}

fn find_as_written(quotation: &Quotation, text: &TokenizedText) -> Option<NearMatch> {
    let mut best: Option<(f32, Alignment)> = None;
    for window in find_windows(quotation, text) {
        let alignment = align_tokens(quotation, &text.tokens, window);
        let similarity = similarity_of(quotation, text, &alignment);
        if best.as_ref().is_none_or(|(known, _)| similarity > *known) {
            best = Some((similarity, alignment));
        }
    }
    let (similarity, alignment) = best?;
    if similarity < MIN_SIMILARITY || alignment.matched_words < MIN_MATCHED_WORDS {
        return None;
    }
    Some(to_near_match(quotation, text, similarity, &alignment))
}

fn similarity_of(quotation: &Quotation, text: &TokenizedText, alignment: &Alignment) -> f32 {
    let quoted: u32 = quotation.tokens.iter().map(token_weight).sum();
    let actual: u32 = text.tokens[alignment.tokens.clone()].iter().map(token_weight).sum();
    alignment.matched_weight as f32 / quoted.max(actual).max(1) as f32
}

/// The windows of a text with the most tokens of a quotation, best first, none within another.
fn find_windows(quotation: &Quotation, text: &TokenizedText) -> Vec<Range<usize>> {
    spend(text.tokens.len());
    let wanted = quotation.tokens.iter().filter(|token| token.is_wordlike());
    let mut open: HashMap<u64, i32> = HashMap::new();
    wanted.for_each(|token| *open.entry(token.folded).or_default() += 1);
    let wanted_count: i32 = open.values().sum();
    let width = quotation.tokens.len() + quotation.tokens.len() / 4 + WINDOW_SLACK;
    // For each position of a sliding window: the number of the quotation's words in it.
    let mut matched = 0;
    let mut peaks: Vec<(i32, usize)> = Vec::new();
    for (end, token) in text.tokens.iter().enumerate() {
        if let Some(count) = open.get_mut(&token.folded) {
            matched += i32::from(*count > 0);
            *count -= 1;
        }
        if let Some(left) = end.checked_sub(width).and_then(|index| text.tokens.get(index))
            && let Some(count) = open.get_mut(&left.folded)
        {
            *count += 1;
            matched -= i32::from(*count > 0);
        }
        if matched as f32 >= MIN_WINDOW_SHARE * wanted_count as f32 {
            match peaks.last_mut() {
                // Of windows that overlap, the one with the most.
                Some((count, last)) if end < *last + width => {
                    if matched > *count {
                        (*count, *last) = (matched, end);
                    }
                }
                _ => peaks.push((matched, end)),
            }
        }
    }
    peaks.sort_by_key(|(count, end)| (std::cmp::Reverse(*count), *end));
    let to_window = |(_, end): (i32, usize)| {
        let last = (end + WINDOW_SLACK).min(text.tokens.len());
        end.saturating_sub(width + WINDOW_SLACK)..last
    };
    peaks.into_iter().take(MAX_WINDOWS).map(to_window).collect()
}

fn to_near_match(
    quotation: &Quotation,
    text: &TokenizedText,
    similarity: f32,
    alignment: &Alignment,
) -> NearMatch {
    let tokens = &alignment.tokens;
    let (before, after) = (cut_before(text, tokens.start), cut_after(text, tokens.end));
    let cut = |bytes: Range<usize>| {
        (!bytes.is_empty()).then(|| Difference {
            kind: QuoteDifferenceKind::Missing,
            quoted: String::new(),
            actual: text.text()[bytes].to_owned(),
        })
    };
    let whole = before.start..after.end;
    let mut differences: Vec<Difference> = cut(before).into_iter().collect();
    for group in group_steps(quotation, text, &alignment.steps) {
        differences.push(to_difference(quotation, text, &group));
    }
    differences.extend(cut(after));
    if differences.is_empty() && scripts_differ(quotation, text, alignment) {
        differences.push(Difference {
            kind: QuoteDifferenceKind::Replaced,
            quoted: quotation.text().to_owned(),
            actual: text.text()[whole.clone()].to_owned(),
        });
    }
    differences.truncate(MAX_DIFFERENCES);
    NearMatch { range: whole, similarity, differences }
}

/// Whether the quotation has subscripts and superscripts that differ from those of the text.
fn scripts_differ(quotation: &Quotation, text: &TokenizedText, alignment: &Alignment) -> bool {
    let scripts = |tokens: &[QuoteToken]| -> Vec<u64> {
        let scripts = tokens.iter().filter(|token| token.presence == TokenPresence::Script);
        scripts.map(|token| token.hash).collect()
    };
    let quoted = scripts(&quotation.tokens);
    !quoted.is_empty() && quoted != scripts(&text.tokens[alignment.tokens.clone()])
}

/// Tokens that differ next to each other.
#[derive(Debug, Default)]
struct StepGroup {
    quoted: Option<(usize, usize)>,
    actual: Option<(usize, usize)>,
}

impl StepGroup {
    fn add(span: &mut Option<(usize, usize)>, index: usize) {
        *span = Some(span.map_or((index, index), |(first, _)| (first, index)));
    }
}

/// The steps that differ, neighbours together. An optional token is not a difference.
fn group_steps(
    quotation: &Quotation,
    text: &TokenizedText,
    steps: &[AlignmentStep],
) -> Vec<StepGroup> {
    let mut groups: Vec<StepGroup> = Vec::new();
    let mut is_open = false;
    for step in steps {
        let (quoted, actual) = match *step {
            AlignmentStep::Equal => (None, None),
            AlignmentStep::Replaced { quoted, actual } => (Some(quoted), Some(actual)),
            AlignmentStep::Inserted { quoted } => {
                (Some(quoted).filter(|index| quotation.tokens[*index].is_required()), None)
            }
            AlignmentStep::Missing { actual } => {
                (None, Some(actual).filter(|index| text.tokens[*index].is_required()))
            }
        };
        if quoted.is_none() && actual.is_none() {
            is_open &= *step != AlignmentStep::Equal;
            continue;
        }
        if !is_open {
            groups.push(StepGroup::default());
            is_open = true;
        }
        if let Some(group) = groups.last_mut() {
            quoted.into_iter().for_each(|index| StepGroup::add(&mut group.quoted, index));
            actual.into_iter().for_each(|index| StepGroup::add(&mut group.actual, index));
        }
    }
    groups
}

fn to_difference(quotation: &Quotation, text: &TokenizedText, group: &StepGroup) -> Difference {
    let quoted = group.quoted.map(|(first, last)| {
        let tokens = &quotation.tokens;
        tokens[first].range().start..tokens[last].range().end
    });
    let actual = group.actual.map(|(first, last)| text.bytes_of(first..last + 1));
    let slice = |text: &str, range: Range<usize>| {
        let slice = &text[range];
        slice[..slice.floor_char_boundary(MAX_DIFFERENCE_BYTES)].to_owned()
    };
    match (quoted, actual) {
        (Some(quoted), Some(actual)) => Difference {
            kind: QuoteDifferenceKind::Replaced,
            quoted: slice(quotation.text(), widen_to_word(quotation.text(), quoted)),
            actual: slice(text.text(), widen_to_word(text.text(), actual)),
        },
        (quoted, actual) => Difference {
            kind: if quoted.is_some() {
                QuoteDifferenceKind::Inserted
            } else {
                QuoteDifferenceKind::Missing
            },
            quoted: quoted.map_or(String::new(), |range| slice(quotation.text(), range)),
            actual: actual.map_or(String::new(), |range| slice(text.text(), range)),
        },
    }
}

/// A range with the letters and digits that are written together with it: `T310`, not `310`.
fn widen_to_word(text: &str, range: Range<usize>) -> Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..range.start].trim_end_matches(is_part).len();
    let after = &text[range.end..];
    let end = range.end + after.len() - after.trim_start_matches(is_part).len();
    before..end
}

#[cfg(test)]
mod tests;
