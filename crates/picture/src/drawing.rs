//! A drawing as SVG: what a canvas painted, recorded as elements.
//!
//! The result looks the same in every viewer: letters are the outlines of this crate's fonts, each stored once.
//! The words are above them as invisible text, so that a viewer can find and copy them.

mod definitions;
mod numbers;
mod recorder;
mod vector_drawing;

pub(crate) use recorder::DrawingRecorder;
pub(crate) use vector_drawing::{PlacedVectorDrawing, VectorDrawing};
