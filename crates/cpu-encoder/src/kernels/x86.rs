//! Vectors for x86-64: AVX2 with FMA, and AVX-512 with and without its products of small numbers.

use std::arch::x86_64::*;

use super::lanes::{SimdLanes, widened_dot_bf16};

/// Eight lanes.
pub(super) struct Avx2;

/// Sixteen lanes. The parameters say whether there are dot products of bytes and 16-bit integers (VNNI)
/// and of bfloat16 numbers.
pub(super) struct Avx512<const VNNI: bool, const BF16: bool>;

/// Methods of a [`SimdLanes`] that are one expression over intrinsics.
macro_rules! methods {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $body:expr;)*) => { $(
        #[inline(always)]
        unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: the caller promises the instructions, and that pointers are valid for what
            // one vector of the method's numbers takes.
            unsafe { $body }
        }
    )* };
}

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

pub(super) fn has_vnni() -> bool {
    has_avx512() && is_x86_feature_detected!("avx512vnni")
}

pub(super) fn has_bf16() -> bool {
    has_vnni() && is_x86_feature_detected!("avx512bf16")
}

/// `vpdpwssd`. The compiler may turn its own intrinsic into two instructions that take twice as long
/// together: it optimises latency, which does not limit these loops.
#[target_feature(enable = "avx512f,avx512vnni")]
#[inline]
fn multiply_add_pairs(mut sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the instruction reads and writes only these registers.
    unsafe {
        std::arch::asm!(
            "vpdpwssd {sum}, {a}, {b}",
            sum = inout(zmm_reg) sum,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

impl SimdLanes for Avx2 {
    const WIDTH: usize = 8;
    const ROWS: usize = 6;
    type Floats = __m256;
    type Words = __m256i;

    methods! {
        fn load_floats(from: *const f32) -> __m256 = _mm256_loadu_ps(from);
        fn store_floats(to: *mut f32, floats: __m256) = _mm256_storeu_ps(to, floats);
        fn splat_float(float: f32) -> __m256 = _mm256_set1_ps(float);
        fn add(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
        fn sub(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
        fn mul(a: __m256, b: __m256) -> __m256 = _mm256_mul_ps(a, b);
        fn div(a: __m256, b: __m256) -> __m256 = _mm256_div_ps(a, b);
        fn max(a: __m256, b: __m256) -> __m256 = _mm256_max_ps(a, b);
        fn fma(a: __m256, b: __m256, c: __m256) -> __m256 = _mm256_fmadd_ps(a, b, c);
        fn load_words(from: *const u32) -> __m256i = _mm256_loadu_si256(from.cast());
        fn store_words(to: *mut u32, words: __m256i) = _mm256_storeu_si256(to.cast(), words);
        fn splat_word(word: u32) -> __m256i = _mm256_set1_epi32(word.cast_signed());
        fn prefetch_line(address: *const u8) = _mm_prefetch::<_MM_HINT_T1>(address.cast());
        fn add_words(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        fn sub_words(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
        fn and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        fn or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        fn to_bits(floats: __m256) -> __m256i = _mm256_castps_si256(floats);
        fn from_bits(words: __m256i) -> __m256 = _mm256_castsi256_ps(words);
        fn round_to_words(floats: __m256) -> __m256i = _mm256_cvtps_epi32(floats);
        fn to_floats(words: __m256i) -> __m256 = _mm256_cvtepi32_ps(words);
        fn dot_i16(sum: __m256i, a: __m256i, b: __m256i) -> __m256i =
            _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        fn dot_bf16(sum: __m256i, a: __m256i, b: __m256i) -> __m256i =
            widened_dot_bf16::<Self>(sum, a, b);
    }

    #[inline(always)]
    unsafe fn reduce_sum(floats: __m256) -> f32 {
        let mut lanes = [0.0_f32; 8];
        // SAFETY: the array takes the vector.
        unsafe { Self::store_floats(lanes.as_mut_ptr(), floats) };
        lanes.iter().sum()
    }

    #[inline(always)]
    unsafe fn reduce_max(floats: __m256) -> f32 {
        let mut lanes = [0.0_f32; 8];
        // SAFETY: the array takes the vector.
        unsafe { Self::store_floats(lanes.as_mut_ptr(), floats) };
        lanes.into_iter().fold(f32::MIN, f32::max)
    }

    #[inline(always)]
    unsafe fn shift_left<const BITS: u32>(words: __m256i) -> __m256i {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_sll_epi32(words, _mm_cvtsi32_si128(BITS.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(words: __m256i) -> __m256i {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_srl_epi32(words, _mm_cvtsi32_si128(BITS.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn store_16(to: *mut u16, words: __m256i) {
        // SAFETY: the caller promises the instructions and room for eight numbers.
        unsafe {
            let low = _mm256_and_si256(words, _mm256_set1_epi32(0xffff));
            let packed = _mm256_packus_epi32(low, low);
            let joined = _mm256_permute4x64_epi64::<0b1000>(packed);
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(joined));
        }
    }

    #[inline(always)]
    unsafe fn store_8(to: *mut u8, words: __m256i) {
        // SAFETY: the caller promises the instructions and room for eight numbers.
        unsafe {
            let low = _mm256_and_si256(words, _mm256_set1_epi32(0xff));
            let packed = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi32(low, low));
            let half = _mm256_castsi256_si128(packed);
            _mm_storel_epi64(to.cast(), _mm_packus_epi16(half, half));
        }
    }

    /// Widened to 16 bits first: the multiply-add of bytes saturates, this one cannot.
    #[inline(always)]
    unsafe fn dot_i8(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let even_a = _mm256_and_si256(a, _mm256_set1_epi16(0xff));
            let odd_a = _mm256_srli_epi16::<8>(a);
            let even_b = _mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(b));
            let odd_b = _mm256_srai_epi16::<8>(b);
            let even = _mm256_madd_epi16(even_a, even_b);
            let odd = _mm256_madd_epi16(odd_a, odd_b);
            _mm256_add_epi32(sum, _mm256_add_epi32(even, odd))
        }
    }
}

impl<const VNNI: bool, const BF16: bool> SimdLanes for Avx512<VNNI, BF16> {
    const WIDTH: usize = 16;
    const ROWS: usize = 12;
    type Floats = __m512;
    type Words = __m512i;

    methods! {
        fn load_floats(from: *const f32) -> __m512 = _mm512_loadu_ps(from);
        fn store_floats(to: *mut f32, floats: __m512) = _mm512_storeu_ps(to, floats);
        fn splat_float(float: f32) -> __m512 = _mm512_set1_ps(float);
        fn add(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        fn sub(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        fn mul(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        fn div(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b);
        fn max(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b);
        fn fma(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_ps(a, b, c);
        fn reduce_sum(floats: __m512) -> f32 = _mm512_reduce_add_ps(floats);
        fn reduce_max(floats: __m512) -> f32 = _mm512_reduce_max_ps(floats);
        fn load_words(from: *const u32) -> __m512i = _mm512_loadu_si512(from.cast());
        fn store_words(to: *mut u32, words: __m512i) = _mm512_storeu_si512(to.cast(), words);
        fn splat_word(word: u32) -> __m512i = _mm512_set1_epi32(word.cast_signed());
        fn prefetch_line(address: *const u8) = _mm_prefetch::<_MM_HINT_T1>(address.cast());
        fn add_words(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn sub_words(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        fn and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn to_bits(floats: __m512) -> __m512i = _mm512_castps_si512(floats);
        fn from_bits(words: __m512i) -> __m512 = _mm512_castsi512_ps(words);
        fn round_to_words(floats: __m512) -> __m512i = _mm512_cvtps_epi32(floats);
        fn to_floats(words: __m512i) -> __m512 = _mm512_cvtepi32_ps(words);
        fn round_to_floats(floats: __m512) -> __m512 = _mm512_roundscale_ps::<8>(floats);
        fn scale_by_power(floats: __m512, exponents: __m512) -> __m512 =
            _mm512_scalef_ps(floats, exponents);
        fn store_16(to: *mut u16, words: __m512i) =
            _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(words));
        fn store_8(to: *mut u8, words: __m512i) =
            _mm_storeu_si128(to.cast(), _mm512_cvtepi32_epi8(words));
        fn dot_i16(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = if VNNI {
            multiply_add_pairs(sum, a, b)
        } else {
            _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
        };
        fn dot_i8(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = if VNNI {
            _mm512_dpbusd_epi32(sum, a, b)
        } else {
            let even_a = _mm512_and_si512(a, _mm512_set1_epi16(0xff));
            let odd_a = _mm512_srli_epi16::<8>(a);
            let even_b = _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(b));
            let odd_b = _mm512_srai_epi16::<8>(b);
            let even = _mm512_madd_epi16(even_a, even_b);
            let odd = _mm512_madd_epi16(odd_a, odd_b);
            _mm512_add_epi32(sum, _mm512_add_epi32(even, odd))
        };
    }

    #[inline(always)]
    unsafe fn shift_left<const BITS: u32>(words: __m512i) -> __m512i {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_slli_epi32::<BITS>(words) }
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(words: __m512i) -> __m512i {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_srli_epi32::<BITS>(words) }
    }

    #[inline(always)]
    unsafe fn dot_bf16(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the caller promises the instructions; a vector of bfloat16 numbers and one of
        // words have the same size, and every bit pattern is a value of both.
        unsafe {
            if BF16 {
                let halves = |words| std::mem::transmute::<__m512i, __m512bh>(words);
                let sum = _mm512_dpbf16_ps(_mm512_castsi512_ps(sum), halves(a), halves(b));
                _mm512_castps_si512(sum)
            } else {
                widened_dot_bf16::<Self>(sum, a, b)
            }
        }
    }
}
