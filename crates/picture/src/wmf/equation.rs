//! Equations as Windows metafiles: the pictures that Equation Editor and MathType draw of their objects.
//!
//! Both programs name themselves in a comment. MathType adds its equation in the format of its objects (MTEF); of
//! Equation Editor there are only the characters and lines.

use formula::layout::{DrawnCharacter, DrawnFormula, DrawnPoint, LetterStyle};

use super::{
    ESCAPE_DATA_OFFSET, HEADER_BYTES, MFCOMMENT, PLACEABLE_HEADER_BYTES, iter_records,
    record_types::*,
};
use crate::{
    font::{FontRequest, FontSubstitute, substitute_font},
    gdi::{TA_BASELINE, TA_UPDATECP},
    geometry::Point,
    reader::Record,
    symbol_font::SymbolFont,
    text::{SYMBOL_CHARSET, code_page, glyph_advances},
};

/// The comment by which the programs mark their pictures. The number after it is the baseline.
const EQUATION_COMMENT: &[u8] = b"MathType";
/// The comment with an equation: its version, the bytes of all such comments and of this one follow, then a part.
const SOURCE_COMMENT: &[u8] = b"AppsMFCC";
const SOURCE_DATA_OFFSET: usize = 22;
/// Maximum bytes of an equation in comments; `formula` reads no more.
const MAX_SOURCE_BYTES: usize = 1 << 20;
/// Maximum number of fonts and other objects; the programs keep two.
const MAX_OBJECTS: usize = 64;
/// Maximum number of characters and lines; `formula` reads no more.
const MAX_PARTS: usize = 2000;

/// An equation in a picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EquationPicture {
    /// The equation as MTEF, if the picture has it.
    pub source: Option<Vec<u8>>,
    /// What is drawn.
    pub drawn: DrawnFormula,
    /// Whether nothing else is drawn.
    pub is_whole: bool,
}

