//! The records of MTEF data.

use super::{
    MtefError,
    characters::{Typeface, decode_character},
    row::RowBuilder,
    templates::{Slots, build_template},
};
use crate::Formula;

/// Maximum nesting of lines, which are read recursively; in real files they are at most ten deep.
const MAX_DEPTH: usize = 40;
/// Bytes without meaning that old versions of Equation Editor leave after the end. If more are left, a record was
/// misread, and so was the formula.
const MAX_PADDING: usize = 3;

// Types of records.
const END: u8 = 0;
const LINE: u8 = 1;
const CHAR: u8 = 2;
const TEMPLATE: u8 = 3;
const PILE: u8 = 4;
const MATRIX: u8 = 5;
const EMBELLISHMENT: u8 = 6;
const RULER: u8 = 7;
const FONT: u8 = 8;
const SIZE: u8 = 9;
const FULL_SIZE: u8 = 10;
const LAST_SIZE: u8 = 14;
const COLOUR: u8 = 15;
const COLOUR_DEFINITION: u8 = 16;
const FONT_DEFINITION: u8 = 17;
const PREFERENCES: u8 = 18;
const ENCODING_DEFINITION: u8 = 19;
const FIRST_FUTURE: u8 = 100;

// Options of records.
const NUDGED: u8 = 0x08;
const LINE_NULL: u8 = 0x01;
const LINE_RULER: u8 = 0x02;
const LINE_SPACING: u8 = 0x04;
/// MTEF 3 has another bit for it than MTEF 5.
const CHAR_EMBELLISHED_3: u8 = 0x02;
const CHAR_EMBELLISHED_5: u8 = 0x01;
const CHAR_8_BIT_POSITION: u8 = 0x04;
const CHAR_16_BIT_POSITION: u8 = 0x10;
const CHAR_WITHOUT_CODE: u8 = 0x20;
const COLOUR_CMYK: u8 = 0x01;
const COLOUR_NAMED: u8 = 0x04;

/// Reads an equation.
pub(super) fn read_equation(bytes: &[u8]) -> Result<Formula, MtefError> {
    let mut reader = RecordReader { bytes, position: 0, version: 0, depth: 0 };
    reader.version = reader.read_u8()?;
    if !matches!(reader.version, 3 | 5) {
        return Err(MtefError::Version(reader.version));
    }
    // Platform, product, version and subversion of the program.
    reader.skip(4)?;
    if reader.version == 5 {
        reader.skip_text()?;
        // Whether the equation is in a line of text.
        reader.skip(1)?;
    }
    let slots = reader.read_list()?;
    let left = bytes.len() - reader.position;
    if left > MAX_PADDING {
        return Err(MtefError::Unread(left));
    }
    // Characters outside the lines belong to the equation too.
    Ok(Formula::Row(slots.slots.into_iter().chain(slots.signs).collect()))
}

struct RecordReader<'a> {
    bytes: &'a [u8],
    position: usize,
    version: u8,
    /// Lists that are open.
    depth: usize,
}

/// The head of a record.
struct RecordHead {
    kind: u8,
    options: u8,
}

