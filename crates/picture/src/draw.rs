//! From the bytes of a picture to its PNG and its labels.

use std::io::Read;

use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use crate::{
    blank::is_blank,
    drawing::{PlacedVectorDrawing, VectorDrawing},
    emf, encode,
    error::DrawError,
    geometry::Point,
    labels::{self, PictureLabel, TextRun},
    options::DrawOptions,
    painted::PaintedPicture,
    picture_format::PictureFormat,
    raster, svg, wmf,
};

/// Bytes of the largest picture, packed or unpacked: a gzip of 64 KiB can unpack to this.
const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// Maximum number of pictures that are drawn as one; further ones are left out. Each has a budget of its own, of about
/// 3 s, and a worker has 120 s for a file.
pub const MAX_STACKED_PICTURES: usize = 16;
/// Pixels between stacked pictures.
const GAP: u32 = 24;

/// A drawn picture.
#[derive(Debug, Clone)]
pub struct DrawnPicture {
    /// The format of the source.
    pub format: PictureFormat,
    /// The picture as PNG.
    pub png: Vec<u8>,
    /// Width of the PNG in pixels.
    pub width: u32,
    /// Height of the PNG in pixels.
    pub height: u32,
    /// The words in it, in reading order; empty for bitmaps.
    pub labels: Vec<PictureLabel>,
    /// Whether words are outside the picture, so that it does not show all that its labels say.
    pub has_words_outside: bool,
    /// The same picture as SVG; `None` for bitmaps, for drawings that are too large, and if the options do not
    /// request it.
    pub svg: Option<String>,
}

/// Draws a picture, or returns why it is not drawn.
pub fn draw_picture(bytes: &[u8], options: &DrawOptions) -> Result<DrawnPicture, DrawError> {
    let (format, painted) = paint_picture(bytes, options)?;
    encode_picture(format, painted)
}

/// Draws several pictures as one, from top to bottom, each with options of its own. Returns the result, if
/// anything is visible, and an error for each picture that could not be drawn or is left out: those
/// from the first one that exceeds the height, and those after [`MAX_STACKED_PICTURES`].
pub fn draw_stacked_pictures<'a>(
    pictures: impl IntoIterator<Item = (&'a [u8], DrawOptions)>,
) -> (Option<DrawnPicture>, Vec<DrawError>) {
    let (mut painted, mut errors, mut height) = (Vec::new(), Vec::new(), 0);
    let mut first_format = None;
    let mut pictures = pictures.into_iter();
    for (bytes, options) in pictures.by_ref().take(MAX_STACKED_PICTURES) {
        match paint_picture(bytes, &options) {
            Ok((format, picture)) => {
                first_format.get_or_insert(format);
                height += picture.pixels.height() + GAP;
                if height > options.max_long_height() {
                    errors.push(DrawError::TooMuch);
                    break;
                }
                painted.push(picture);
            }
            Err(error) => errors.push(error),
        }
    }
    errors.extend(pictures.map(|_| DrawError::TooMuch));
    let whole = match painted.len() {
        0 => None,
        1 => painted.pop(),
        _ => stack_pictures(painted).or_else(|| {
            errors.push(DrawError::TooMuch);
            None
        }),
    };
    let drawn = first_format.zip(whole).and_then(|(format, whole)| {
        encode_picture(format, whole).map_err(|error| errors.push(error)).ok()
    });
    (drawn, errors)
}

