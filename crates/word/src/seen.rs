//! What is seen of drawings: their pictures, charts, diagrams and shapes, drawn together as one
//! picture.

use std::collections::HashMap;

use picture::{DrawError, MOST_TOGETHER, Options, draw_together};

use super::{chart, diagram, item::Drawing, shapes::svg::with_pictures, visio};
use document::{Figure, Picture};

/// Labels that are taken of the Visio drawings of a figure.
const MOST_WORDS: usize = 2000;

/// Draws, each combination once for a document. `media` gives the bytes of what a relation leads
/// to.
pub(super) struct Seen<M> {
    media: M,
    drawn: HashMap<Vec<Part>, Figure>,
    /// The words of Visio drawings by their relations.
    visio: HashMap<String, Vec<String>>,
}

/// Something that is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    /// What a relation leads to: a picture, a chart, a diagram.
    Media(String),
    /// Shapes as SVG, and the relations of what stands among them.
    Sketch(String, Vec<String>),
}

impl<M: FnMut(&str) -> Option<Vec<u8>>> Seen<M> {
    pub(super) fn new(media: M) -> Self {
        Self { media, drawn: HashMap::new(), visio: HashMap::new() }
    }

    /// What is seen of some drawings. The words of shapes are not among its labels.
    pub(super) fn of(&mut self, drawings: &[Drawing]) -> Figure {
        let mut parts: Vec<Part> = Vec::new();
        for part in drawings.iter().flat_map(parts_of) {
            if !parts.contains(&part) && parts.len() < MOST_TOGETHER {
                parts.push(part);
            }
        }
        let mut figure = match self.drawn.get(&parts) {
            Some(known) => known.clone(),
            None => {
                let figure = self.draw(&parts);
                self.drawn.insert(parts, figure.clone());
                figure
            }
        };
        // A preview that is a bitmap says nothing; what it was made of may.
        if figure.labels.is_empty() {
            figure.labels = self.visio_words(drawings);
        }
        figure
    }

    fn draw(&mut self, parts: &[Part]) -> Figure {
        let figure = self.draw_all(parts);
        let among = parts.iter().flat_map(|part| match part {
            Part::Sketch(_, media) => media.as_slice(),
            Part::Media(_) => &[],
        });
        let among: Vec<Part> = among.cloned().map(Part::Media).take(MOST_TOGETHER).collect();
        // Shapes that cannot be drawn do not take the pictures among them away.
        if figure.picture.is_none() && !among.is_empty() { self.draw_all(&among) } else { figure }
    }

    fn draw_all(&mut self, parts: &[Part]) -> Figure {
        // What is written in pictures among shapes.
        let mut within = Vec::new();
        let pictures: Vec<Option<Vec<u8>>> = parts
            .iter()
            .map(|part| match part {
                Part::Media(relation) => self.visible(relation),
                Part::Sketch(svg, _) => {
                    let picture = |relation: &str| {
                        let bytes = self.visible(relation)?;
                        let drawn = picture::draw(&bytes, &Options::default()).ok()?;
                        within.extend(drawn.labels.into_iter().map(|label| label.text));
                        Some(drawn.png)
                    };
                    Some(with_pictures(svg, picture).into_bytes())
                }
            })
            .collect();
        let there = pictures.iter().flatten().map(Vec::as_slice);
        let (drawn, errors) = draw_together(there.clone(), &Options::default());
        let missing = pictures.iter().filter(|picture| picture.is_none());
        let missing = missing.map(|_| "the picture is not in the file".to_owned());
        let faults = errors.iter().map(DrawError::to_string).chain(missing).collect();
        let formats =
            there.filter_map(picture::Kind::of).map(|kind| kind.name().to_owned()).collect();
        let Some(drawn) = drawn else { return Figure { formats, faults, ..Figure::default() } };
        let own = drawn.labels.into_iter().map(|label| label.text);
        let is_sketch = |part: &Part| matches!(part, Part::Sketch(..));
        let labels = if parts.iter().all(is_sketch) { within } else { own.collect() };
        let picture = Picture { png: drawn.png, width: drawn.width, height: drawn.height };
        Figure { labels, picture: Some(picture), formats, faults, ..Figure::default() }
    }

    /// What a relation leads to; a chart or a diagram as a picture.
    fn visible(&mut self, relation: &str) -> Option<Vec<u8>> {
        let bytes = (self.media)(relation)?;
        let chart = chart::svg(&bytes);
        let drawn = chart.or_else(|| diagram::svg(&(self.media)(&diagram::drawing_of(&bytes)?)?));
        Some(drawn.unwrap_or(bytes))
    }

    fn visio_words(&mut self, drawings: &[Drawing]) -> Vec<String> {
        let mut words = Vec::new();
        for relation in drawings.iter().filter_map(|drawing| drawing.visio.as_ref()) {
            if !self.visio.contains_key(relation) {
                let found = (self.media)(relation).map(visio::words).unwrap_or_default();
                self.visio.insert(relation.clone(), found);
            }
            words.extend(self.visio[relation].iter().cloned());
        }
        words.truncate(MOST_WORDS);
        words
    }
}

fn parts_of(drawing: &Drawing) -> Vec<Part> {
    match &drawing.sketch {
        Some(svg) => vec![Part::Sketch(svg.clone(), drawing.media.clone())],
        None => drawing.media.iter().cloned().map(Part::Media).collect(),
    }
}
