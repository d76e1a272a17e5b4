//! The SVG of a drawing as it is stored: compressed with gzip, whose checksum reveals damage.

use std::io::{Read, Write};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

/// Maximum bytes of an SVG. Drawings that are stored are smaller; a damaged or foreign file must not unpack to
/// gigabytes.
const MAX_SVG_BYTES: u64 = 16 << 20;

/// Packs an SVG.
pub(crate) fn pack_drawing(svg: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    packer.write_all(svg.as_bytes()).and_then(|()| packer.finish()).unwrap_or_default()
}

/// Unpacks a stored SVG; `None` if it is damaged or too large.
pub fn unpack_drawing(packed: &[u8]) -> Option<Vec<u8>> {
    let mut svg = Vec::new();
    let mut unpacker = GzDecoder::new(packed).take(MAX_SVG_BYTES + 1);
    unpacker.read_to_end(&mut svg).ok()?;
    (svg.len() as u64 <= MAX_SVG_BYTES).then_some(svg)
}

/// A stored drawing that matches its recorded hash; if no hash is recorded, any that is whole. Otherwise, what is
/// wrong with it.
pub(crate) fn check_drawing(
    packed: Option<Vec<u8>>,
    recorded: Option<&[u8; 32]>,
) -> Result<Option<Vec<u8>>, DrawingFault> {
    match (packed, recorded) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(DrawingFault::Missing),
        (Some(packed), Some(hash)) if blake3::hash(&packed).as_bytes() == hash => Ok(Some(packed)),
        (Some(packed), None) if unpack_drawing(&packed).is_some() => Ok(Some(packed)),
        (Some(_), _) => Err(DrawingFault::Damaged),
    }
}

/// What is wrong with the file of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawingFault {
    Missing,
    Damaged,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_unpacked_as_it_was_and_damage_is_noticed() {
        let packed = pack_drawing("<svg>a drawing</svg>");
        assert_eq!(unpack_drawing(&packed).as_deref(), Some(&b"<svg>a drawing</svg>"[..]));
        for index in 10..packed.len() {
            let mut damaged = packed.clone();
            damaged[index] ^= 0x10;
            let unpacked = unpack_drawing(&damaged);
            assert!(unpacked.is_none(), "byte {index}");
        }
        assert_eq!(unpack_drawing(&packed[..packed.len() / 2]), None);
        assert_eq!(unpack_drawing(b""), None);
    }

    #[test]
    fn a_drawing_that_unpacks_to_more_than_any_is_refused() {
        let packed = pack_drawing(&" ".repeat(MAX_SVG_BYTES as usize + 1));
        assert_eq!(unpack_drawing(&packed), None);
    }
}
