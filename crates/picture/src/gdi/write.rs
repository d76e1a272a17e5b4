//! Draws text.

use resvg::tiny_skia::BlendMode;

use super::player::{Player, TransformedPath};
use crate::{
    geometry::{Matrix, Point},
    labels,
    paint::Fill,
    symbol_font::SymbolFont,
    text::{GlyphRun, glyph_advances},
};

/// Characters to be written.
pub(crate) struct TextOut {
    /// The reference point, unless the text continues at the current position.
    pub reference_point: Point,
    pub characters: Vec<char>,
    /// The advance of each character; empty for the widths of the font.
    pub advances: Vec<f64>,
    /// A rectangle that is filled with the background colour first.
    pub filled: Option<(Point, Point)>,
}

/// Bits of SetTextAlign: [MS-WMF] 2.1.2.3, TextAlignmentMode.
pub(crate) const TA_UPDATECP: u32 = 1;
pub(crate) const TA_RIGHT: u32 = 2;
pub(crate) const TA_CENTER: u32 = 6;
const TA_BOTTOM: u32 = 8;
pub(crate) const TA_BASELINE: u32 = 24;
/// Letters are not compressed to less than this share of their widths: narrower ones cannot be read, and overlap
/// instead.
const MIN_STRETCH: f64 = 0.6;
/// The work of drawing a character, in pixels touched.
const WORK_PER_CHARACTER: u64 = 200;

impl Player {
    /// Draws text and records it as a run.
    pub(crate) fn write_text(&mut self, mut text: TextOut) {
        if !self.canvas.try_spend(WORK_PER_CHARACTER * (1 + text.characters.len() as u64)) {
            return;
        }
        if let Some(filled) = text.filled {
            self.fill_background(filled);
        }
        let font = self.context.font.clone();
        for character in &mut text.characters {
            *character = font.substitute.character_of_code(*character);
        }
        if text.characters.is_empty() {
            return;
        }
        let natural = glyph_advances(font.substitute, font.em, text.characters.iter().copied());
        let stretch = match font.width {
            width if width > 0.0 => {
                width
                    / (font.substitute.face.average_width() * font.em * font.substitute.width_share)
            }
            _ => 1.0,
        };
        let has_advances = text.advances.len() == text.characters.len()
            && text.advances.iter().any(|advance| *advance != 0.0);
        let stretch = if has_advances { stretch } else { stretch.clamp(0.1, 10.0) };
        let steps = if has_advances {
            text.advances
        } else {
            natural.iter().map(|advance| advance * stretch).collect()
        };
        // Nothing follows the last character, and some programs write no advance for it.
        let before_last = steps.len() - 1;
        let advanced: f64 = steps[..before_last].iter().sum();
        let natural_length: f64 = natural[..before_last].iter().sum();
        // The substitute font may be wider than the one that was measured: letters must not overlap.
        let stretch = match advanced / (natural_length * stretch) {
            share if has_advances && share < 0.98 && share > 0.0 => {
                stretch * share.max(MIN_STRETCH)
            }
            _ => stretch,
        };
        let length = advanced + steps[before_last];
        let visible_length = advanced + steps[before_last].max(natural[before_last] * stretch);
        let transform = self.text_transform(text.reference_point);
        let left = match self.context.text_align & TA_CENTER {
            TA_CENTER => -length / 2.0,
            TA_RIGHT => -length,
            _ => 0.0,
        };
        let mut x_offset = left;
        let mut characters = Vec::with_capacity(steps.len());
        for (character, step) in text.characters.iter().zip(&steps) {
            characters.push((*character, x_offset));
            x_offset += step;
        }
        if self.context.text_align & TA_UPDATECP != 0 {
            self.context.position.0 += length;
        }
        let run = GlyphRun { font: font.substitute, em: font.em, stretch, characters: &characters };
        self.record_text(&run, (left, left + visible_length), transform);
        self.draw_text(&run, (left, left + visible_length), transform);
    }

    fn fill_background(&mut self, (from, to): (Point, Point)) {
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        self.fill_polygon(&corners, self.to_pixels(), self.context.back_color);
    }

    fn fill_polygon(
        &mut self,
        points: &[Point],
        transform: Matrix,
        color: resvg::tiny_skia::Color,
    ) {
        let mut path = resvg::tiny_skia::PathBuilder::new();
        TransformedPath::new(&mut path, transform).add_polygon(points);
        let Some(path) = path.finish() else { return };
        let rule = resvg::tiny_skia::FillRule::Winding;
        let fill = Fill::Plain(color);
        self.canvas.fill_path(&path, rule, &fill, BlendMode::SourceOver, &self.context.clip);
    }

    /// From the space of the baseline, x along it and y downwards, to pixels.
    fn text_transform(&self, reference_point: Point) -> Matrix {
        let font = &self.context.font;
        let origin = match self.context.text_align & TA_UPDATECP {
            0 => reference_point,
            _ => self.context.position,
        };
        let down = match self.context.text_align & TA_BASELINE {
            TA_BASELINE => 0.0,
            TA_BOTTOM => -font.substitute.face.descent(),
            _ => font.substitute.face.ascent(),
        };
        let pixels = self.to_pixels();
        // The axes may point upwards or leftwards; letters stay upright.
        let upright = if pixels.determinant() >= 0.0 {
            Matrix::IDENTITY
        } else if pixels.a < 0.0 {
            Matrix::from_scale(-1.0, 1.0)
        } else {
            Matrix::from_scale(1.0, -1.0)
        };
        Matrix::from_translation(0.0, down * font.em)
            .then(Matrix::from_rotation(-font.rise.to_radians()))
            .then(upright)
            .then(Matrix::from_translation(origin.0, origin.1))
            .then(pixels)
    }

    fn record_text(&mut self, run: &GlyphRun<'_>, (from, to): (f64, f64), transform: Matrix) {
        // Ornaments are not words.
        if !matches!(run.font.symbols, None | Some(SymbolFont::Symbol | SymbolFont::MtExtra)) {
            return;
        }
        let text: String = run.characters.iter().map(|(character, _)| *character).collect();
        let (start, end) = (transform.map_point((from, 0.0)), transform.map_point((to, 0.0)));
        self.record_run(labels::TextRun { text, start, end, em: run.em * transform.mean_scale() });
    }

    fn draw_text(&mut self, run: &GlyphRun<'_>, (from, to): (f64, f64), transform: Matrix) {
        if self.context.draws_nothing || !transform.is_usable() {
            return;
        }
        let (face, em) = (run.font.face, run.em);
        if self.context.is_opaque {
            let (top, bottom) = (-face.ascent() * em, face.descent() * em);
            let corners = [(from, top), (to, top), (to, bottom), (from, bottom)];
            self.fill_polygon(&corners, transform, self.context.back_color);
        }
        let color = self.context.text_color;
        self.canvas.write_glyphs(run, transform, color, &self.context.clip);
        let font = &self.context.font;
        let lines = [(font.underlined, 0.12), (font.struck_out, -0.26)];
        for (_, middle) in lines.into_iter().filter(|(is_drawn, _)| *is_drawn) {
            let (top, bottom) = ((middle - 0.03) * em, (middle + 0.03) * em);
            let corners = [(from, top), (to, top), (to, bottom), (from, bottom)];
            self.fill_polygon(&corners, transform, color);
        }
    }
}
