//! From one state for each token to one vector for each window, and vectors of length one.

use candle_core::{IndexOp as _, Result, Tensor};

use super::{batch::TokenBatch, identity::Pooling};

/// Returns one vector of length one for each row of the batch.
pub(super) fn pool(states: &Tensor, batch: &TokenBatch, how: Pooling) -> Result<Vec<Vec<f32>>> {
    let mut vectors = match how {
        Pooling::Mean => sums(states, batch)?,
        Pooling::Cls | Pooling::Last => pick(states, batch, how)?,
    };
    for vector in &mut vectors {
        normalise(vector);
    }
    Ok(vectors)
}

/// Returns the state of one token of each row: the last with [`Pooling::Last`], else the first.
pub(super) fn pick(states: &Tensor, batch: &TokenBatch, how: Pooling) -> Result<Vec<Vec<f32>>> {
    let column = |length: usize| match how {
        Pooling::Last => length.saturating_sub(1),
        Pooling::Cls | Pooling::Mean => 0,
    };
    let lengths = batch.lengths.iter().enumerate();
    lengths.map(|(row, &length)| states.i((row, column(length)))?.to_vec1()).collect()
}

/// Sums instead of means: only the direction is kept.
fn sums(states: &Tensor, batch: &TokenBatch) -> Result<Vec<Vec<f32>>> {
    let (_, columns, width) = states.dims3()?;
    let flat = states.flatten_all()?.to_vec1::<f32>()?;
    let rows = flat.chunks_exact(columns * width).zip(&batch.lengths);
    Ok(rows.map(|(row, &length)| sum(row.chunks_exact(width).take(length), width)).collect())
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
    use candle_core::Device;

    use super::*;

    #[test]
    fn padding_does_not_count() {
        let lengths = vec![1, 2];
        let batch = TokenBatch { ids: vec![], types: vec![], mask: vec![], lengths, width: 2 };
        let states = [[[3.0f32, 4.0], [9.0, 9.0]], [[1.0, 0.0], [0.0, 1.0]]];
        let states = Tensor::new(&states, &Device::Cpu).expect("a small tensor");
        let means = pool(&states, &batch, Pooling::Mean).expect("the shapes agree");
        assert_eq!(means[0], [0.6, 0.8]);
        assert!((means[1][0] - means[1][1]).abs() < 1e-6);
        let firsts = pool(&states, &batch, Pooling::Cls).expect("the shapes agree");
        assert_eq!(firsts, [[0.6, 0.8], [1.0, 0.0]]);
        let lasts = pool(&states, &batch, Pooling::Last).expect("the shapes agree");
        assert_eq!(lasts, [[0.6, 0.8], [0.0, 1.0]]);
    }

    #[test]
    fn a_zero_vector_stays_zero() {
        let mut zero = [0.0, 0.0];
        normalise(&mut zero);
        assert_eq!(zero, [0.0, 0.0]);
    }
}
