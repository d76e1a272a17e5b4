//! The open elements during the walk over the body, and what nested elements add to them.

use picture::PictureCrop;
use quick_xml::events::BytesStart;

use super::embedded_object::EmbeddedObject;
use super::equations::equation_marker;
use super::green_letters::{GreenLetters, is_green_ink};
use super::inline_text::{InlineText, RunStyle, Script};
use super::item::{BodyCell, BodyItem, BodyRow, BodyTable, Drawing, Highlight};
use super::picture_crop::{read_drawing_crop, read_vml_crop};
use super::run_format::RunFormat;
use super::shapes::{self, ShapeCollector};
use super::strikethrough;
use super::theme::ThemeFonts;
use super::xml::{attribute_value, is_on, numeric_value};
use document::FigureKind;
use document_model::FIGURE_MARKER;

/// Maximum number of columns that a cell spans; Word allows 63. All rows of a printed table are as wide as the widest.
pub(super) const MAX_SPAN: usize = 64;

/// A paragraph or table that is still open.
pub(super) enum OpenElement {
    Paragraph(OpenParagraph),
    Table(BodyTable),
}

/// A paragraph that is still open.
#[derive(Default)]
pub(super) struct OpenParagraph {
    pub(super) style: Option<String>,
    /// Numbering instance and level set on the paragraph itself.
    pub(super) instance: Option<u32>,
    pub(super) level: Option<u8>,
    pub(super) outline: Option<u8>,
    /// Something is painted behind it.
    pub(super) is_shaded: bool,
    /// The end of the paragraph is deleted: the text continues in the next one.
    pub(super) joins_next: bool,
    /// Which `w:p` of the body it is.
    pub(super) ordinal: u32,
    /// Rendered page breaks before its first text.
    pub(super) breaks: Option<u32>,
    /// Whether its first words are bold.
    pub(super) bold: bool,
    /// The colour behind the first of its words that have one.
    pub(super) highlight: Option<Highlight>,
    /// Where these words begin, as in [`super::pieces::ParagraphPiece::highlight_start`].
    pub(super) highlight_start: u32,
    /// How many characters these words have, counted in the same way.
    pub(super) highlight_chars: u32,
    /// Its characters so far, blanks and struck words not counted.
    pub(super) visible_chars: u32,
    pub(super) green: GreenLetters,
    /// Whether a tracked change touched it.
    pub(super) changed: bool,
    /// Whether its last words are struck through.
    pub(super) struck: bool,
    pub(super) inline: InlineText,
    pub(super) boxed: Vec<BodyItem>,
    pub(super) pictures: Vec<Drawing>,
}

impl OpenParagraph {
    /// Counts the characters of added words, and the characters of its first coloured words.
    pub(super) fn count_visible(&mut self, text: &str, run: &OpenRun, is_struck: bool) {
        if is_struck {
            return;
        }
        let colour = run.highlight;
        if self.highlight.is_none() && colour.is_some() {
            (self.highlight, self.highlight_start) = (colour, self.visible_chars);
        }
        let added = text.chars().filter(|c| !c.is_whitespace()).count();
        let added = u32::try_from(added).unwrap_or(u32::MAX);
        let end = self.highlight_start.saturating_add(self.highlight_chars);
        if colour.is_some() && colour == self.highlight && end == self.visible_chars {
            self.highlight_chars = self.highlight_chars.saturating_add(added);
        }
        self.visible_chars = self.visible_chars.saturating_add(added);
        self.green.count(added, run.is_green || colour == Some(Highlight::Green));
    }

    /// Marks that struck words begin, or end.
    pub(super) fn mark_strike(&mut self, begins: bool) {
        self.struck = begins;
        self.inline.text.push(if begins {
            strikethrough::STRIKE_BEGIN
        } else {
            strikethrough::STRIKE_END
        });
    }

    /// Applies an element of the paragraph's properties.
    pub(super) fn apply_property(&mut self, start: &BytesStart<'_>) {
        match start.name().as_ref() {
            "w:pStyle" => self.style = attribute_value(start, "w:val").map(|id| id.into_owned()),
            "w:numId" => self.instance = numeric_value(start),
            "w:ilvl" => self.level = numeric_value(start),
            "w:outlineLvl" => self.outline = numeric_value(start),
            "w:shd" => self.is_shaded = true,
            _ => {}
        }
    }
}

/// A position in the content of an open paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextMark {
    /// The ordinal of the paragraph.
    pub(super) paragraph: u32,
    /// The byte of its text.
    pub(super) offset: usize,
    markers: u32,
    pictures: usize,
    boxed: usize,
    is_struck: bool,
}

