//! The EMF+ records of text.

use super::{
    PlusRecord,
    objects::{PlusObject, StringFormat, read_points, read_rectangle},
    player::PlusPlayer,
};
use crate::gdi::{Brush, Font, TA_BASELINE, TA_CENTER, TA_RIGHT, TextOut};

/// [MS-EMFPLUS] StringAlignment.
const STRING_ALIGNMENT_CENTER: u32 = 1;
const STRING_ALIGNMENT_FAR: u32 = 2;
/// [MS-EMFPLUS] DriverStringOptions: characters, not glyph numbers; only the first position is given.
const CMAP_LOOKUP: u32 = 1;
const REALIZED_ADVANCE: u32 = 4;
/// The default of SetTextAlign.
const TA_LEFT_AND_TOP: u32 = 0;

impl PlusPlayer {
    /// Selects the font and the colour for text.
    fn select_text_font(&mut self, record: PlusRecord<'_>) -> Option<Font> {
        let number = record.data.u32_at(0)?;
        self.select_brush(record.flags, number)?;
        if let Brush::Plain(color) = self.player.context.brush {
            self.player.context.text_color = color;
        }
        match self.objects.get(&(record.flags & 0xff))? {
            PlusObject::Font(font) => Some(font.clone()),
            _ => None,
        }
    }

    pub(super) fn draw_string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.select_text_font(record)?;
        let data = record.data;
        let format = match self.objects.get(&(data.u32_at(4)? as u16 & 0xff)) {
            Some(PlusObject::Format(format)) => *format,
            _ => StringFormat::default(),
        };
        let (from, to) = read_rectangle(data, 12, 0)?;
        let units = data.utf16_at(28, data.size_at(8)?)?;
        let text = String::from_utf16_lossy(&units);
        let lines: Vec<&str> = text.lines().collect();
        let pitch = font.em * (font.substitute.face.ascent() + font.substitute.face.descent());
        let height = pitch * lines.len() as f64;
        let top = match format.vertical_alignment {
            STRING_ALIGNMENT_CENTER => (from.1 + to.1 - height) / 2.0,
            STRING_ALIGNMENT_FAR => to.1 - height,
            _ => from.1,
        };
        let (x, align) = match format.horizontal_alignment {
            STRING_ALIGNMENT_CENTER => ((from.0 + to.0) / 2.0, TA_CENTER),
            STRING_ALIGNMENT_FAR => (to.0, TA_RIGHT),
            _ => (from.0, TA_LEFT_AND_TOP),
        };
        self.player.context.font = font;
        self.player.context.text_align = align;
        for (index, line) in lines.iter().enumerate() {
            self.player.write_text(TextOut {
                reference_point: (x, top + pitch * index as f64),
                characters: line.chars().collect(),
                advances: Vec::new(),
                filled: None,
            });
        }
        Some(())
    }

    pub(super) fn draw_driver_string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.select_text_font(record)?;
        let data = record.data;
        let (options, has_matrix) = (data.u32_at(4)?, data.u32_at(8)? != 0);
        let count = data.size_at(12)?;
        let units = data.utf16_at(16, count)?;
        // Glyph numbers are not drawn.
        if options & CMAP_LOOKUP == 0 || units.is_empty() {
            return None;
        }
        let positions_offset = 16 + 2 * count;
        let position_count = if options & REALIZED_ADVANCE != 0 { 1 } else { count };
        let positions = read_points(data, positions_offset, position_count, 0)?;
        let before = self.player.context.world;
        if has_matrix {
            let own = data.matrix_at(positions_offset + 8 * positions.len())?;
            self.player.context.world = own.then(before);
        }
        let steps = positions.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let mut advances: Vec<f64> = steps.collect();
        let mean = advances.iter().sum::<f64>() / advances.len().max(1) as f64;
        advances.push(if advances.is_empty() { font.em / 2.0 } else { mean });
        self.player.context.font = font;
        self.player.context.text_align = TA_BASELINE;
        let characters: Vec<char> =
            units.iter().map(|unit| char::from_u32((*unit).into()).unwrap_or('\u{fffd}')).collect();
        if advances.len() != characters.len() {
            advances.clear();
        }
        let reference_point = *positions.first()?;
        self.player.write_text(TextOut { reference_point, characters, advances, filled: None });
        self.player.context.world = before;
        Some(())
    }
}
