//! Matches that are exact but for formulas, pictures and tables of the text.
//!
//! Nobody can copy a picture, and a formula is retyped in another notation or left out. At these elements alone, a
//! quotation may have something else or nothing. What it has there must look like the element: an altered word, number
//! or negation is a difference, not another notation.

mod elements;
mod retyped;

use std::{collections::HashSet, ops::Range};

use cost_meter::spend;

use crate::{
    Quotation, TokenizedText,
    bounds::{cut_after, cut_before},
    exact::{is_same_first, step_over},
};
use domain::WildcardKind;
use elements::{TextElement, find_elements};
use retyped::is_retyped;

/// Minimum number of words and numbers that are equal outside of the elements: fewer occur by chance.
const MIN_MATCHED_WORDS: usize = 4;
/// Maximum number of a quotation's tokens in place of one element. The longest formulas of the specifications have
/// about as many.
const MAX_RETYPED_TOKENS: usize = 80;
/// Maximum number of elements in one match, quoted or not: each is a call within another.
const MAX_ELEMENTS: usize = 60;
/// Maximum number of comparisons in one text. A quotation of signs beside a row of pictures fits in many ways.
const MAX_STEPS: usize = 2_000_000;

/// An element of the text at which a quotation differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wildcard {
    /// What it is.
    pub kind: WildcardKind,
    /// Its position in the text, as bytes.
    pub range: Range<usize>,
    /// What the quotation has in its place; empty if it was left out.
    pub quoted: String,
}

/// A part of a text that a quotation repeats word for word, but for these elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WildcardMatch {
    /// Its position, as bytes.
    pub range: Range<usize>,
    /// The elements at which the quotation differs, in their order; never empty.
    pub wildcards: Vec<Wildcard>,
}

/// The first part of a text that is the quotation but for formulas, pictures and tables. `None` if there is none, or if
/// the quotation is exact as it is.
pub fn find_wildcard_match(quotation: &Quotation, text: &TokenizedText) -> Option<WildcardMatch> {
    let elements = find_elements(text);
    if elements.is_empty() {
        return None;
    }
    let first = quotation.tokens.first()?;
    let starts = elements.iter().enumerate();
    let starts = starts
        .map(|(index, element)| MatchBegin { text: element.tokens.start, element: Some(index) });
    let words = text.tokens.iter().enumerate();
    let words = words.filter(|(_, token)| is_same_first(quotation, first, token));
    let words = words.map(|(index, _)| MatchBegin { text: index, element: None });
    spend(text.tokens.len());
    let failed = HashSet::new();
    let mut search =
        WildcardSearch { quotation, text, elements: &elements, failed, depth: 0, steps: MAX_STEPS };
    words.chain(starts).find_map(|begin| search.match_from(&begin))
}

/// Where a match may begin: at a token, or at an element whose formula the quotation begins with.
struct MatchBegin {
    text: usize,
    element: Option<usize>,
}

/// A gap of a quotation at an element.
#[derive(Clone)]
struct QuoteGap {
    element: usize,
    quoted: Range<usize>,
}

struct WildcardSearch<'a> {
    quotation: &'a Quotation,
    text: &'a TokenizedText,
    elements: &'a [TextElement],
    /// Pairs of a token of the quotation and one of the text from which the rest does not match: without these, every
    /// element would double the work.
    failed: HashSet<(usize, usize)>,
    /// Elements that the match has passed.
    depth: usize,
    /// Comparisons that are left.
    steps: usize,
}

