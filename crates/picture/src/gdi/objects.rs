//! Pens, brushes and fonts, and the object table of a metafile.

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use resvg::tiny_skia::{Color, LineCap, LineJoin, Pixmap, PremultipliedColorU8};

use crate::{
    font::{FontRequest, FontSubstitute, substitute_font},
    text::{ANSI_CHARSET, SYMBOL_CHARSET},
};

/// Maximum number of objects at one time; real files have at most a few hundred.
const MAX_OBJECTS: usize = 65_536;

/// Pixels of the patterns that imitate a shade: eight by eight, the size to which old Windows limited patterns.
const FINE_PATTERN: usize = 64;

/// Maximum number of pixels of a pattern that is tiled; a larger one is painted as its shade. An SVG contains each
/// tile as a PNG.
const MAX_TILE_PIXELS: usize = 16_384;

/// A light grey (COLORREF) in place of a pattern that cannot be read.
pub(crate) const UNREADABLE_PATTERN_COLOR: u32 = 0x00d0_d0d0;

/// [MS-EMF] PenStyle: the kind of line.
pub(crate) const PS_STYLE_MASK: u32 = 0xf;
const PS_DASH: u32 = 1;
const PS_DOT: u32 = 2;
const PS_DASHDOT: u32 = 3;
const PS_DASHDOTDOT: u32 = 4;
pub(crate) const PS_NULL: u32 = 5;
const PS_USERSTYLE: u32 = 7;
/// [MS-EMF] PenStyle: the ends of lines.
const PS_ENDCAP_MASK: u32 = 0xf00;
const PS_ENDCAP_SQUARE: u32 = 0x100;
const PS_ENDCAP_FLAT: u32 = 0x200;
/// [MS-EMF] PenStyle: the joints of lines.
const PS_JOIN_MASK: u32 = 0xf000;
const PS_JOIN_BEVEL: u32 = 0x1000;
const PS_JOIN_MITER: u32 = 0x2000;
/// [MS-WMF] BrushStyle.
const BS_SOLID: u32 = 0;
const BS_HATCHED: u32 = 2;
/// [MS-WMF] HatchStyle.
const HS_HORIZONTAL: u32 = 0;
const HS_VERTICAL: u32 = 1;
const HS_FDIAGONAL: u32 = 2;
const HS_BDIAGONAL: u32 = 3;
const HS_CROSS: u32 = 4;
/// [MS-EMF] StockObject, without the highest bit.
const WHITE_BRUSH: u32 = 0;
const LTGRAY_BRUSH: u32 = 1;
const GRAY_BRUSH: u32 = 2;
const DKGRAY_BRUSH: u32 = 3;
const BLACK_BRUSH: u32 = 4;
const NULL_BRUSH: u32 = 5;
const WHITE_PEN: u32 = 6;
const BLACK_PEN: u32 = 7;
const NULL_PEN: u32 = 8;
const OEM_FIXED_FONT: u32 = 10;
const ANSI_FIXED_FONT: u32 = 11;
const ANSI_VAR_FONT: u32 = 12;
const SYSTEM_FONT: u32 = 13;
const DEVICE_DEFAULT_FONT: u32 = 14;
const SYSTEM_FIXED_FONT: u32 = 16;
const DEFAULT_GUI_FONT: u32 = 17;
const DC_BRUSH: u32 = 18;
const DC_PEN: u32 = 19;

/// A pen.
#[derive(Debug, Clone)]
pub(crate) struct Pen {
    pub line: LineStyle,
    /// In logical units; 0 is the thinnest line that is drawn.
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
    /// The mean width of characters in logical units; 0 for the mean width of the font.
    pub width: f64,
    /// Degrees by which lines of text rise.
    pub rise: f64,
    pub underlined: bool,
    pub struck_out: bool,
    /// The character set (`lfCharSet`), which gives the code page of text that is not Unicode.
    pub char_set: u8,
}

/// One object of a metafile's table.
#[derive(Debug, Clone)]
pub(crate) enum GdiObject {
    Pen(Pen),
    Brush(Brush),
    Font(Font),
    /// Palettes, regions and the like, which occupy their number.
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
        if self.by_number.len() < MAX_OBJECTS {
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
        let line = match style & PS_STYLE_MASK {
            PS_DASH => LineStyle::Dashes(vec![4.0, 2.0]),
            PS_DOT => LineStyle::Dashes(vec![1.2, 1.8]),
            PS_DASHDOT => LineStyle::Dashes(vec![4.0, 2.0, 1.2, 2.0]),
            PS_DASHDOTDOT => LineStyle::Dashes(vec![4.0, 2.0, 1.2, 2.0, 1.2, 2.0]),
            PS_NULL => LineStyle::Nothing,
            PS_USERSTYLE if dashes.len() > 1 => LineStyle::Dashes(dashes),
            _ => LineStyle::Solid,
        };
        let cap = match style & PS_ENDCAP_MASK {
            PS_ENDCAP_SQUARE => LineCap::Square,
            PS_ENDCAP_FLAT => LineCap::Butt,
            _ => LineCap::Round,
        };
        let join = match style & PS_JOIN_MASK {
            PS_JOIN_BEVEL => LineJoin::Bevel,
            PS_JOIN_MITER => LineJoin::Miter,
            _ => LineJoin::Round,
        };
        Self { line, width: width.abs(), color, cap, join }
    }
}

