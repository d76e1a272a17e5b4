//! The scores of one ranking for one question.
//!
//! Results are collapsed to distinct sections, in order. A section that is the gold one or is inside it has grade 2
//! and gain 3, the direct parent of the gold one has grade 1 and gain 1 (gain 2^grade - 1, Burges et al. 2005). Each
//! gold is credited once and is worth 3 in all: if its parent comes first, the parent gets 1 and the gold the
//! remaining 2; later results for the same gold get nothing. So the best possible ranking has the golds first, and
//! nDCG is never above
//! 1.
//! Recall, MRR and Success count grade 2 only.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{ClauseId, Grade, RankedSection};

/// Number of results that count.
const RANK_CUTOFF: usize = 10;
/// Number of results that [`Metric::Recall100`] considers: about as many as a reranker could read. What is not among
/// them cannot be improved by reranking.
const DEEP_RANK_CUTOFF: usize = 100;
/// The gain of a gold clause.
const GOLD_GAIN: f64 = 3.0;
/// The gain of its parent, ranked ahead of it.
const PARENT_GAIN: f64 = 1.0;

/// The scores of one ranking, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Normalised discounted cumulative gain of the first ten.
    pub ndcg_10: f64,
    /// Share of the golds among the first ten.
    pub recall_10: f64,
    /// Share of the golds among the first hundred, or among all if fewer were returned.
    pub recall_100: f64,
    /// One over the rank of the first gold among the first ten; 0 if there is none.
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
    pub fn value_in(self, scores: &Scores) -> f64 {
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

/// Collapses the results to distinct clauses, each at its first rank.
pub fn collapse_sections(results: Vec<RankedSection>) -> Vec<RankedSection> {
    let mut seen = HashSet::new();
    results.into_iter().filter(|result| seen.insert(result.clause.clone())).collect()
}

/// Scores a collapsed ranking against the golds of its question, of which there is at least one.
pub fn score_ranking(golds: &[ClauseId], ranked: &[ClauseId]) -> Scores {
    let credits = assign_credits(golds, &ranked[..ranked.len().min(DEEP_RANK_CUTOFF)]);
    let gold_count =
        |within: usize| credits.iter().take(within).filter(|credit| credit.gold).count();
    let share = |within| gold_count(within) as f64 / golds.len().max(1) as f64;
    let first = credits.iter().take(RANK_CUTOFF).position(|credit| credit.gold);
    let gains = credits.iter().take(RANK_CUTOFF).map(|credit| credit.gain);
    let ideal = std::iter::repeat_n(GOLD_GAIN, golds.len().min(RANK_CUTOFF));
    Scores {
        ndcg_10: discounted_gain(gains) / discounted_gain(ideal).max(f64::MIN_POSITIVE),
        recall_10: share(RANK_CUTOFF),
        recall_100: share(DEEP_RANK_CUTOFF),
        mrr_10: first.map_or(0.0, |rank| 1.0 / (rank + 1) as f64),
        success_1: f64::from(u8::from(gold_count(1) > 0)),
        success_5: f64::from(u8::from(gold_count(5) > 0)),
    }
}

/// The credit of one result.
struct Credit {
    gain: f64,
    /// Whether it is a gold, found for the first time.
    gold: bool,
}

fn assign_credits(golds: &[ClauseId], ranked: &[ClauseId]) -> Vec<Credit> {
    // What each gold has gained so far.
    let mut gained = vec![0.0; golds.len()];
    let mut take = |ranked: &ClauseId, grade: Grade, worth: f64| {
        let matching = (0..golds.len()).find(|index| {
            gained[*index] < worth && ranked.grade_against(&golds[*index]) == Some(grade)
        })?;
        let gain = worth - gained[matching];
        gained[matching] = worth;
        Some(Credit { gain, gold: grade == Grade::Within })
    };
    let credit = |ranked: &ClauseId| {
        take(ranked, Grade::Within, GOLD_GAIN)
            .or_else(|| take(ranked, Grade::Parent, PARENT_GAIN))
            .unwrap_or(Credit { gain: 0.0, gold: false })
    };
    ranked.iter().map(credit).collect()
}

/// Gains, each divided by the binary logarithm of its rank plus one (Jarvelin and Kekalainen 2002).
fn discounted_gain(gains: impl Iterator<Item = f64>) -> f64 {
    (2u32..).zip(gains).fold(0.0, |sum, (position, gain)| sum + gain / f64::from(position).log2())
}
