//! Renders drawings: their pictures, charts, diagrams and shapes as one picture.

use std::collections::HashMap;

use picture::{
    DrawError, DrawOptions, DrawnPicture, MAX_STACKED_PICTURES, PictureCrop, draw_stacked_pictures,
};

use super::{chart, diagram, item::Drawing, shapes::svg::embed_pictures, visio};
use document::{Figure, FigureImage};

/// Maximum number of labels read from the Visio drawings of a figure, each of which may have twenty pages.
const MAX_VISIO_LABELS: usize = 2000;

/// Renders drawings, each combination once per document. `media` returns the bytes of the target of a
/// relationship.
pub(super) struct FigureRenderer<M> {
    media: M,
    /// What was drawn from parts with a width.
    drawn: HashMap<SizedParts, Figure>,
    /// The labels of Visio drawings by their relationships.
    visio: HashMap<String, Vec<String>>,
}

/// Parts, each with the width that it is drawn in.
type SizedParts = Vec<(DrawingPart, u32)>;

/// A part of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum DrawingPart {
    /// The target of a relationship: a picture, a chart, a diagram; and what is not shown of it.
    Media(String, PictureCrop),
    /// Shapes as SVG, and the relationships of the pictures among them.
    Sketch(String, Vec<String>),
}

impl<M: FnMut(&str) -> Option<Vec<u8>>> FigureRenderer<M> {
    pub(super) fn new(media: M) -> Self {
        Self { media, drawn: HashMap::new(), visio: HashMap::new() }
    }

    /// Renders some drawings. The text of shapes is not among the labels.
    pub(super) fn render_drawings(
        &mut self,
        drawings: &[&Drawing],
        options: DrawOptions,
    ) -> Figure {
        let mut parts = SizedParts::new();
        let widest =
            drawings.iter().filter_map(|drawing| drawing.size).map(|size| size.width).max();
        for drawing in drawings {
            let width = relative_width(drawing, widest, options.width);
            for part in collect_parts(drawing) {
                let is_known = parts.iter().any(|(known, _)| *known == part);
                if !is_known && parts.len() < MAX_STACKED_PICTURES {
                    parts.push((part, width));
                }
            }
        }
        let mut figure = match self.drawn.get(&parts) {
            Some(known) => known.clone(),
            None => {
                let figure = self.draw_parts(&parts, options);
                self.drawn.insert(parts, figure.clone());
                figure
            }
        };
        // A bitmap preview has no labels; the Visio drawing that it was made from may.
        if figure.labels.is_empty() {
            figure.labels = self.read_visio_labels(drawings);
        }
        figure
    }

    fn draw_parts(&mut self, parts: &[(DrawingPart, u32)], options: DrawOptions) -> Figure {
        let figure = self.draw_all_parts(parts, options);
        let embedded = parts.iter().flat_map(|(part, _)| match part {
            DrawingPart::Sketch(_, media) => media.as_slice(),
            DrawingPart::Media(..) => &[],
        });
        let whole = |media| (DrawingPart::Media(media, PictureCrop::NONE), options.width);
        let embedded = embedded.cloned().map(whole);
        let embedded: SizedParts = embedded.take(MAX_STACKED_PICTURES).collect();
        // If the shapes cannot be drawn, the pictures among them may still be.
        if figure.picture.is_none() && !embedded.is_empty() {
            self.draw_all_parts(&embedded, options)
        } else {
            figure
        }
    }

