//! Binary codes, `signs` in `FORMAT.md`: one bit for each component, for a first pass over the rows.
//!
//! A row is centred by the mean of all rows and rotated; its signs are kept. The product of the signs with a centred,
//! rotated query, times a step of the row, is a cosine without bias, with an error that falls with the root of the
//! width (RaBitQ, Gao and Long, 2024). The query is quantized to four bits, so that the product is computed by
//! counting bits.

use crate::kernels::BIT_PLANES;
use crate::kernels::Kernel;
use crate::rotation::Rotation;

/// Makes the binary codes of rows.
#[derive(Debug)]
pub(crate) struct BinaryEncoder {
    mean: Vec<f32>,
    rotation: Rotation,
    centred: Vec<f32>,
}

/// The numbers that turn a product with the binary codes of one row into a cosine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BinaryFactors {
    /// The factor of the product.
    pub(crate) step: f32,
    /// The row's product with the mean.
    pub(crate) offset: f32,
}

impl BinaryEncoder {
    /// An encoder for rows around this mean, which is as long as a padded row.
    pub(crate) fn new(mean: Vec<f32>) -> BinaryEncoder {
        let (rotation, centred) = (Rotation::new(mean.len()), vec![0.0; mean.len()]);
        BinaryEncoder { mean, rotation, centred }
    }

    /// Writes a row's binary codes, eight components a byte from the lowest bit on, a set bit for a
    /// component that is not negative.
    pub(crate) fn encode_row(&mut self, row: &[f32], codes: &mut [u8]) -> BinaryFactors {
        for ((centred, component), mean) in self.centred.iter_mut().zip(row).zip(&self.mean) {
            *centred = component - mean;
        }
        let offset = row.iter().zip(&self.mean).map(|(component, mean)| component * mean).sum();
        self.rotation.rotate_vector(&mut self.centred);
        let (mut squares, mut sizes) = (0.0, 0.0);
        for (byte, components) in codes.iter_mut().zip(self.centred.chunks(8)) {
            *byte = 0;
            for (bit, component) in components.iter().enumerate() {
                *byte |= u8::from(*component >= 0.0) << bit;
                squares += component * component;
                sizes += component.abs();
            }
        }
        let step = if sizes > 0.0 { squares / sizes } else { 0.0 };
        BinaryFactors { step, offset }
    }
}

/// A query in four planes of bits.
#[derive(Debug)]
pub(crate) struct BinaryQuery {
    /// Bit `i % 64` of word `i / 64` of plane `j` is bit `j` of component `i`.
    planes: [Vec<u64>; BIT_PLANES],
    /// The factor that turns a product into the query's own components.
    step: f32,
}

impl BinaryQuery {
    /// Centres, rotates and quantises a unit vector.
    pub(crate) fn new(unit: &[f32], mean: &[[u8; 4]]) -> BinaryQuery {
        let pairs = unit.iter().zip(mean);
        let mut centred: Vec<f32> =
            pairs.map(|(component, mean)| component - f32::from_le_bytes(*mean)).collect();
        Rotation::new(centred.len()).rotate_vector(&mut centred);
        let largest = centred.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
        // Sixteen values at equal steps, the middle between two of them at zero.
        let max_value = ((1 << BIT_PLANES) - 1) as f32;
        let step = if largest > 0.0 { 2.0 * largest / max_value } else { 1.0 };
        let mut planes: [Vec<u64>; BIT_PLANES] =
            std::array::from_fn(|_| vec![0; centred.len().div_ceil(64)]);
        for (index, component) in centred.iter().enumerate() {
            let value = (component / step + max_value / 2.0).round().clamp(0.0, max_value) as u64;
            for (bit, plane) in planes.iter_mut().enumerate() {
                plane[index / 64] |= (value >> bit & 1) << (index % 64);
            }
        }
        BinaryQuery { planes, step: step / 2.0 }
    }
}

/// The binary codes of all rows in a mapped file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BinaryTable<'a> {
    pub(crate) codes: &'a [u8],
    pub(crate) factors: &'a [[u8; 8]],
}

impl BinaryTable<'_> {
    /// Calls `each` with rows and their scores: cosines with the query, less a number common to all rows.
    pub(crate) fn score_rows(
        &self,
        rows: &[u32],
        query: &BinaryQuery,
        products: &mut [i32],
        mut each: impl FnMut(u32, f32),
    ) {
        let (table, _) = self.codes.as_chunks::<8>();
        Kernel::detect_best().dot_binary(table, rows, &query.planes, products);
        for (row, product) in rows.iter().zip(products) {
            let factors = u64::from_le_bytes(self.factors[*row as usize]);
            let step = f32::from_bits(factors as u32);
            let offset = f32::from_bits((factors >> 32) as u32);
            each(*row, *product as f32 * query.step * step + offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::next_splitmix64;

    fn unit(state: &mut u64, centre: f32, width: usize) -> Vec<f32> {
        let component =
            |state: &mut u64| (next_splitmix64(state) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let mut vector: Vec<f32> = (0..width).map(|_| component(state) + centre).collect();
        let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|x| *x /= norm);
        vector
    }

    #[test]
    fn signs_give_the_cosine_without_bias() {
        for (width, max_error) in [(64, 0.12), (384, 0.05), (1024, 0.03)] {
            let mut state = 3;
            let rows: Vec<Vec<f32>> = (0..400).map(|_| unit(&mut state, 0.4, width)).collect();
            let mean: Vec<f32> =
                (0..width).map(|i| rows.iter().map(|r| r[i]).sum::<f32>() / 400.0).collect();
            let query = unit(&mut state, 0.4, width);
            let mut encoder = BinaryEncoder::new(mean.clone());
            let mut signs = vec![0; 400 * width / 8];
            let mut factors = Vec::new();
            for (row, signs) in rows.iter().zip(signs.chunks_exact_mut(width / 8)) {
                let BinaryFactors { step, offset } = encoder.encode_row(row, signs);
                let mut bytes = [0; 8];
                bytes[..4].copy_from_slice(&step.to_le_bytes());
                bytes[4..].copy_from_slice(&offset.to_le_bytes());
                factors.push(bytes);
            }
            let bytes: Vec<[u8; 4]> = mean.iter().map(|x| x.to_le_bytes()).collect();
            let binary_query = BinaryQuery::new(&query, &bytes);
            // What is common to all rows: query times mean, less mean times mean.
            let common: f32 = mean.iter().zip(&query).map(|(m, q)| m * (q - m)).sum();
            let table = BinaryTable { codes: &signs, factors: &factors };
            let all: Vec<u32> = (0..400).collect();
            let (mut bias, mut squares) = (0.0, 0.0);
            table.score_rows(&all, &binary_query, &mut vec![0; 400], |row, score| {
                let row = &rows[row as usize];
                let cosine: f32 = row.iter().zip(&query).map(|(a, b)| a * b).sum();
                let error = score + common - cosine;
                bias += error / 400.0;
                squares += error * error / 400.0;
            });
            assert!(bias.abs() < max_error / 8.0, "width {width}: bias {bias}");
            assert!(squares.sqrt() < max_error, "width {width}: {}", squares.sqrt());
        }
    }
}
