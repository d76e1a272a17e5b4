//! Stand-ins for models in unit tests: deterministic, quick, without files. No configuration can
//! choose them, and they say nothing about quality or speed.

use std::{
    collections::HashSet,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

use sha2::{Digest, Sha256};

use super::{
    error::NeuralError,
    identity::{ModelIdentity, Pooling},
    pooling::normalise_vector,
    reranker::Reranker,
    text_embedder::TextEmbedder,
    windows,
};

const DIMENSION: u32 = 64;
const MAX_TOKENS: u32 = 128;

fn fake_identity(name: &str, dimension: u32) -> ModelIdentity {
    ModelIdentity {
        name: name.to_owned(),
        revision: "fake".to_owned(),
        dimension,
        pooling: Pooling::Mean,
        query_prompt: String::new(),
        document_prompt: String::new(),
        max_tokens: MAX_TOKENS,
    }
}

fn split_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// An embedder whose vectors are near when texts share words. Panics when it is called without
/// texts, because its caller would wait for a model in vain.
pub struct FakeEmbedder {
    identity: ModelIdentity,
    calls: AtomicUsize,
}

impl Default for FakeEmbedder {
    fn default() -> Self {
        Self { identity: fake_identity("fake-embedder", DIMENSION), calls: AtomicUsize::new(0) }
    }
}

impl FakeEmbedder {
    /// Returns how often texts were embedded.
    pub fn call_count(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn embed_text(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimension()];
        // A text without words has a vector too.
        vector[0] = 1e-3;
        for word in split_words(text) {
            let component = Sha256::digest(word.as_bytes())[0] as usize;
            vector[component % DIMENSION as usize] += 1.0;
        }
        normalise_vector(&mut vector);
        vector
    }
}

impl TextEmbedder for FakeEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn document_capacity(&self) -> usize {
        self.max_tokens()
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.token_offsets(text).len()
    }

    /// A token is a run of characters between spaces.
    fn token_offsets(&self, text: &str) -> Vec<Range<usize>> {
        let start = |token: &str| token.as_ptr().addr() - text.as_ptr().addr();
        text.split_whitespace().map(|token| start(token)..start(token) + token.len()).collect()
    }

    fn embed_documents(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f32>>>, NeuralError> {
        assert!(!texts.is_empty(), "embed_documents was called without texts");
        self.calls.fetch_add(1, Ordering::Relaxed);
        let embed = |text: &&str| {
            let tokens = self.token_offsets(text);
            let ranges = windows::cover_tokens(tokens.len(), self.document_capacity());
            let part = |range: Range<usize>| match tokens.get(range) {
                Some([first, .., last]) => self.embed_text(&text[first.start..last.end]),
                _ => self.embed_text(text),
            };
            ranges.into_iter().map(part).collect()
        };
        Ok(texts.iter().map(embed).collect())
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, NeuralError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Ok(self.embed_text(text))
    }
}

/// A reranker whose logit rises with the share of the query's words that a passage has.
pub struct FakeReranker {
    identity: ModelIdentity,
}

impl Default for FakeReranker {
    fn default() -> Self {
        Self { identity: fake_identity("fake-reranker", 1) }
    }
}

impl Reranker for FakeReranker {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn score_passages(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, NeuralError> {
        let query_words: HashSet<String> = split_words(query).collect();
        let logit = |passage: &&str| {
            let passage_words: HashSet<String> = split_words(passage).collect();
            let share = query_words.intersection(&passage_words).count() as f32
                / query_words.len().max(1) as f32;
            20.0 * share - 10.0
        };
        Ok(passages.iter().map(logit).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_share_words_are_nearer() {
        let fake = FakeEmbedder::default();
        let embed = |text| fake.embed_query(text).expect("the fake does not fail");
        let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let query = embed("paging cycle");
        let (near, far) = (embed("the paging cycle"), embed("eggs and sugar"));
        assert!(cosine(&query, &near) > cosine(&query, &far));
        assert_eq!(fake.call_count(), 3);
    }

    #[test]
    fn a_long_text_has_several_windows() {
        let fake = FakeEmbedder::default();
        let long = "word ".repeat(300);
        let vectors = fake.embed_documents(&[&long, "", "one"]).expect("the fake does not fail");
        assert_eq!(vectors.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1, 1]);
    }

    #[test]
    fn the_passage_with_the_querys_words_scores_higher() {
        let scores = FakeReranker::default()
            .score_passages("paging cycle", &["sugar", "a cycle", "the paging cycle"])
            .expect("the fake does not fail");
        assert!(scores[0] < scores[1] && scores[1] < scores[2], "{scores:?}");
    }
}
