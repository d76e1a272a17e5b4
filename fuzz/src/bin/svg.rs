//! Any bytes as SVG, packed with gzip or not.

#![no_main]

use fuzz_support::draw_small;
use libfuzzer_sys::fuzz_target;
use picture::PictureFormat;

fuzz_target!(|bytes: &[u8]| {
    let _ = draw_small(bytes, &[PictureFormat::Svg, PictureFormat::Gzip]);
});
