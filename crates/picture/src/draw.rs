//! From the bytes of a picture to its PNG and its labels.

use std::io::Read;

use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use crate::{
    blank::is_blank,
    emf, encode,
    error::DrawError,
    geometry::Point,
    labels::{self, PictureLabel, TextRun},
    options::DrawOptions,
    picture_format::PictureFormat,
    raster, svg, wmf,
};

/// Bytes of the largest picture, packed or unpacked.
const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// Maximum number of pictures that are drawn as one; further ones are left out.
pub const MAX_STACKED_PICTURES: usize = 16;
/// Maximum height of stacked pictures, in maximum heights of a single one.
const MAX_STACKED_HEIGHTS: u32 = 3;
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
    /// The words in it, in reading order; none for bitmaps.
    pub labels: Vec<PictureLabel>,
}

/// A picture before it is written as PNG.
pub(crate) struct RasterPicture {
    pub format: PictureFormat,
    pub pixels: Pixmap,
    pub runs: Vec<TextRun>,
}

/// Draws a picture, or returns why it is not drawn.
pub fn draw_picture(bytes: &[u8], options: &DrawOptions) -> Result<DrawnPicture, DrawError> {
    encode_picture(rasterize_picture(bytes, options)?)
}

/// Draws several pictures as one, from top to bottom, each with options of its own. Returns the result, if
/// anything is visible, and an error for each picture that could not be drawn or is left out: those
/// from the first one that exceeds the height, and those after [`MAX_STACKED_PICTURES`].
pub fn draw_stacked_pictures<'a>(
    pictures: impl IntoIterator<Item = (&'a [u8], DrawOptions)>,
) -> (Option<DrawnPicture>, Vec<DrawError>) {
    let (mut rasters, mut errors, mut height) = (Vec::new(), Vec::new(), 0);
    let mut pictures = pictures.into_iter();
    for (bytes, options) in pictures.by_ref().take(MAX_STACKED_PICTURES) {
        match rasterize_picture(bytes, &options) {
            Ok(raster) => {
                height += raster.pixels.height() + GAP;
                if height > MAX_STACKED_HEIGHTS * options.max_height {
                    errors.push(DrawError::TooMuch);
                    break;
                }
                rasters.push(raster);
            }
            Err(error) => errors.push(error),
        }
    }
    errors.extend(pictures.map(|_| DrawError::TooMuch));
    let raster = match rasters.len() {
        0 => None,
        1 => rasters.pop(),
        _ => stack_pictures(rasters).or_else(|| {
            errors.push(DrawError::TooMuch);
            None
        }),
    };
    let drawn =
        raster.and_then(|raster| encode_picture(raster).map_err(|error| errors.push(error)).ok());
    (drawn, errors)
}

/// Stacks pictures from top to bottom, each centred.
fn stack_pictures(rasters: Vec<RasterPicture>) -> Option<RasterPicture> {
    let format = rasters.first()?.format;
    let width = rasters.iter().map(|raster| raster.pixels.width()).max()?;
    let heights = rasters.iter().map(|raster| raster.pixels.height() + GAP);
    let height = heights.sum::<u32>().saturating_sub(GAP);
    let mut pixels = Pixmap::new(width, height)?;
    pixels.fill(Color::WHITE);
    let (mut top, mut runs) = (0, Vec::new());
    for raster in rasters {
        let left = (width - raster.pixels.width()) / 2;
        let (paint, transform) = (PixmapPaint::default(), Transform::identity());
        pixels.draw_pixmap(
            left as i32,
            top as i32,
            raster.pixels.as_ref(),
            &paint,
            transform,
            None,
        );
        let offset = |(x, y): Point| (x + f64::from(left), y + f64::from(top));
        runs.extend(raster.runs.into_iter().map(|run| TextRun {
            start: offset(run.start),
            end: offset(run.end),
            ..run
        }));
        top += raster.pixels.height() + GAP;
    }
    Some(RasterPicture { format, pixels, runs })
}

fn rasterize_picture(bytes: &[u8], options: &DrawOptions) -> Result<RasterPicture, DrawError> {
    let unpacked;
    let (mut bytes, mut format) =
        (bytes, PictureFormat::detect_format(bytes).ok_or(DrawError::UnknownFormat)?);
    if format == PictureFormat::Gzip {
        unpacked = unpack_gzip(bytes)?;
        bytes = &unpacked;
        format = PictureFormat::detect_format(bytes)
            .filter(|format| *format != PictureFormat::Gzip)
            .ok_or(DrawError::UnknownFormat)?;
    }
    if bytes.len() as u64 > MAX_PICTURE_BYTES {
        return Err(DrawError::TooMuch);
    }
    let (pixels, runs) = match format {
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
        Ok(RasterPicture { format, pixels, runs })
    }
}

/// Writes a picture as PNG and joins its text runs to labels.
pub(crate) fn encode_picture(
    RasterPicture { format, pixels, runs }: RasterPicture,
) -> Result<DrawnPicture, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let labels = labels::build_labels(&runs, (f64::from(width), f64::from(height)));
    let png = encode::encode_png(&pixels).ok_or(DrawError::Encoding)?;
    Ok(DrawnPicture { format, png, width, height, labels })
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
