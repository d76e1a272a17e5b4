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
    let tokens = &text.tokens;
    let mut quoted = quotation.tokens.iter().skip(1).peekable();
    let mut end = begin + 1;
    while let Some(wanted) = quoted.peek() {
        spend(1);
        let token = tokens.get(end)?;
        if token.is_same(wanted) {
            quoted.next();
            end += 1;
        } else if let Some(count) =
            count_joined_tokens(text, end, &quotation.text()[wanted.range()])
        {
            quoted.next();
            end += count;
        } else if both_scripts(token, wanted) {
            // A subscript is not a superscript.
            return None;
        } else if !token.is_required() {
            end += 1;
        } else if !wanted.is_required() {
            quoted.next();
        } else {
            return None;
        }
    }
    Some(end)
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
