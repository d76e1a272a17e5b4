//! Every kernel gives the bits of the scalar one, and the scalar one is right.

use half::f16;

use super::*;
use crate::rotation::next_splitmix64;

/// A seeded generator (splitmix64): the same rows in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        next_splitmix64(&mut self.0)
    }

    fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    fn component(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

fn products(kernel: Kernel, table: &[u8], rows: &[u32], query: &[i8]) -> Vec<i32> {
    let mut out = vec![0; rows.len()];
    kernel.dot_quantized(table, rows, &QuantizedVector::new(query.to_vec()), &mut out);
    out
}

/// The definition, in 64 bits, over the components alone and not over the padding.
fn wide_product(table: &[u8], row: u32, query: &[i8], dimension: usize) -> i64 {
    let codes = &table[row as usize * query.len()..];
    let pairs = codes.iter().zip(query).take(dimension);
    pairs.map(|(code, q)| i64::from(code.cast_signed()) * i64::from(*q)).sum()
}

#[test]
fn code_products_agree_for_every_dimension() {
    let mut random = Random(1);
    for dimension in (1_usize..=130).chain([191, 192, 193, 384, 768, 1000, 1024, 4095, 4096]) {
        let width = dimension.next_multiple_of(STEP);
        // Rows are random to the last byte, padding and -128 included: the query's zeros mask them.
        let table: Vec<u8> = (0..8 * width).map(|_| random.byte()).collect();
        let mut query: Vec<i8> = (0..width).map(|_| random.byte().cast_signed()).collect();
        query[dimension..].fill(0);
        let rows = [0, 7, 3, 3, 1, 6];
        let expected: Vec<i64> =
            rows.iter().map(|row| wide_product(&table, *row, &query, dimension)).collect();
        for kernel in Kernel::available_kernels() {
            let found = products(kernel, &table, &rows, &query);
            let found: Vec<i64> = found.into_iter().map(i64::from).collect();
            assert_eq!(found, expected, "{kernel:?}, dimension {dimension}");
        }
    }
}

#[test]
fn the_largest_code_products_do_not_overflow() {
    for (code, q) in [(-128_i8, -128_i8), (-128, 127), (127, -128), (127, 127)] {
        let table = vec![code.cast_unsigned(); 4096];
        let expected = 4096 * i32::from(code) * i32::from(q);
        for kernel in Kernel::available_kernels() {
            assert_eq!(products(kernel, &table, &[0], &[q; 4096]), [expected], "{kernel:?}");
        }
    }
}

#[test]
fn half_products_have_the_same_bits_everywhere() {
    let mut random = Random(2);
    for width in [64, 128, 192, 384, 1024, 4096] {
        let row: Vec<f16> = (0..width).map(|_| f16::from_f32(random.component())).collect();
        let bytes: Vec<u8> = row.iter().flat_map(|half| half.to_le_bytes()).collect();
        let query: Vec<f32> = (0..width).map(|_| random.component()).collect();
        let pairs = row.iter().zip(&query);
        let exact: f64 = pairs.map(|(half, q)| half.to_f64() * f64::from(*q)).sum();
        for kernel in Kernel::available_kernels() {
            let found = kernel.dot_halves(&bytes, &query);
            assert!((f64::from(found) - exact).abs() < 1e-4, "{kernel:?}: {found} for {exact}");
            let scalar = Kernel(KernelInstructions::Scalar).dot_halves(&bytes, &query);
            assert_eq!(found.to_bits(), scalar.to_bits(), "{kernel:?}, width {width}");
        }
    }
}

#[test]
fn no_rows_give_no_products() {
    for kernel in Kernel::available_kernels() {
        assert!(products(kernel, &[], &[], &[0; 64]).is_empty());
    }
}

#[test]
fn sign_products_agree_and_are_right() {
    let mut random = Random(5);
    for words in 1..=20_usize {
        let table: Vec<[u8; 8]> = (0..8 * words).map(|_| random.next().to_le_bytes()).collect();
        let planes: [Vec<u64>; BIT_PLANES] =
            std::array::from_fn(|_| (0..words).map(|_| random.next()).collect());
        // More than eight, which some kernels take at once.
        let rows = [7, 0, 3, 3, 5, 6, 1, 2, 4, 0, 7];
        // By the definition, bit by bit.
        let sign = |word: u64, bit: u32| if word >> bit & 1 == 1 { 1 } else { -1 };
        let expected: Vec<i32> = rows
            .iter()
            .map(|row| {
                let row = &table[*row as usize * words..][..words];
                let bits = (0..words).flat_map(|word| (0..64).map(move |bit| (word, bit)));
                bits.map(|(word, bit)| {
                    let component: i32 =
                        (0..BIT_PLANES).map(|j| sign(planes[j][word], bit) << j).sum();
                    sign(u64::from_le_bytes(row[word]), bit) * component
                })
                .sum()
            })
            .collect();
        for kernel in Kernel::available_kernels() {
            let mut found = vec![0; rows.len()];
            kernel.dot_binary(&table, &rows, &planes, &mut found);
            assert_eq!(found, expected, "{kernel:?}, {words} words");
        }
    }
}
