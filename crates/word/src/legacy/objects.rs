//! Pictures and equations of a Word 97 file.
//!
//! The library that reads the text leaves out the characters that represent objects. In a copy of the file, they are
//! replaced by a sign that it keeps, so that the positions of objects are known in its result.

use std::collections::{HashMap, HashSet};
use std::io::Cursor;

use office_oxide::doc::images::{ImageFormat, extract_images};

use super::binary::{Character, WordFile, WordStreams, read_stream, read_u16, read_u32};
use super::drawn::FloatingDrawings;
use super::symbol_runs::find_symbols;
use crate::equations::ReadEquation;
use crate::item::Drawing;
use crate::run_fonts::UnknownSymbols;
use crate::shapes::office_shape::ShapeSketch;
use document::{FigureKind, PrintedSize};

/// The sign that marks an object: a currency sign, which is the same byte in all Windows code pages.
pub(super) const OBJECT_SIGN: char = '\u{a4}';
const SIGN_CODE: u16 = 0xA4;
/// Characters of [MS-DOC] 2.4.1: an inline object, a floating one, and the parts of a field.
const INLINE: u16 = 0x01;
const FLOATING: u16 = 0x08;
const FIELD_BEGIN: u16 = 0x13;
const FIELD_RESULT: u16 = 0x14;
const FIELD_END: u16 = 0x15;
/// Maximum number of objects that are read, as many as a package may have parts.
const MAX_OBJECTS: usize = 20_000;
/// Maximum number of open fields, which no file exceeds. All of them are examined at each character of an object.
const MAX_OPEN_FIELDS: usize = 64;
/// Maximum bytes of all pictures, drawings and formulas that are kept in memory.
const MAX_KEPT_BYTES: usize = 256 << 20;
/// Maximum bytes that are searched for pictures: a hostile file can name the same bytes as many pictures of different
/// lengths.
const MAX_SCANNED_BYTES: usize = 512 << 20;
/// Maximum bytes of the stream of an equation; `formula` reads no more.
const MAX_EQUATION_BYTES: u64 = 1 << 20;
/// A larger picture is not one of an equation: those of specifications have a few kilobytes. It may be shown many times,
/// and is read each time.
const MAX_DRAWN_EQUATION_BYTES: usize = 256 << 10;

/// The object that a sign of the marked file represents.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MarkedObject {
    /// Itself: it is in the text of the file.
    Sign,
    /// A sign of a symbol font.
    Symbol(char),
    /// A formula, as LaTeX.
    Formula(String),
    /// An equation that cannot be read, and its preview.
    UnreadEquation(Drawing),
    /// A figure.
    Figure(Drawing),
}

/// The objects of a file in the order of its text.
#[derive(Default)]
pub(super) struct MarkedObjects {
    pub(super) objects: Vec<MarkedObject>,
    /// Pictures by the names that drawings have for them.
    pub(super) pictures: HashMap<String, Vec<u8>>,
    /// Number of objects beyond the limit.
    pub(super) left_out: usize,
    /// Characters of symbol fonts that are not known.
    pub(super) unknown_symbols: UnknownSymbols,
}

/// An open field.
#[derive(Default)]
struct OpenField {
    in_result: bool,
    /// The number of its object.
    object: Option<u32>,
}

