//! Any bytes as a bitmap of one of the formats.

#![no_main]

use fuzz_support::draw_small;
use libfuzzer_sys::fuzz_target;
use picture::PictureFormat;

const BITMAPS: [PictureFormat; 5] = [
    PictureFormat::Png,
    PictureFormat::Jpeg,
    PictureFormat::Gif,
    PictureFormat::Tiff,
    PictureFormat::Bmp,
];

fuzz_target!(|bytes: &[u8]| {
    let _ = draw_small(bytes, &BITMAPS);
});
