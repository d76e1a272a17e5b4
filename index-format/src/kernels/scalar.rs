//! The kernels in plain Rust: what the others must agree with, and what other processors run.

use half::f16;

use super::BIT_PLANES;
use super::STEP;

#[inline]
pub(super) fn dot_binary(
    table: &[[u8; 8]],
    rows: &[u32],
    planes: &[Vec<u64>; BIT_PLANES],
    out: &mut [i32],
) {
    for (product, row) in out.iter_mut().zip(rows) {
        let signs = &table[*row as usize * planes[0].len()..][..planes[0].len()];
        *product = planes
            .iter()
            .enumerate()
            .map(|(weight, plane)| {
                let pairs = signs.iter().zip(plane);
                let different: u32 =
                    pairs.map(|(a, b)| (u64::from_le_bytes(*a) ^ b).count_ones()).sum();
                ((64 * plane.len() as i32) - 2 * different as i32) << weight
            })
            .sum();
    }
}

pub(super) fn dot_quantized(table: &[u8], rows: &[u32], query: &[[i8; STEP]], out: &mut [i32]) {
    let query = query.as_flattened();
    for (product, row) in out.iter_mut().zip(rows) {
        let codes = &table[*row as usize * query.len()..][..query.len()];
        *product = codes
            .iter()
            .zip(query)
            .map(|(code, q)| i32::from(code.cast_signed()) * i32::from(*q))
            .sum();
    }
}

/// Lane `l` of step sum `s` takes the components at `16 * s + l` of each step; the four step sums
/// are then added as (0 + 1) + (2 + 3).
pub(super) fn dot_halves(row: &[[u8; 2 * STEP]], query: &[[f32; STEP]]) -> [f32; 16] {
    let mut sums = [0.0_f32; STEP];
    for (halves, query) in row.iter().zip(query) {
        let (halves, _) = halves.as_chunks::<2>();
        for ((sum, half), q) in sums.iter_mut().zip(halves).zip(query) {
            *sum = q.mul_add(f16::from_le_bytes(*half).to_f32(), *sum);
        }
    }
    std::array::from_fn(|lane| (sums[lane] + sums[16 + lane]) + (sums[32 + lane] + sums[48 + lane]))
}
