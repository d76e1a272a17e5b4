//! The meaning of decisions as vectors, which find a decision with the same meaning in other words.

use store::DecisionVector;

/// Minimum cosine of a decision that shares no words with a query. The deviation alone would always find some
/// decisions, even if none is about the query.
const MIN_COSINE: f32 = 0.35;
/// Minimum number of standard deviations of its cosine above the mean: models differ in the cosine of unrelated texts,
/// so that a fixed minimum alone would accept many of them for some models.
const MIN_DEVIATIONS: f32 = 2.0;
/// Of few values, the share of the greatest possible deviation that is required instead: none of `n` values can be
/// more than `(n - 1) / sqrt(n)` deviations above their mean, which is below two up to five values.
const FEW_VALUES_SHARE: f32 = 0.8;

/// The vector of a query, of length one, and the identity of its model.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionVector {
    /// The identity of the model.
    pub model: [u8; 32],
    /// The vector.
    pub vector: Vec<f32>,
}

/// The vectors of the decisions of a meeting.
#[derive(Debug, Default)]
pub struct MeaningIndex {
    /// Those of each of its sources, with their model.
    sources: Vec<([u8; 32], Vec<DecisionVector>)>,
}

impl MeaningIndex {
    /// Adds vectors of a model; each names its decision by the position in the topic index.
    pub fn add_vectors(&mut self, model: [u8; 32], vectors: Vec<DecisionVector>) {
        self.sources.push((model, vectors));
    }

    /// For each of `count` decisions, the cosine of its best vector and a query; `None` if it has no vector. Vectors
    /// of another model are skipped: they cannot be compared.
    pub(super) fn cosines(&self, question: &QuestionVector, count: usize) -> Vec<Option<f32>> {
        let mut cosines: Vec<Option<f32>> = vec![None; count];
        let same_model = self.sources.iter().filter(|(model, _)| *model == question.model);
        for vector in same_model.flat_map(|(_, vectors)| vectors) {
            let Some(slot) = cosines.get_mut(vector.decision as usize) else { continue };
            if let Some(cosine) = vector.cosine(&question.vector) {
                *slot = Some(slot.map_or(cosine, |best| best.max(cosine)));
            }
        }
        cosines
    }
}

/// The minimum cosine of a decision that matches a query although it shares no words with it.
pub(super) fn related_cosine(cosines: impl Iterator<Item = f32> + Clone) -> f32 {
    let count = cosines.clone().count().max(1) as f32;
    let mean = cosines.clone().sum::<f32>() / count;
    let variance = cosines.map(|cosine| (cosine - mean).powi(2)).sum::<f32>() / count;
    // Few values cannot be many deviations above their mean.
    let deviations = MIN_DEVIATIONS.min(FEW_VALUES_SHARE * (count - 1.0) / count.sqrt());
    (mean + deviations * variance.sqrt()).max(MIN_COSINE)
}
