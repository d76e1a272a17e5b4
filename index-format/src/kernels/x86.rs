//! The kernels for x86-64: AVX2, and AVX-512 with VNNI.
//!
//! Slices carry the bounds, so only the loads are `unsafe`. Before a call, [`has_avx2`] or [`has_avx512`] must have
//! returned true.

use std::arch::x86_64::*;

use super::BIT_PLANES;
use super::STEP;

/// How many rows ahead a row is prefetched; rows of a sparse set are far apart in memory.
const PREFETCH_AHEAD: usize = 4;

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("popcnt")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

/// In addition to what [`has_avx512`] checks; remembered after the first call.
pub(super) fn has_vector_popcount() -> bool {
    is_x86_feature_detected!("avx512vpopcntdq")
}

/// `vpdpbusd` multiplies unsigned by signed bytes. A row's codes become unsigned by adding 128,
/// which is flipping the top bit; the query's sum times 128 is then taken off again.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn dot_quantized_avx512(
    table: &[u8],
    rows: &[u32],
    query: &[[i8; STEP]],
    query_sum: i32,
    out: &mut [i32],
) {
    let top_bits = _mm512_set1_epi8(i8::MIN);
    let (fours, rest) = query.as_chunks::<4>();
    for (index, product) in out.iter_mut().enumerate() {
        prefetch_row(table, rows.get(index + PREFETCH_AHEAD), query.len());
        let row = row_steps(table, rows[index], query.len());
        let (row_fours, row_rest) = row.as_chunks::<4>();
        // Four sums: each instruction waits for the one before it on the same sum.
        let mut sums = [_mm512_setzero_si512(); 4];
        for (codes, query) in row_fours.iter().zip(fours) {
            for step in 0..4 {
                let unsigned = _mm512_xor_si512(load_64_bytes(&codes[step]), top_bits);
                sums[step] = _mm512_dpbusd_epi32(sums[step], unsigned, load_64_codes(&query[step]));
            }
        }
        for ((codes, query), sum) in row_rest.iter().zip(rest).zip(&mut sums) {
            let unsigned = _mm512_xor_si512(load_64_bytes(codes), top_bits);
            *sum = _mm512_dpbusd_epi32(*sum, unsigned, load_64_codes(query));
        }
        let [a, b, c, d] = sums;
        let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
        *product = _mm512_reduce_add_epi32(sum) - 128 * query_sum;
    }
}

/// Eight words at a time; a mask excludes what a plane does not have.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn dot_binary_avx512(
    table: &[[u8; 8]],
    rows: &[u32],
    planes: &[Vec<u64>; BIT_PLANES],
    out: &mut [i32],
) {
    match planes[0].len().div_ceil(8) {
        // Few enough to stay in registers over all rows.
        1 => dot_binary_blocks::<1>(table, rows, planes, out),
        2 => dot_binary_blocks::<2>(table, rows, planes, out),
        blocks => {
            let words = planes[0].len();
            let all = 64 * words as i32 * ((1 << BIT_PLANES) - 1);
            for (product, row) in out.iter_mut().zip(rows) {
                let signs = &table[*row as usize * words..][..words];
                let mut sums = [_mm512_setzero_si512(); BIT_PLANES];
                for block in 0..blocks {
                    let planes = load_block(planes, block);
                    add_differences(&mut sums, load_8_words(signs, 8 * block), &planes);
                }
                *product = all - 2 * _mm512_reduce_add_epi64(sum_weighted_planes(sums)) as i32;
            }
        }
    }
}

/// The same for planes of `BLOCKS` times eight words.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn dot_binary_blocks<const BLOCKS: usize>(
    table: &[[u8; 8]],
    rows: &[u32],
    planes: &[Vec<u64>; BIT_PLANES],
    out: &mut [i32],
) {
    let words = planes[0].len();
    // Bits that differ count double and against it.
    let all = 64 * words as i32 * ((1 << BIT_PLANES) - 1);
    let mut blocks = [[_mm512_setzero_si512(); BIT_PLANES]; BLOCKS];
    for (block, loaded) in blocks.iter_mut().enumerate() {
        *loaded = load_block(planes, block);
    }
    let differences = |row: u32| {
        let signs = &table[row as usize * words..][..words];
        let mut sums = [_mm512_setzero_si512(); BIT_PLANES];
        for (block, planes) in blocks.iter().enumerate() {
            add_differences(&mut sums, load_8_words(signs, 8 * block), planes);
        }
        sum_weighted_planes(sums)
    };
    let (eights, rest) = rows.as_chunks::<8>();
    let (products, products_of_rest) = out.as_chunks_mut::<8>();
    for (products, rows) in products.iter_mut().zip(eights) {
        // Sums over lanes wait for one another; eight rows at once share them.
        let sums = lane_sums(rows.map(differences));
        *products = sums.map(|sum| all - 2 * sum as i32);
    }
    for (product, row) in products_of_rest.iter_mut().zip(rest) {
        *product = all - 2 * _mm512_reduce_add_epi64(differences(*row)) as i32;
    }
}

