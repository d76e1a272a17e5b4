//! Rows of decisions of meetings, as their notes and reports record them.
//!
//! The status of a document is that of its register; the two are joined when a question needs both.

use serde::{Deserialize, Serialize};

use domain::{DecisionDoubt, MeetingId, NotesKind, RecordedDecision, TdocId};

/// Notes or a report of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesRow {
    /// The meeting.
    pub meeting: MeetingId,
    /// Its key among the meeting's sources; all its versions have the same.
    pub key: String,
    /// What kind of notes it is.
    pub kind: NotesKind,
    /// Its title, or the name of its file.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// Its number, if it is a TDoc.
    pub tdoc: Option<TdocId>,
    /// Its version as written: `v07`, `eom2`.
    pub version: Option<String>,
    /// The order of versions: a higher one replaces a lower one.
    pub rank: u32,
    /// Whether it is the final report: what notes say is provisional until then.
    pub is_final: bool,
    /// Hash of the file.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
    /// What could not be read of it, one sentence each.
    pub faults: Vec<String>,
    /// How many decisions are in it.
    pub decisions: u32,
}

/// How many decisions of notes come from rules of each origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesBases {
    /// From forms that real notes or reports of the group have.
    pub real_file: u32,
    /// From forms that public descriptions name.
    pub public_description: u32,
    /// From forms that are only said to exist.
    pub own_knowledge: u32,
}

impl NotesBases {
    /// Whether all come from forms of real files.
    pub fn is_measured(&self) -> bool {
        self.public_description == 0 && self.own_knowledge == 0
    }
}

/// What is uncertain in notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesDoubts {
    /// Texts that read like decisions but probably are not.
    pub doubtful: Vec<DoubtfulRow>,
    /// Decisions whose text may continue after the quote, by their index in the notes.
    pub uncertain_ends: Vec<u32>,
}

/// Text that reads like a decision of the meeting but probably is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubtfulRow {
    /// Why it probably is not.
    pub reason: DecisionDoubt,
    /// The text, as a decision has it.
    pub decision: RecordedDecision,
}

/// A vector of a decision, as 8-bit codes: decisions are few enough to be compared one by one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionVector {
    /// The decision, by its index in the notes.
    pub decision: u32,
    /// The factor by which a code is multiplied.
    scale: f32,
    codes: Vec<i8>,
}

impl DecisionVector {
    /// Encodes a vector, scaled to length one. The error of a cosine is below 0.01.
    pub fn from_vector(decision: u32, vector: &[f32]) -> Self {
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        let largest = vector.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
        // Dividing by it would give codes without meaning; these have a cosine of 0 with every query.
        if !length.is_normal() || !largest.is_normal() {
            return Self { decision, scale: 0.0, codes: vec![0; vector.len()] };
        }
        let code = |value: &f32| (value / largest * f32::from(i8::MAX)).round() as i8;
        let scale = largest / (f32::from(i8::MAX) * length);
        Self { decision, scale, codes: vector.iter().map(code).collect() }
    }

    /// The cosine of the decision and a query of length one; `None` if their dimensions differ.
    pub fn cosine(&self, query: &[f32]) -> Option<f32> {
        (self.codes.len() == query.len()).then(|| multiply_codes(&self.codes, query) * self.scale)
    }
}

/// Sums that are added up side by side: one sum alone would make each addition wait for the one before it.
const LANES: usize = 16;

/// The sum of the products of codes and the values of a query.
fn multiply_codes(codes: &[i8], query: &[f32]) -> f32 {
    let (codes, values) = (codes.chunks_exact(LANES), query.chunks_exact(LANES));
    let product = |(code, value): (&i8, &f32)| f32::from(*code) * value;
    let rest: f32 = codes.remainder().iter().zip(values.remainder()).map(product).sum();
    let mut sums = [0.0f32; LANES];
    for (codes, values) in codes.zip(values) {
        let products = codes.iter().zip(values).map(product);
        sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use splitmix64::next_splitmix64;

    #[test]
    fn a_cosine_of_codes_is_within_a_hundredth_of_the_exact_one() {
        let mut seed = 7;
        let mut draw = || -> Vec<f32> {
            let next = |_| (next_splitmix64(&mut seed) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
            (0..390).map(next).collect()
        };
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        for _ in 0..100 {
            let (vector, query) = (draw(), draw());
            let length = dot(&query, &query).sqrt();
            let query: Vec<f32> = query.iter().map(|value| value / length).collect();
            let exact = dot(&vector, &query) / dot(&vector, &vector).sqrt();
            let coded = DecisionVector::from_vector(0, &vector).cosine(&query).expect("same");
            assert!((coded - exact).abs() < 0.01, "{coded} {exact}");
        }
    }

    #[test]
    fn a_vector_of_another_dimension_has_no_cosine_and_one_without_length_is_near_nothing() {
        let vector = DecisionVector::from_vector(0, &[3.0, 4.0]);
        assert_eq!(vector.cosine(&[1.0]), None);
        for bad in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            assert_eq!(DecisionVector::from_vector(0, &bad).cosine(&[1.0, 0.0]), Some(0.0));
        }
    }
}
