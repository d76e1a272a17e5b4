//! From one state for each token to one vector for each window, and vectors of length one.

use super::{forward::States, identity::Pooling};

/// Returns one vector of length one for each window.
pub(super) fn pool(states: &States, how: Pooling) -> Vec<Vec<f32>> {
    let mut vectors = match how {
        Pooling::Mean => sums(states),
        Pooling::Cls | Pooling::Last => pick(states, how),
    };
    for vector in &mut vectors {
        normalise(vector);
    }
    vectors
}

/// Returns the state of one token of each window: the last with [`Pooling::Last`], else the first.
pub(super) fn pick(states: &States, how: Pooling) -> Vec<Vec<f32>> {
    let width = states.width();
    let start = |window: &[f32]| match how {
        Pooling::Last => window.len().saturating_sub(width),
        Pooling::Cls | Pooling::Mean => 0,
    };
    states
        .windows()
        .map(|window| window[start(window)..].iter().copied().take(width).collect())
        .collect()
}

/// Sums instead of means: only the direction is kept.
fn sums(states: &States) -> Vec<Vec<f32>> {
    let width = states.width();
    states.windows().map(|window| sum(window.chunks_exact(width), width)).collect()
}

fn sum<'a>(vectors: impl Iterator<Item = &'a [f32]>, width: usize) -> Vec<f32> {
    let mut total = vec![0.0; width];
    for vector in vectors {
        for (sum, value) in total.iter_mut().zip(vector) {
            *sum += value;
        }
    }
    total
}

/// Brings a vector to length one; one of length zero stays as it is.
pub(super) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

/// Returns the mean of vectors, brought to length one.
pub(super) fn unit_mean(vectors: &[Vec<f32>], width: usize) -> Vec<f32> {
    let mut mean = sum(vectors.iter().map(Vec::as_slice), width);
    normalise(&mut mean);
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_is_pooled_by_itself() {
        let states = States::new(vec![3.0, 4.0, 1.0, 0.0, 0.0, 1.0], 2, vec![1, 2]);
        let means = pool(&states, Pooling::Mean);
        assert_eq!(means[0], [0.6, 0.8]);
        assert!((means[1][0] - means[1][1]).abs() < 1e-6);
        assert_eq!(pool(&states, Pooling::Cls), [[0.6, 0.8], [1.0, 0.0]]);
        assert_eq!(pool(&states, Pooling::Last), [[0.6, 0.8], [0.0, 1.0]]);
    }

    #[test]
    fn a_zero_vector_stays_zero() {
        let mut zero = [0.0, 0.0];
        normalise(&mut zero);
        assert_eq!(zero, [0.0, 0.0]);
    }
}
