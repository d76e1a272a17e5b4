//! The kinds of sections, and the length of each.

use std::fmt;

/// Row widths are multiples of this many components: one cache line of codes.
const WIDTH_STEP: u32 = 64;

/// The number that says what a section contains; unknown kinds are kept as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionKind(pub u32);

impl SectionKind {
    /// Row to content id, eight bytes for each row.
    pub const CONTENT_IDS: SectionKind = SectionKind(1);
    /// Signed 8-bit codes, one padded row after another.
    pub const QUANTIZED_CODES: SectionKind = SectionKind(2);
    /// The factor that turns a row's codes back into components, four bytes for each row: with a common scale, a
    /// tenth of the true neighbours would be lost.
    pub const SCALES: SectionKind = SectionKind(3);
    /// Half-precision components, one padded row after another.
    pub const HALVES: SectionKind = SectionKind(4);
    /// The mean of all rows, four bytes for each component of a padded row.
    pub const MEAN: SectionKind = SectionKind(5);
    /// One bit for each component of a padded row, centred and rotated.
    pub const BINARY_CODES: SectionKind = SectionKind(6);
    /// The step and the offset that turn a product of binary codes into a cosine, eight bytes for each
    /// row.
    pub const BINARY_FACTORS: SectionKind = SectionKind(7);
    /// The neighbours of each row, a fixed number.
    pub const NEIGHBOURS: SectionKind = SectionKind(8);
    /// The levels of the graph above the rows.
    pub const LEVELS: SectionKind = SectionKind(9);

    /// The bytes of this section, if they follow from rows and dimension alone.
    pub(crate) fn exact_length(self, rows: u32, dimension: u32) -> Option<u64> {
        let width = u64::from(padded_width(dimension));
        let row_size = match self {
            SectionKind::CONTENT_IDS => 8,
            SectionKind::QUANTIZED_CODES => width,
            SectionKind::SCALES => 4,
            SectionKind::HALVES => 2 * width,
            SectionKind::MEAN => return Some(4 * width),
            SectionKind::BINARY_CODES => width / 8,
            SectionKind::BINARY_FACTORS => 8,
            SectionKind(_) => return None,
        };
        // At most 2^32 rows of 2^13 bytes: no overflow.
        Some(u64::from(rows) * row_size)
    }
}

impl fmt::Display for SectionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SectionKind::CONTENT_IDS => formatter.write_str("content ids"),
            SectionKind::QUANTIZED_CODES => formatter.write_str("codes"),
            SectionKind::SCALES => formatter.write_str("scales"),
            SectionKind::HALVES => formatter.write_str("half-precision rows"),
            SectionKind::MEAN => formatter.write_str("mean"),
            SectionKind::BINARY_CODES => formatter.write_str("signs"),
            SectionKind::BINARY_FACTORS => formatter.write_str("sign factors"),
            SectionKind::NEIGHBOURS => formatter.write_str("neighbours"),
            SectionKind::LEVELS => formatter.write_str("levels"),
            SectionKind(number) => write!(formatter, "kind {number}"),
        }
    }
}

/// The components a stored row takes: the dimension, then zeros up to a multiple of 64.
pub(crate) fn padded_width(dimension: u32) -> u32 {
    dimension.next_multiple_of(WIDTH_STEP)
}
