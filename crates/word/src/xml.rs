//! A pull reader over one XML part that bounds its depth and the size of every event. Names have the prefixes that Word
//! writes, whatever the part declares.

use std::{
    borrow::Cow,
    io::{self, BufRead, Read},
};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesEnd, BytesRef, BytesStart, Event},
};

use super::{namespaces::Namespaces, repair::Utf8Source};
use document::{ExtractError, LimitKind, Limits, one_line};

/// An event that the readers of the parts handle.
pub enum XmlEvent<'a> {
    /// A start tag; an empty element has a start and an end.
    Start(BytesStart<'a>),
    /// An end tag.
    End(BytesEnd<'a>),
    /// A run of text.
    Text(Cow<'a, str>),
    /// A character written as a reference.
    Char(char),
    /// A comment, declaration or unknown reference.
    Other,
    /// The end of the part.
    Eof,
}

/// A reader of one part.
pub struct XmlReader<R: BufRead> {
    reader: Reader<EventLimitedSource<Utf8Source<R>>>,
    /// File and part, for messages.
    name: String,
    namespaces: Namespaces,
    depth: usize,
    max_depth: usize,
    event_bytes: u64,
}

impl<R: BufRead> XmlReader<R> {
    /// A reader of `source`, which messages call `name`.
    pub fn new(source: R, name: &str, limits: &Limits) -> Self {
        let source = Utf8Source::new(source);
        let limited = EventLimitedSource { source, used: 0, limit: limits.event_bytes };
        let mut reader = Reader::from_reader(limited);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            name: name.to_owned(),
            namespaces: Namespaces::default(),
            depth: 0,
            max_depth: limits.xml_depth,
            event_bytes: limits.event_bytes,
        }
    }

    /// File and part, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next event, held in `buffer`.
    pub fn next_event<'b>(
        &mut self,
        buffer: &'b mut Vec<u8>,
    ) -> Result<XmlEvent<'b>, ExtractError> {
        buffer.clear();
        self.reader.get_mut().used = 0;
        match self.reader.read_event_into(buffer) {
            Ok(Event::Start(start)) => {
                self.depth += 1;
                if self.depth > self.max_depth {
                    let limit = self.max_depth as u64;
                    return Err(ExtractError::limit_exceeded(
                        &self.name,
                        LimitKind::XmlDepth,
                        limit,
                    ));
                }
                Ok(XmlEvent::Start(self.namespaces.rename_start(start, self.depth)))
            }
            Ok(Event::End(end)) => {
                let end = self.namespaces.rename_end(end, self.depth);
                self.depth = self.depth.saturating_sub(1);
                Ok(XmlEvent::End(end))
            }
            Ok(Event::Text(text)) => Ok(XmlEvent::Text(text.into_inner())),
            Ok(Event::CData(text)) => Ok(XmlEvent::Text(text.into_inner())),
            Ok(Event::GeneralRef(reference)) => {
                Ok(resolve_reference(&reference).map_or(XmlEvent::Other, XmlEvent::Char))
            }
            Ok(Event::Eof) if self.depth > 0 => Err(ExtractError::Xml {
                name: self.name.clone(),
                reason: "it ends inside an element".to_owned(),
            }),
            Ok(Event::Eof) => Ok(XmlEvent::Eof),
            Ok(_) => Ok(XmlEvent::Other),
            Err(error) => Err(self.convert_error(&error)),
        }
    }

    /// Reads to the end of the element whose start was just returned.
    pub fn skip_element(&mut self, buffer: &mut Vec<u8>) -> Result<(), ExtractError> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if matches!(self.next_event(buffer)?, XmlEvent::Eof) {
                break;
            }
        }
        Ok(())
    }

    fn convert_error(&self, error: &quick_xml::Error) -> ExtractError {
        let quick_xml::Error::Io(io_error) = error else {
            let reason = one_line(&error.to_string());
            return ExtractError::Xml { name: self.name.clone(), reason };
        };
        if io_error.get_ref().is_some_and(|inner| inner.is::<EventTooLong>()) {
            return ExtractError::limit_exceeded(
                &self.name,
                LimitKind::EventBytes,
                self.event_bytes,
            );
        }
        io_error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<ExtractError>())
            .cloned()
            .unwrap_or_else(|| ExtractError::damaged_file(&self.name, io_error))
    }
}

/// The character of a reference; entities of a document type are never expanded, as they can multiply.
fn resolve_reference(reference: &BytesRef<'_>) -> Option<char> {
    match &**reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => reference.resolve_char_ref().ok().flatten(),
    }
}

/// The value of an attribute, `None` if it is absent or malformed.
pub fn attribute_value<'a>(start: &'a BytesStart<'_>, key: &str) -> Option<Cow<'a, str>> {
    let attribute = start.try_get_attribute(key).ok().flatten()?;
    attribute.normalized_value(XmlVersion::Implicit1_0).ok()
}

/// The `w:val` of an element as a number.
pub fn numeric_value<T: std::str::FromStr>(start: &BytesStart<'_>) -> Option<T> {
    attribute_value(start, "w:val").and_then(|value| value.trim().parse().ok())
}

/// Whether an on/off element (`CT_OnOff`) is on: its value is absent or not a false one.
///
/// A malformed `w:val` counts as absent and so as on, which is Word's own default for these elements.
pub fn is_on(start: &BytesStart<'_>) -> bool {
    let value = attribute_value(start, "w:val");
    value.is_none_or(|value| !matches!(&*value, "0" | "false" | "off" | "none"))
}

/// Stops the parser from buffering an endless tag or run of text.
struct EventLimitedSource<R> {
    source: R,
    /// Bytes consumed since the last event.
    used: u64,
    limit: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("one tag or run of text is too long")]
struct EventTooLong;

impl<R: BufRead> Read for EventLimitedSource<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(target)?;
        self.used = self.used.saturating_add(read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for EventLimitedSource<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used > self.limit {
            return Err(io::Error::other(EventTooLong));
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.used = self.used.saturating_add(amount as u64);
        self.source.consume(amount);
    }
}
