//! How well one ranking answers one question.
//!
//! Results are collapsed to distinct sections, in order. A section that is the gold one or lies
//! inside it has grade 2 and gain 3, the direct parent of the gold one has grade 1 and gain 1
//! (gain 2^grade - 1, Burges et al. 2005). Each gold is credited once and is worth 3 in all: its
//! parent ahead of it brings 1 and it then the 2 that are left; after it nothing of it brings
//! more. So the best possible ranking holds the golds first, and nDCG is never above 1. Recall,
//! MRR and Success count grade 2 only.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{Grade, Place, Ranked};

/// Results that count.
const CUT: usize = 10;
/// Results among which [`Metric::Recall100`] looks.
const DEEP_CUT: usize = 100;
/// What a gold is worth.
const GOLD_GAIN: f64 = 3.0;
/// What its parent ahead of it is worth.
const PARENT_GAIN: f64 = 1.0;

/// The scores of one ranking, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Normalised discounted cumulative gain of the first ten.
    pub ndcg_10: f64,
    /// Share of the golds among the first ten.
    pub recall_10: f64,
    /// Share of the golds among the first hundred, or among all where fewer came back.
    pub recall_100: f64,
    /// One over the rank of the first gold among the first ten; 0 where none is.
    pub mrr_10: f64,
    /// Whether a gold is first.
    pub success_1: f64,
    /// Whether a gold is among the first five.
    pub success_5: f64,
}

/// One of the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// [`Scores::ndcg_10`]
    Ndcg10,
    /// [`Scores::recall_10`]
    Recall10,
    /// [`Scores::recall_100`]
    Recall100,
    /// [`Scores::mrr_10`]
    Mrr10,
    /// [`Scores::success_1`]
    Success1,
    /// [`Scores::success_5`]
    Success5,
}

impl Metric {
    /// All, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::Ndcg10,
        Self::Recall10,
        Self::Recall100,
        Self::Mrr10,
        Self::Success1,
        Self::Success5,
    ];

    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ndcg10 => "ndcg_10",
            Self::Recall10 => "recall_10",
            Self::Recall100 => "recall_100",
            Self::Mrr10 => "mrr_10",
            Self::Success1 => "success_1",
            Self::Success5 => "success_5",
        }
    }

    /// Its value among scores.
    pub fn of(self, scores: &Scores) -> f64 {
        match self {
            Self::Ndcg10 => scores.ndcg_10,
            Self::Recall10 => scores.recall_10,
            Self::Recall100 => scores.recall_100,
            Self::Mrr10 => scores.mrr_10,
            Self::Success1 => scores.success_1,
            Self::Success5 => scores.success_5,
        }
    }
}

/// The results with each section once, where it stood first.
pub fn collapse(results: Vec<Ranked>) -> Vec<Ranked> {
    let mut seen = HashSet::new();
    results.into_iter().filter(|result| seen.insert(result.place.clone())).collect()
}

/// Scores a collapsed ranking against the golds of its question, of which there is at least one.
pub fn score(golds: &[Place], ranked: &[Place]) -> Scores {
    let credits = credits(golds, &ranked[..ranked.len().min(DEEP_CUT)]);
    let found = |within: usize| credits.iter().take(within).filter(|credit| credit.gold).count();
    let share = |within| found(within) as f64 / golds.len().max(1) as f64;
    let first = credits.iter().take(CUT).position(|credit| credit.gold);
    let gains = credits.iter().take(CUT).map(|credit| credit.gain);
    let ideal = std::iter::repeat_n(GOLD_GAIN, golds.len().min(CUT));
    Scores {
        ndcg_10: discounted(gains) / discounted(ideal).max(f64::MIN_POSITIVE),
        recall_10: share(CUT),
        recall_100: share(DEEP_CUT),
        mrr_10: first.map_or(0.0, |rank| 1.0 / (rank + 1) as f64),
        success_1: f64::from(u8::from(found(1) > 0)),
        success_5: f64::from(u8::from(found(5) > 0)),
    }
}

/// What one result brings.
struct Credit {
    gain: f64,
    /// Whether it is a gold, found for the first time.
    gold: bool,
}

fn credits(golds: &[Place], ranked: &[Place]) -> Vec<Credit> {
    // What each gold has brought so far.
    let mut brought = vec![0.0; golds.len()];
    let mut take = |found: &Place, wanted: Grade, worth: f64| {
        let matching = (0..golds.len())
            .find(|index| brought[*index] < worth && found.grade(&golds[*index]) == Some(wanted))?;
        let gain = worth - brought[matching];
        brought[matching] = worth;
        Some(Credit { gain, gold: wanted == Grade::Within })
    };
    let credit = |found: &Place| {
        take(found, Grade::Within, GOLD_GAIN)
            .or_else(|| take(found, Grade::Parent, PARENT_GAIN))
            .unwrap_or(Credit { gain: 0.0, gold: false })
    };
    ranked.iter().map(credit).collect()
}

/// Gains, each divided by the binary logarithm of its rank plus one (Jarvelin and Kekalainen 2002).
fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    (2u32..).zip(gains).fold(0.0, |sum, (place, gain)| sum + gain / f64::from(place).log2())
}
