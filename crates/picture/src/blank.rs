//! Pictures that show nothing.

use std::io::Cursor;

use resvg::tiny_skia::Pixmap;

/// Maximum difference of a colour component in a blank picture, on a scale of 0 to 255. Lossy formats leave small
/// differences in a white area.
const BLANK_TOLERANCE: u8 = 8;

/// Whether a PNG shows only one colour. One that cannot be read does not count. Another one is unpacked only as far as it is empty.
pub fn is_blank_png(png: &[u8]) -> bool {
    let read = || {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().ok()?;
        // Pixels of less than a byte have the first colour of a palette, which is 0.
        let bytes = reader.info().bytes_per_pixel();
        let mut first: Option<Vec<u8>> = None;
        while let Some(row) = reader.next_row().ok()? {
            let mut pixels = row.data().chunks_exact(bytes);
            let first = first.get_or_insert(pixels.next()?.to_vec());
            if !pixels.all(|pixel| pixel == first.as_slice()) {
                return Some(false);
            }
        }
        Some(first.is_some())
    };
    read().unwrap_or(false)
}

/// Whether all pixels have one colour, within [`BLANK_TOLERANCE`].
pub(crate) fn is_blank(pixels: &Pixmap) -> bool {
    let mut colors = pixels.data().as_chunks::<4>().0.iter();
    let Some(first) = colors.next() else { return true };
    !colors.any(|color| color.iter().zip(first).any(|(a, b)| a.abs_diff(*b) > BLANK_TOLERANCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode_png;
    use resvg::tiny_skia::Color;

    #[test]
    fn a_png_of_one_colour_is_blank_and_one_with_a_dot_is_not() {
        for (width, height) in [(3, 3), (800, 600)] {
            let mut pixels = Pixmap::new(width, height).expect("a size");
            pixels.fill(Color::from_rgba8(250, 240, 255, 255));
            let blank = encode_png(&pixels).expect("encodes");
            assert!(is_blank_png(&blank), "{width}");
            pixels.data_mut()[..4].copy_from_slice(&[0, 0, 0, 255]);
            assert!(!is_blank_png(&encode_png(&pixels).expect("encodes")), "{width}");
            assert!(!is_blank_png(&blank[..blank.len() / 2]));
        }
        assert!(!is_blank_png(b"GIF89a"));
    }
}
