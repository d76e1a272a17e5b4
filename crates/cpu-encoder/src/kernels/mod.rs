//! The arithmetic, with the widest instructions the processor has.
//!
//! Written once over [`lanes::SimdLanes`], compiled for each instruction set, chosen at run time. The
//! functions of [`SimdLevel`] are safe: they check every length before they enter the code that reads
//! through pointers. Products of integers are equal on all levels; those of
//! floats differ in the order of additions and in whether a multiply-add is fused. All `unsafe` of
//! this crate is in this folder.

mod format;
mod heads;
mod lanes;
mod portable;
mod product;
mod rows;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

use crate::Precision;
use std::sync::OnceLock;

pub(crate) use format::{ACTIVATION_LIMIT, INT8_OFFSET, MIN_MAGNITUDE, PANEL, pair_limit};
pub(crate) use heads::{HeadStrip, PackedKeys, PackedValues};
pub(crate) use product::{ColumnShape, ColumnTerms, Epilogue, LeftOperand, RightOperand};

use portable::Portable;
#[cfg(target_arch = "x86_64")]
use x86::{Avx2, Avx512};

/// A set of instructions that this processor is known to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimdLevel(SimdChoice);

/// Private, so that only detection can create the wide ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SimdChoice {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16,
}

/// Functions of [`SimdLevel`]: each is compiled once for every set and entered by the choice.
macro_rules! compiled {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $of:path;)*) => {
        $(compiled!(@one $(#[$doc])* $name ($($argument: $type),*) ($($result)?) $of);)*
    };
    (@one $(#[$doc:meta])* $name:ident ($($argument:ident: $type:ty),*) ($($result:ty)?) $of:path) => {
        $(#[$doc])*
        pub(crate) fn $name(self, $($argument: $type),*) $(-> $result)? {
            use $of as work;
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2($($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller has checked that the processor has the instructions.
                unsafe { work::<Avx2>($($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn avx512($($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller has checked that the processor has the instructions.
                unsafe { work::<Avx512<false, false>>($($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
            unsafe fn vnni($($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller has checked that the processor has the instructions.
                unsafe { work::<Avx512<true, false>>($($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(
                enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512bf16"
            )]
            unsafe fn bf16($($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller has checked that the processor has the instructions.
                unsafe { work::<Avx512<true, true>>($($argument),*) }
            }
            // SAFETY: a choice is made only when the processor has the instructions.
            unsafe {
                match self.0 {
                    SimdChoice::Portable => work::<Portable>($($argument),*),
                    #[cfg(target_arch = "x86_64")]
                    SimdChoice::Avx2 => avx2($($argument),*),
                    #[cfg(target_arch = "x86_64")]
                    SimdChoice::Avx512 => avx512($($argument),*),
                    #[cfg(target_arch = "x86_64")]
                    SimdChoice::Avx512Vnni => vnni($($argument),*),
                    #[cfg(target_arch = "x86_64")]
                    SimdChoice::Avx512Bf16 => bf16($($argument),*),
                }
            }
        }
    };
}

impl SimdLevel {
    /// The widest set of this processor, detected at the first call.
    #[must_use]
    pub fn detect_best() -> Self {
        static BEST: OnceLock<SimdLevel> = OnceLock::new();
        *BEST
            .get_or_init(|| *Self::detect_available().last().expect("the portable set always runs"))
    }

    /// All sets this processor runs, the slowest first.
    #[must_use]
    pub fn detect_available() -> Vec<Self> {
        std::iter::once(SimdChoice::Portable).chain(detect_wide_choices()).map(Self).collect()
    }

    /// Names the set: `portable`, `avx2`, `avx512`, `avx512-vnni` or `avx512-bf16`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            SimdChoice::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            SimdChoice::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            SimdChoice::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            SimdChoice::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "x86_64")]
            SimdChoice::Avx512Bf16 => "avx512-bf16",
        }
    }

    /// Lanes of a vector: in the weights of a gated layer, so many columns of up and of gate alternate.
    pub(crate) fn lane_count(self) -> usize {
        match self.0 {
            SimdChoice::Portable => 8,
            #[cfg(target_arch = "x86_64")]
            SimdChoice::Avx2 => 8,
            #[cfg(target_arch = "x86_64")]
            SimdChoice::Avx512 | SimdChoice::Avx512Vnni | SimdChoice::Avx512Bf16 => 16,
        }
    }

    compiled! {
        /// Multiplies rows with packed columns and applies the epilogue to each sum.
        fn multiply_rows(left: LeftOperand<'_>, right: RightOperand<'_>, finish: Epilogue, out: &mut [f32], stride: usize)
            = product::multiply_rows;
        /// Normalises a row to mean 0 and variance 1, then scales and shifts it.
        fn layer_norm(row: &mut [f32], gain: &[f32], shift: &[f32], epsilon: f32)
            = rows::layer_norm;
        /// Encodes a row as the left operand of a product and returns its quantization scale.
        fn encode_row(format: Precision, row: &[f32], limit: f32, out: &mut [u32]) -> f32 = rows::encode_row;
        /// Encodes the exponentials of a row of scores as the left operand of a product, and returns the
        /// factor of the product that makes them add up to one.
        fn softmax(format: Precision, scores: &mut [f32], count: usize, out: &mut [u32]) -> f32
            = rows::softmax;
        /// Packs the keys of one head as the right operand of a product.
        fn pack_keys(format: Precision, strip: HeadStrip<'_>, keys: &mut PackedKeys) = heads::pack_keys;
        /// Packs the values of one head as the right operand of a product.
        fn pack_values(format: Precision, strip: HeadStrip<'_>, values: &mut PackedValues) = heads::pack_values;
    }
}

/// What this processor has beyond plain Rust, the slowest first.
#[cfg(target_arch = "x86_64")]
fn detect_wide_choices() -> impl Iterator<Item = SimdChoice> {
    let detected = [
        (SimdChoice::Avx2, x86::has_avx2()),
        (SimdChoice::Avx512, x86::has_avx512()),
        (SimdChoice::Avx512Vnni, x86::has_vnni()),
        (SimdChoice::Avx512Bf16, x86::has_bf16()),
    ];
    detected.into_iter().filter(|(_, present)| *present).map(|(choice, _)| choice)
}

#[cfg(not(target_arch = "x86_64"))]
fn detect_wide_choices() -> impl Iterator<Item = SimdChoice> {
    std::iter::empty()
}
