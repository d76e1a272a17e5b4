//! From the bytes of a picture to its PNG and its labels.

use std::io::Read;

use resvg::tiny_skia::Pixmap;

use crate::{
    emf, encode,
    error::DrawError,
    kind::Kind,
    labels::{self, Label, Run},
    raster, svg, wmf,
};

/// Bytes that a packed picture may be unpacked to.
const UNPACKED: u64 = 64 << 20;
/// Drawings are not made larger than this by their own measure.
const MOST_ENLARGED: f64 = 20.0;

/// How large pictures become.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The width of drawings in pixels; bitmaps are made smaller, not larger.
    pub width: u32,
    /// The greatest height in pixels.
    pub max_height: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { width: 1200, max_height: 4000 }
    }
}

/// A picture that was drawn.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// What it was.
    pub kind: Kind,
    /// The picture as PNG.
    pub png: Vec<u8>,
    /// Width of the PNG in pixels.
    pub width: u32,
    /// Height of the PNG in pixels.
    pub height: u32,
    /// The words in it, in reading order; none for bitmaps.
    pub labels: Vec<Label>,
}

/// Draws a picture. Returns the reason where there is none to be seen.
pub fn draw(bytes: &[u8], options: &Options) -> Result<Drawn, DrawError> {
    let unpacked;
    let (mut bytes, mut kind) = (bytes, Kind::of(bytes).ok_or(DrawError::UnknownFormat)?);
    if kind == Kind::Gzip {
        unpacked = unpack(bytes)?;
        bytes = &unpacked;
        kind =
            Kind::of(bytes).filter(|kind| *kind != Kind::Gzip).ok_or(DrawError::UnknownFormat)?;
    }
    let (pixels, runs) = match kind {
        Kind::Emf => emf::draw(bytes, options)?,
        Kind::Wmf => wmf::draw(bytes, options)?,
        Kind::Svg => svg::draw(bytes, options)?,
        Kind::Png | Kind::Jpeg | Kind::Gif | Kind::Tiff | Kind::Bmp => {
            (raster::draw(bytes, options)?, Vec::new())
        }
        Kind::Gzip => return Err(DrawError::UnknownFormat),
    };
    finish(kind, &pixels, &runs)
}

/// The words of a picture that need not be drawn, or cannot be.
fn finish(kind: Kind, pixels: &Pixmap, runs: &[Run]) -> Result<Drawn, DrawError> {
    if is_blank(pixels) {
        return Err(DrawError::Blank);
    }
    let (width, height) = (pixels.width(), pixels.height());
    let labels = labels::join(runs, (f64::from(width), f64::from(height)));
    let png = encode::png(pixels).ok_or(DrawError::TooMuch)?;
    Ok(Drawn { kind, png, width, height, labels })
}

/// Whether all pixels have one colour, as nearly as can be seen.
fn is_blank(pixels: &Pixmap) -> bool {
    let mut colors = pixels.data().as_chunks::<4>().0.iter();
    let Some(first) = colors.next() else { return true };
    !colors.any(|color| color.iter().zip(first).any(|(a, b)| a.abs_diff(*b) > 8))
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, DrawError> {
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(bytes).take(UNPACKED + 1);
    reader
        .read_to_end(&mut unpacked)
        .map_err(|error| DrawError::damaged("gzip", error.to_string()))?;
    if unpacked.len() as u64 > UNPACKED {
        return Err(DrawError::TooMuch);
    }
    Ok(unpacked)
}

impl Options {
    /// The scale of a drawing of some width and height, and its size in pixels. None where it is no
    /// size at all.
    pub(crate) fn fit(&self, (width, height): (f64, f64)) -> Option<(f64, u32, u32)> {
        if !(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()) {
            return None;
        }
        let scale = (f64::from(self.width) / width)
            .min(f64::from(self.max_height) / height)
            .min(MOST_ENLARGED);
        let pixels = |length: f64| ((length * scale).ceil() as u32).max(1);
        Some((scale, pixels(width), pixels(height)))
    }
}
