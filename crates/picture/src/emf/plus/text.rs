//! The EMF+ records of text.

use super::{
    PlusRecord,
    objects::{PlusObject, StringFormat, read_points, read_rectangle},
    player::PlusPlayer,
};
use crate::gdi::{Brush, Font, TextOut};

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
            1 => (from.1 + to.1 - height) / 2.0,
            2 => to.1 - height,
            _ => from.1,
        };
        let (x, align) = match format.horizontal_alignment {
            1 => ((from.0 + to.0) / 2.0, 6),
            2 => (to.0, 2),
            _ => (from.0, 0),
        };
        self.player.context.font = font;
        self.player.context.text_align = align;
        for (index, line) in lines.iter().enumerate() {
            let at = (x, top + pitch * index as f64);
            let characters = line.chars().collect();
            self.player.write_text(TextOut { at, characters, advances: Vec::new(), filled: None });
        }
        Some(())
    }

    pub(super) fn draw_driver_string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.select_text_font(record)?;
        let data = record.data;
        let (options, has_matrix) = (data.u32_at(4)?, data.u32_at(8)? != 0);
        let count = data.size_at(12)?;
        let units = data.utf16_at(16, count)?;
        // Without this flag they are numbers of glyphs.
        if options & 1 == 0 || units.is_empty() {
            return None;
        }
        let at = 16 + 2 * count;
        let positions = read_points(data, at, if options & 4 != 0 { 1 } else { count }, 0)?;
        let before = self.player.context.world;
        if has_matrix {
            let own = data.matrix_at(at + 8 * positions.len())?;
            self.player.context.world = own.then(before);
        }
        let steps = positions.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let mut advances: Vec<f64> = steps.collect();
        let mean = advances.iter().sum::<f64>() / advances.len().max(1) as f64;
        advances.push(if advances.is_empty() { font.em / 2.0 } else { mean });
        self.player.context.font = font;
        self.player.context.text_align = 24;
        let characters: Vec<char> =
            units.iter().map(|unit| char::from_u32((*unit).into()).unwrap_or('\u{fffd}')).collect();
        if advances.len() != characters.len() {
            advances.clear();
        }
        let at = *positions.first()?;
        self.player.write_text(TextOut { at, characters, advances, filled: None });
        self.player.context.world = before;
        Some(())
    }
}
