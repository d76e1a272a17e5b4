//! The fonts of a run in a formula or a note.

use std::io::BufRead;

use document::ExtractError;

use super::run_fonts::RunFonts;
use super::styles::Styles;
use super::xml::{XmlEvent, XmlReader, attribute_value};

/// The fonts that the properties of a run set, whose start was just returned, directly or by a style.
pub(super) fn read_run_fonts<R: BufRead>(
    xml: &mut XmlReader<R>,
    styles: &Styles,
) -> Result<RunFonts, ExtractError> {
    let (mut own, mut of_style) = (RunFonts::default(), RunFonts::default());
    let mut buffer = Vec::new();
    loop {
        match xml.next_event(&mut buffer)? {
            XmlEvent::Start(start) if start.name().as_ref() == "w:rStyle" => {
                let id = attribute_value(&start, "w:val").unwrap_or_default();
                of_style = styles.character_format(&id).fonts;
            }
            XmlEvent::Start(start) if start.name().as_ref() == "w:rPrChange" => {
                xml.skip_element(&mut Vec::new())?;
            }
            XmlEvent::Start(start) => {
                own.apply_property(&start, styles.theme());
            }
            XmlEvent::End(end) if end.name().as_ref() == "w:rPr" => return Ok(own.or(&of_style)),
            XmlEvent::Eof => return Ok(own.or(&of_style)),
            _ => {}
        }
    }
}
