//! Picture formats, detected by their first bytes: file names are not reliable.

/// A picture format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Enhanced metafile, with or without EMF+ records.
    Emf,
    /// Windows metafile, placeable or not.
    Wmf,
    /// Portable network graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF, of which the first picture is drawn.
    Gif,
    /// TIFF, of which the first page is drawn.
    Tiff,
    /// Windows bitmap file.
    Bmp,
    /// Scalable vector graphics.
    Svg,
    /// A picture packed with gzip, as Office packs metafiles (`.emz`, `.wmz`) and SVG (`.svgz`).
    Gzip,
}

/// Maximum bytes of the prolog of an SVG. Further down, `<svg` may be a part of another document.
const MAX_PROLOG_BYTES: usize = 4096;

impl PictureFormat {
    /// The format of a picture; `None` if it is unknown.
    pub fn detect_format(bytes: &[u8]) -> Option<Self> {
        if bytes.get(40..44) == Some(b" EMF") && bytes.starts_with(&[1, 0, 0, 0]) {
            return Some(Self::Emf);
        }
        let starts: [(&[u8], Self); 11] = [
            (&[0xd7, 0xcd, 0xc6, 0x9a], Self::Wmf),
            (&[1, 0, 9, 0], Self::Wmf),
            (&[2, 0, 9, 0], Self::Wmf),
            (b"\x89PNG\r\n\x1a\n", Self::Png),
            (&[0xff, 0xd8, 0xff], Self::Jpeg),
            (b"GIF8", Self::Gif),
            (b"II*\0", Self::Tiff),
            (b"MM\0*", Self::Tiff),
            (b"BM", Self::Bmp),
            (&[0x1f, 0x8b, 8], Self::Gzip),
            (b"<svg", Self::Svg),
        ];
        let known = starts.iter().find(|(start, _)| bytes.starts_with(start));
        known.map(|(_, kind)| *kind).or_else(|| is_svg(bytes).then_some(Self::Svg))
    }

    /// The format's name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Emf => "EMF",
            Self::Wmf => "WMF",
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Tiff => "TIFF",
            Self::Bmp => "BMP",
            Self::Svg => "SVG",
            Self::Gzip => "gzip",
        }
    }
}

/// Whether text that may begin with a prolog and comments is an SVG.
fn is_svg(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(MAX_PROLOG_BYTES)];
    let text = head.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(head).trim_ascii_start();
    text.starts_with(b"<") && text.windows(4).any(|window| window == b"<svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_what_its_first_bytes_say() {
        let mut emf = [0; 100];
        emf[0] = 1;
        emf[40..44].copy_from_slice(b" EMF");
        assert_eq!(PictureFormat::detect_format(&emf), Some(PictureFormat::Emf));
        assert_eq!(
            PictureFormat::detect_format(&[0xd7, 0xcd, 0xc6, 0x9a, 0]),
            Some(PictureFormat::Wmf)
        );
        assert_eq!(
            PictureFormat::detect_format(b"<?xml version=\"1.0\"?>\n<!-- x --><svg/>"),
            Some(PictureFormat::Svg)
        );
        assert_eq!(PictureFormat::detect_format(b"\xef\xbb\xbf<svg/>"), Some(PictureFormat::Svg));
        assert_eq!(PictureFormat::detect_format(b"<html><body/></html>"), None);
        assert_eq!(PictureFormat::detect_format(b""), None);
    }
}
