//! Figures: reading and finding them, and the vectors of their pictures.

mod picture_vectors;
mod reader;
#[cfg(test)]
pub(crate) mod tests;

pub use picture_vectors::PendingPicture;
pub use reader::FigureReader;
