//! Means with intervals, differences, and the separation of two sets.
//!
//! Intervals are those of the percentile bootstrap (Efron 1979) over questions, from a seeded
//! generator, so that they are the same on every machine and for every version.

use serde::{Deserialize, Serialize};
use splitmix64::next_splitmix64;

/// Samples drawn for an interval. A hundred of them are beyond each of its ends, so that the ends do not depend on a
/// few.
const SAMPLES: usize = 4000;
/// Share of the samples below the interval, and above it: 95 % are inside.
const TAIL: f64 = 0.025;
/// Seed of the generator, fixed so that intervals are reproducible.
const SEED: u64 = 0x3881_3310_2026;

/// A statistic with its 95 % confidence interval over resampled questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ConfidenceInterval {
    /// The statistic: a mean, or an area under the curve.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl ConfidenceInterval {
    /// The mean of values and its interval; zeros if there are none.
    pub fn of_mean(values: &[f64]) -> Self {
        let mut state = SEED;
        Self::from_samples(mean(values), || {
            let drawn = (0..values.len()).map(|_| values[next_below(&mut state, values.len())]);
            drawn.sum::<f64>() / values.len().max(1) as f64
        })
    }

    /// The probability that a value of the first set is above one of the second (half for equals): the area under the
    /// curve.
    /// 0.5 if a set is empty.
    pub fn of_area_under_curve(above: &[f64], below: &[f64]) -> Self {
        let mut state = SEED;
        Self::from_samples(area_under_curve(above, below), || {
            let mut draw = |values: &[f64]| -> Vec<f64> {
                values.iter().map(|_| values[next_below(&mut state, values.len())]).collect()
            };
            area_under_curve(&draw(above), &draw(below))
        })
    }

    fn from_samples(mean: f64, mut sample: impl FnMut() -> f64) -> Self {
        let mut samples: Vec<f64> = (0..SAMPLES).map(|_| sample()).collect();
        samples.sort_by(f64::total_cmp);
        Self { mean, low: percentile(&samples, TAIL), high: percentile(&samples, 1.0 - TAIL) }
    }
}

/// The value below which the share `part` (0 to 1) of ascending values is; 0 if there are none.
pub fn percentile(ascending: &[f64], part: f64) -> f64 {
    let last = ascending.len().saturating_sub(1);
    // A share of a length is an index: neither negative nor greater.
    let index = (part.clamp(0.0, 1.0) * last as f64).round() as usize;
    ascending.get(index).copied().unwrap_or(0.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The share of pairs in which the value of the first set is above that of the second.
fn area_under_curve(above: &[f64], below: &[f64]) -> f64 {
    if above.is_empty() || below.is_empty() {
        return 0.5;
    }
    let mut sorted = below.to_vec();
    sorted.sort_by(f64::total_cmp);
    let won: usize = above
        .iter()
        .map(|value| {
            let lower = sorted.partition_point(|other| other < value);
            let not_higher = sorted.partition_point(|other| other <= value);
            // Twice the count: ties are halves.
            lower + not_higher
        })
        .sum();
    won as f64 / (2 * above.len() * below.len()) as f64
}

/// A number below `bound`, which is not zero and small beside 2^32.
fn next_below(state: &mut u64, bound: usize) -> usize {
    let high = next_splitmix64(state) >> 32;
    usize::try_from((high * bound as u64) >> 32).expect("below a bound that is a usize")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_about_two_standard_errors_wide() {
        // 100 values, half 0 and half 1: the standard error of their mean is 0.05.
        let values: Vec<f64> = (0..100).map(|index| f64::from(index % 2)).collect();
        let interval = ConfidenceInterval::of_mean(&values);
        assert!((interval.mean - 0.5).abs() < 1e-12);
        assert!((interval.low - 0.402).abs() < 0.015, "{interval:?}");
        assert!((interval.high - 0.598).abs() < 0.015, "{interval:?}");
        assert_eq!(interval, ConfidenceInterval::of_mean(&values));
    }

    #[test]
    fn equal_values_have_no_width_and_no_values_are_zero() {
        assert_eq!(
            ConfidenceInterval::of_mean(&[0.25; 9]),
            ConfidenceInterval { mean: 0.25, low: 0.25, high: 0.25 }
        );
        assert_eq!(
            ConfidenceInterval::of_mean(&[]),
            ConfidenceInterval { mean: 0.0, low: 0.0, high: 0.0 }
        );
    }

    #[test]
    fn separation_is_the_share_of_pairs_in_the_right_order() {
        // By hand: of the six pairs four are in order, one is tied and one is reversed.
        let area = ConfidenceInterval::of_area_under_curve(&[0.9, 0.5, 0.4], &[0.5, 0.1]);
        assert!((area.mean - 4.5 / 6.0).abs() < 1e-12, "{area:?}");
        assert!(area.low <= area.mean && area.mean <= area.high);
        assert_eq!(ConfidenceInterval::of_area_under_curve(&[1.0], &[]).mean, 0.5);
    }

    #[test]
    fn percentiles_are_values_that_occur() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(
            [0.0, 0.5, 0.95, 1.0].map(|part| percentile(&values, part)),
            [1.0, 3.0, 5.0, 5.0]
        );
        assert_eq!(percentile(&[], 0.5), 0.0);
    }
}
