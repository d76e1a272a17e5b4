//! A Bloom filter of the pairs of neighbouring words of a text: which texts can contain a quotation at all.

use std::collections::HashSet;

use crate::{Quotation, TokenizedText, token::QuoteToken};

/// Bits for each pair: with four probes, about one pair in a hundred is a false positive. All pairs of a quotation
/// must be there, so more bits would spare few comparisons, and the filters of all notes are in memory.
const BITS_PER_PAIR: usize = 10;
const PROBES: u32 = 4;

/// The pairs of neighbouring words and numbers of a text. There are no false negatives; about one pair in a hundred
/// is a false positive.
#[derive(Debug, Clone)]
pub struct WordPairFilter {
    /// A power of two of bits.
    bits: Vec<u64>,
}

impl WordPairFilter {
    /// The pairs of a text.
    pub fn from_text(text: &TokenizedText) -> Self {
        let pairs: HashSet<u64> = pair_hashes(&text.tokens).collect();
        let words = (pairs.len() * BITS_PER_PAIR).div_ceil(64).next_power_of_two().max(1);
        let mut filter = Self { bits: vec![0; words] };
        for pair in pairs {
            for position in filter.positions(pair) {
                filter.bits[position / 64] |= 1 << (position % 64);
            }
        }
        filter
    }

    /// The share of the pairs of a quotation that the text has, 0 to 1; 1 for a quotation of one word.
    pub fn shared_pairs(&self, quotation: &Quotation) -> f32 {
        let share = |quotation: &Quotation| {
            let pairs: Vec<u64> = pair_hashes(&quotation.tokens).collect();
            if pairs.is_empty() {
                return 1.0;
            }
            let has = |pair: &&u64| {
                self.positions(**pair)
                    .all(|position| self.bits[position / 64] >> (position % 64) & 1 == 1)
            };
            pairs.iter().filter(has).count() as f32 / pairs.len() as f32
        };
        let joined = quotation.unhyphenated.as_deref().map_or(0.0, share);
        share(quotation).max(joined)
    }

    /// Bytes that the filter takes.
    pub fn size_bytes(&self) -> usize {
        self.bits.len() * 8
    }

    fn positions(&self, pair: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.bits.len() * 64 - 1;
        // Double hashing: Kirsch and Mitzenmacher, "Less Hashing, Same Performance", 2006.
        let (first, step) = (pair as usize, (pair >> 32) as usize | 1);
        (0..PROBES).map(move |probe| first.wrapping_add(step.wrapping_mul(probe as usize)) & mask)
    }
}

/// Hashes of neighbouring words and numbers, regardless of their case and of the signs between them.
fn pair_hashes(tokens: &[QuoteToken]) -> impl Iterator<Item = u64> {
    let words = || tokens.iter().filter(|token| token.is_wordlike());
    words().zip(words().skip(1)).map(|(first, second)| mix_hashes(first.folded, second.folded))
}

fn mix_hashes(first: u64, second: u64) -> u64 {
    // The finalizer of SplitMix64, so that all bits of the pair depend on all bits of both.
    let mut mixed = first.rotate_left(23) ^ second.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_shares_all_pairs_of_its_sentences_and_few_of_others() {
        let sentence =
            |n: u32| format!("Beam {n} of cell {} is reported with value {}.", n * 7, n * 13);
        let text: Vec<String> = (0..2_000).map(sentence).collect();
        let filter = WordPairFilter::from_text(&TokenizedText::new(text.join("\n")));
        let share = |text: &str| filter.shared_pairs(&Quotation::parse(text).expect("words"));
        for n in [0, 77, 1_999] {
            assert_eq!(share(&sentence(n)), 1.0);
        }
        assert_eq!(share("**beam** 77 | OF cell"), 1.0);
        assert!(share("Nothing here was ever written down by any chair of the group") < 0.3);
        let changed = share(&sentence(77).replace("539", "540x"));
        assert!((0.5..1.0).contains(&changed), "{changed}");
        assert_eq!(share("word"), 1.0);
        assert!(filter.size_bytes() < 64 << 10);
    }
}
