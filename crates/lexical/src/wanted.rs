//! The words of a query that are worth looking for, before any index is asked.

use std::collections::HashMap;

use super::stop_words::is_stop_word;
use crate::analyzer::{humps, parts, runs};

/// Different words that are looked at; a query of the contract has up to 4000 characters.
const MAX_WANTED: usize = 400;
/// Worth of a part of a compound or a hump of a name beside a word of its own.
const PART_WEIGHT: f32 = 0.5;

/// A word or a compound of several parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted<'a> {
    pub(super) parts: Vec<&'a str>,
    /// Worth beside a word of the query's own.
    pub(super) weight: f32,
    /// Place in the list of the compound or name it was cut from.
    pub(super) part_of: Option<usize>,
}

/// Each word, each compound whole and its parts, each once. A query of nothing but stop words is
/// taken as it is.
pub(super) fn wanted(text: &str) -> Vec<Wanted<'_>> {
    let stopped = collect(text, is_stop_word);
    if stopped.is_empty() { collect(text, |_| false) } else { stopped }
}

/// Pairs of neighbouring words that may be one word written apart: `hand over`, `Msg A`.
pub(super) fn neighbours(text: &str) -> Vec<(&str, &str)> {
    let all: Vec<&str> = runs(text).take(MAX_WANTED).collect();
    let pairs = all.windows(2).map(|pair| (pair[0], pair[1]));
    // After a stop word begins a new word: "in active state" is not inactive.
    pairs.filter(|(first, second)| !is_stop_word(first) && parts(second).len() == 1).collect()
}

fn collect<'a>(text: &'a str, stopped: impl Fn(&str) -> bool) -> Vec<Wanted<'a>> {
    let mut list = Collected::default();
    for run in runs(text) {
        let parts = parts(run);
        let compound = (parts.len() > 1).then(|| list.push(parts.clone(), 1.0, None)).flatten();
        for part in parts.iter().filter(|part| !stopped(part)) {
            let weight = if compound.is_some() { PART_WEIGHT } else { 1.0 };
            let whole = list.push(vec![part], weight, compound);
            for hump in humps(part).into_iter().filter(|hump| !stopped(hump)) {
                list.push(vec![hump], PART_WEIGHT, compound.or(whole));
            }
        }
    }
    list.wanted
}

#[derive(Default)]
struct Collected<'a> {
    wanted: Vec<Wanted<'a>>,
    places: HashMap<String, usize>,
}

impl<'a> Collected<'a> {
    /// The place in the list, as long as there is room. What stands there already keeps its
    /// place, and the greater worth.
    fn push(&mut self, parts: Vec<&'a str>, weight: f32, part_of: Option<usize>) -> Option<usize> {
        let key = parts.join("-").to_lowercase();
        if let Some(place) = self.places.get(&key) {
            let known = &mut self.wanted[*place].weight;
            *known = known.max(weight);
            return Some(*place);
        }
        if self.wanted.len() >= MAX_WANTED {
            return None;
        }
        self.places.insert(key, self.wanted.len());
        self.wanted.push(Wanted { parts, weight, part_of });
        Some(self.wanted.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Vec<String> {
        let show = |wanted: &Wanted<'_>| format!("{}*{}", wanted.parts.join("+"), wanted.weight);
        wanted(text).iter().map(show).collect()
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
        let places: Vec<_> =
            wanted("ssb-PositionsInBurst RRCSetup").iter().map(|wanted| wanted.part_of).collect();
        assert_eq!(places, [None, Some(0), Some(0), Some(0), Some(0), None, Some(5), Some(5)]);
    }

    #[test]
    fn hostile_queries_stay_small() {
        assert_eq!(listed(&"word ".repeat(1000)), ["word*1"]);
        let many: String = (0..2000).map(|n| format!("w{n} ")).collect();
        assert_eq!(wanted(&many).len(), MAX_WANTED);
        assert!(wanted("\u{0}\u{202e}\u{1f4a5} ... --- ///").is_empty());
    }

    #[test]
    fn neighbours_begin_with_a_word_that_says_something() {
        assert_eq!(
            neighbours("hand over in active Msg A"),
            [("hand", "over"), ("active", "Msg"), ("Msg", "A")]
        );
    }
}
