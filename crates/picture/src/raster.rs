//! PNG, JPEG, GIF, TIFF and BMP files.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageReader, Limits, imageops::FilterType};
use resvg::tiny_skia::{IntSize, Pixmap};

use crate::{
    error::DrawError,
    options::{DrawOptions, PictureCrop},
};

/// Maximum pixels of the longer edge of a file; checked by the decoder before it allocates.
const MAX_EDGE_PIXELS: u32 = 16_000;
/// Maximum number of pixels of a file: 60 million take 240 MB, just below `MAX_DECODER_BYTES`.
const MAX_PIXELS: u64 = 60_000_000;
/// Maximum bytes of memory for decoding a file. A worker has 2 GiB of address space.
const MAX_DECODER_BYTES: u64 = 256 << 20;

/// Decodes a picture file to premultiplied pixels, as `tiny_skia` expects them.
pub(crate) fn decode_raster(bytes: &[u8], max_pixels: u64) -> Result<Pixmap, DrawError> {
    premultiply_pixels(read_image(bytes, max_pixels)?).ok_or(DrawError::TooMuch)
}

/// Decodes a picture file on white, no larger than the options allow.
pub(crate) fn draw_raster(bytes: &[u8], options: &DrawOptions) -> Result<Pixmap, DrawError> {
    let mut pixels = crop_image(read_image(bytes, MAX_PIXELS)?, options.crop);
    let (width, height) = pixels.dimensions();
    // Small differences are not worth the sharpness that they cost.
    let is_large = width > options.width * 3 / 2 || height > options.max_height;
    if is_large {
        let scale = f64::from(options.width) / f64::from(width);
        let scale = scale.min(f64::from(options.max_height) / f64::from(height));
        let part = |edge: u32| ((f64::from(edge) * scale).round() as u32).max(1);
        pixels =
            image::imageops::resize(&pixels, part(width), part(height), FilterType::CatmullRom);
    }
    for pixel in pixels.pixels_mut() {
        let alpha = u16::from(pixel.0[3]);
        let on_white = |part: u8| ((u16::from(part) * alpha + 255 * (255 - alpha)) / 255) as u8;
        let [red, green, blue, _] = pixel.0;
        pixel.0 = [on_white(red), on_white(green), on_white(blue), 255];
    }
    premultiply_pixels(pixels).ok_or(DrawError::TooMuch)
}

/// The shown part of a picture.
fn crop_image(pixels: image::RgbaImage, crop: PictureCrop) -> image::RgbaImage {
    if crop.shown_part().is_none() {
        return pixels;
    }
    let (width, height) = pixels.dimensions();
    let whole = ((0.0, 0.0), (f64::from(width), f64::from(height)));
    let (from, to) = crop.crop_rectangle(whole);
    let (left, top) = (from.0.floor() as u32, from.1.floor() as u32);
    let edge = |start: u32, end: f64| (end.ceil() as u32).saturating_sub(start).max(1);
    image::imageops::crop_imm(&pixels, left, top, edge(left, to.0), edge(top, to.1)).to_image()
}

fn read_image(bytes: &[u8], max_pixels: u64) -> Result<image::RgbaImage, DrawError> {
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|_| DrawError::UnknownFormat)?;
    let name = reader.format().and_then(|format| format.extensions_str().first().copied());
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_EDGE_PIXELS);
    limits.max_image_height = Some(MAX_EDGE_PIXELS);
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    reader.limits(limits);
    let failed = |error| match error {
        image::ImageError::Limits(_) => DrawError::TooMuch,
        image::ImageError::Unsupported(_) if name.is_none() => DrawError::UnknownFormat,
        other => DrawError::damaged(name.unwrap_or("picture"), other.to_string()),
    };
    let decoder = reader.into_decoder().map_err(failed)?;
    let (width, height) = decoder.dimensions();
    // Four bytes are needed for each pixel, whatever the file's own format needs.
    if u64::from(width) * u64::from(height) > max_pixels {
        return Err(DrawError::TooMuch);
    }
    Ok(DynamicImage::from_decoder(decoder).map_err(failed)?.into_rgba8())
}

fn premultiply_pixels(pixels: image::RgbaImage) -> Option<Pixmap> {
    let size = IntSize::from_wh(pixels.width(), pixels.height())?;
    let mut data = pixels.into_raw();
    for pixel in data.as_chunks_mut::<4>().0 {
        let alpha = u16::from(pixel[3]);
        for part in &mut pixel[..3] {
            *part = (u16::from(*part) * alpha / 255) as u8;
        }
    }
    Pixmap::from_vec(data, size)
}
