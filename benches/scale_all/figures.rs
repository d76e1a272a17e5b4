//! Figures of made-up documents: tiny pictures, each another one.

use document::{Figure, FigureImage, FigureKind};
use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write as _;

use crate::{random::Random, words::Vocabulary};

/// Width and height of a picture.
const SIDE: u32 = 8;

/// A figure after a number of blocks.
pub(crate) fn make_figure(
    words: &Vocabulary,
    random: &mut Random,
    block: u32,
    number: &str,
) -> Figure {
    let mut labels = Vec::new();
    for _ in 0..3 + random.below(6) {
        labels.push(words.draw_name(random).to_owned());
    }
    Figure {
        block,
        kind: FigureKind::Picture,
        caption: Some(format!("Figure {number}-1: {}", words.write_title(random))),
        labels,
        formats: vec!["PNG".to_owned()],
        picture: Some(FigureImage { png: write_png(random), svg: None, width: SIDE, height: SIDE }),
        faults: Vec::new(),
    }
}

/// A PNG file of random grey values.
fn write_png(random: &mut Random) -> Vec<u8> {
    let mut rows = Vec::new();
    for _ in 0..SIDE {
        rows.push(0);
        rows.extend_from_slice(&random.next().to_le_bytes());
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&rows).expect("in memory");
    let packed = packed.finish().expect("in memory");
    let mut head = [SIDE.to_be_bytes(), SIDE.to_be_bytes()].concat();
    // Eight bits of grey, without interlacing.
    head.extend_from_slice(&[8, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, bytes) in [(b"IHDR", &head), (b"IDAT", &packed), (b"IEND", &Vec::new())] {
        png.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        let mut crc = Crc::new();
        crc.update(name);
        crc.update(bytes);
        png.extend_from_slice(name);
        png.extend_from_slice(bytes);
        png.extend_from_slice(&crc.sum().to_be_bytes());
    }
    png
}