impl OpenParagraph {
    /// The position of what is added next.
    pub(super) fn text_mark(&self) -> TextMark {
        TextMark {
            paragraph: self.ordinal,
            offset: self.inline.text.len(),
            markers: self.inline.marker_count(),
            pictures: self.pictures.len(),
            boxed: self.boxed.len(),
            is_struck: self.struck,
        }
    }

    /// The text after a position.
    pub(super) fn text_after(&self, mark: TextMark) -> &str {
        self.inline.text.get(mark.offset..).unwrap_or_default()
    }

    /// Whether anything visible is after a position.
    pub(super) fn has_content_after(&self, mark: TextMark) -> bool {
        self.pictures.len() > mark.pictures
            || self.boxed.len() > mark.boxed
            || self
                .text_after(mark)
                .contains(|c: char| !c.is_whitespace() && !strikethrough::is_mark(c))
    }

    /// Removes what is after a position.
    pub(super) fn truncate(&mut self, mark: TextMark) {
        self.inline.truncate(mark.offset, mark.markers);
        self.pictures.truncate(mark.pictures);
        self.boxed.truncate(mark.boxed);
        self.struck = mark.is_struck;
    }
}

/// A run that is still open.
#[derive(Default)]
pub(super) struct OpenRun {
    pub(super) bold: bool,
    /// The colour behind it.
    pub(super) highlight: Option<Highlight>,
    /// Its letters are green.
    pub(super) is_green: bool,
    pub(super) style: RunStyle,
    /// The style of characters that it names.
    pub(super) character_style: Option<String>,
    /// What it sets itself.
    pub(super) own_format: RunFormat,
    /// What results with the styles, once it is needed.
    pub(super) format: Option<RunFormat>,
}

impl OpenRun {
    /// Applies an element of its properties; returns false for others.
    pub(super) fn apply_property(
        &mut self,
        name: &str,
        start: &BytesStart<'_>,
        theme: &ThemeFonts,
    ) -> bool {
        match name {
            "w:b" => self.bold = is_on(start),
            "w:rStyle" => {
                self.character_style = attribute_value(start, "w:val").map(|id| id.into_owned());
            }
            "w:color" => {
                let colour = attribute_value(start, "w:val");
                self.is_green = colour.as_deref().is_some_and(is_green_ink);
                self.own_format.apply_property(start, theme);
            }
            "w:highlight" | "w:shd" => {
                self.own_format.apply_property(start, theme);
                self.highlight = self.highlight.or_else(|| Highlight::from_run_property(start));
            }
            "w:vertAlign" => {
                self.style.script = match attribute_value(start, "w:val").as_deref() {
                    Some("superscript") => Some(Script::Superscript),
                    Some("subscript") => Some(Script::Subscript),
                    _ => None,
                };
                self.style.begins = self.style.script.is_some();
            }
            "w:i" => self.style.italic = is_on(start),
            _ => return self.own_format.apply_property(start, theme),
        }
        true
    }
}

/// Applies an element of a table's structure: rows, cells and their properties; returns false for others.
pub(super) fn apply_table_element(
    table: &mut BodyTable,
    name: &str,
    start: &BytesStart<'_>,
) -> bool {
    let row = table.rows.last_mut();
    match name {
        "w:tblGrid" => {}
        "w:gridCol" if table.grid.len() < MAX_SPAN => {
            let width = attribute_value(start, "w:w").and_then(|width| width.trim().parse().ok());
            table.grid.push(width.unwrap_or(u32::MAX));
        }
        "w:tr" => table.rows.push(BodyRow::default()),
        "w:trPr" => {}
        "w:tc" => {
            if let Some(row) = row {
                row.cells.push(BodyCell::default());
            }
        }
        "w:gridBefore" => {
            if let Some(row) = row {
                row.skipped_columns = numeric_value(start).unwrap_or(0).min(MAX_SPAN);
            }
        }
        "w:tblHeader" => {
            if let Some(row) = row {
                row.is_head = is_on(start);
            }
        }
        "w:gridSpan" => {
            if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                cell.span = numeric_value(start).unwrap_or(1).clamp(1, MAX_SPAN);
            }
        }
        "w:vMerge" => {
            if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                cell.continues = attribute_value(start, "w:val").as_deref() != Some("restart");
            }
        }
        _ => return false,
    }
    true
}

/// A picture, object or drawing that is still open.
#[derive(Default)]
pub(super) struct OpenDrawing {
    is_visible: bool,
    equation: bool,
    /// The object that it shows, if it is not an equation.
    object: Option<EmbeddedObject>,
    /// The words in an equation that is not read.
    equation_words: String,
    /// The object, if it is an equation.
    equation_relation: Option<String>,
    drawing: Drawing,
    pub(super) shapes: ShapeCollector,
}

