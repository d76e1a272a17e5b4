//! From the bytes of a picture to its PNG and its labels.

use std::io::Read;

use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use crate::{
    emf, encode,
    error::DrawError,
    geometry::Point,
    kind::Kind,
    labels::{self, Label, Run},
    raster, svg, wmf,
};

/// Bytes of the largest picture, as it is or unpacked.
const LARGEST: u64 = 64 << 20;
/// The most pictures that are drawn as one; further ones are left out.
pub const MOST_TOGETHER: usize = 16;
/// Pixels between them.
const GAP: u32 = 24;
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

/// A picture before it is written as PNG.
pub(crate) struct Sketch {
    pub kind: Kind,
    pub pixels: Pixmap,
    pub runs: Vec<Run>,
}

/// Draws a picture. Returns the reason where there is none to be seen.
pub fn draw(bytes: &[u8], options: &Options) -> Result<Drawn, DrawError> {
    finish(sketch(bytes, options)?)
}

/// Draws several pictures as one, from top to bottom, each in its own size. Returns it, if anything of
/// it can be seen, and the reason for each that cannot.
pub fn draw_together<'a>(
    pictures: impl IntoIterator<Item = &'a [u8]>,
    options: &Options,
) -> (Option<Drawn>, Vec<DrawError>) {
    let (mut sketches, mut errors, mut height) = (Vec::new(), Vec::new(), 0);
    for bytes in pictures.into_iter().take(MOST_TOGETHER) {
        match sketch(bytes, options) {
            Ok(sketch) => {
                height += sketch.pixels.height() + GAP;
                // What is too high together is left out, not lost without a word.
                if height > 3 * options.max_height {
                    errors.push(DrawError::TooMuch);
                    break;
                }
                sketches.push(sketch);
            }
            Err(error) => errors.push(error),
        }
    }
    let whole = match sketches.len() {
        0 => None,
        1 => sketches.pop(),
        _ => together(sketches),
    };
    let drawn = whole.and_then(|whole| finish(whole).map_err(|error| errors.push(error)).ok());
    (drawn, errors)
}

/// Pictures under each other, each in the middle.
fn together(sketches: Vec<Sketch>) -> Option<Sketch> {
    let kind = sketches.first()?.kind;
    let width = sketches.iter().map(|sketch| sketch.pixels.width()).max()?;
    let heights = sketches.iter().map(|sketch| sketch.pixels.height() + GAP);
    let height = heights.sum::<u32>().saturating_sub(GAP);
    let mut pixels = Pixmap::new(width, height)?;
    pixels.fill(Color::WHITE);
    let (mut top, mut runs) = (0, Vec::new());
    for sketch in sketches {
        let left = (width - sketch.pixels.width()) / 2;
        let (paint, place) = (PixmapPaint::default(), Transform::identity());
        pixels.draw_pixmap(left as i32, top as i32, sketch.pixels.as_ref(), &paint, place, None);
        let moved = |(x, y): Point| (x + f64::from(left), y + f64::from(top));
        runs.extend(sketch.runs.into_iter().map(|run| Run {
            start: moved(run.start),
            end: moved(run.end),
            ..run
        }));
        top += sketch.pixels.height() + GAP;
    }
    Some(Sketch { kind, pixels, runs })
}

fn sketch(bytes: &[u8], options: &Options) -> Result<Sketch, DrawError> {
    let unpacked;
    let (mut bytes, mut kind) = (bytes, Kind::of(bytes).ok_or(DrawError::UnknownFormat)?);
    if kind == Kind::Gzip {
        unpacked = unpack(bytes)?;
        bytes = &unpacked;
        kind =
            Kind::of(bytes).filter(|kind| *kind != Kind::Gzip).ok_or(DrawError::UnknownFormat)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(DrawError::TooMuch);
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
    if is_blank(&pixels) { Err(DrawError::Blank) } else { Ok(Sketch { kind, pixels, runs }) }
}

/// The picture as PNG with the words in it.
pub(crate) fn finish(Sketch { kind, pixels, runs }: Sketch) -> Result<Drawn, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let labels = labels::join(&runs, (f64::from(width), f64::from(height)));
    let png = encode::png(&pixels).ok_or(DrawError::TooMuch)?;
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
    let mut reader = flate2::read::GzDecoder::new(bytes).take(LARGEST + 1);
    reader
        .read_to_end(&mut unpacked)
        .map_err(|error| DrawError::damaged("gzip", error.to_string()))?;
    if unpacked.len() as u64 > LARGEST {
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
