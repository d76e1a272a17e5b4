//! Pens, brushes and fonts, and the table that a metafile keeps them in.

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use resvg::tiny_skia::{Color, LineCap, LineJoin, Pixmap, PremultipliedColorU8};

use crate::font::{FontRequest, FontSubstitute, substitute_font};

/// Objects that a file may hold at once; real files have at most a few hundred.
const MOST_OBJECTS: usize = 65_536;

/// Pixels of the patterns that stand for a shade: eight by eight.
const FINE_PATTERN: usize = 64;

/// Pixels of the largest pattern that is kept; a larger one is painted as its shade.
const LARGEST_TILE: usize = 16_384;

/// A pen.
#[derive(Debug, Clone)]
pub(crate) struct Pen {
    pub line: LineStyle,
    /// In logical units; 0 is as thin as can be drawn.
    pub width: f64,
    pub color: Color,
    pub cap: LineCap,
    pub join: LineJoin,
}

/// The pattern of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LineStyle {
    Nothing,
    Solid,
    /// Dashes and gaps in widths of the line.
    Dashes(Vec<f32>),
}

/// What areas are filled with.
#[derive(Debug, Clone)]
pub(crate) enum Brush {
    Nothing,
    Plain(Color),
    Tile(Rc<Pixmap>),
}

/// A font as text is written with it.
#[derive(Debug, Clone)]
pub(crate) struct Font {
    pub substitute: FontSubstitute,
    /// The em in logical units.
    pub em: f64,
    /// The mean width of characters in logical units; 0 for the font's own.
    pub width: f64,
    /// Degrees that lines of text rise by.
    pub rise: f64,
    pub underlined: bool,
    pub struck_out: bool,
    /// The code page of text that is not Unicode, as its character set says.
    pub char_set: u8,
}

/// One object of a metafile's table.
#[derive(Debug, Clone)]
pub(crate) enum GdiObject {
    Pen(Pen),
    Brush(Brush),
    Font(Font),
    /// Palettes, regions and the like, which keep their number.
    Other,
}

/// The table of objects by number.
#[derive(Debug, Default)]
pub(crate) struct GdiObjectTable {
    by_number: HashMap<u32, GdiObject>,
    /// Numbers that were assigned before and are free again.
    free: BTreeSet<u32>,
    /// The first number that was never assigned.
    next: u32,
}

impl GdiObjectTable {
    pub(crate) fn insert(&mut self, number: u32, object: GdiObject) {
        if self.by_number.len() < MOST_OBJECTS {
            self.by_number.insert(number, object);
        }
    }

    /// Inserts an object under the lowest free number, as WMF does.
    pub(crate) fn insert_at_lowest_free(&mut self, object: GdiObject) {
        let number = self.free.pop_first().unwrap_or_else(|| {
            self.next = self.next.saturating_add(1);
            self.next - 1
        });
        self.insert(number, object);
    }

    pub(crate) fn remove(&mut self, number: u32) {
        if self.by_number.remove(&number).is_some() && number < self.next {
            self.free.insert(number);
        }
    }

    pub(crate) fn get(&self, number: u32) -> Option<&GdiObject> {
        self.by_number.get(&number)
    }
}

impl Default for Pen {
    /// The black pen of a new device context.
    fn default() -> Self {
        Self {
            line: LineStyle::Solid,
            width: 0.0,
            color: Color::BLACK,
            cap: LineCap::Round,
            join: LineJoin::Round,
        }
    }
}

impl Pen {
    /// A pen from the bits of PenStyle.
    pub(crate) fn from_style(style: u32, width: f64, color: Color, dashes: Vec<f32>) -> Self {
        let line = match style & 15 {
            1 => LineStyle::Dashes(vec![4.0, 2.0]),
            2 => LineStyle::Dashes(vec![1.2, 1.8]),
            3 => LineStyle::Dashes(vec![4.0, 2.0, 1.2, 2.0]),
            4 => LineStyle::Dashes(vec![4.0, 2.0, 1.2, 2.0, 1.2, 2.0]),
            5 => LineStyle::Nothing,
            7 if dashes.len() > 1 => LineStyle::Dashes(dashes),
            _ => LineStyle::Solid,
        };
        let cap = match style & 0xf00 {
            0x100 => LineCap::Square,
            0x200 => LineCap::Butt,
            _ => LineCap::Round,
        };
        let join = match style & 0xf000 {
            0x1000 => LineJoin::Bevel,
            0x2000 => LineJoin::Miter,
            _ => LineJoin::Round,
        };
        Self { line, width: width.abs(), color, cap, join }
    }
}

