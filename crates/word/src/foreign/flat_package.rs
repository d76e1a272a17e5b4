//! Word packages in one XML file, rebuilt as packages: flat OPC, and Word 2003 XML.

use std::io::{Cursor, Write};

use base64::{Engine, engine::general_purpose::STANDARD};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use document::{ExtractError, Limits, one_line};

use super::{TextFormat, check_size};
use crate::xml::{XmlEvent, XmlReader, attribute_value};

const CONTENT_TYPES: &[u8] =
    b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";

/// The bytes of the package that a file in [`TextFormat::FlatPackage`] or [`TextFormat::Word2003`] contains. Messages
/// call it `name`.
pub fn rebuild_package(
    bytes: &[u8],
    format: TextFormat,
    name: &str,
    limits: &Limits,
) -> Result<Vec<u8>, ExtractError> {
    check_size(bytes, name)?;
    let mut package = PackageWriter { zip: ZipWriter::new(Cursor::new(Vec::new())), name };
    package.add_part("[Content_Types].xml", CONTENT_TYPES)?;
    if format == TextFormat::Word2003 {
        // One element has the styles and the body: each reader finds its own.
        package.add_part("word/document.xml", bytes)?;
        package.add_part("word/styles.xml", bytes)?;
    } else {
        package.add_flat_parts(bytes, limits)?;
    }
    let damaged = |error| ExtractError::damaged_file(name, error);
    package.zip.finish().map(Cursor::into_inner).map_err(damaged)
}

struct PackageWriter<'a> {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    name: &'a str,
}

impl PackageWriter<'_> {
    fn add_part(&mut self, part: &str, content: &[u8]) -> Result<(), ExtractError> {
        let damaged = |error: &dyn std::fmt::Display| ExtractError::damaged_file(self.name, error);
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let begun = self.zip.start_file(part, options);
        begun.map_err(|error| damaged(&error))?;
        self.zip.write_all(content).map_err(|error| damaged(&error))
    }

    /// Adds the parts of a flat package: `pkg:xmlData` has the root element of a part, `pkg:binaryData` its bytes as
    /// Base64.
    fn add_flat_parts(&mut self, bytes: &[u8], limits: &Limits) -> Result<(), ExtractError> {
        let mut xml = XmlReader::new(bytes, self.name, limits);
        let mut buffer = Vec::new();
        let mut part = String::new();
        let mut content = FlatContent::None;
        let mut depth = 0usize;
        loop {
            match xml.next_event(&mut buffer)? {
                XmlEvent::Start(start) if depth == 0 => match start.name().as_ref() {
                    "pkg:part" => {
                        let name = attribute_value(&start, "pkg:name").unwrap_or_default();
                        part = name.trim_start_matches('/').to_owned();
                    }
                    "pkg:xmlData" => (content, depth) = (FlatContent::Xml(String::new()), 1),
                    "pkg:binaryData" => (content, depth) = (FlatContent::Base64(Vec::new()), 1),
                    _ => {}
                },
                XmlEvent::Start(start) => {
                    depth += 1;
                    if let FlatContent::Xml(text) = &mut content {
                        text.extend(["<", start.name().as_ref(), start.attributes_raw(), ">"]);
                    }
                }
                XmlEvent::End(_) if depth == 1 => {
                    depth = 0;
                    self.add_content(&part, std::mem::replace(&mut content, FlatContent::None))?;
                }
                XmlEvent::End(end) if depth > 1 => {
                    depth -= 1;
                    if let FlatContent::Xml(text) = &mut content {
                        text.extend(["</", end.name().as_ref(), ">"]);
                    }
                }
                XmlEvent::Text(text) => match &mut content {
                    FlatContent::Xml(part) => part.push_str(&escape_text(&text)),
                    FlatContent::Base64(digits) => {
                        digits.extend(text.bytes().filter(|byte| !byte.is_ascii_whitespace()));
                    }
                    FlatContent::None => {}
                },
                XmlEvent::Char(c) => {
                    if let FlatContent::Xml(part) = &mut content {
                        part.push_str(&escape_text(c.encode_utf8(&mut [0; 4])));
                    }
                }
                XmlEvent::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    fn add_content(&mut self, part: &str, content: FlatContent) -> Result<(), ExtractError> {
        let is_named = !part.is_empty() && !part.eq_ignore_ascii_case("[Content_Types].xml");
        match content {
            FlatContent::Xml(text) if is_named => self.add_part(part, text.as_bytes()),
            FlatContent::Base64(digits) if is_named => {
                let damaged = |error| {
                    ExtractError::damaged_file(&format!("{}/{}", self.name, one_line(part)), error)
                };
                let bytes = STANDARD.decode(digits).map_err(damaged)?;
                self.add_part(part, &bytes)
            }
            _ => Ok(()),
        }
    }
}

/// The content of the part that is read.
enum FlatContent {
    None,
    Xml(String),
    /// The digits of Base64.
    Base64(Vec<u8>),
}

/// Text between elements. Names have the prefixes that the readers know, so no namespaces need to be declared.
fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
