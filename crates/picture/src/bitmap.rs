//! Device-independent bitmaps, as in metafiles and BMP files.

use resvg::tiny_skia::{IntSize, Pixmap};

use crate::{raster, reader::Record};

/// Size of a BitmapCoreHeader ([MS-WMF] 2.2.2.2).
pub(crate) const CORE_HEADER_BYTES: usize = 12;
/// Size of a BitmapInfoHeader ([MS-WMF] 2.2.2.3); later headers are longer.
pub(crate) const INFO_HEADER_BYTES: usize = 40;
/// The three colour masks after a BitmapInfoHeader with BI_BITFIELDS.
pub(crate) const MASKS_BYTES: usize = 12;

/// [MS-WMF] 2.1.1.7, Compression.
const BI_RGB: u32 = 0;
const BI_RLE8: u32 = 1;
const BI_RLE4: u32 = 2;
pub(crate) const BI_BITFIELDS: u32 = 3;
const BI_JPEG: u32 = 4;
const BI_PNG: u32 = 5;

/// Maximum number of pixels of a bitmap, which take 160 MB. A run-length encoded bitmap of a few bytes can announce any
/// number.
const MAX_PIXELS: u64 = 40_000_000;

/// Maximum number of pixels of an embedded picture file, which take 64 MB; a metafile can embed many.
pub(crate) const MAX_EMBEDDED_PIXELS: u64 = 16_000_000;

/// The work of decoding a compressed bitmap, which may be large although its bytes are few. Sixty of them use up the
/// budget of a picture.
pub(crate) const PACKED_DECODE_WORK: u64 = 50_000_000;

/// The work of decoding a bitmap, in pixels touched.
pub(crate) fn estimate_decode_work(info: &[u8]) -> u64 {
    let record = Record(info);
    if record.size_at(0) == Some(CORE_HEADER_BYTES) {
        let edge = |offset| u64::from(record.u16_at(offset).unwrap_or_default());
        return (4 * edge(4) * edge(6)).min(4 * MAX_PIXELS);
    }
    if record.u32_at(16).is_some_and(|compression| matches!(compression, BI_JPEG | BI_PNG)) {
        return PACKED_DECODE_WORK;
    }
    let edge = |offset| record.i32_at(offset).map_or(0, |edge| u64::from(edge.unsigned_abs()));
    edge(4).saturating_mul(edge(8)).min(MAX_PIXELS).saturating_mul(4)
}

/// A decoded bitmap.
pub(crate) struct Bitmap {
    pub pixels: Pixmap,
    /// Whether its rows were stored from the lowest one; offsets are then counted from there.
    pub is_bottom_up: bool,
}

impl Bitmap {
    /// Applies an opacity of 0 to 255.
    pub(crate) fn apply_opacity(&mut self, opacity: u8) {
        if opacity < 255 {
            let parts = self.pixels.data_mut().iter_mut();
            parts.for_each(|part| *part = (u16::from(*part) * u16::from(opacity) / 255) as u8);
        }
    }

    /// Makes the pixels of a colour transparent.
    pub(crate) fn clear_color(&mut self, color: u32) {
        let [red, green, blue, _] = color.to_le_bytes();
        for pixel in self.pixels.data_mut().as_chunks_mut::<4>().0 {
            if pixel[..3] == [red, green, blue] {
                *pixel = [0; 4];
            }
        }
    }
}

struct BitmapHeader<'a> {
    width: usize,
    height: usize,
    is_bottom_up: bool,
    depth: u16,
    compression: u32,
    palette: Vec<[u8; 3]>,
    masks: [u32; 3],
    bits: &'a [u8],
}

/// Decodes a bitmap from its header with the palette (`info`) and its `bits`. `has_alpha` says whether
/// the fourth byte of a pixel is its opacity.
pub(crate) fn decode_bitmap(info: &[u8], bits: &[u8], has_alpha: bool) -> Option<Bitmap> {
    let header = parse_header(info, bits)?;
    let is_bottom_up = header.is_bottom_up;
    let pixels = match header.compression {
        BI_RGB | BI_BITFIELDS => decode_uncompressed(&header, has_alpha)?,
        BI_RLE8 | BI_RLE4 => decode_run_lengths(&header)?,
        BI_JPEG | BI_PNG => raster::decode_raster(bits, MAX_EMBEDDED_PIXELS).ok()?,
        _ => return None,
    };
    Some(Bitmap { pixels, is_bottom_up })
}