impl Brush {
    /// A brush from a BrushStyle: plain, none, or lines in one of six directions.
    pub(crate) fn from_style(style: u32, color: Color, hatch: u32) -> Self {
        match style {
            0 => Self::Plain(color),
            2 => draw_hatch_tile(color, hatch)
                .map_or(Self::Plain(color), |tile| Self::Tile(Rc::new(tile))),
            _ => Self::Nothing,
        }
    }
}

impl Brush {
    /// A brush of a pattern. Fine ones are shades made of dots, and are painted as the shade.
    pub(crate) fn from_tile(tile: Pixmap) -> Self {
        let pixels = tile.pixels();
        if (FINE_PATTERN + 1..=LARGEST_TILE).contains(&pixels.len()) {
            return Self::Tile(Rc::new(tile));
        }
        let mean = |part: fn(&PremultipliedColorU8) -> u8| {
            let sum: usize = pixels.iter().map(|pixel| usize::from(part(pixel))).sum();
            (sum / pixels.len().max(1)) as u8
        };
        let [red, green, blue] =
            [mean(|pixel| pixel.red()), mean(|pixel| pixel.green()), mean(|pixel| pixel.blue())];
        Self::Plain(Color::from_rgba8(red, green, blue, 255))
    }
}

/// Eight pixels of hatching on white.
fn draw_hatch_tile(color: Color, hatch: u32) -> Option<Pixmap> {
    let mut tile = Pixmap::new(8, 8)?;
    tile.fill(Color::WHITE);
    let ink = color.premultiply().to_color_u8();
    for (index, pixel) in tile.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (index % 8, index / 8);
        let (flat, upright) = (y == 3, x == 3);
        let (falling, rising) = (x == y, x + y == 7);
        let is_line = match hatch {
            0 => flat,
            1 => upright,
            2 => falling,
            3 => rising,
            4 => flat || upright,
            _ => falling || rising,
        };
        if is_line {
            *pixel = ink;
        }
    }
    Some(tile)
}

impl Font {
    /// A font by the fields of a logical font.
    pub(crate) fn new(height: f64, request: &FontRequest<'_>) -> Self {
        let substitute = substitute_font(request);
        let (ascent, descent) = (substitute.face.ascent(), substitute.face.descent());
        // A positive height is that of the line, a negative one that of the letters.
        let em = match height {
            height if height < 0.0 => -height,
            height if height > 0.0 => height / (ascent + descent),
            _ => 12.0,
        };
        let char_set = u8::from(substitute.encoding != crate::font::Encoding::Unicode) * 2;
        Self {
            substitute,
            em,
            width: 0.0,
            rise: 0.0,
            underlined: false,
            struck_out: false,
            char_set,
        }
    }
}

/// A COLORREF.
pub(crate) fn color_from_colorref(number: u32) -> Color {
    let [red, green, blue, _] = number.to_le_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

/// The objects that every device has, by number.
pub(crate) fn stock_object(number: u32) -> Option<GdiObject> {
    let grey =
        |level: u8| GdiObject::Brush(Brush::Plain(Color::from_rgba8(level, level, level, 255)));
    Some(match number {
        0 | 18 => grey(0xff),
        1 => grey(0xc0),
        2 => grey(0x80),
        3 => grey(0x40),
        4 => grey(0),
        5 => GdiObject::Brush(Brush::Nothing),
        6 => GdiObject::Pen(Pen { color: Color::WHITE, ..Pen::default() }),
        7 | 19 => GdiObject::Pen(Pen::default()),
        8 => GdiObject::Pen(Pen { line: LineStyle::Nothing, ..Pen::default() }),
        10 | 11 | 16 => stock_font("Courier New"),
        12 | 13 | 14 | 17 => stock_font("Arial"),
        _ => return None,
    })
}

fn stock_font(name: &str) -> GdiObject {
    GdiObject::Font(Font::new(-12.0, &FontRequest { name, ..FontRequest::default() }))
}
