//! From the bytes of a picture to its PNG and its labels.

use std::io::Read;

use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use crate::{
    emf, encode,
    error::DrawError,
    geometry::Point,
    labels::{self, PictureLabel, TextRun},
    picture_format::PictureFormat,
    raster, svg, wmf,
};

/// Bytes of the largest picture, as it is or unpacked.
const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// The most pictures that are drawn as one; further ones are left out.
pub const MAX_STACKED_PICTURES: usize = 16;
/// Pixels between them.
const GAP: u32 = 24;
/// Drawings are not made larger than this by their own measure.
const MAX_ENLARGEMENT: f64 = 20.0;

/// How large pictures become.
#[derive(Debug, Clone, Copy)]
pub struct DrawOptions {
    /// The width of drawings in pixels; bitmaps are made smaller, not larger.
    pub width: u32,
    /// The greatest height in pixels.
    pub max_height: u32,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self { width: 1200, max_height: 4000 }
    }
}

/// A picture that was drawn.
#[derive(Debug, Clone)]
pub struct DrawnPicture {
    /// What it was.
    pub format: PictureFormat,
    /// The picture as PNG.
    pub png: Vec<u8>,
    /// Width of the PNG in pixels.
    pub width: u32,
    /// Height of the PNG in pixels.
    pub height: u32,
    /// The words in it, in reading order; none for bitmaps.
    pub labels: Vec<PictureLabel>,
}

/// A picture before it is written as PNG.
pub(crate) struct RasterPicture {
    pub format: PictureFormat,
    pub pixels: Pixmap,
    pub runs: Vec<TextRun>,
}

/// Draws a picture. Returns the reason where there is none to be seen.
pub fn draw_picture(bytes: &[u8], options: &DrawOptions) -> Result<DrawnPicture, DrawError> {
    encode_picture(rasterize_picture(bytes, options)?)
}

/// Draws several pictures as one, from top to bottom, each in its own size. Returns it, if anything of
/// it can be seen, and the reason for each that cannot.
pub fn draw_stacked_pictures<'a>(
    pictures: impl IntoIterator<Item = &'a [u8]>,
    options: &DrawOptions,
) -> (Option<DrawnPicture>, Vec<DrawError>) {
    let (mut sketches, mut errors, mut height) = (Vec::new(), Vec::new(), 0);
    for bytes in pictures.into_iter().take(MAX_STACKED_PICTURES) {
        match rasterize_picture(bytes, options) {
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
        _ => stack_pictures(sketches),
    };
    let drawn =
        whole.and_then(|whole| encode_picture(whole).map_err(|error| errors.push(error)).ok());
    (drawn, errors)
}

/// Pictures under each other, each in the middle.
fn stack_pictures(sketches: Vec<RasterPicture>) -> Option<RasterPicture> {
    let kind = sketches.first()?.format;
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
        runs.extend(sketch.runs.into_iter().map(|run| TextRun {
            start: moved(run.start),
            end: moved(run.end),
            ..run
        }));
        top += sketch.pixels.height() + GAP;
    }
    Some(RasterPicture { format: kind, pixels, runs })
}

fn rasterize_picture(bytes: &[u8], options: &DrawOptions) -> Result<RasterPicture, DrawError> {
    let unpacked;
    let (mut bytes, mut kind) =
        (bytes, PictureFormat::detect_format(bytes).ok_or(DrawError::UnknownFormat)?);
    if kind == PictureFormat::Gzip {
        unpacked = unpack_gzip(bytes)?;
        bytes = &unpacked;
        kind = PictureFormat::detect_format(bytes)
            .filter(|kind| *kind != PictureFormat::Gzip)
            .ok_or(DrawError::UnknownFormat)?;
    }
    if bytes.len() as u64 > MAX_PICTURE_BYTES {
        return Err(DrawError::TooMuch);
    }
    let (pixels, runs) = match kind {
        PictureFormat::Emf => emf::draw_emf(bytes, options)?,
        PictureFormat::Wmf => wmf::draw_wmf(bytes, options)?,
        PictureFormat::Svg => svg::draw_svg(bytes, options)?,
        PictureFormat::Png
        | PictureFormat::Jpeg
        | PictureFormat::Gif
        | PictureFormat::Tiff
        | PictureFormat::Bmp => (raster::draw_raster(bytes, options)?, Vec::new()),
        PictureFormat::Gzip => return Err(DrawError::UnknownFormat),
    };
    if is_blank(&pixels) {
        Err(DrawError::Blank)
    } else {
        Ok(RasterPicture { format: kind, pixels, runs })
    }
}

/// The picture as PNG with the words in it.
pub(crate) fn encode_picture(
    RasterPicture { format: kind, pixels, runs }: RasterPicture,
) -> Result<DrawnPicture, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let labels = labels::build_labels(&runs, (f64::from(width), f64::from(height)));
    let png = encode::encode_png(&pixels).ok_or(DrawError::TooMuch)?;
    Ok(DrawnPicture { format: kind, png, width, height, labels })
}

/// Whether all pixels have one colour, as nearly as can be seen.
fn is_blank(pixels: &Pixmap) -> bool {
    let mut colors = pixels.data().as_chunks::<4>().0.iter();
    let Some(first) = colors.next() else { return true };
    !colors.any(|color| color.iter().zip(first).any(|(a, b)| a.abs_diff(*b) > 8))
}

fn unpack_gzip(bytes: &[u8]) -> Result<Vec<u8>, DrawError> {
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(bytes).take(MAX_PICTURE_BYTES + 1);
    reader
        .read_to_end(&mut unpacked)
        .map_err(|error| DrawError::damaged("gzip", error.to_string()))?;
    if unpacked.len() as u64 > MAX_PICTURE_BYTES {
        return Err(DrawError::TooMuch);
    }
    Ok(unpacked)
}

impl DrawOptions {
    /// The scale of a drawing of some width and height, and its size in pixels. None where it is no
    /// size at all.
    pub(crate) fn fit_size(&self, (width, height): (f64, f64)) -> Option<(f64, u32, u32)> {
        if !(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()) {
            return None;
        }
        let scale = (f64::from(self.width) / width)
            .min(f64::from(self.max_height) / height)
            .min(MAX_ENLARGEMENT);
        let pixels = |length: f64| ((length * scale).ceil() as u32).max(1);
        Some((scale, pixels(width), pixels(height)))
    }
}
