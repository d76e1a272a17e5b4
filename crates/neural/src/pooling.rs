//! From one state for each token to one vector for each window, and vectors of length one.

use super::{identity::Pooling, window_encoder::HiddenStates};

/// The token of a window whose state is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenPosition {
    First,
    Last,
}

/// Returns one vector of length one for each window.
pub(super) fn pool_windows(states: &HiddenStates, pooling: Pooling) -> Vec<Vec<f32>> {
    let mut vectors = match pooling {
        Pooling::Mean => sum_windows(states),
        Pooling::Cls => pick_token_states(states, TokenPosition::First),
        Pooling::Last => pick_token_states(states, TokenPosition::Last),
    };
    for vector in &mut vectors {
        normalise_vector(vector);
    }
    vectors
}

/// Returns the state of one token of each window.
pub(super) fn pick_token_states(states: &HiddenStates, position: TokenPosition) -> Vec<Vec<f32>> {
    let width = states.state_width();
    let start = |window: &[f32]| match position {
        TokenPosition::First => 0,
        TokenPosition::Last => window.len().saturating_sub(width),
    };
    states
        .iter_windows()
        .map(|window| window[start(window)..].iter().copied().take(width).collect())
        .collect()
}

/// Sums instead of means: the vectors are normalised afterwards.
fn sum_windows(states: &HiddenStates) -> Vec<Vec<f32>> {
    let width = states.state_width();
    states.iter_windows().map(|window| sum_vectors(window.chunks_exact(width), width)).collect()
}

fn sum_vectors<'a>(vectors: impl Iterator<Item = &'a [f32]>, width: usize) -> Vec<f32> {
    let mut total = vec![0.0; width];
    for vector in vectors {
        for (sum, value) in total.iter_mut().zip(vector) {
            *sum += value;
        }
    }
    total
}

/// Scales a vector to length one; a zero vector is unchanged.
pub(super) fn normalise_vector(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

/// Returns the mean of vectors, scaled to length one.
pub(super) fn unit_mean(vectors: &[Vec<f32>], width: usize) -> Vec<f32> {
    let mut mean = sum_vectors(vectors.iter().map(Vec::as_slice), width);
    normalise_vector(&mut mean);
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_is_pooled_by_itself() {
        let states = HiddenStates::new(vec![3.0, 4.0, 1.0, 0.0, 0.0, 1.0], 2, vec![1, 2]);
        let means = pool_windows(&states, Pooling::Mean);
        assert_eq!(means[0], [0.6, 0.8]);
        assert!((means[1][0] - means[1][1]).abs() < 1e-6);
        assert_eq!(pool_windows(&states, Pooling::Cls), [[0.6, 0.8], [1.0, 0.0]]);
        assert_eq!(pool_windows(&states, Pooling::Last), [[0.6, 0.8], [0.0, 1.0]]);
    }

    #[test]
    fn a_zero_vector_stays_zero() {
        let mut zero = [0.0, 0.0];
        normalise_vector(&mut zero);
        assert_eq!(zero, [0.0, 0.0]);
    }
}