/// Marks the objects of a file. Returns the marked file with its objects; `None` if there is nothing to mark.
/// `symbols`: whether characters of symbol fonts are marked, too.
pub(super) fn mark_objects(bytes: &[u8], symbols: bool) -> Option<(Vec<u8>, MarkedObjects)> {
    let mut file = WordFile::open(Cursor::new(bytes.to_vec())).ok()?;
    let streams = WordStreams::read_streams(&mut file)?;
    let drawings = FloatingDrawings::read_drawings(&streams);
    let mut reader = ObjectReader {
        file,
        streams,
        marked: MarkedObjects::default(),
        known: HashMap::new(),
        equations: HashMap::new(),
        kept_bytes: 0,
        scanned_bytes: 0,
    };
    let mut fields: Vec<OpenField> = Vec::new();
    let codes = [INLINE, FLOATING, FIELD_BEGIN, FIELD_RESULT, FIELD_END, SIGN_CODE];
    let mut unknown = UnknownSymbols::default();
    let found = if symbols { find_symbols(&reader.streams, &mut unknown)? } else { Vec::new() };
    reader.marked.unknown_symbols = unknown;
    let mut characters: Vec<(Character, Option<char>)> = reader
        .streams
        .find_characters(&codes)?
        .into_iter()
        .map(|character| (character, None))
        .collect();
    characters.extend(found.into_iter().map(|found| (found.character, Some(found.sign))));
    // An inserted symbol may have the code of an object; the sign is the later one.
    characters.sort_by_key(|(character, sign)| (character.position, sign.is_none()));
    characters.dedup_by_key(|(character, _)| character.position);
    for (character, sign) in characters {
        let properties = reader.streams.read_properties(character.offset);
        match character.code {
            FIELD_BEGIN if fields.len() >= MAX_OPEN_FIELDS => return None,
            FIELD_BEGIN => fields.push(OpenField::default()),
            FIELD_RESULT => {
                if let Some(field) = fields.last_mut() {
                    field.in_result = true;
                    field.object = if properties.is_object { properties.location } else { None };
                }
            }
            FIELD_END => drop(fields.pop()),
            _ if properties.is_left_out || fields.iter().any(|field| !field.in_result) => {}
            _ if sign.is_some() => {
                let marked = sign.map(MarkedObject::Symbol);
                marked.into_iter().for_each(|symbol| reader.mark(character, symbol));
            }
            SIGN_CODE => reader.marked.objects.push(MarkedObject::Sign),
            _ if reader.marked.objects.len() >= MAX_OBJECTS => reader.marked.left_out += 1,
            _ => {
                let object = fields.iter().rev().find_map(|field| field.object);
                let location = if !properties.is_form { properties.location } else { None };
                let read = match character.code {
                    INLINE => location.and_then(|location| reader.read_inline(location, object)),
                    _ => reader.read_floating(&drawings, character.position),
                };
                if let Some(read) = read {
                    reader.mark(character, read);
                }
            }
        }
    }
    let ObjectReader { mut file, streams, marked, .. } = reader;
    // Without objects, the file can be read as it is.
    if marked.objects.iter().all(|object| *object == MarkedObject::Sign) {
        return None;
    }
    streams.write_main(&mut file).ok()?;
    Some((file.into_inner().into_inner(), marked))
}

/// The formula of an object.
#[derive(Debug, Clone)]
enum EmbeddedEquation {
    /// As LaTeX.
    Read(String),
    /// It cannot be read, or is empty.
    Unread,
}

struct ObjectReader {
    file: WordFile,
    streams: WordStreams,
    marked: MarkedObjects,
    /// The names of the pictures that were read at a position, so that each is read once.
    known: HashMap<PicturePlace, Vec<String>>,
    /// The equations that were read, by the numbers of their objects.
    equations: HashMap<u32, Option<EmbeddedEquation>>,
    /// Bytes that are kept so far, and bytes that were searched.
    kept_bytes: usize,
    scanned_bytes: usize,
}

/// The position of a picture: in the data stream or in the main one, its first byte and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PicturePlace {
    is_inline: bool,
    start: usize,
    length: usize,
}

impl ObjectReader {
    fn mark(&mut self, character: Character, object: MarkedObject) {
        let code = SIGN_CODE.to_le_bytes();
        let end = character.offset + character.width;
        self.streams.main[character.offset..end].copy_from_slice(&code[..character.width]);
        self.marked.objects.push(object);
    }

    /// An object in the line: `location` is the location of its picture, `object` the number of its source.
    fn read_inline(&mut self, location: u32, object: Option<u32>) -> Option<MarkedObject> {
        let equation = object.and_then(|object| self.read_equation(object));
        if let Some(EmbeddedEquation::Read(latex)) = equation {
            self.kept_bytes = self.kept_bytes.saturating_add(latex.len());
            let has_room = self.kept_bytes <= MAX_KEPT_BYTES;
            return has_room.then_some(MarkedObject::Formula(latex));
        }
        // [MS-DOC] 2.9.192: the length of all, then the header and the picture.
        let start = location as usize;
        let length = read_u32(&self.streams.data, start)? as usize;
        let size = read_size(self.streams.data.get(start..start.checked_add(length)?)?);
        let media = self.keep_pictures(PicturePlace { is_inline: true, start, length });
        let picture = media.first().and_then(|name| self.marked.pictures.get(name));
        let drawn = picture.filter(|picture| picture.len() <= MAX_DRAWN_EQUATION_BYTES);
        let drawn = drawn.and_then(|picture| ReadEquation::from_picture(picture));
        let drawing = Drawing { media, size, ..Drawing::default() };
        Some(match (equation, drawn) {
            (_, Some(ReadEquation::Formula(latex))) => MarkedObject::Formula(latex),
            (_, Some(ReadEquation::Words(words))) => {
                let words = if words.is_empty() { Vec::new() } else { vec![words] };
                MarkedObject::UnreadEquation(Drawing { words, ..drawing })
            }
            (Some(_), None) => MarkedObject::UnreadEquation(drawing),
            (None, None) => MarkedObject::Figure(drawing),
        })
    }

