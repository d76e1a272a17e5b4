//! The cheapest alignment of a whole quotation with any part of a text (Sellers, "The Theory and Computation of
//! Evolutionary Distances", 1980).

use std::ops::Range;

use cost_meter::spend;

use crate::{
    Quotation,
    exact::is_same_first,
    token::{QuoteToken, TokenClass, TokenPresence},
};

/// Cells of a table that are filled in about the time of one step of a cost meter: a cell is a few comparisons, and
/// counting each would stop requests long before their time is used up.
const CELLS_PER_STEP: usize = 8;
/// Weight of a required word or number: twice that of a sign, because a changed comma alone must not make a sentence
/// look like another one.
const WORD_WEIGHT: u32 = 4;
/// Weight of a required sign.
const SIGN_WEIGHT: u32 = 2;
/// Cost of one word in place of another: less than omitting one, so that the last word is replaced too, instead of the
/// alignment ending before it.
const WORD_REPLACEMENT: u32 = 3;
/// Cost of one sign in place of another: less than omitting one, as for words.
const SIGN_REPLACEMENT: u32 = 1;
/// Cost of the same word in another case: the cheapest difference, so that `t310` is aligned with `T310` and not with
/// a neighbour.
const CASE_REPLACEMENT: u32 = 1;

/// One step of an alignment; indexes are those of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AlignmentStep {
    /// The same token in both.
    Equal,
    /// A token of the quotation for another of the text.
    Replaced { quoted: usize, actual: usize },
    /// A token of the quotation that the text does not have.
    Inserted { quoted: usize },
    /// A token of the text that the quotation does not have.
    Missing { actual: usize },
}

/// An alignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alignment {
    /// The tokens of the text that it covers.
    pub(crate) tokens: Range<usize>,
    /// Its steps, in their order.
    pub(crate) steps: Vec<AlignmentStep>,
    /// Weight of the tokens that are equal.
    pub(crate) matched_weight: u32,
    /// How many words and numbers are equal.
    pub(crate) matched_words: usize,
}

/// The weight of a token: the cost of omitting it.
pub(crate) fn token_weight(token: &QuoteToken) -> u32 {
    match (token.presence, token.class) {
        (TokenPresence::Optional | TokenPresence::Script, _) => 0,
        (TokenPresence::Required, TokenClass::Sign) => SIGN_WEIGHT,
        (TokenPresence::Required, TokenClass::Word | TokenClass::Number) => WORD_WEIGHT,
    }
}

/// The cheapest alignment of a quotation within a range of tokens of a text.
pub(crate) fn align_tokens(
    quotation: &Quotation,
    tokens: &[QuoteToken],
    window: Range<usize>,
) -> Alignment {
    let table = CostTable::fill(quotation, &tokens[window.clone()]);
    table.trace_back(quotation, tokens, window.start)
}

/// The previous cell on the cheapest path to a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Start,
    Diagonal,
    /// The token of the quotation is inserted.
    Above,
    /// The token of the text is missing.
    Left,
}

/// Costs of aligning the first tokens of the quotation with tokens of the text that end at a column.
struct CostTable {
    width: usize,
    origins: Vec<Origin>,
    /// The last row.
    last: Vec<u32>,
}

impl CostTable {
    fn fill(quotation: &Quotation, tokens: &[QuoteToken]) -> Self {
        let width = tokens.len() + 1;
        spend(width * quotation.tokens.len() / CELLS_PER_STEP);
        let mut origins = Vec::with_capacity(width * (quotation.tokens.len() + 1));
        origins.resize(width, Origin::Start);
        let mut above = vec![0; width];
        let mut row = vec![0; width];
        for (index, quoted) in quotation.tokens.iter().enumerate() {
            row[0] = above[0] + token_weight(quoted);
            origins.push(Origin::Above);
            for column in 1..width {
                let token = &tokens[column - 1];
                let is_equal =
                    token.is_same(quoted) || index == 0 && is_same_first(quotation, quoted, token);
                let diagonal = if is_equal {
                    Some(above[column - 1])
                } else {
                    replacement_cost(quoted, token).map(|cost| above[column - 1] + cost)
                };
                let inserted = above[column] + token_weight(quoted);
                let missing = row[column - 1] + token_weight(token);
                let (cost, origin) = match diagonal {
                    Some(cost) if cost <= inserted && cost <= missing => (cost, Origin::Diagonal),
                    _ if inserted <= missing => (inserted, Origin::Above),
                    _ => (missing, Origin::Left),
                };
                row[column] = cost;
                origins.push(origin);
            }
            std::mem::swap(&mut above, &mut row);
        }
        Self { width, origins, last: above }
    }

    fn trace_back(&self, quotation: &Quotation, tokens: &[QuoteToken], offset: usize) -> Alignment {
        let best = (0..self.width).min_by_key(|column| self.last[*column]).unwrap_or(0);
        let (mut row, mut column) = (quotation.tokens.len(), best);
        let mut alignment = Alignment {
            tokens: offset + best..offset + best,
            steps: Vec::new(),
            matched_weight: 0,
            matched_words: 0,
        };
        loop {
            let (quoted, actual) = (row.wrapping_sub(1), (offset + column).wrapping_sub(1));
            let step = match self.origins[row * self.width + column] {
                Origin::Start => break,
                Origin::Diagonal => {
                    (row, column) = (row - 1, column - 1);
                    let (wanted, token) = (&quotation.tokens[quoted], &tokens[actual]);
                    let is_same = wanted.is_same(token)
                        || quoted == 0 && is_same_first(quotation, wanted, token);
                    if is_same {
                        alignment.matched_weight += token_weight(wanted);
                        alignment.matched_words += usize::from(wanted.is_wordlike());
                        AlignmentStep::Equal
                    } else {
                        AlignmentStep::Replaced { quoted, actual }
                    }
                }
                Origin::Above => {
                    row -= 1;
                    AlignmentStep::Inserted { quoted }
                }
                Origin::Left => {
                    column -= 1;
                    AlignmentStep::Missing { actual }
                }
            };
            alignment.steps.push(step);
        }
        alignment.tokens.start = offset + column;
        alignment.steps.reverse();
        alignment
    }
}

/// The cost of a token of the text in place of one of the quotation; `None` if one is a word and the other a sign.
fn replacement_cost(quoted: &QuoteToken, token: &QuoteToken) -> Option<u32> {
    if !quoted.is_required() || !token.is_required() {
        return None;
    }
    match (quoted.is_wordlike(), token.is_wordlike()) {
        (true, true) if quoted.folded == token.folded => Some(CASE_REPLACEMENT),
        (true, true) => Some(WORD_REPLACEMENT),
        (false, false) => Some(SIGN_REPLACEMENT),
        (true, false) | (false, true) => None,
    }
}