impl RecordReader<'_> {
    fn read_u8(&mut self) -> Result<u8, MtefError> {
        let byte = *self.bytes.get(self.position).ok_or(MtefError::Truncated)?;
        self.position += 1;
        Ok(byte)
    }

    fn read_u16(&mut self) -> Result<u16, MtefError> {
        Ok(u16::from_le_bytes([self.read_u8()?, self.read_u8()?]))
    }

    fn skip(&mut self, count: usize) -> Result<(), MtefError> {
        let end = self.position.checked_add(count).filter(|end| *end <= self.bytes.len());
        self.position = end.ok_or(MtefError::Truncated)?;
        Ok(())
    }

    /// A text that a zero ends.
    fn skip_text(&mut self) -> Result<(), MtefError> {
        while self.read_u8()? != 0 {}
        Ok(())
    }

    /// A number of one byte, or of two after 255.
    fn read_count(&mut self) -> Result<u16, MtefError> {
        match self.read_u8()? {
            u8::MAX => self.read_u16(),
            small => Ok(u16::from(small)),
        }
    }

    fn read_head(&mut self) -> Result<RecordHead, MtefError> {
        let tag = self.read_u8()?;
        if self.version < 5 {
            return Ok(RecordHead { kind: tag & 0x0f, options: tag >> 4 });
        }
        let has_options = matches!(tag, LINE..=EMBELLISHMENT | COLOUR_DEFINITION | PREFERENCES);
        let options = if has_options { self.read_u8()? } else { 0 };
        Ok(RecordHead { kind: tag, options })
    }

    fn skip_nudge(&mut self, options: u8) -> Result<(), MtefError> {
        if options & NUDGED != 0 {
            let small = [self.read_u8()?, self.read_u8()?];
            if small == [128, 128] {
                self.skip(4)?;
            }
        }
        Ok(())
    }

    /// The records to the end of a list: lines become slots; characters and templates of a list that is not a line are
    /// its signs.
    fn read_list(&mut self) -> Result<Slots, MtefError> {
        let mut slots = Slots::default();
        let mut row = RowBuilder::default();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(MtefError::TooDeep);
        }
        loop {
            let head = self.read_head()?;
            match head.kind {
                END => break,
                LINE => slots.slots.push(self.read_line(head.options)?),
                PILE => slots.slots.push(self.read_pile(head.options)?),
                kind => {
                    self.read_inline(kind, head.options, &mut row)?;
                }
            }
        }
        self.depth -= 1;
        slots.signs = row.into_parts();
        Ok(slots)
    }

    /// A record within a line.
    fn read_inline(
        &mut self,
        kind: u8,
        options: u8,
        row: &mut RowBuilder,
    ) -> Result<(), MtefError> {
        match kind {
            CHAR => self.read_char(options, row)?,
            TEMPLATE => self.read_template(options, row)?,
            MATRIX => {
                let matrix = self.read_matrix(options)?;
                row.push(matrix);
            }
            EMBELLISHMENT => {
                self.skip_nudge(options)?;
                let code = self.read_u8()?;
                if self.version < 5 {
                    // It has its own end record, before the end of the list.
                    self.skip(1)?;
                }
                row.embellish(code)?;
            }
            RULER => self.skip_ruler()?,
            FONT if self.version < 5 => {
                self.skip(2)?;
                self.skip_text()?;
            }
            FONT => self.skip(2)?,
            SIZE => self.skip_size()?,
            FULL_SIZE..=LAST_SIZE => {}
            COLOUR => {
                self.read_count()?;
            }
            COLOUR_DEFINITION => {
                let values = if options & COLOUR_CMYK != 0 { 4 } else { 3 };
                self.skip(2 * values)?;
                if options & COLOUR_NAMED != 0 {
                    self.skip_text()?;
                }
            }
            FONT_DEFINITION => {
                self.read_count()?;
                self.skip_text()?;
            }
            PREFERENCES => self.skip_preferences()?,
            ENCODING_DEFINITION => self.skip_text()?,
            FIRST_FUTURE.. => {
                let length = self.read_count()?;
                self.skip(usize::from(length))?;
            }
            other => return Err(MtefError::Unknown { what: "record", code: other.into() }),
        }
        Ok(())
    }

    fn read_line(&mut self, options: u8) -> Result<Formula, MtefError> {
        self.skip_nudge(options)?;
        if options & LINE_SPACING != 0 {
            self.skip(2)?;
        }
        if options & LINE_RULER != 0 {
            self.skip_ruler_record()?;
        }
        if options & LINE_NULL != 0 {
            return Ok(Formula::default());
        }
        self.read_row()
    }

    /// The content of a line.
    fn read_row(&mut self) -> Result<Formula, MtefError> {
        let mut row = RowBuilder::default();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(MtefError::TooDeep);
        }
        loop {
            let head = self.read_head()?;
            match head.kind {
                END => break,
                LINE => {
                    let line = self.read_line(head.options)?;
                    row.push(line);
                }
                PILE => {
                    let pile = self.read_pile(head.options)?;
                    row.push(pile);
                }
                kind => self.read_inline(kind, head.options, &mut row)?,
            }
        }
        self.depth -= 1;
        Ok(Formula::Row(row.into_parts()))
    }

    fn read_pile(&mut self, options: u8) -> Result<Formula, MtefError> {
        self.skip_nudge(options)?;
        // How lines are aligned.
        self.skip(2)?;
        if options & LINE_RULER != 0 {
            self.skip_ruler_record()?;
        }
        let mut lines = self.read_list()?.slots;
        Ok(match lines.len() {
            0 | 1 => lines.pop().unwrap_or_default(),
            _ => Formula::Lines(lines),
        })
    }

    fn read_matrix(&mut self, options: u8) -> Result<Formula, MtefError> {
        self.skip_nudge(options)?;
        // How cells are aligned.
        self.skip(3)?;
        let rows = usize::from(self.read_u8()?);
        let columns = usize::from(self.read_u8()?);
        // The lines between rows and between columns, two bits each.
        self.skip((rows + 1).div_ceil(4) + (columns + 1).div_ceil(4))?;
        let cells = self.read_list()?.slots;
        Ok(Formula::Matrix(cells.chunks(columns.max(1)).map(<[Formula]>::to_vec).collect()))
    }

    fn read_template(&mut self, options: u8, row: &mut RowBuilder) -> Result<(), MtefError> {
        self.skip_nudge(options)?;
        let selector = self.read_u8()?;
        let mut variation = u16::from(self.read_u8()?);
        if self.version == 5 && variation & 0x80 != 0 {
            variation = (variation & 0x7f) | (u16::from(self.read_u8()?) << 8);
        }
        // Options of its form only.
        self.skip(1)?;
        let slots = self.read_list()?;
        build_template(self.version, selector, variation, slots, row)
    }

    fn read_char(&mut self, options: u8, row: &mut RowBuilder) -> Result<(), MtefError> {
        self.skip_nudge(options)?;
        let typeface = Typeface::from_code(self.read_u8()?);
        let (code, is_embellished) = if self.version < 5 {
            (self.read_u16()?, options & CHAR_EMBELLISHED_3 != 0)
        } else {
            let code = if options & CHAR_WITHOUT_CODE != 0 { None } else { Some(self.read_u16()?) };
            let position = match options {
                _ if options & CHAR_8_BIT_POSITION != 0 => Some(u16::from(self.read_u8()?)),
                _ if options & CHAR_16_BIT_POSITION != 0 => Some(self.read_u16()?),
                _ => None,
            };
            let code = code.or(position).ok_or(MtefError::Truncated)?;
            (code, options & CHAR_EMBELLISHED_5 != 0)
        };
        if let Some((text, is_upright)) = decode_character(typeface, code)? {
            row.push_character(text, is_upright);
        }
        if is_embellished {
            loop {
                let head = self.read_head()?;
                match head.kind {
                    END => break,
                    kind => self.read_inline(kind, head.options, row)?,
                }
            }
        }
        Ok(())
    }

    /// A ruler that is a record of its own within another one.
    fn skip_ruler_record(&mut self) -> Result<(), MtefError> {
        match self.read_head()?.kind {
            RULER => self.skip_ruler(),
            _ => Err(MtefError::Truncated),
        }
    }

    fn skip_ruler(&mut self) -> Result<(), MtefError> {
        let stops = usize::from(self.read_u8()?);
        self.skip(3 * stops)
    }

    fn skip_size(&mut self) -> Result<(), MtefError> {
        match self.read_u8()? {
            // A size in points.
            101 => self.skip(2),
            // A typesize, and the difference to it.
            100 => self.skip(3),
            _ => self.skip(1),
        }
    }

    fn skip_preferences(&mut self) -> Result<(), MtefError> {
        // Sizes, then spaces.
        self.skip_dimensions()?;
        self.skip_dimensions()?;
        let styles = self.read_u8()?;
        for _ in 0..styles {
            if self.read_u8()? != 0 {
                self.skip(1)?;
            }
        }
        Ok(())
    }

    /// Dimensions in half bytes: a unit, digits, and 15 at the end of each.
    fn skip_dimensions(&mut self) -> Result<(), MtefError> {
        let mut left = self.read_u8()?;
        while left > 0 {
            let byte = self.read_u8()?;
            for half in [byte >> 4, byte & 0x0f] {
                if half == 0x0f && left > 0 {
                    left -= 1;
                }
            }
        }
        Ok(())
    }
}
