//! The properties of a package, `docProps/core.xml`.

use std::io::BufRead;

use document::{ExtractError, FileProperties, Limits, collapse_whitespace, push_plain_text};

use super::xml::{XmlEvent, XmlReader};

/// Longest property that is kept, in bytes; a title is shorter.
const MAX_PROPERTY_BYTES: usize = 2_000;

/// Reads title and subject into the properties of a document.
pub(super) fn read_properties<R: BufRead>(
    source: R,
    name: &str,
    limits: &Limits,
    properties: &mut FileProperties,
) -> Result<(), ExtractError> {
    let mut xml = XmlReader::new(source, name, limits);
    let mut open: Option<Property> = None;
    let mut buffer = Vec::new();
    loop {
        let event = xml.next_event(&mut buffer)?;
        let text = open.map(|property| property.text_of(properties));
        match (event, text) {
            (XmlEvent::Start(start), _) => open = Property::from_element(start.name().as_ref()),
            (XmlEvent::End(_), _) => open = None,
            (XmlEvent::Text(run), Some(text)) if text.len() + run.len() <= MAX_PROPERTY_BYTES => {
                push_plain_text(text, &run);
            }
            (XmlEvent::Char(c), Some(text)) if text.len() < MAX_PROPERTY_BYTES => text.push(c),
            (XmlEvent::Eof, _) => break,
            _ => {}
        }
    }
    properties.title = collapse_whitespace(&properties.title);
    properties.subject = collapse_whitespace(&properties.subject);
    Ok(())
}

/// A property that is read.
#[derive(Clone, Copy)]
enum Property {
    Title,
    Subject,
}

impl Property {
    fn from_element(name: &str) -> Option<Self> {
        match name {
            "dc:title" => Some(Self::Title),
            "dc:subject" => Some(Self::Subject),
            _ => None,
        }
    }

    fn text_of(self, properties: &mut FileProperties) -> &mut String {
        match self {
            Self::Title => &mut properties.title,
            Self::Subject => &mut properties.subject,
        }
    }
}
