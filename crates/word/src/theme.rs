//! The fonts of a theme, as far as they are symbol fonts.

use std::io::BufRead;

use document::{ExtractError, Limits};
use picture::SymbolFont;

use super::xml::{XmlEvent, XmlReader, attribute_value};

/// The symbol fonts among the fonts of a theme (ECMA-376 part 1, 20.1.4.1.16); empty for a document without a theme.
#[derive(Debug, Default)]
pub(super) struct ThemeFonts {
    /// For headings and for text: Latin, East Asian and complex scripts.
    major: [Option<SymbolFont>; 3],
    minor: [Option<SymbolFont>; 3],
}

impl ThemeFonts {
    /// Reads a part `theme/theme1.xml`.
    pub(super) fn from_xml<R: BufRead>(mut xml: XmlReader<R>) -> Result<Self, ExtractError> {
        let mut theme = Self::default();
        let mut in_major = None;
        let mut buffer = Vec::new();
        loop {
            match xml.next_event(&mut buffer)? {
                XmlEvent::Start(start) => {
                    let slot = match start.name().as_ref() {
                        "a:majorFont" => {
                            in_major = Some(true);
                            continue;
                        }
                        "a:minorFont" => {
                            in_major = Some(false);
                            continue;
                        }
                        "a:latin" => 0,
                        "a:ea" => 1,
                        "a:cs" => 2,
                        _ => continue,
                    };
                    let font = attribute_value(&start, "typeface")
                        .and_then(|name| SymbolFont::from_name(&name));
                    match in_major {
                        Some(true) => theme.major[slot] = font,
                        Some(false) => theme.minor[slot] = font,
                        None => {}
                    }
                }
                XmlEvent::End(end)
                    if matches!(end.name().as_ref(), "a:majorFont" | "a:minorFont") =>
                {
                    in_major = None
                }
                XmlEvent::Eof => return Ok(theme),
                _ => {}
            }
        }
    }

    /// The symbol font that a value of `w:asciiTheme` and the like names (ECMA-376 part 1, 17.18.96).
    pub(super) fn font_of(&self, key: &str) -> Option<SymbolFont> {
        let (fonts, slot) = match (key.strip_prefix("major"), key.strip_prefix("minor")) {
            (Some(slot), _) => (&self.major, slot),
            (None, Some(slot)) => (&self.minor, slot),
            (None, None) => return None,
        };
        match slot {
            "EastAsia" => fonts[1],
            "Bidi" => fonts[2],
            _ => fonts[0],
        }
    }
}

/// Reads the theme; empty for a document without one.
pub(super) fn read_theme<R: BufRead>(
    source: Option<R>,
    name: &str,
    limits: &Limits,
) -> Result<ThemeFonts, ExtractError> {
    source.map_or_else(
        || Ok(ThemeFonts::default()),
        |source| ThemeFonts::from_xml(XmlReader::new(source, name, limits)),
    )
}
