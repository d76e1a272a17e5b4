//! The kernels for x86-64: AVX2, and AVX-512 with VNNI.
//!
//! Slices carry the bounds, so `unsafe` is left at the loads alone. A caller must have seen
//! [`has_avx2`] or [`has_avx512`] say yes.

use std::arch::x86_64::*;

use super::STEP;

/// How many rows ahead the next row is asked for; rows of a sparse set are far apart in memory.
const PREFETCH_AHEAD: usize = 4;

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

/// `vpdpbusd` multiplies unsigned by signed bytes. A row's codes become unsigned by adding 128,
/// which is flipping the top bit; the query's sum times 128 is then taken off again.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn dot_codes_avx512(table: &[u8], rows: &[u32], query: &[[i8; STEP]], out: &mut [i32]) {
    let top_bits = _mm512_set1_epi8(i8::MIN);
    let query_sum: i32 = query.as_flattened().iter().map(|q| i32::from(*q)).sum();
    for (index, product) in out.iter_mut().enumerate() {
        prefetch(table, rows.get(index + PREFETCH_AHEAD), query.len());
        let mut sum = _mm512_setzero_si512();
        for (codes, query) in row_steps(table, rows[index], query.len()).iter().zip(query) {
            let unsigned = _mm512_xor_si512(load_64_bytes(codes), top_bits);
            sum = _mm512_dpbusd_epi32(sum, unsigned, load_64_codes(query));
        }
        *product = _mm512_reduce_add_epi32(sum) - 128 * query_sum;
    }
}

/// Widened to 16 bits first: the 8-bit multiply-add of AVX2 saturates, this one cannot.
#[target_feature(enable = "avx2")]
pub(super) fn dot_codes_avx2(table: &[u8], rows: &[u32], query: &[[i8; STEP]], out: &mut [i32]) {
    for (index, product) in out.iter_mut().enumerate() {
        prefetch(table, rows.get(index + PREFETCH_AHEAD), query.len());
        let mut sum = _mm256_setzero_si256();
        for (codes, query) in row_steps(table, rows[index], query.len()).iter().zip(query) {
            let (codes, _) = codes.as_chunks::<16>();
            let (query, _) = query.as_chunks::<16>();
            for (codes, query) in codes.iter().zip(query) {
                let codes = _mm256_cvtepi8_epi16(load_16_bytes(codes));
                let query = _mm256_cvtepi8_epi16(load_16_codes(query));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(codes, query));
            }
        }
        let mut lanes = [0_i32; 8];
        // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
        unsafe { _mm256_storeu_si256((&raw mut lanes).cast(), sum) };
        *product = lanes.iter().sum();
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn dot_halves_avx512(row: &[[u8; 2 * STEP]], query: &[[f32; STEP]]) -> [f32; 16] {
    let mut sums = [_mm512_setzero_ps(); 4];
    for (halves, query) in row.iter().zip(query) {
        let (halves, _) = halves.as_chunks::<32>();
        let (query, _) = query.as_chunks::<16>();
        for ((sum, halves), query) in sums.iter_mut().zip(halves).zip(query) {
            *sum = _mm512_fmadd_ps(load_16_floats(query), load_16_halves(halves), *sum);
        }
    }
    let sum = _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
    let mut lanes = [0.0_f32; 16];
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), sum) };
    lanes
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn dot_halves_avx2(row: &[[u8; 2 * STEP]], query: &[[f32; STEP]]) -> [f32; 16] {
    let mut sums = [_mm256_setzero_ps(); 8];
    for (halves, query) in row.iter().zip(query) {
        let (halves, _) = halves.as_chunks::<16>();
        let (query, _) = query.as_chunks::<8>();
        for ((sum, halves), query) in sums.iter_mut().zip(halves).zip(query) {
            let halves = _mm256_cvtph_ps(load_16_bytes(halves));
            *sum = _mm256_fmadd_ps(load_8_floats(query), halves, *sum);
        }
    }
    let mut lanes = [0.0_f32; 16];
    let (low, high) = lanes.split_at_mut(8);
    for (part, lanes) in [low, high].into_iter().enumerate() {
        let sum = _mm256_add_ps(
            _mm256_add_ps(sums[part], sums[2 + part]),
            _mm256_add_ps(sums[4 + part], sums[6 + part]),
        );
        // SAFETY: each part has the 32 bytes that are written; the store needs no alignment.
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), sum) };
    }
    lanes
}

/// One row's codes, in steps.
#[inline(always)]
fn row_steps(table: &[u8], row: u32, steps: usize) -> &[[u8; STEP]] {
    let width = steps * STEP;
    let (codes, _) = table[row as usize * width..][..width].as_chunks::<STEP>();
    codes
}

/// Asks for a later row, when there is one.
#[inline(always)]
fn prefetch(table: &[u8], row: Option<&u32>, steps: usize) {
    let Some(row) = row else { return };
    for line in row_steps(table, *row, steps) {
        // SAFETY: the line is readable; a prefetch changes nothing but the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_64_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 readable bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_64_codes(codes: &[i8; 64]) -> __m512i {
    // SAFETY: 64 readable bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(codes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_16_halves(halves: &[u8; 32]) -> __m512 {
    // SAFETY: 32 readable bytes; the load needs no alignment.
    _mm512_cvtph_ps(unsafe { _mm256_loadu_si256(halves.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_16_floats(floats: &[f32; 16]) -> __m512 {
    // SAFETY: 64 readable bytes; the load needs no alignment.
    unsafe { _mm512_loadu_ps(floats.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_8_floats(floats: &[f32; 8]) -> __m256 {
    // SAFETY: 32 readable bytes; the load needs no alignment.
    unsafe { _mm256_loadu_ps(floats.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_16_bytes(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 readable bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_16_codes(codes: &[i8; 16]) -> __m128i {
    // SAFETY: 16 readable bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(codes.as_ptr().cast()) }
}
