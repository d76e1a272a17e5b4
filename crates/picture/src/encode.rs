//! Writes pixels as PNG, in the smallest lossless colour type.

use std::collections::HashMap;

use png::{BitDepth, ColorType, Compression, Filter};
use resvg::tiny_skia::Pixmap;

/// Writes opaque pixels: as greyscale if all are grey, with a palette if there are few colours.
pub(crate) fn encode_png(pixels: &Pixmap) -> Option<Vec<u8>> {
    let (width, height) = (pixels.width(), pixels.height());
    let colors = pixels.data().as_chunks::<4>().0;
    let is_grey = colors.iter().all(|[red, green, blue, _]| red == green && green == blue);
    if is_grey {
        let data: Vec<u8> = colors.iter().map(|color| color[0]).collect();
        return write_png((width, height), ColorType::Grayscale, None, &data);
    }
    if let Some((palette, data)) = index_colors(colors) {
        return write_png((width, height), ColorType::Indexed, Some(palette), &data);
    }
    let data: Vec<u8> =
        colors.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    write_png((width, height), ColorType::Rgb, None, &data)
}

/// The palette and the index of each pixel in it, if 256 colours are enough.
fn index_colors(colors: &[[u8; 4]]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut indices: HashMap<[u8; 4], u8> = HashMap::new();
    let mut palette = Vec::new();
    let mut data = Vec::with_capacity(colors.len());
    let mut previous = ([0; 4], None);
    for color in colors {
        let index = match previous {
            (known, Some(index)) if known == *color => index,
            _ => match indices.get(color) {
                Some(index) => *index,
                None => {
                    let index = u8::try_from(palette.len() / 3).ok()?;
                    palette.extend(&color[..3]);
                    indices.insert(*color, index);
                    index
                }
            },
        };
        previous = (*color, Some(index));
        data.push(index);
    }
    Some((palette, data))
}

fn write_png(
    (width, height): (u32, u32),
    color: ColorType,
    palette: Option<Vec<u8>>,
    data: &[u8],
) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    // Rows of drawings repeat the row above; those of photographs do not.
    encoder.set_filter(if color == ColorType::Rgb { Filter::Paeth } else { Filter::Up });
    if let Some(palette) = palette {
        encoder.set_palette(palette);
    }
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(data).ok()?;
    writer.finish().ok()?;
    Some(out)
}
