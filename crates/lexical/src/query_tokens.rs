//! The words of a query that are worth looking for, before any index is read.

use std::collections::HashMap;

use super::stop_words::is_stop_word;
use crate::analyzer::{split_camel_case, split_parts, split_runs};

/// Distinct words of a query, at most; the interface accepts queries of up to 4000 characters.
const MAX_QUERY_TOKENS: usize = 400;
/// Weight of a part of a compound or of a camel-case name, relative to a separate word. With 1, a name of several
/// parts would outweigh the rest of the query.
const PART_WEIGHT: f32 = 0.5;

/// A word or a compound of several parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QueryToken<'a> {
    pub(super) parts: Vec<&'a str>,
    /// Weight, relative to a separate word of the query.
    pub(super) weight: f32,
    /// Index in the list of the compound or name it is a part of.
    pub(super) part_of: Option<usize>,
}

/// Each word, each compound whole, and its parts, each once. In a query of stop words only, none is
/// ignored.
pub(super) fn extract_query_tokens(text: &str) -> Vec<QueryToken<'_>> {
    let stopped = collect_tokens(text, is_stop_word);
    if stopped.is_empty() { collect_tokens(text, |_| false) } else { stopped }
}

/// Pairs of neighbouring words that may be one word written apart: `hand over`, `Msg A`.
pub(super) fn find_neighbour_pairs(text: &str) -> Vec<(&str, &str)> {
    let all: Vec<&str> = split_runs(text).take(MAX_QUERY_TOKENS).collect();
    let pairs = all.windows(2).map(|pair| (pair[0], pair[1]));
    // A stop word is not the first half of a word: "in active state" is not inactive.
    pairs.filter(|(first, second)| !is_stop_word(first) && split_parts(second).len() == 1).collect()
}

fn collect_tokens<'a>(text: &'a str, stopped: impl Fn(&str) -> bool) -> Vec<QueryToken<'a>> {
    let mut list = QueryTokenList::default();
    for run in split_runs(text) {
        let parts = split_parts(run);
        let compound =
            (parts.len() > 1).then(|| list.push_token(parts.clone(), 1.0, None)).flatten();
        for part in parts.iter().filter(|part| !stopped(part)) {
            let weight = if compound.is_some() { PART_WEIGHT } else { 1.0 };
            let whole = list.push_token(vec![part], weight, compound);
            for hump in split_camel_case(part).into_iter().filter(|hump| !stopped(hump)) {
                list.push_token(vec![hump], PART_WEIGHT, compound.or(whole));
            }
        }
    }
    list.tokens
}

#[derive(Default)]
struct QueryTokenList<'a> {
    tokens: Vec<QueryToken<'a>>,
    positions: HashMap<String, usize>,
}

impl<'a> QueryTokenList<'a> {
    /// Adds a token and returns its index, as long as there is room. A token that is already listed keeps its index,
    /// and gets the greater weight.
    fn push_token(
        &mut self,
        parts: Vec<&'a str>,
        weight: f32,
        part_of: Option<usize>,
    ) -> Option<usize> {
        let key = parts.join("-").to_lowercase();
        if let Some(index) = self.positions.get(&key) {
            let listed_weight = &mut self.tokens[*index].weight;
            *listed_weight = listed_weight.max(weight);
            return Some(*index);
        }
        if self.tokens.len() >= MAX_QUERY_TOKENS {
            return None;
        }
        self.positions.insert(key, self.tokens.len());
        self.tokens.push(QueryToken { parts, weight, part_of });
        Some(self.tokens.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Vec<String> {
        let format_token =
            |token: &QueryToken<'_>| format!("{}*{}", token.parts.join("+"), token.weight);
        extract_query_tokens(text).iter().map(format_token).collect()
    }

    #[test]
    fn words_come_whole_and_in_parts_without_stop_words() {
        for (text, expected) in [
            ("What is the timer T310?", "timer*1 T310*1"),
            (
                "ssb-PositionsInBurst",
                "ssb+PositionsInBurst*1 ssb*0.5 PositionsInBurst*0.5 Positions*0.5 Burst*0.5",
            ),
            ("the RRC of RRCSetup", "RRC*1 RRCSetup*1 Setup*0.5"),
            ("to be or not to be", "not*1"),
            ("what is it", "what*1 is*1 it*1"),
            ("UE ue Ue", "UE*1"),
        ] {
            assert_eq!(listed(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn parts_know_the_whole_they_were_cut_from() {
        let parents: Vec<_> = extract_query_tokens("ssb-PositionsInBurst RRCSetup")
            .iter()
            .map(|token| token.part_of)
            .collect();
        assert_eq!(parents, [None, Some(0), Some(0), Some(0), Some(0), None, Some(5), Some(5)]);
    }

    #[test]
    fn the_number_of_tokens_is_limited() {
        assert_eq!(listed(&"word ".repeat(1000)), ["word*1"]);
        let many: String = (0..2000).map(|n| format!("w{n} ")).collect();
        assert_eq!(extract_query_tokens(&many).len(), MAX_QUERY_TOKENS);
        assert!(extract_query_tokens("\u{0}\u{202e}\u{1f4a5} ... --- ///").is_empty());
    }

    #[test]
    fn neighbour_pairs_do_not_begin_with_a_stop_word() {
        assert_eq!(
            find_neighbour_pairs("hand over in active Msg A"),
            [("hand", "over"), ("active", "Msg"), ("Msg", "A")]
        );
    }
}