impl Brush {
    /// A brush from a BrushStyle: plain, none, or lines in one of six directions.
    pub(crate) fn from_style(style: u32, color: Color, hatch: u32) -> Self {
        match style {
            BS_SOLID => Self::Plain(color),
            BS_HATCHED => draw_hatch_tile(color, hatch)
                .map_or(Self::Plain(color), |tile| Self::Tile(Rc::new(tile))),
            _ => Self::Nothing,
        }
    }

    /// A brush of a pattern. Fine patterns are shades made of dots and are painted as the shade.
    pub(crate) fn from_tile(tile: Pixmap) -> Self {
        let pixels = tile.pixels();
        if (FINE_PATTERN + 1..=MAX_TILE_PIXELS).contains(&pixels.len()) {
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

/// A tile of eight by eight pixels, hatched on white.
fn draw_hatch_tile(color: Color, hatch: u32) -> Option<Pixmap> {
    let mut tile = Pixmap::new(8, 8)?;
    tile.fill(Color::WHITE);
    let ink = color.premultiply().to_color_u8();
    for (index, pixel) in tile.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (index % 8, index / 8);
        let (horizontal, vertical) = (y == 3, x == 3);
        let (falling, rising) = (x == y, x + y == 7);
        let is_line = match hatch {
            HS_HORIZONTAL => horizontal,
            HS_VERTICAL => vertical,
            HS_FDIAGONAL => falling,
            HS_BDIAGONAL => rising,
            HS_CROSS => horizontal || vertical,
            _ => falling || rising,
        };
        if is_line {
            *pixel = ink;
        }
    }
    Some(tile)
}

impl Font {
    /// A font from the fields of a logical font.
    pub(crate) fn new(height: f64, request: &FontRequest<'_>) -> Self {
        let substitute = substitute_font(request);
        let (ascent, descent) = (substitute.face.ascent(), substitute.face.descent());
        // A positive height is the height of the line, a negative one the height of the letters.
        let em = match height {
            height if height < 0.0 => -height,
            height if height > 0.0 => height / (ascent + descent),
            _ => 12.0,
        };
        let char_set = match substitute.symbols {
            None => ANSI_CHARSET,
            Some(_) => SYMBOL_CHARSET,
        };
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

/// The colour of a COLORREF: red in the lowest byte.
pub(crate) fn color_from_colorref(number: u32) -> Color {
    let [red, green, blue, _] = number.to_le_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

/// The objects that every device has, by number: [MS-EMF] StockObject.
pub(crate) fn stock_object(number: u32) -> Option<GdiObject> {
    let grey =
        |level: u8| GdiObject::Brush(Brush::Plain(Color::from_rgba8(level, level, level, 255)));
    Some(match number {
        WHITE_BRUSH | DC_BRUSH => grey(0xff),
        LTGRAY_BRUSH => grey(0xc0),
        GRAY_BRUSH => grey(0x80),
        DKGRAY_BRUSH => grey(0x40),
        BLACK_BRUSH => grey(0),
        NULL_BRUSH => GdiObject::Brush(Brush::Nothing),
        WHITE_PEN => GdiObject::Pen(Pen { color: Color::WHITE, ..Pen::default() }),
        BLACK_PEN | DC_PEN => GdiObject::Pen(Pen::default()),
        NULL_PEN => GdiObject::Pen(Pen { line: LineStyle::Nothing, ..Pen::default() }),
        OEM_FIXED_FONT | ANSI_FIXED_FONT | SYSTEM_FIXED_FONT => stock_font("Courier New"),
        ANSI_VAR_FONT | SYSTEM_FONT | DEVICE_DEFAULT_FONT | DEFAULT_GUI_FONT => stock_font("Arial"),
        _ => return None,
    })
}

fn stock_font(name: &str) -> GdiObject {
    GdiObject::Font(Font::new(-12.0, &FontRequest { name, ..FontRequest::default() }))
}