/// Stacks pictures from top to bottom, each centred.
fn stack_pictures(pictures: Vec<PaintedPicture>) -> Option<PaintedPicture> {
    let width = pictures.iter().map(|picture| picture.pixels.width()).max()?;
    let heights = pictures.iter().map(|picture| picture.pixels.height() + GAP);
    let height = heights.sum::<u32>().saturating_sub(GAP);
    let mut pixels = Pixmap::new(width, height)?;
    pixels.fill(Color::WHITE);
    let has_drawing = pictures.iter().any(|picture| picture.drawing.is_some());
    let (mut top, mut runs, mut drawings) = (0, Vec::new(), Vec::new());
    for picture in pictures {
        let left = (width - picture.pixels.width()) / 2;
        let (paint, transform) = (PixmapPaint::default(), Transform::identity());
        pixels.draw_pixmap(
            left as i32,
            top as i32,
            picture.pixels.as_ref(),
            &paint,
            transform,
            None,
        );
        let offset = |(x, y): Point| (x + f64::from(left), y + f64::from(top));
        if has_drawing {
            let drawing =
                picture.drawing.or_else(|| VectorDrawing::from_pixels(&picture.pixels))?;
            let size = (picture.pixels.width(), picture.pixels.height());
            drawings.push(PlacedVectorDrawing { drawing, corner: (left, top), size });
        }
        runs.extend(picture.runs.into_iter().map(|run| TextRun {
            start: offset(run.start),
            end: offset(run.end),
            ..run
        }));
        top += picture.pixels.height() + GAP;
    }
    let drawing = has_drawing.then(|| VectorDrawing::compose((width, height), &drawings));
    Some(PaintedPicture { pixels, runs, drawing })
}

/// Paints a picture; also returns the format of its source.
fn paint_picture(
    bytes: &[u8],
    options: &DrawOptions,
) -> Result<(PictureFormat, PaintedPicture), DrawError> {
    let unpacked;
    let (mut bytes, mut format) =
        (bytes, PictureFormat::detect_format(bytes).ok_or(DrawError::UnknownFormat)?);
    if format == PictureFormat::Gzip {
        // Office packs a picture once; each further layer would cost another `MAX_PICTURE_BYTES`.
        unpacked = unpack_gzip(bytes)?;
        bytes = &unpacked;
        format = PictureFormat::detect_format(bytes)
            .filter(|format| *format != PictureFormat::Gzip)
            .ok_or(DrawError::UnknownFormat)?;
    }
    if bytes.len() as u64 > MAX_PICTURE_BYTES {
        return Err(DrawError::TooMuch);
    }
    let painted = match format {
        PictureFormat::Emf => emf::draw_emf(bytes, options)?,
        PictureFormat::Wmf => wmf::draw_wmf(bytes, options)?,
        PictureFormat::Svg => svg::draw_svg(bytes, options)?,
        PictureFormat::Png
        | PictureFormat::Jpeg
        | PictureFormat::Gif
        | PictureFormat::Tiff
        | PictureFormat::Bmp => {
            let pixels = raster::draw_raster(bytes, options)?;
            PaintedPicture { pixels, runs: Vec::new(), drawing: None }
        }
        PictureFormat::Gzip => return Err(DrawError::UnknownFormat),
    };
    if is_blank(&painted.pixels) {
        return Err(DrawError::Blank);
    }
    let mut painted = painted;
    if options.crop.shown_part().is_some() {
        // What a crop leaves out is not said either.
        let size = (f64::from(painted.pixels.width()), f64::from(painted.pixels.height()));
        painted.runs.retain(|run| !is_outside(run, size));
    }
    Ok((format, painted))
}

/// Writes a picture as PNG and joins its text runs to labels.
pub(crate) fn encode_picture(
    format: PictureFormat,
    PaintedPicture { pixels, runs, drawing }: PaintedPicture,
) -> Result<DrawnPicture, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let size = (f64::from(width), f64::from(height));
    let has_words_outside =
        runs.iter().any(|run| !run.text.trim().is_empty() && is_outside(run, size));
    let labels = labels::build_labels(&runs, size);
    let png = encode::encode_png(&pixels).ok_or(DrawError::Encoding)?;
    let svg = drawing.and_then(|drawing| drawing.to_svg((width, height), &runs));
    Ok(DrawnPicture { format, png, width, height, labels, has_words_outside, svg })
}

/// Whether nothing of a text is in a picture of a size.
fn is_outside(run: &TextRun, (width, height): Point) -> bool {
    let is_apart =
        |a: f64, b: f64, margin: f64, end: f64| a.max(b) < -margin || a.min(b) > end + margin;
    // Letters are above their baseline, so text whose baseline is just below the edge can be seen.
    is_apart(run.start.0, run.end.0, 0.0, width) || is_apart(run.start.1, run.end.1, run.em, height)
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
