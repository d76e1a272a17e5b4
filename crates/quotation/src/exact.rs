//! Exact matches: every required token, in order, and no word cut.

use std::ops::Range;

use cost_meter::spend;

use crate::{
    Quotation, TokenizedText,
    bounds::{cut_after, cut_before},
    token::{QuoteToken, TokenPresence},
};

/// The positions of a quotation in a text, as bytes; the first `limit`.
pub fn find_exact_matches(
    quotation: &Quotation,
    text: &TokenizedText,
    limit: usize,
) -> Vec<Range<usize>> {
    let found = find_as_written(quotation, text, limit);
    match &quotation.unhyphenated {
        Some(joined) if found.is_empty() => find_as_written(joined, text, limit),
        _ => found,
    }
}

fn find_as_written(quotation: &Quotation, text: &TokenizedText, limit: usize) -> Vec<Range<usize>> {
    let mut matches = Vec::new();
    let Some(first) = quotation.tokens.first() else { return matches };
    let mut from = 0;
    while let Some(offset) =
        text.tokens[from..].iter().position(|token| is_same_first(quotation, first, token))
    {
        let begin = from + offset;
        from = begin + 1;
        let Some(end) = match_from(quotation, text, begin) else { continue };
        let is_whole = cut_before(text, begin).is_empty() && cut_after(text, end).is_empty();
        if is_whole {
            matches.push(text.bytes_of(begin..end));
            from = end;
            if matches.len() >= limit {
                break;
            }
        }
    }
    matches
}

/// Whether a token is the first one of a quotation; the case of its first letter may differ.
pub(crate) fn is_same_first(quotation: &Quotation, first: &QuoteToken, token: &QuoteToken) -> bool {
    token.is_same(first) || quotation.other_case == Some(token.hash)
}

/// The end of the match that begins with a token, as an index of tokens; `None` if a token differs.
fn match_from(quotation: &Quotation, text: &TokenizedText, begin: usize) -> Option<usize> {
    let (mut quoted, mut end) = (1, begin + 1);
    while quoted < quotation.tokens.len() {
        spend(1);
        (quoted, end) = step_over(quotation, text, quoted, end)?;
    }
    Some(end)
}

/// The tokens of a quotation and of a text after the next ones that are the same, or that may be left out; `None` if
/// they differ.
pub(crate) fn step_over(
    quotation: &Quotation,
    text: &TokenizedText,
    quoted: usize,
    actual: usize,
) -> Option<(usize, usize)> {
    let wanted = quotation.tokens.get(quoted)?;
    let token = text.tokens.get(actual)?;
    if token.is_same(wanted) {
        return Some((quoted + 1, actual + 1));
    }
    if let Some(count) = count_joined_tokens(text, actual, &quotation.text()[wanted.range()]) {
        return Some((quoted + 1, actual + count));
    }
    // A subscript is not a superscript.
    let may_skip = !both_scripts(token, wanted);
    match (token.is_required(), wanted.is_required()) {
        (false, _) if may_skip => Some((quoted, actual + 1)),
        (true, false) if may_skip => Some((quoted + 1, actual)),
        _ => None,
    }
}

/// The number of tokens from an index on that, with marks of subscripts between them, are printed as one word: `I_MCS`
/// is `IMCS` in print. `None` if they are another word.
fn count_joined_tokens(text: &TokenizedText, index: usize, word: &str) -> Option<usize> {
    let mut rest = word;
    for (count, token) in text.tokens[index..].iter().enumerate() {
        let written = &text.text()[token.range()];
        let is_mark = token.presence == TokenPresence::Script && written == "_";
        if count % 2 == 1 && !is_mark {
            return None;
        }
        if count % 2 == 0 {
            rest = rest.strip_prefix(written)?;
            if rest.is_empty() {
                return (count > 0).then_some(count + 1);
            }
        }
    }
    None
}

fn both_scripts(a: &QuoteToken, b: &QuoteToken) -> bool {
    a.presence == TokenPresence::Script && b.presence == TokenPresence::Script
}

#[cfg(test)]
mod tests;
