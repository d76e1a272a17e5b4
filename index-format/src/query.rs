//! A query vector, prepared once and searched for in any number of segments.

use crate::error::VectorError;
use crate::quantized_vector::QuantizedVector;
use crate::section_kind::padded_width;
use crate::unit::check_dimension;
use crate::unit::normalise_vector;
use crate::unit::quantize_vector;

/// A query: the unit vector for exact scores and its 8-bit codes for the scan.
#[derive(Debug, Clone)]
pub struct Query {
    dimension: u32,
    /// Of length 1, then zeros up to the padded width.
    unit_vector: Vec<f32>,
    /// The codes of `unit_vector`, as many as it has components.
    quantized_vector: QuantizedVector,
}

impl Query {
    /// Normalises and quantises a vector of any length but zero.
    pub fn new(vector: &[f32], dimension: u32) -> Result<Query, VectorError> {
        check_dimension(dimension)?;
        let width = padded_width(dimension) as usize;
        let mut unit = vec![0.0; width];
        normalise_vector(vector, dimension, &mut unit)?;
        let mut codes = vec![0; width];
        // The scale is a factor common to all rows, so it does not change their order.
        quantize_vector(&unit, &mut codes);
        Ok(Query { dimension, unit_vector: unit, quantized_vector: QuantizedVector::new(codes) })
    }

    /// The number of components.
    pub fn dimension(&self) -> u32 {
        self.dimension
    }

    pub(crate) fn unit_vector(&self) -> &[f32] {
        &self.unit_vector
    }

    pub(crate) fn quantized_vector(&self) -> &QuantizedVector {
        &self.quantized_vector
    }
}