    fn read_floating(
        &mut self,
        drawings: &FloatingDrawings,
        position: u32,
    ) -> Option<MarkedObject> {
        // A drawing may be anchored many times, and each time its sketch is kept.
        if self.kept_bytes > MAX_KEPT_BYTES {
            return None;
        }
        let keep = |(start, length)| {
            let place = PicturePlace { is_inline: false, start, length };
            self.keep_pictures(place).into_iter().next()
        };
        let (sketch, (width, height)) = drawings.find_drawing(position, keep)?;
        let ShapeSketch { svg, words, mut media } = sketch;
        let sketch_bytes =
            svg.as_ref().map_or(0, String::len) + words.iter().map(String::len).sum::<usize>();
        self.kept_bytes = self.kept_bytes.saturating_add(sketch_bytes);
        let mut seen = HashSet::new();
        media.retain(|name| seen.insert(name.clone()));
        let kind = if svg.is_some() { FigureKind::Shapes } else { FigureKind::Picture };
        let size = PrintedSize { width: width as u32, height: height as u32 };
        let size = Some(size).filter(|size| size.width > 0 && size.height > 0);
        Some(MarkedObject::Figure(Drawing {
            media,
            sketch: svg,
            words,
            kind,
            size,
            ..Drawing::default()
        }))
    }

    /// The formula of an object; `None` if it is not an equation.
    fn read_equation(&mut self, object: u32) -> Option<EmbeddedEquation> {
        if let Some(known) = self.equations.get(&object) {
            return known.clone();
        }
        let path = format!("/ObjectPool/_{object}/{}", formula::mtef::STREAM);
        let read = read_stream(&mut self.file, &path, MAX_EQUATION_BYTES).map(|stream| {
            let latex = formula::mtef::read_stream(&stream).ok().map(|formula| formula.to_latex());
            match latex {
                Some(latex) if !latex.is_empty() => EmbeddedEquation::Read(latex),
                _ => EmbeddedEquation::Unread,
            }
        });
        self.equations.insert(object, read.clone());
        read
    }

    /// Keeps the pictures at a position. Returns their names; empty if too much was read already.
    fn keep_pictures(&mut self, place: PicturePlace) -> Vec<String> {
        let PicturePlace { is_inline, start, length } = place;
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let (stream, prefix) = if is_inline {
            (&self.streams.data, "inline")
        } else {
            (&self.streams.main, "floating")
        };
        let record = stream.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default();
        self.scanned_bytes = self.scanned_bytes.saturating_add(record.len());
        let mut names = Vec::new();
        if self.scanned_bytes <= MAX_SCANNED_BYTES && self.kept_bytes <= MAX_KEPT_BYTES {
            for image in extract_images(record) {
                let picture = match image.format {
                    ImageFormat::Dib => add_bitmap_header(image.data),
                    _ => image.data,
                };
                self.kept_bytes = self.kept_bytes.saturating_add(picture.len());
                if self.kept_bytes > MAX_KEPT_BYTES {
                    break;
                }
                let name = format!("{prefix}-{start}-{}", names.len());
                self.marked.pictures.insert(name.clone(), picture);
                names.push(name);
            }
        }
        self.known.insert(place, names.clone());
        names
    }
}

/// [MS-DOC] 2.9.192: width and height in twips, and the scale of each in thousandths.
fn read_size(picture: &[u8]) -> Option<PrintedSize> {
    let scaled = |length, scale| {
        let length = u32::from(read_u16(picture, length)?) * u32::from(read_u16(picture, scale)?);
        Some(length / 1000).filter(|length| *length > 0)
    };
    Some(PrintedSize { width: scaled(0x1C, 0x20)?, height: scaled(0x1E, 0x22)? })
}

/// A bitmap with the header that files have and records do not have.
fn add_bitmap_header(bitmap: Vec<u8>) -> Vec<u8> {
    const FILE_HEADER_BYTES: u32 = 14;
    if bitmap.starts_with(b"BM") {
        return bitmap;
    }
    let information = read_u32(&bitmap, 0).unwrap_or(0);
    let bits = bitmap.get(14).copied().unwrap_or(0);
    let used = read_u32(&bitmap, 32).unwrap_or(0);
    let colours = match (used, bits) {
        (0, 1..=8) => 1u32 << bits,
        (used, _) => used.min(1 << 16),
    };
    let length = u32::try_from(bitmap.len()).unwrap_or(u32::MAX).saturating_add(FILE_HEADER_BYTES);
    let start = FILE_HEADER_BYTES.saturating_add(information).saturating_add(colours * 4);
    let mut file = b"BM".to_vec();
    for field in [length, 0, start] {
        file.extend(field.to_le_bytes());
    }
    file.extend(bitmap);
    file
}
