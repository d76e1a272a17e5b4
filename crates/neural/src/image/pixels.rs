//! From a picture to the input of a vision tower.

use std::io::Cursor;

use image::{
    DynamicImage, ImageReader, Limits, Rgb, RgbImage,
    imageops::{self, FilterType},
};

use crate::error::NeuralError;

/// Pictures wider or higher than this are not opened; those of figures have about 1,200.
const MAX_SIDE_PIXELS: u32 = 16_384;
/// Maximum memory for decoding a picture: half of what one at both bounds takes with four bytes per pixel. The server
/// decodes stored pictures itself, without a worker.
const MAX_DECODE_BYTES: u64 = 512 << 20;

/// A picture as the input of a model: three planes of `side * side` numbers.
#[derive(Clone, Debug)]
pub struct Pixels {
    planes: Vec<f32>,
}

/// How pictures are prepared for a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImagePreprocessor {
    /// Width and height in pixels.
    pub(super) side: u32,
    /// How a picture of another shape becomes square.
    pub(super) fit: SquareFit,
    /// How it is made smaller.
    pub(super) filter: FilterType,
    /// For red, green and blue: the mean that is subtracted from values of 0 to 1.
    pub(super) mean: [f32; 3],
    /// The standard deviation by which they are then divided.
    pub(super) deviation: [f32; 3],
}

/// How a picture becomes square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SquareFit {
    /// It is put in the middle of a white square.
    Letterbox,
    /// It is stretched.
    Stretch,
}

impl Pixels {
    /// Returns the numbers: red, green and blue, each row by row.
    #[must_use]
    pub fn planes(&self) -> &[f32] {
        &self.planes
    }
}

impl ImagePreprocessor {
    /// Opens a PNG file and brings it to size.
    pub(super) fn preprocess_png(&self, png: &[u8]) -> Result<Pixels, NeuralError> {
        let mut reader = ImageReader::new(Cursor::new(png));
        reader.set_format(image::ImageFormat::Png);
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_SIDE_PIXELS);
        limits.max_image_height = Some(MAX_SIDE_PIXELS);
        limits.max_alloc = Some(MAX_DECODE_BYTES);
        reader.limits(limits);
        let picture = reader.decode().map_err(NeuralError::Picture)?;
        Ok(self.normalise_planes(&self.fit_to_square(&flatten_on_white(&picture))))
    }

    fn fit_to_square(&self, picture: &RgbImage) -> RgbImage {
        let side = self.side;
        let (width, height) = match self.fit {
            SquareFit::Stretch => (side, side),
            SquareFit::Letterbox => {
                let longest = picture.width().max(picture.height()).max(1);
                let scaled = |length: u32| {
                    let scaled = u64::from(length) * u64::from(side) + u64::from(longest) / 2;
                    // At most `side`, which has 32 bits.
                    ((scaled / u64::from(longest)) as u32).max(1)
                };
                (scaled(picture.width()), scaled(picture.height()))
            }
        };
        let scaled = imageops::resize(picture, width, height, self.filter);
        if (width, height) == (side, side) {
            return scaled;
        }
        let mut square = RgbImage::from_pixel(side, side, Rgb([255; 3]));
        let middle = |length: u32| i64::from((side - length) / 2);
        imageops::replace(&mut square, &scaled, middle(width), middle(height));
        square
    }

    fn normalise_planes(&self, square: &RgbImage) -> Pixels {
        let plane = |channel: usize| {
            let (mean, deviation) = (self.mean[channel], self.deviation[channel]);
            square
                .pixels()
                .map(move |pixel| (f32::from(pixel.0[channel]) / 255.0 - mean) / deviation)
        };
        Pixels { planes: (0..3).flat_map(plane).collect() }
    }
}

/// The picture on a white background.
fn flatten_on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let picture = picture.to_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
        let alpha = u16::from(alpha);
        // At most 255.
        Rgb([red, green, blue]
            .map(|value| ((u16::from(value) * alpha + 255 * (255 - alpha) + 127) / 255) as u8))
    })
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};

    use super::*;

    fn preprocessor(fit: SquareFit) -> ImagePreprocessor {
        let (mean, deviation) = ([0.5; 3], [0.5; 3]);
        ImagePreprocessor { side: 8, fit, filter: FilterType::CatmullRom, mean, deviation }
    }

    fn png(picture: &RgbaImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("written");
        bytes.into_inner()
    }

    #[test]
    fn a_wide_picture_is_kept_whole_on_white() {
        let black = RgbaImage::from_pixel(40, 10, Rgba([0, 0, 0, 255]));
        let pixels =
            preprocessor(SquareFit::Letterbox).preprocess_png(&png(&black)).expect("a picture");
        assert_eq!(pixels.planes.len(), 3 * 64);
        let row = |row: usize| pixels.planes[row * 8];
        assert_eq!([row(0), row(2), row(3), row(4), row(5), row(7)], [1., 1., -1., -1., 1., 1.]);
        let stretched =
            preprocessor(SquareFit::Stretch).preprocess_png(&png(&black)).expect("a picture");
        assert!(stretched.planes.iter().all(|value| *value == -1.0));
    }

    #[test]
    fn what_is_transparent_is_white() {
        let clear = RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 0]));
        let pixels =
            preprocessor(SquareFit::Letterbox).preprocess_png(&png(&clear)).expect("a picture");
        assert!(pixels.planes.iter().all(|value| *value == 1.0));
    }

    #[test]
    fn a_thin_line_is_read_and_damaged_files_are_refused() {
        let line = RgbaImage::from_pixel(3000, 1, Rgba([0, 0, 0, 255]));
        assert!(preprocessor(SquareFit::Letterbox).preprocess_png(&png(&line)).is_ok());
        assert!(preprocessor(SquareFit::Letterbox).preprocess_png(b"no picture").is_err());
        let whole = png(&line);
        assert!(
            preprocessor(SquareFit::Letterbox).preprocess_png(&whole[..whole.len() / 2]).is_err()
        );
    }
}
