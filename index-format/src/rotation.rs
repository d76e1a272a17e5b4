//! A fixed rotation that spreads every vector evenly over its components.
//!
//! Binary codes represent a direction well only if no component is much larger than the others. Four rounds of
//! flipping signs and a Walsh-Hadamard transform ensure that, in a time that grows with the width times its
//! logarithm; if the width is not a power of two, the rounds cover its front and its back in turn.

pub(crate) use splitmix64::next_splitmix64;

/// Rounds of flips and transforms: two for each end of a width that is not a power of two. Part of the format.
const ROUNDS: usize = 4;

/// The seed of the flips' generator; part of the format.
const SEED: u64 = 0x6978_665f_7369_676e;

/// The rotation for one width.
#[derive(Debug, Clone)]
pub(crate) struct Rotation {
    /// For each round a factor of 1 or -1 for each component.
    flips: [Vec<f32>; ROUNDS],
    /// The largest power of two that is not above the width.
    block: usize,
}

impl Rotation {
    /// The rotation of vectors of `width` components, at least one.
    pub(crate) fn new(width: usize) -> Rotation {
        let mut state = SEED;
        let flips = std::array::from_fn(|_| {
            let mut bits = 0;
            let mut flip = |index: usize| {
                if index.is_multiple_of(64) {
                    bits = next_splitmix64(&mut state);
                }
                if bits >> (index % 64) & 1 == 1 { -1.0 } else { 1.0 }
            };
            (0..width).map(&mut flip).collect()
        });
        Rotation { flips, block: 1 << width.max(1).ilog2() }
    }

    /// Rotates a vector of the width in place; lengths and products stay as they are.
    pub(crate) fn rotate_vector(&self, vector: &mut [f32]) {
        let back = vector.len() - self.block;
        for (round, flips) in self.flips.iter().enumerate() {
            for (component, flip) in vector.iter_mut().zip(flips) {
                *component *= flip;
            }
            let start = if round % 2 == 0 { 0 } else { back };
            walsh_hadamard_transform(&mut vector[start..start + self.block]);
        }
    }
}

/// The Walsh-Hadamard transform, scaled to keep lengths; the length is a power of two.
fn walsh_hadamard_transform(block: &mut [f32]) {
    let mut half = 1;
    while half < block.len() {
        for pair in block.chunks_exact_mut(2 * half) {
            let (front, back) = pair.split_at_mut(half);
            for (a, b) in front.iter_mut().zip(back) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let scale = 1.0 / (block.len() as f32).sqrt();
    block.iter_mut().for_each(|component| *component *= scale);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn products_stay_and_a_lone_component_is_spread() {
        for width in [64, 192, 384, 768, 1024, 4096] {
            let rotation = Rotation::new(width);
            let mut lone = vec![0.0; width];
            lone[width / 3] = 1.0;
            let mut state = 1;
            let mut other: Vec<f32> = (0..width)
                .map(|_| (next_splitmix64(&mut state) >> 40) as f32 / 1e6 - 8.0)
                .collect();
            let before = (product(&lone, &other), product(&other, &other));
            rotation.rotate_vector(&mut lone);
            rotation.rotate_vector(&mut other);
            let after = (product(&lone, &other), product(&other, &other));
            assert!((before.0 - after.0).abs() < 1e-2 * before.1.sqrt(), "{before:?} {after:?}");
            assert!((before.1 - after.1).abs() < 1e-3 * before.1, "{before:?} {after:?}");
            let largest = lone.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
            assert!(largest < 8.0 / (width as f32).sqrt(), "width {width}: {largest}");
        }
    }
}
