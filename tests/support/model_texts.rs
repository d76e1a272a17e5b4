//! What the model tests share: texts, and comparing numbers.

use serde::Deserialize;

/// Texts that models are run on.
#[derive(Deserialize)]
pub(crate) struct Texts {
    pub(crate) documents: Vec<String>,
    pub(crate) queries: Vec<String>,
    pub(crate) pairs: Vec<Pair>,
}

/// A query and passages to score for it.
#[derive(Deserialize)]
pub(crate) struct Pair {
    pub(crate) query: String,
    pub(crate) passages: Vec<String>,
}

pub(crate) fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

pub(crate) fn assert_near(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let difference = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(difference <= tolerance, "{what}: {difference} apart, {found:?} for {expected:?}");
}