/// The sum of the lanes of each of eight registers.
#[inline]
#[target_feature(enable = "avx512f")]
fn lane_sums(registers: [__m512i; 8]) -> [i64; 8] {
    let [a, b, c, d, e, f, g, h] = registers;
    let pairs = |x: __m512i, y: __m512i| {
        _mm512_add_epi64(_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y))
    };
    // Lane 2n of a pair is of its first register, lane 2n + 1 of its second.
    let (ab, cd, ef, gh) = (pairs(a, b), pairs(c, d), pairs(e, f), pairs(g, h));
    // Two of the four parts of 128 bits of one, then two of the other.
    let halves = |x: __m512i, y: __m512i| {
        let low = _mm512_shuffle_i64x2::<0b01_00_01_00>(x, y);
        _mm512_add_epi64(low, _mm512_shuffle_i64x2::<0b11_10_11_10>(x, y))
    };
    let (abcd, efgh) = (halves(ab, cd), halves(ef, gh));
    let even = _mm512_shuffle_i64x2::<0b10_00_10_00>(abcd, efgh);
    let sum = _mm512_add_epi64(even, _mm512_shuffle_i64x2::<0b11_01_11_01>(abcd, efgh));
    let mut sums = [0_i64; 8];
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512((&raw mut sums).cast(), sum) };
    sums
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn add_differences(
    sums: &mut [__m512i; BIT_PLANES],
    signs: __m512i,
    planes: &[__m512i; BIT_PLANES],
) {
    for (sum, plane) in sums.iter_mut().zip(planes) {
        let different = _mm512_popcnt_epi64(_mm512_xor_si512(signs, *plane));
        *sum = _mm512_add_epi64(*sum, different);
    }
}

/// The sum over the planes, each counted twice as much as the one before it.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum_weighted_planes(sums: [__m512i; BIT_PLANES]) -> __m512i {
    let low = _mm512_add_epi64(sums[0], _mm512_slli_epi64::<1>(sums[1]));
    let high = _mm512_add_epi64(sums[2], _mm512_slli_epi64::<1>(sums[3]));
    _mm512_add_epi64(low, _mm512_slli_epi64::<2>(high))
}

/// The counting of plain Rust, with the instruction that counts.
#[target_feature(enable = "popcnt")]
pub(super) fn dot_binary_popcnt(
    table: &[[u8; 8]],
    rows: &[u32],
    planes: &[Vec<u64>; BIT_PLANES],
    out: &mut [i32],
) {
    super::scalar::dot_binary(table, rows, planes, out);
}

/// Widened to 16 bits first: the 8-bit multiply-add of AVX2 saturates, this one cannot.
#[target_feature(enable = "avx2")]
pub(super) fn dot_quantized_avx2(
    table: &[u8],
    rows: &[u32],
    query: &[[i8; STEP]],
    out: &mut [i32],
) {
    for (index, product) in out.iter_mut().enumerate() {
        prefetch_row(table, rows.get(index + PREFETCH_AHEAD), query.len());
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

/// Prefetches a later row, if there is one.
#[inline(always)]
fn prefetch_row(table: &[u8], row: Option<&u32>, steps: usize) {
    if let Some(row) = row {
        prefetch_bytes(row_steps(table, *row, steps).as_flattened());
    }
}

/// Prefetches every line of these bytes.
#[inline(always)]
pub(super) fn prefetch_bytes(bytes: &[u8]) {
    for line in bytes.as_chunks::<64>().0 {
        // SAFETY: the line is readable; a prefetch changes nothing but the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

/// The words from `start` on, at most eight; zeros if there are fewer.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_8_words(words: &[[u8; 8]], start: usize) -> __m512i {
    let from = &words[start..];
    if let Some(eight) = from.first_chunk::<8>() {
        return load_64_bytes(eight.as_flattened().as_array().expect("eight words"));
    }
    // SAFETY: the mask names only words of the slice; the load needs no alignment.
    unsafe { _mm512_maskz_loadu_epi64(mask_of(from.len()), from.as_ptr().cast()) }
}

/// Eight words of each plane; zeros if there are fewer.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_block(planes: &[Vec<u64>; BIT_PLANES], block: usize) -> [__m512i; BIT_PLANES] {
    let mut loaded = [_mm512_setzero_si512(); BIT_PLANES];
    for (loaded, plane) in loaded.iter_mut().zip(planes) {
        let from = &plane[8 * block..];
        // SAFETY: the mask names only words of the slice; the load needs no alignment.
        *loaded = unsafe { _mm512_maskz_loadu_epi64(mask_of(from.len()), from.as_ptr().cast()) };
    }
    loaded
}

/// One bit for each word there is, of eight.
fn mask_of(words: usize) -> __mmask8 {
    ((1u32 << words.min(8)) - 1) as __mmask8
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
