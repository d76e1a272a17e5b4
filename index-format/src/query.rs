//! A query vector, prepared once and searched for in any number of segments.

use crate::codes::Coded;
use crate::error::VectorError;
use crate::section::padded_width;
use crate::unit::check_dimension;
use crate::unit::normalise;
use crate::unit::quantise;

/// A query: the unit vector for exact scores and its 8-bit codes for the scan.
#[derive(Debug, Clone)]
pub struct Query {
    dimension: u32,
    /// Of length 1, then zeros up to the padded width.
    unit: Vec<f32>,
    /// As many as `unit`.
    codes: Coded,
}

impl Query {
    /// Normalises and quantises a vector of any length but zero.
    pub fn new(vector: &[f32], dimension: u32) -> Result<Query, VectorError> {
        check_dimension(dimension)?;
        let width = padded_width(dimension) as usize;
        let mut unit = vec![0.0; width];
        normalise(vector, dimension, &mut unit)?;
        let mut codes = vec![0; width];
        // The scale is a factor common to all rows, so it does not change their order.
        quantise(&unit, &mut codes);
        Ok(Query { dimension, unit, codes: Coded::new(codes) })
    }

    /// The number of components.
    pub fn dimension(&self) -> u32 {
        self.dimension
    }

    pub(crate) fn unit(&self) -> &[f32] {
        &self.unit
    }

    pub(crate) fn codes(&self) -> &Coded {
        &self.codes
    }
}
