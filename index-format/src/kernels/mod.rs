//! Dot products over stored rows, with the widest instructions the processor has.
//!
//! The choice is made once at run time. Every choice gives the same bits: integer products are
//! exact, and the half-precision product adds in one fixed order with fused multiply-add.
//! The functions here are safe; the `unsafe` of this crate is in this folder and in `mapped`.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use crate::quantized_vector::QuantizedVector;

/// Components in one step of a kernel: one cache line of codes. The width of a stored row is a multiple of it, so no
/// kernel needs a special case for the end.
const STEP: usize = 64;

/// Planes of bits of a query that is compared with signs: its components in four bits. Each plane costs one pass of
/// bit counting over the row.
pub(crate) const BIT_PLANES: usize = 4;

/// A set of kernels that this processor is known to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kernel(KernelInstructions);

/// Private, so that only detection creates the wide ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KernelInstructions {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Names the instructions that searches use on this processor.
pub fn instruction_set() -> &'static str {
    match Kernel::detect_best().0 {
        KernelInstructions::Scalar => "scalar",
        #[cfg(target_arch = "x86_64")]
        KernelInstructions::Avx2 => "avx2",
        #[cfg(target_arch = "x86_64")]
        KernelInstructions::Avx512 => "avx512-vnni",
    }
}

impl Kernel {
    /// The fastest kernels of this processor, detected at the first call.
    pub(crate) fn detect_best() -> Kernel {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST
            .get_or_init(|| *Kernel::available_kernels().last().expect("scalar kernels always run"))
    }

    /// All kernels this processor runs, the slowest first.
    fn available_kernels() -> Vec<Kernel> {
        std::iter::once(KernelInstructions::Scalar)
            .chain(wide_instruction_sets())
            .map(Kernel)
            .collect()
    }

    /// For each of `rows`, the product of its codes in `table` with the query's codes.
    ///
    /// A row takes as many bytes of `table` as the query has codes, a multiple of 64; every row is
    /// within the table and `out` is as long as `rows`: callers bound both.
    pub(crate) fn dot_quantized(
        self,
        table: &[u8],
        rows: &[u32],
        query: &QuantizedVector,
        out: &mut [i32],
    ) {
        debug_assert_eq!(rows.len(), out.len());
        let (steps, rest) = query.codes().as_chunks::<STEP>();
        assert!(rest.is_empty(), "the width is a multiple of the step");
        match self.0 {
            KernelInstructions::Scalar => scalar::dot_quantized(table, rows, steps, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this choice is made only when the processor has the instructions.
            KernelInstructions::Avx2 => unsafe { x86::dot_quantized_avx2(table, rows, steps, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this choice is made only when the processor has the instructions.
            KernelInstructions::Avx512 => unsafe {
                x86::dot_quantized_avx512(table, rows, steps, query.code_sum(), out)
            },
        }
    }

    /// Prefetches the lines of a row that will be read soon.
    #[inline]
    pub(crate) fn prefetch_row(self, row: &[u8]) {
        match self.0 {
            KernelInstructions::Scalar => {}
            #[cfg(target_arch = "x86_64")]
            KernelInstructions::Avx2 | KernelInstructions::Avx512 => x86::prefetch_bytes(row),
        }
    }

    /// For each of `rows`, how well its signs agree with a query of four planes of bits: the sum
    /// over planes `j` of `2^j` times (equal bits - different bits).
    ///
    /// A row takes as many words of `table` as a plane has; every row is within the table and `out`
    /// is as long as `rows`: callers bound both.
    pub(crate) fn dot_binary(
        self,
        table: &[[u8; 8]],
        rows: &[u32],
        planes: &[Vec<u64>; BIT_PLANES],
        out: &mut [i32],
    ) {
        debug_assert_eq!(rows.len(), out.len());
        match self.0 {
            KernelInstructions::Scalar => scalar::dot_binary(table, rows, planes, out),
            #[cfg(target_arch = "x86_64")]
            // Some processors multiply 64 bytes at a time but count the bits of only 8.
            KernelInstructions::Avx512 if x86::has_vector_popcount() => {
                // SAFETY: the processor has the instructions.
                unsafe { x86::dot_binary_avx512(table, rows, planes, out) }
            }
            #[cfg(target_arch = "x86_64")]
            KernelInstructions::Avx2 | KernelInstructions::Avx512 => {
                // SAFETY: both choices are made only when the processor has the instruction.
                unsafe { x86::dot_binary_popcnt(table, rows, planes, out) }
            }
        }
    }

    /// The product of one half-precision row with the query; the row has two bytes for each of the
    /// query's components, whose number is a multiple of 64.
    pub(crate) fn dot_halves(self, row: &[u8], query: &[f32]) -> f32 {
        let (row, row_rest) = row.as_chunks::<{ 2 * STEP }>();
        let (query, query_rest) = query.as_chunks::<STEP>();
        assert!(
            row_rest.is_empty() && query_rest.is_empty(),
            "the width is a multiple of the step"
        );
        let lanes = match self.0 {
            KernelInstructions::Scalar => scalar::dot_halves(row, query),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this choice is made only when the processor has the instructions.
            KernelInstructions::Avx2 => unsafe { x86::dot_halves_avx2(row, query) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this choice is made only when the processor has the instructions.
            KernelInstructions::Avx512 => unsafe { x86::dot_halves_avx512(row, query) },
        };
        add_lanes(lanes)
    }
}

/// What this processor has beyond plain Rust, the slowest first.
#[cfg(target_arch = "x86_64")]
fn wide_instruction_sets() -> impl Iterator<Item = KernelInstructions> {
    let detected = [
        (KernelInstructions::Avx2, x86::has_avx2()),
        (KernelInstructions::Avx512, x86::has_avx512()),
    ];
    detected.into_iter().filter(|(_, present)| *present).map(|(choice, _)| choice)
}

#[cfg(not(target_arch = "x86_64"))]
fn wide_instruction_sets() -> impl Iterator<Item = KernelInstructions> {
    std::iter::empty()
}

/// Adds the 16 partial sums pairwise, in the one order that all kernels share.
fn add_lanes(mut lanes: [f32; 16]) -> f32 {
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}