    fn draw_all_parts(&mut self, parts: &[(DrawingPart, u32)], options: DrawOptions) -> Figure {
        // Labels of the pictures among shapes.
        let mut embedded_labels = Vec::new();
        let pictures: Vec<Option<Vec<u8>>> = parts
            .iter()
            .map(|(part, _)| match part {
                DrawingPart::Media(relation, _) => self.load_image(relation),
                DrawingPart::Sketch(svg, _) => {
                    let picture = |relation: &str| {
                        let bytes = self.load_image(relation)?;
                        let options = DrawOptions { keeps_drawing: false, ..options };
                        let drawn = picture::draw_picture(&bytes, &options).ok()?;
                        embedded_labels.extend(drawn.labels.into_iter().map(|label| label.text));
                        Some(drawn.png)
                    };
                    Some(embed_pictures(svg, picture).into_bytes())
                }
            })
            .collect();
        let present = pictures.iter().flatten().map(Vec::as_slice);
        let sized = pictures.iter().zip(parts).filter_map(|(picture, (part, width))| {
            let crop = match part {
                DrawingPart::Media(_, crop) => *crop,
                DrawingPart::Sketch(..) => PictureCrop::NONE,
            };
            Some((picture.as_deref()?, DrawOptions { width: *width, crop, ..options }))
        });
        let (drawn, errors) = draw_stacked_pictures(sized);
        let missing = pictures.iter().filter(|picture| picture.is_none());
        let missing = missing.map(|_| "the picture is not in the file".to_owned());
        let mut faults: Vec<String> =
            errors.iter().map(DrawError::to_string).chain(missing).collect();
        let formats = present
            .filter_map(picture::PictureFormat::detect_format)
            .map(|kind| kind.name().to_owned())
            .collect();
        let Some(mut drawn) = drawn else { return Figure { formats, faults, ..Figure::default() } };
        if drawn.has_words_outside {
            faults.push("the picture does not show all of its words".to_owned());
        }
        let own_labels = std::mem::take(&mut drawn.labels).into_iter().map(|label| label.text);
        let is_sketch = |(part, _): &(DrawingPart, u32)| matches!(part, DrawingPart::Sketch(..));
        let all_sketches = parts.iter().all(is_sketch);
        let labels = if all_sketches { embedded_labels } else { own_labels.collect() };
        let picture = Some(to_figure_image(drawn));
        Figure { labels, picture, formats, faults, ..Figure::default() }
    }

    /// The image of a relationship's target; charts and diagrams are rendered.
    fn load_image(&mut self, relation: &str) -> Option<Vec<u8>> {
        let bytes = (self.media)(relation)?;
        let chart = chart::render_chart_svg(&bytes);
        let drawn = chart.or_else(|| {
            diagram::render_diagram_svg(&(self.media)(&diagram::find_drawing_relation(&bytes)?)?)
        });
        Some(drawn.unwrap_or(bytes))
    }

    fn read_visio_labels(&mut self, drawings: &[&Drawing]) -> Vec<String> {
        let mut words = Vec::new();
        for relation in drawings.iter().filter_map(|drawing| drawing.visio.as_ref()) {
            if !self.visio.contains_key(relation) {
                let labels = (self.media)(relation).map(visio::read_labels).unwrap_or_default();
                self.visio.insert(relation.clone(), labels);
            }
            words.extend(self.visio[relation].iter().cloned());
        }
        words.truncate(MAX_VISIO_LABELS);
        words
    }
}

/// A drawn picture as the picture of a figure.
pub(super) fn to_figure_image(drawn: DrawnPicture) -> FigureImage {
    FigureImage { png: drawn.png, svg: drawn.svg, width: drawn.width, height: drawn.height }
}

/// The width of a drawing relative to the widest drawing of its figure, which is drawn in `width`. Letters then have
/// the same size in all of them.
fn relative_width(drawing: &Drawing, widest: Option<u32>, width: u32) -> u32 {
    const MIN_WIDTH: u32 = 16;
    let (Some(size), Some(widest)) = (drawing.size, widest) else { return width };
    let share = f64::from(size.width) / f64::from(widest.max(1));
    ((f64::from(width) * share).round() as u32).clamp(MIN_WIDTH.min(width), width)
}

fn collect_parts(drawing: &Drawing) -> Vec<DrawingPart> {
    match &drawing.sketch {
        Some(svg) => vec![DrawingPart::Sketch(svg.clone(), drawing.media.clone())],
        None => {
            let part = |media: &String| DrawingPart::Media(media.clone(), drawing.crop);
            drawing.media.iter().map(part).collect()
        }
    }
}
