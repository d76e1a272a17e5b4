//! Image embedders: pictures as vectors, and, if a model has a text tower, texts in the same space.
//!
//! The forward passes are candle's. What they are given follows the models' authors: sizes,
//! filters, means and paddings. One thing differs: CLIP's authors cut a picture to its middle
//! square, which loses the ends of a wide drawing; here it is put on a white square without loss.

pub(super) mod clip;
mod pixels;
pub(super) mod siglip;
mod two_towers;

use candle_core::{Device, Result, Tensor};

pub use pixels::Pixels;
pub(super) use {
    clip::ClipModel,
    siglip::Siglip,
    two_towers::{TextNormalisation, TextPreprocessor, TwoTowers},
};

use super::{error::NeuralError, identity::ModelIdentity};

/// Turns pictures into vectors of length one, so that their inner product is their cosine.
///
/// Calls block and use every core; async code calls them from a blocking thread.
pub trait ImageEmbedder: Send + Sync {
    /// Returns the identity of the model.
    fn identity(&self) -> &ModelIdentity;

    /// Returns the dimension of the vectors.
    fn dimension(&self) -> usize {
        self.identity().dimension as usize
    }

    /// Decodes a PNG file and brings it to the model's size and value range.
    fn preprocess_png(&self, png: &[u8]) -> std::result::Result<Pixels, NeuralError>;

    /// Returns one vector for each picture.
    fn embed_pictures(
        &self,
        pictures: &[Pixels],
    ) -> std::result::Result<Vec<Vec<f32>>, NeuralError>;

    /// Returns whether texts can be compared with pictures.
    fn has_text_tower(&self) -> bool;

    /// Returns the vector of a query among those of pictures; `None` without a text tower. A query that does not fit
    /// in a window gives the mean of its windows, scaled to length one.
    fn embed_query(&self, text: &str) -> std::result::Result<Option<Vec<f32>>, NeuralError>;

    /// Returns how likely a text describes a picture, from 0 to 1, given their cosine.
    fn match_probability(&self, cosine: f32) -> f32;
}

/// The forward passes of an image model.
pub(super) trait Towers: Send + Sync {
    /// Returns the vectors of pictures (pictures, 3, side, side): pictures, dimension.
    fn embed_pictures(&self, pixels: &Tensor) -> Result<Tensor>;

    /// Returns the vectors of texts in token numbers (texts, tokens): texts, dimension; `None` without a text tower.
    fn embed_texts(&self, ids: &Tensor) -> Result<Option<Tensor>>;

    /// Returns how the cosine of a text and a picture becomes a probability.
    fn match_calibration(&self) -> MatchCalibration;

    /// Returns where the weights are.
    fn device(&self) -> &Device;
}

/// From a cosine to a probability: the logistic function of `scale * cosine + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchCalibration {
    pub(super) scale: f32,
    pub(super) offset: f32,
}

impl MatchCalibration {
    fn match_probability(self, cosine: f32) -> f32 {
        1.0 / (1.0 + (-(self.scale * cosine + self.offset)).exp())
    }
}

/// Fails if a tower of these sizes cannot be built: candle divides by some of them.
fn check_tower_sizes(what: &str, width: usize, heads: usize, layers: usize) -> Result<()> {
    if heads == 0 || layers == 0 || width == 0 || !width.is_multiple_of(heads) {
        candle_core::bail!("{what}: {width} numbers for {heads} heads in {layers} layers");
    }
    Ok(())
}

/// Fails if pictures of this side cannot be cut into patches.
fn check_patches(side: usize, patch: usize) -> Result<()> {
    // Larger sides would need more memory than any known model.
    const MAX_SIDE: usize = 4096;
    if patch == 0 || side > MAX_SIDE || side < patch || !side.is_multiple_of(patch) {
        candle_core::bail!("pictures of {side} x {side} pixels in patches of {patch}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_probability_rises_with_the_cosine_from_0_to_1() {
        let calibration = MatchCalibration { scale: 100.0, offset: -25.0 };
        let probabilities =
            [-1.0, 0.2, 0.25, 0.3, 1.0].map(|cosine| calibration.match_probability(cosine));
        assert!(probabilities.is_sorted());
        assert!(probabilities[0] < 1e-6 && probabilities[4] > 0.999_99);
        assert!((probabilities[2] - 0.5).abs() < 1e-4, "{probabilities:?}");
    }

    #[test]
    fn sizes_that_would_divide_by_zero_are_refused() {
        assert!(
            check_tower_sizes("text", 32, 0, 1).is_err()
                && check_tower_sizes("text", 30, 4, 1).is_err()
        );
        assert!(check_tower_sizes("text", 32, 4, 2).is_ok());
        assert!(check_patches(224, 0).is_err() && check_patches(224, 15).is_err());
        assert!(check_patches(1 << 20, 16).is_err() && check_patches(224, 16).is_ok());
    }
}
