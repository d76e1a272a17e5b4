//! The best contents so far, each once.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};

use super::LexicalHit;

/// Keeps the best `limit` contents: by score, then by the lower passage id.
pub(super) struct TopHits {
    limit: usize,
    /// Worst first. Scores are not negative, so their bits sort as they do.
    order: BTreeSet<(u32, Reverse<u64>, u64)>,
    by_content: HashMap<u64, (u32, Reverse<u64>)>,
}

impl TopHits {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, order: BTreeSet::new(), by_content: HashMap::new() }
    }

    /// The score below which a passage can no longer be among the best.
    pub(super) fn threshold(&self) -> f32 {
        match self.order.first() {
            Some((score, _, _)) if self.order.len() >= self.limit => f32::from_bits(*score),
            _ => 0.0,
        }
    }

    pub(super) fn offer_hit(&mut self, hit: LexicalHit) {
        let key = (hit.score.max(0.0).to_bits(), Reverse(hit.passage));
        match self.by_content.get(&hit.content) {
            Some(known) if *known >= key => return,
            Some(known) => {
                self.order.remove(&(known.0, known.1, hit.content));
            }
            None => {}
        }
        self.by_content.insert(hit.content, key);
        self.order.insert((key.0, key.1, hit.content));
        if self.order.len() > self.limit
            && let Some((_, _, content)) = self.order.pop_first()
        {
            self.by_content.remove(&content);
        }
    }

    /// The best, best first.
    pub(super) fn into_hits(self) -> Vec<LexicalHit> {
        let hit = |(score, Reverse(passage), content): (u32, Reverse<u64>, u64)| LexicalHit {
            passage,
            content,
            score: f32::from_bits(score),
        };
        self.order.into_iter().rev().map(hit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_kept_once_with_its_best_passage() {
        let mut best = TopHits::new(2);
        for (passage, content, score) in
            [(5, 1, 1.0), (3, 1, 1.0), (9, 2, 2.0), (4, 3, 1.0), (8, 1, 0.5)]
        {
            best.offer_hit(LexicalHit { passage, content, score });
        }
        assert_eq!(best.threshold(), 1.0);
        let hits: Vec<_> = best.into_hits().iter().map(|hit| (hit.passage, hit.content)).collect();
        assert_eq!(hits, [(9, 2), (3, 1)]);
    }
}
