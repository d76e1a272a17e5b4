//! Pictures that show nothing.

use resvg::tiny_skia::Pixmap;

/// Maximum difference of a colour component in a blank picture, on a scale of 0 to 255. Lossy formats leave small
/// differences in a white area.
const BLANK_TOLERANCE: u8 = 8;

/// Whether all pixels have one colour, within [`BLANK_TOLERANCE`].
pub(crate) fn is_blank(pixels: &Pixmap) -> bool {
    let mut colors = pixels.data().as_chunks::<4>().0.iter();
    let Some(first) = colors.next() else { return true };
    !colors.any(|color| color.iter().zip(first).any(|(a, b)| a.abs_diff(*b) > BLANK_TOLERANCE))
}