fn parse_header<'a>(info: &[u8], bits: &'a [u8]) -> Option<BitmapHeader<'a>> {
    let record = Record(info);
    let size = record.size_at(0)?;
    let is_core = size == CORE_HEADER_BYTES;
    if !is_core && size < INFO_HEADER_BYTES {
        return None;
    }
    let (width, height, depth) = if is_core {
        (i32::from(record.i16_at(4)?), i32::from(record.i16_at(6)?), record.u16_at(10)?)
    } else {
        (record.i32_at(4)?, record.i32_at(8)?, record.u16_at(14)?)
    };
    let (compression, used) =
        if is_core { (BI_RGB, 0) } else { (record.u32_at(16)?, record.size_at(32)?) };
    let (columns, rows) = (width.unsigned_abs(), height.unsigned_abs());
    if columns == 0 || rows == 0 || u64::from(columns) * u64::from(rows) > MAX_PIXELS {
        return None;
    }
    let has_masks = compression == BI_BITFIELDS && size == INFO_HEADER_BYTES;
    let masks_size = if has_masks { MASKS_BYTES } else { 0 };
    let masks = match (compression, depth) {
        (BI_BITFIELDS, _) => [record.u32_at(40)?, record.u32_at(44)?, record.u32_at(48)?],
        (_, 16) => [0x7c00, 0x3e0, 0x1f],
        _ => [0x00ff_0000, 0xff00, 0xff],
    };
    let max_colors = if depth <= 8 { 1_usize << depth } else { 0 };
    let colors = if used == 0 { max_colors } else { used.min(max_colors) };
    let entry_size = if is_core { 3 } else { 4 };
    let table = info.get(size.checked_add(masks_size)?..).unwrap_or_default();
    let palette = table
        .chunks_exact(entry_size)
        .take(colors)
        .map(|color| [color[2], color[1], color[0]])
        .collect();
    Some(BitmapHeader {
        width: columns as usize,
        height: rows as usize,
        is_bottom_up: height > 0,
        depth,
        compression,
        palette,
        masks,
        bits,
    })
}

impl BitmapHeader<'_> {
    /// The pixmap, filled by a function of column and stored row.
    fn build_pixmap(&self, mut rgba: impl FnMut(usize, usize) -> [u8; 4]) -> Option<Pixmap> {
        let mut data = Vec::with_capacity(self.width * self.height * 4);
        for row in 0..self.height {
            let stored = if self.is_bottom_up { self.height - 1 - row } else { row };
            for column in 0..self.width {
                let [red, green, blue, alpha] = rgba(column, stored);
                // `tiny_skia` expects premultiplied pixels: no component is greater than the opacity.
                data.extend([red.min(alpha), green.min(alpha), blue.min(alpha), alpha]);
            }
        }
        Pixmap::from_vec(data, IntSize::from_wh(self.width as u32, self.height as u32)?)
    }

    fn palette_color(&self, index: u8) -> [u8; 4] {
        let [red, green, blue] = self.palette.get(usize::from(index)).copied().unwrap_or_default();
        [red, green, blue, 255]
    }
}

fn decode_uncompressed(header: &BitmapHeader<'_>, has_alpha: bool) -> Option<Pixmap> {
    let depth = usize::from(header.depth);
    if !matches!(depth, 1 | 4 | 8 | 16 | 24 | 32) {
        return None;
    }
    let stride = (header.width * depth).div_ceil(32) * 4;
    if header.bits.len() < stride * header.height {
        return None;
    }
    let row = |stored: usize| &header.bits[stored * stride..(stored + 1) * stride];
    header.build_pixmap(|column, stored| {
        let row = row(stored);
        match depth {
            1 => header.palette_color(row[column / 8] >> (7 - column % 8) & 1),
            4 => header.palette_color(row[column / 2] >> (4 * (1 - column % 2)) & 15),
            8 => header.palette_color(row[column]),
            16 => {
                let pixel = u16::from_le_bytes([row[column * 2], row[column * 2 + 1]]);
                apply_color_masks(u32::from(pixel), header.masks)
            }
            24 => [row[column * 3 + 2], row[column * 3 + 1], row[column * 3], 255],
            _ => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|part| row[column * 4 + part]);
                let color = apply_color_masks(u32::from_le_bytes([a, b, c, d]), header.masks);
                if has_alpha { [color[0], color[1], color[2], d] } else { color }
            }
        }
    })
}

