//! SigLIP and SigLIP 2 (of fixed picture size) by candle: both towers, or the vision tower alone.

use candle_core::{Device, Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::siglip::{self, TextModel, VisionModel};
use image::imageops::FilterType;

use super::{
    MatchCalibration, Towers, check_patches, check_tower_sizes,
    pixels::{ImagePreprocessor, SquareFit},
};

pub(crate) use siglip::Config;

/// A loaded SigLIP.
pub(crate) struct Siglip {
    vision: VisionModel,
    text: Option<TextModel>,
    calibration: MatchCalibration,
    device: Device,
}

/// How pictures are prepared; the two generations were trained with different filters.
pub(crate) fn image_preprocessor(config: &Config, filter: FilterType) -> ImagePreprocessor {
    ImagePreprocessor {
        // Bounded by `check_patches`.
        side: config.vision_config.image_size as u32,
        fit: SquareFit::Stretch,
        filter,
        mean: [0.5; 3],
        deviation: [0.5; 3],
    }
}

impl Siglip {
    /// Reads the weights it needs from `weights`; the text tower if `has_text`.
    pub(crate) fn new(weights: &VarBuilder<'_>, config: &Config, has_text: bool) -> Result<Self> {
        let (vision, text) = (&config.vision_config, &config.text_config);
        let (width, heads) = (vision.hidden_size, vision.num_attention_heads);
        check_tower_sizes("vision tower", width, heads, vision.num_hidden_layers)?;
        check_patches(vision.image_size, vision.patch_size)?;
        let text = has_text.then(|| {
            let (width, heads) = (text.hidden_size, text.num_attention_heads);
            check_tower_sizes("text tower", width, heads, text.num_hidden_layers)?;
            TextModel::new(text, weights.pp("text_model"))
        });
        let number = |name| -> Result<f32> { weights.get(1, name)?.get(0)?.to_scalar() };
        // With these two the authors compute the probability that a text and a picture match.
        let calibration =
            MatchCalibration { scale: number("logit_scale")?.exp(), offset: number("logit_bias")? };
        Ok(Self {
            vision: VisionModel::new(vision, true, weights.pp("vision_model"))?,
            text: text.transpose()?,
            calibration,
            device: weights.device().clone(),
        })
    }
}

impl Towers for Siglip {
    fn embed_pictures(&self, pixels: &Tensor) -> Result<Tensor> {
        pixels.apply(&self.vision)
    }

    fn embed_texts(&self, ids: &Tensor) -> Result<Option<Tensor>> {
        self.text.as_ref().map(|tower| ids.apply(tower)).transpose()
    }

    fn match_calibration(&self) -> MatchCalibration {
        self.calibration
    }

    fn device(&self) -> &Device {
        &self.device
    }
}