impl OpenDrawing {
    /// Applies an element within the drawing.
    pub(super) fn apply_content(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "v:shape" if self.drawing.size.is_none() => {
                self.drawing.size = shapes::vml_size(start);
            }
            "wp:extent" => self.drawing.size = shapes::drawing_size(start),
            "v:imagedata" => {
                self.is_visible = true;
                self.drawing.media.extend(attribute_value(start, "r:id").map(|id| id.into_owned()));
                self.drawing.crop = read_vml_crop(start);
            }
            "a:srcRect" => self.drawing.crop = read_drawing_crop(start),
            "a:blip" => {
                self.is_visible = true;
                self.drawing
                    .media
                    .extend(attribute_value(start, "r:embed").map(|id| id.into_owned()));
            }
            "c:chart" => {
                self.is_visible = true;
                self.drawing.kind = FigureKind::Chart;
                self.drawing.media.extend(attribute_value(start, "r:id").map(|id| id.into_owned()));
            }
            "dgm:relIds" => {
                self.is_visible = true;
                self.drawing.kind = FigureKind::Shapes;
                self.drawing.media.extend(attribute_value(start, "r:dm").map(|id| id.into_owned()));
            }
            "wpc:wpc" | "wpg:wgp" | "v:group" => {
                self.is_visible = true;
                self.drawing.kind = FigureKind::Shapes;
                // Shapes within a group are measured in units of the group.
                if name == "v:group" && self.drawing.size.is_none() {
                    self.drawing.size = shapes::vml_size(start);
                }
            }
            "o:OLEObject" => {
                let program = attribute_value(start, "ProgID").unwrap_or_default();
                self.is_visible = true;
                self.equation = program.starts_with("Equation");
                let relation = attribute_value(start, "r:id").map(|id| id.into_owned());
                if self.equation {
                    self.equation_relation = relation;
                    return;
                }
                let is_icon = attribute_value(start, "DrawAspect").as_deref() == Some("Icon");
                if let Some(relation) = relation.clone() {
                    let program = program.into_owned();
                    self.object = Some(EmbeddedObject { relation, program, is_icon });
                }
                if self.object.as_ref().is_some_and(|object| object.program.starts_with("Visio")) {
                    self.drawing.visio = relation;
                }
            }
            _ => {}
        }
    }

    /// The relationships that an equation may have: of the object, if it is one, and of a picture that is alone.
    pub(super) fn relations_of_equation(&self) -> impl Iterator<Item = &str> {
        let picture = match &self.drawing.media[..] {
            [picture] if self.drawing.kind == FigureKind::Picture => Some(picture.as_str()),
            _ => None,
        };
        self.equation_relation.as_deref().into_iter().chain(picture)
    }

    /// Marks it as an equation that is not read, with the words in it.
    pub(super) fn mark_equation(&mut self, words: String) {
        self.equation = true;
        self.equation_words = words;
    }

    /// The object that it shows, and the relationships of its pictures.
    pub(super) fn object(&self) -> Option<(&EmbeddedObject, &[String])> {
        self.object.as_ref().map(|object| (object, self.drawing.media.as_slice()))
    }

    /// Its marker in the text; `None` if nothing is visible.
    pub(super) fn marker(&self) -> Option<String> {
        if !self.is_visible {
            return None;
        }
        let words = self.equation.then(|| equation_marker(&self.equation_words));
        Some(words.unwrap_or_else(|| FIGURE_MARKER.to_owned()))
    }

    /// The drawing to render; `None` if nothing is visible.
    pub(super) fn into_drawing(self) -> Option<Drawing> {
        let mut drawing = self.drawing;
        if drawing.kind == FigureKind::Shapes && self.shapes.has_own_shapes() {
            drawing.sketch = self.shapes.into_svg();
        }
        // Of several pictures, it is not known which one is cropped.
        if drawing.media.len() != 1 || drawing.sketch.is_some() {
            drawing.crop = PictureCrop::NONE;
        }
        drawing.is_equation = self.equation;
        self.is_visible.then_some(drawing)
    }
}

/// Elements without text of the document.
pub(super) fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "w:pPrChange"
            | "w:rPrChange"
            | "w:tblPrChange"
            | "w:tcPrChange"
            | "w:trPrChange"
            | "w:sectPrChange"
            | "w:tblPrExChange"
            | "w:numberingChange"
            | "v:shapetype"
            | "w:sdtPr"
            | "w:sdtEndPr"
            | "w:sectPr"
            | "w:tblGridChange"
            | "w:tblPr"
            | "w:tabs"
    )
}