fn apply_color_masks(pixel: u32, masks: [u32; 3]) -> [u8; 4] {
    let part = |mask: u32| {
        if mask == 0 {
            return 0;
        }
        let shift = mask.trailing_zeros();
        (u64::from((pixel & mask) >> shift) * 255 / u64::from(mask >> shift)) as u8
    };
    [part(masks[0]), part(masks[1]), part(masks[2]), 255]
}

/// RLE8 and RLE4: pairs of a count and a colour; a count of 0 begins an escape.
fn decode_run_lengths(header: &BitmapHeader<'_>) -> Option<Pixmap> {
    // A byte contains two pixels.
    let is_half = header.compression == BI_RLE4;
    let mut indices = vec![0_u8; header.width * header.height];
    let (mut x, mut y) = (0, 0);
    let mut put = |x: usize, y: usize, index: u8| {
        if x < header.width && y < header.height {
            indices[y * header.width + x] = index;
        }
    };
    let half = |byte: u8, position: usize| match (is_half, position % 2) {
        (true, 0) => byte >> 4,
        (true, _) => byte & 15,
        (false, _) => byte,
    };
    let mut bits = header.bits.iter().copied();
    while let (Some(count), Some(value)) = (bits.next(), bits.next()) {
        match (count, value) {
            (0, 0) => (x, y) = (0, y + 1),
            (0, 1) => break,
            (0, 2) => {
                let (Some(right), Some(up)) = (bits.next(), bits.next()) else { break };
                (x, y) = (x + usize::from(right), y + usize::from(up));
            }
            (0, literal) => {
                let literal = usize::from(literal);
                let bytes = if is_half { literal.div_ceil(2) } else { literal };
                let stored: Vec<u8> = bits.by_ref().take(bytes.next_multiple_of(2)).collect();
                for position in 0..literal {
                    let byte = stored.get(if is_half { position / 2 } else { position });
                    put(x, y, half(byte.copied().unwrap_or_default(), position));
                    x += 1;
                }
            }
            (count, value) => {
                for position in 0..usize::from(count) {
                    put(x, y, half(value, position));
                    x += 1;
                }
            }
        }
    }
    header.build_pixmap(|column, stored| {
        header.palette_color(indices[stored * header.width + column])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(width: i32, height: i32, depth: u16, compression: u32, palette: &[u32]) -> Vec<u8> {
        let mut info = vec![0; 40];
        info[0] = 40;
        info[4..8].copy_from_slice(&width.to_le_bytes());
        info[8..12].copy_from_slice(&height.to_le_bytes());
        info[14..16].copy_from_slice(&depth.to_le_bytes());
        info[16..20].copy_from_slice(&compression.to_le_bytes());
        info.extend(palette.iter().flat_map(|color| color.to_le_bytes()));
        info
    }

    fn rows(bitmap: &Bitmap) -> Vec<[u8; 3]> {
        let pixels = bitmap.pixels.pixels().iter();
        pixels.map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    }

    #[test]
    fn bitmaps_of_every_depth_show_their_pixels_from_the_upper_left() {
        let (red, blue) = ([255, 0, 0], [0, 0, 255]);
        let palette = [0x00ff_0000, 0x0000_00ff];
        let cases: [(Vec<u8>, &[u8]); 6] = [
            (info(2, 2, 1, 0, &palette), &[0b0100_0000, 0, 0, 0, 0b1000_0000, 0, 0, 0]),
            (info(2, 2, 4, 0, &palette), &[0x01, 0, 0, 0, 0x10, 0, 0, 0]),
            (info(2, 2, 8, 0, &palette), &[0, 1, 0, 0, 1, 0, 0, 0]),
            (info(2, 2, 8, 1, &palette), &[1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1]),
            (info(2, 2, 4, 2, &palette), &[2, 0x01, 0, 0, 2, 0x10, 0, 1]),
            (info(2, 2, 24, 0, &[]), &[0, 0, 255, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0]),
        ];
        for (info, bits) in cases {
            let bitmap = decode_bitmap(&info, bits, false).expect("a bitmap");
            assert_eq!(rows(&bitmap), [blue, red, red, blue], "{info:?}");
        }
    }

    #[test]
    fn bitmaps_of_a_wrong_size_are_refused() {
        assert!(decode_bitmap(&info(i32::MAX, i32::MAX, 24, 0, &[]), &[], false).is_none());
        assert!(decode_bitmap(&info(100, 100, 24, 0, &[]), &[0; 100], false).is_none());
        assert!(decode_bitmap(&info(i32::MIN, 1, 1, 0, &[]), &[0; 100], false).is_none());
        assert!(decode_bitmap(&[0; 10], &[], false).is_none());
    }
}
