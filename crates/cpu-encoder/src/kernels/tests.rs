//! Every instruction set agrees with the definition; integers are equal on all of them.

use super::{
    lanes::SimdLanes as _,
    rows::{exp, gelu, silu},
    *,
};
use crate::linear::{EncodedRows, Linear};

/// A seeded generator (splitmix64): the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        splitmix64::next_splitmix64(&mut self.0)
    }

    fn words(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.next() as u32).collect()
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
    }
}

const ROWS: [usize; 8] = [1, 2, 3, 5, 7, 12, 14, 31];

#[test]
fn products_of_any_integers_are_equal_on_all_levels() {
    let mut random = Random(1);
    for format in [Precision::Int16, Precision::Int8] {
        for rows in ROWS {
            let (depth, columns) = (1 + rows % 9, PANEL * (1 + rows % 3));
            // All bit patterns: sums wrap alike, too.
            let (left, right) = (random.words(rows * depth), random.words(columns * depth));
            let offsets = random.words(if format == Precision::Int8 { columns } else { 0 });
            let product = |level: SimdLevel| {
                let left = LeftOperand { words: &left, stride: depth, rows, scales: &[] };
                let shape = ColumnShape { format, columns, depth };
                let scales = &vec![1.0; columns];
                let words = &right;
                let offsets = &offsets;
                let right = RightOperand {
                    shape,
                    words,
                    terms: ColumnTerms { scales, offsets, ..ColumnTerms::default() },
                };
                let mut out = vec![0.0; rows * columns];
                level.multiply_rows(left, right, Epilogue::Store, &mut out, columns);
                out
            };
            let expected = product(SimdLevel(SimdChoice::Portable));
            for level in SimdLevel::detect_available() {
                assert_eq!(product(level), expected, "{level:?} {format:?}, {rows} rows");
            }
        }
    }
}

/// The definition, in 64 bits.
fn linear(rows: &[f32], weights: &[f32], bias: &[f32], terms: usize) -> Vec<f64> {
    let output = |row: &[f32], column: usize| {
        let pairs = row.iter().zip(&weights[column * terms..]);
        let sum: f64 = pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        sum + f64::from(bias[column])
    };
    let all = |row| (0..bias.len()).map(move |column| output(row, column));
    rows.chunks_exact(terms).flat_map(all).collect()
}

#[test]
fn a_linear_layer_is_as_exact_as_its_format() {
    let mut random = Random(2);
    let formats = [
        (Precision::F32, 1e-5),
        (Precision::Bf16, 4e-2),
        (Precision::Int16, 5e-3),
        (Precision::Int8, 0.1),
    ];
    for (format, tolerance) in formats {
        for count in ROWS {
            let (terms, columns) = (PANEL * (1 + count % 3), PANEL * (1 + count % 4));
            let rows = random.floats(count * terms);
            let (weights, bias) = (random.floats(columns * terms), random.floats(columns));
            let expected = linear(&rows, &weights, &bias, terms);
            let layer = Linear::new(format, &weights, columns, bias);
            for level in SimdLevel::detect_available() {
                let mut encoded = EncodedRows::default();
                encoded.encode_rows(level, format, &rows, terms);
                let mut out = vec![1.0; count * columns];
                layer.apply_to_rows(level, &encoded, Epilogue::Add, &mut out, columns);
                for (found, expected) in out.iter().zip(&expected) {
                    let apart = (f64::from(*found) - 1.0 - expected).abs();
                    assert!(apart < tolerance, "{level:?} {format:?}: {apart}");
                }
            }
        }
    }
}

#[test]
fn the_largest_16_bit_products_stay_within_32_bits() {
    for terms in [32, 384, 1536, 3072] {
        let weights = vec![-1.0; PANEL * terms];
        let rows = vec![1.0; terms];
        let layer = Linear::new(Precision::Int16, &weights, PANEL, vec![0.0; PANEL]);
        for level in SimdLevel::detect_available() {
            let mut encoded = EncodedRows::default();
            encoded.encode_rows(level, Precision::Int16, &rows, terms);
            let mut out = vec![0.0; PANEL];
            layer.apply_to_rows(level, &encoded, Epilogue::Store, &mut out, PANEL);
            let apart = (out[0] + terms as f32).abs() / terms as f32;
            // Weights that are all alike are the worst case: they are rounded alike.
            assert!(apart < 3e-3, "{level:?}, {terms} terms: {}", out[0]);
        }
    }
}

#[test]
fn the_largest_weights_of_attention_stay_within_32_bits() {
    // Equal scores make all weights one; equal values make every product the largest.
    for tokens in [1, 31, 512, 8192] {
        let (width, stride) = (PANEL, PANEL);
        let table = vec![1.0; tokens * stride];
        let strip = HeadStrip { table: &table, stride, start: 0, width, rows: tokens };
        for level in SimdLevel::detect_available() {
            let (mut values, mut weights) = (PackedValues::default(), EncodedRows::default());
            level.pack_values(Precision::Int16, strip, &mut values);
            let padded = tokens.next_multiple_of(PANEL);
            let mut scores = vec![0.0; padded];
            weights.fill_softmax(level, Precision::Int16, &mut scores, padded, tokens);
            let mut out = vec![0.0; width];
            let right = values.right_operand(Precision::Int16);
            level.multiply_rows(weights.left_operand(), right, Epilogue::Store, &mut out, width);
            assert!((out[0] - 1.0).abs() < 2e-3, "{level:?}, {tokens} tokens: {}", out[0]);
        }
    }
}