impl WildcardSearch<'_> {
    fn match_from(&mut self, begin: &MatchBegin) -> Option<WildcardMatch> {
        let mut gaps = Vec::new();
        let end = match begin.element {
            Some(element) => self.skip_element(0, element, &mut gaps, true)?,
            None => self.match_rest(1, begin.text + 1, &mut gaps)?,
        };
        self.to_match(begin.text, end, gaps)
    }

    /// The end of the match of the rest of the quotation, as an index of tokens.
    fn match_rest(
        &mut self,
        quoted: usize,
        actual: usize,
        gaps: &mut Vec<QuoteGap>,
    ) -> Option<usize> {
        let (mut quoted, mut actual) = (quoted, actual);
        loop {
            if quoted >= self.quotation.tokens.len() {
                return Some(actual);
            }
            if self.failed.contains(&(quoted, actual)) {
                return None;
            }
            spend(1);
            self.steps = self.steps.checked_sub(1)?;
            if let Some(element) = self.element_at(actual) {
                return self.pass_element(quoted, actual, element, gaps);
            }
            match step_over(self.quotation, self.text, quoted, actual) {
                Some((next, after)) => (quoted, actual) = (next, after),
                None => return None,
            }
        }
    }

    /// The end of the match that goes on with an element: quoted as it is, or not.
    fn pass_element(
        &mut self,
        quoted: usize,
        actual: usize,
        element: usize,
        gaps: &mut Vec<QuoteGap>,
    ) -> Option<usize> {
        if self.depth >= MAX_ELEMENTS {
            return None;
        }
        self.depth += 1;
        let known = gaps.len();
        let mut end = self.match_plainly(quoted, actual, element, gaps);
        if end.is_none() {
            gaps.truncate(known);
            end = self.skip_element(quoted, element, gaps, false);
        }
        if end.is_none() {
            gaps.truncate(known);
            self.failed.insert((quoted, actual));
        }
        self.depth -= 1;
        end
    }

    /// The match in which an element is quoted as it is.
    fn match_plainly(
        &mut self,
        quoted: usize,
        actual: usize,
        element: usize,
        gaps: &mut Vec<QuoteGap>,
    ) -> Option<usize> {
        let end = self.elements.get(element)?.tokens.end;
        let (mut quoted, mut actual) = (quoted, actual);
        while actual < end && quoted < self.quotation.tokens.len() {
            (quoted, actual) = step_over(self.quotation, self.text, quoted, actual)?;
        }
        self.match_rest(quoted, actual, gaps)
    }

    /// The match in which the quotation has something else in place of an element, or nothing.
    fn skip_element(
        &mut self,
        quoted: usize,
        element: usize,
        gaps: &mut Vec<QuoteGap>,
        is_begin: bool,
    ) -> Option<usize> {
        let found = self.elements.get(element)?;
        let (end, least) = (found.tokens.end, usize::from(is_begin));
        let last = (quoted + MAX_RETYPED_TOKENS).min(self.quotation.tokens.len());
        for next in quoted + least..=last {
            self.steps = self.steps.checked_sub(next - quoted + 1)?;
            if !is_retyped(self.quotation, quoted..next, self.text, found) {
                continue;
            }
            let known = gaps.len();
            gaps.push(QuoteGap { element, quoted: quoted..next });
            if let Some(end) = self.match_rest(next, end, gaps) {
                return Some(end);
            }
            gaps.truncate(known);
        }
        None
    }

    fn element_at(&self, actual: usize) -> Option<usize> {
        self.elements.binary_search_by_key(&actual, |element| element.tokens.start).ok()
    }

    fn to_match(&self, begin: usize, end: usize, gaps: Vec<QuoteGap>) -> Option<WildcardMatch> {
        let tokens = &self.quotation.tokens;
        let is_in_gap = |index: usize| gaps.iter().any(|gap| gap.quoted.contains(&index));
        let words = tokens.iter().enumerate();
        let matched = words.filter(|(index, token)| token.is_wordlike() && !is_in_gap(*index));
        let is_whole =
            cut_before(self.text, begin).is_empty() && cut_after(self.text, end).is_empty();
        if gaps.is_empty() || matched.count() < MIN_MATCHED_WORDS || !is_whole {
            return None;
        }
        let wildcards = gaps.into_iter().filter_map(|gap| {
            let element = self.elements.get(gap.element)?;
            let quoted = match tokens.get(gap.quoted)? {
                [first, .., last] => &self.quotation.text()[first.range().start..last.range().end],
                [only] => &self.quotation.text()[only.range()],
                [] => "",
            };
            let (kind, range) = (element.kind, self.text.bytes_of(element.tokens.clone()));
            Some(Wildcard { kind, range, quoted: quoted.to_owned() })
        });
        Some(WildcardMatch {
            range: self.text.bytes_of(begin..end),
            wildcards: wildcards.collect(),
        })
    }
}

#[cfg(test)]
mod tests;