/// Reads the equation of a Windows metafile; `None` if it is another picture.
pub fn read_equation_picture(bytes: &[u8]) -> Option<EquationPicture> {
    let is_placeable = bytes.starts_with(&[0xd7, 0xcd, 0xc6, 0x9a]);
    let first = HEADER_BYTES + if is_placeable { PLACEABLE_HEADER_BYTES } else { 0 };
    let body = bytes.get(first..)?;
    let comment = |(kind, record): (u16, Record<'_>)| is_comment(kind, record, EQUATION_COMMENT);
    if !iter_records(body).any(comment) {
        return None;
    }
    let mut reader = EquationReader {
        is_whole: true,
        objects: Vec::new(),
        font: None,
        align: 0,
        position: (0.0, 0.0),
        drawn: DrawnFormula::default(),
    };
    let mut source = Vec::new();
    for (kind, record) in iter_records(body) {
        if is_comment(kind, record, SOURCE_COMMENT) && source.len() < MAX_SOURCE_BYTES {
            source.extend_from_slice(record.0.get(SOURCE_DATA_OFFSET..).unwrap_or_default());
        }
        if reader.read_record(kind, record).is_none() {
            reader.is_whole = false;
        }
        let parts = reader.drawn.characters.len() + reader.drawn.lines.len();
        if parts > MAX_PARTS {
            reader.is_whole = false;
            break;
        }
    }
    // The name of the maker, then the data.
    let data = source.iter().position(|byte| *byte == 0).map(|end| source.split_off(end + 1));
    let EquationReader { drawn, is_whole, .. } = reader;
    Some(EquationPicture { source: data, drawn, is_whole })
}

fn is_comment(kind: u16, record: Record<'_>, name: &[u8]) -> bool {
    kind == META_ESCAPE
        && record.u16_at(0) == Some(MFCOMMENT)
        && record.bytes_at(ESCAPE_DATA_OFFSET, name.len()) == Some(name)
}

/// A font of the picture.
#[derive(Debug, Clone, Copy)]
struct EquationFont {
    substitute: FontSubstitute,
    em: f64,
    char_set: u8,
    style: LetterStyle,
    is_extra: bool,
}

/// The state of the device, as far as equations use it.
struct EquationReader {
    /// By number; `None` for pens and brushes. Numbers of deleted objects are used again.
    objects: Vec<ObjectSlot>,
    font: Option<EquationFont>,
    align: u32,
    position: Point,
    drawn: DrawnFormula,
    is_whole: bool,
}

/// A number of an object.
#[derive(Debug, Clone, Copy)]
enum ObjectSlot {
    Free,
    /// `None` for a font that equations do not use.
    Font(Option<EquationFont>),
    Other,
}

impl EquationReader {
    /// Reads a record; `None` if it draws something that is not part of an equation, or cannot be read.
    fn read_record(&mut self, kind: u16, record: Record<'_>) -> Option<()> {
        match kind {
            META_CREATEFONTINDIRECT => self.add_object(ObjectSlot::Font(read_font(record)))?,
            META_CREATEPENINDIRECT
            | META_CREATEBRUSHINDIRECT
            | META_CREATEPALETTE
            | META_DIBCREATEPATTERNBRUSH
            | META_CREATEPATTERNBRUSH
            | META_CREATEREGION => self.add_object(ObjectSlot::Other)?,
            META_SELECTOBJECT => {
                if let ObjectSlot::Font(font) =
                    self.objects.get(usize::from(record.u16_at(0)?)).copied()?
                {
                    self.font = font;
                }
            }
            META_DELETEOBJECT => {
                *self.objects.get_mut(usize::from(record.u16_at(0)?))? = ObjectSlot::Free;
            }
            META_SETTEXTALIGN => self.align = record.u16_at(0)?.into(),
            META_MOVETO => self.position = record.reversed_point_at(0)?,
            META_LINETO => self.line_to(record.reversed_point_at(0)?),
            META_TEXTOUT | META_EXTTEXTOUT => self.read_text(kind, record)?,
            META_SETWINDOWEXT => {
                let (width, height) = record.reversed_point_at(0)?;
                return (width > 0.0 && height > 0.0).then_some(());
            }
            // They draw nothing, or are parts of a drawing.
            META_POLYGON | META_POLYLINE | META_POLYPOLYGON | META_ELLIPSE | META_RECTANGLE
            | META_ROUNDRECT | META_ARC | META_CHORD | META_PIE | META_SETPIXEL
            | META_DIBBITBLT | META_DIBSTRETCHBLT | META_STRETCHDIB | META_SETDIBTODEV
            | META_PATBLT => return None,
            _ => {}
        }
        Some(())
    }

    fn add_object(&mut self, object: ObjectSlot) -> Option<()> {
        let free = self.objects.iter().position(|slot| matches!(slot, ObjectSlot::Free));
        let index = free.unwrap_or(self.objects.len());
        if index >= MAX_OBJECTS {
            return None;
        }
        match self.objects.get_mut(index) {
            Some(slot) => *slot = object,
            None => self.objects.push(object),
        }
        Some(())
    }

    fn line_to(&mut self, to: DrawnPoint) {
        self.drawn.lines.push((self.position, to));
        self.position = to;
    }

    fn read_text(&mut self, kind: u16, record: Record<'_>) -> Option<()> {
        let font = self.font?;
        let (bytes, point, advances) = if kind == META_TEXTOUT {
            let count = usize::from(record.u16_at(0)?);
            let point = record.reversed_point_at(2 + count.next_multiple_of(2))?;
            (record.bytes_at(2, count)?, point, Vec::new())
        } else {
            let count = usize::from(record.u16_at(4)?);
            // A rectangle would precede the text.
            let has_rectangle = record.u16_at(6)? != 0;
            let start = if has_rectangle { 16 } else { 8 };
            let after = start + count.next_multiple_of(2);
            let advances = (0..count).map_while(|index| record.short_at(after + 2 * index));
            (record.bytes_at(start, count)?, record.reversed_point_at(0)?, advances.collect())
        };
        if self.align & TA_BASELINE != TA_BASELINE {
            return None;
        }
        let characters: Vec<char> =
            bytes.iter().map(|byte| decode_byte(*byte, font)).collect::<Option<_>>()?;
        let natural = glyph_advances(font.substitute, font.em, characters.iter().copied());
        let follows = self.align & TA_UPDATECP != 0;
        let (mut x, y) = if follows { self.position } else { point };
        for (index, (character, natural)) in characters.into_iter().zip(natural).enumerate() {
            let step = advances.get(index).copied().unwrap_or(natural);
            let (style, em) = (font.style, font.em);
            // The step to a distant character is not the width of this one.
            let advance = step.min(natural.max(0.3 * em));
            self.drawn.characters.push(DrawnCharacter {
                character,
                style,
                start: (x, y),
                advance,
                em,
            });
            x += step;
        }
        if follows {
            self.position.0 = x;
        }
        Some(())
    }
}

fn read_font(record: Record<'_>) -> Option<EquationFont> {
    let (height, char_set) = (record.short_at(0)?, record.u8_at(13)?);
    let italic = record.u8_at(10)? != 0;
    let name = record.0.get(18..)?;
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    let (name, _, _) = code_page(char_set).decode(&name[..end]);
    let is_extra = name.contains("Extra");
    let is_symbol = char_set == SYMBOL_CHARSET || name.eq_ignore_ascii_case("Symbol");
    let style = match (is_symbol || is_extra, italic) {
        (true, _) => LetterStyle::Symbol,
        (false, true) => LetterStyle::Italic,
        (false, false) => LetterStyle::Upright,
    };
    let request =
        FontRequest { name: &name, bold: false, italic, pitch_and_family: record.u8_at(17)? };
    // Equations specify the height of letters, which is negative, and not that of lines.
    let is_em = height < 0.0;
    is_em.then(|| EquationFont {
        substitute: substitute_font(&request),
        em: -height,
        char_set,
        style,
        is_extra,
    })
}

/// The character of a byte in a font; `None` if it is not known.
fn decode_byte(byte: u8, font: EquationFont) -> Option<char> {
    if font.is_extra {
        // A tilde that is above a letter.
        return if byte == b'%' {
            Some('\u{2dc}')
        } else {
            SymbolFont::MtExtra.character_of_code(byte.into())
        };
    }
    if font.style == LetterStyle::Symbol {
        return SymbolFont::Symbol.character_of_code(byte.into());
    }
    let (decoded, _, has_errors) = code_page(font.char_set).decode(std::slice::from_ref(&byte));
    let mut characters = decoded.chars();
    let first = characters.next();
    if has_errors || characters.next().is_some() { None } else { first }
}