#[test]
fn attention_is_the_same_in_all_formats() {
    let mut random = Random(3);
    let tolerances = [(Precision::F32, 1e-5), (Precision::Bf16, 2e-2), (Precision::Int16, 2e-3)];
    for (format, tolerance) in tolerances {
        for tokens in [1, 2, 33, 70] {
            let (width, stride) = (2 * PANEL, 3 * PANEL);
            let table = random.floats(tokens * stride);
            let strip = HeadStrip { table: &table, stride, start: PANEL, width, rows: tokens };
            let query = random.floats(width);
            let score = |row: usize| {
                let pairs = strip.row(row).iter().zip(&query);
                pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>().exp()
            };
            let total: f64 = (0..tokens).map(score).sum();
            let gathered = |at: usize| {
                let part = |row| score(row) / total * f64::from(strip.row(row)[at]);
                (0..tokens).map(part).sum::<f64>()
            };
            for level in SimdLevel::detect_available() {
                let out = attend(level, format, strip, &query);
                for (at, found) in out.into_iter().enumerate() {
                    let apart = (f64::from(found) - gathered(at)).abs();
                    assert!(apart < tolerance, "{level:?} {format:?}, {tokens} tokens: {apart}");
                }
            }
        }
    }
}

/// The attention output of one query where keys and values are the same.
fn attend(level: SimdLevel, format: Precision, strip: HeadStrip<'_>, query: &[f32]) -> Vec<f32> {
    let (mut keys, mut values) = (PackedKeys::default(), PackedValues::default());
    let (mut queries, mut weights) = (EncodedRows::default(), EncodedRows::default());
    level.pack_keys(format, strip, &mut keys);
    level.pack_values(format, strip, &mut values);
    queries.begin_rows(format, 1, strip.width);
    queries.encode_row(level, format, 0, query, pair_limit(strip.width));
    let padded = strip.rows.next_multiple_of(PANEL);
    let (mut scores, mut out) = (vec![0.0; padded], vec![0.0; strip.width]);
    level.multiply_rows(
        queries.left_operand(),
        keys.right_operand(format),
        Epilogue::Store,
        &mut scores,
        padded,
    );
    weights.fill_softmax(level, format, &mut scores, padded, strip.rows);
    level.multiply_rows(
        weights.left_operand(),
        values.right_operand(format),
        Epilogue::Store,
        &mut out,
        strip.width,
    );
    out
}

#[test]
fn a_norm_has_mean_zero_and_variance_one() {
    let mut random = Random(4);
    for width in [32, 384, 768] {
        let row = random.floats(width);
        let (gain, shift) = (random.floats(width), random.floats(width));
        let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / width as f64;
        let square = |x: &f32| (f64::from(*x) - mean).powi(2);
        let deviation = (row.iter().map(square).sum::<f64>() / width as f64 + 1e-12).sqrt();
        for level in SimdLevel::detect_available() {
            let mut found = row.clone();
            level.layer_norm(&mut found, &gain, &shift, 1e-12);
            for at in 0..width {
                let normal = (f64::from(row[at]) - mean) / deviation;
                let expected = normal * f64::from(gain[at]) + f64::from(shift[at]);
                assert!((f64::from(found[at]) - expected).abs() < 1e-5, "{level:?} {width}");
            }
        }
    }
}

/// The error function by its series, in 64 bits.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    if x.abs() > 5.0 { x.signum() } else { sum * std::f64::consts::FRAC_2_SQRT_PI }
}

#[test]
fn functions_of_single_numbers_are_near_their_definitions() {
    for step in -1280..=1280 {
        let x = step as f32 / 64.0;
        let wide = f64::from(x);
        // SAFETY: the portable set asks nothing of the processor.
        let [power, bell, gate] = unsafe {
            let x = Portable::splat_float(x);
            [exp::<Portable>(x), gelu::<Portable>(x), silu::<Portable>(x)].map(|found| found[0])
        };
        assert!((f64::from(power) / wide.exp() - 1.0).abs() < 2e-6, "e^{x}: {power}");
        let expected = wide * (1.0 + erf(wide / std::f64::consts::SQRT_2)) / 2.0;
        assert!((f64::from(bell) - expected).abs() < 2e-6, "gelu({x}): {bell}");
        let expected = wide / (1.0 + (-wide).exp());
        assert!((f64::from(gate) - expected).abs() < 1e-5, "silu({x}): {gate}");
    }
}

#[test]
fn numbers_that_are_not_finite_do_not_panic() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        for format in [Precision::F32, Precision::Bf16, Precision::Int16, Precision::Int8] {
            for level in SimdLevel::detect_available() {
                let mut row = vec![bad; PANEL];
                let mut words = vec![0; PANEL];
                level.encode_row(format, &row, ACTIVATION_LIMIT, &mut words);
                level.softmax(format, &mut row, PANEL - 1, &mut words);
                row.fill(bad);
                level.layer_norm(&mut row, &[1.0; PANEL], &[0.0; PANEL], 1e-12);
            }
        }
    }
}
