//! CLIP by candle: both towers, or the vision tower alone.

use candle_core::{Device, Result, Tensor, bail};
use candle_nn::{Linear, VarBuilder, linear_no_bias};
use candle_transformers::models::clip::{
    text_model::{Activation, ClipTextConfig, ClipTextTransformer},
    vision_model::{ClipVisionConfig, ClipVisionTransformer},
};
use image::imageops::FilterType;
use serde::Deserialize;

use super::{
    MatchCalibration, Towers, check_patches, check_tower_sizes,
    pixels::{ImagePreprocessor, SquareFit},
};

/// Mean and standard deviation of OpenAI's training pictures, for red, green and blue.
const MEAN: [f32; 3] = [0.481_454_66, 0.457_827_5, 0.408_210_73];
const DEVIATION: [f32; 3] = [0.268_629_54, 0.261_302_6, 0.275_777_1];
/// The cosine at which a text is as likely to describe a picture as not. CLIP was trained to tell
/// pairs apart, not to say whether one matches: a caption and its picture have about 0.3, others
/// about 0.2. Not measured here, because no text tower was available.
const EVEN_COSINE: f32 = 0.25;
/// The factor of cosines if the weights have none: the upper bound in training.
const DEFAULT_LOGIT_SCALE: f32 = 100.0;

/// `config.json`; missing fields have the defaults of the authors' library.
#[derive(Debug, Deserialize)]
pub(crate) struct ClipConfig {
    #[serde(default)]
    text_config: TextConfig,
    #[serde(default)]
    vision_config: VisionConfig,
    #[serde(default = "default_projection")]
    projection_dim: usize,
}

fn default_projection() -> usize {
    512
}

#[derive(Debug, Deserialize)]
#[serde(default)]
struct TextConfig {
    vocab_size: usize,
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    max_position_embeddings: usize,
    hidden_act: HiddenAct,
    layer_norm_eps: f64,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
struct VisionConfig {
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    num_channels: usize,
    image_size: usize,
    patch_size: usize,
    hidden_act: HiddenAct,
    layer_norm_eps: f64,
}

/// The only activation that candle's CLIP supports.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HiddenAct {
    #[default]
    QuickGelu,
}

/// The only value that candle's CLIP uses.
const LAYER_NORM_EPS: f64 = 1e-5;

impl Default for TextConfig {
    fn default() -> Self {
        Self {
            vocab_size: 49_408,
            hidden_size: 512,
            intermediate_size: 2048,
            num_hidden_layers: 12,
            num_attention_heads: 8,
            max_position_embeddings: 77,
            hidden_act: HiddenAct::QuickGelu,
            layer_norm_eps: LAYER_NORM_EPS,
        }
    }
}

impl Default for VisionConfig {
    fn default() -> Self {
        Self {
            hidden_size: 768,
            intermediate_size: 3072,
            num_hidden_layers: 12,
            num_attention_heads: 12,
            num_channels: 3,
            image_size: 224,
            patch_size: 32,
            hidden_act: HiddenAct::QuickGelu,
            layer_norm_eps: LAYER_NORM_EPS,
        }
    }
}

impl ClipConfig {
    pub(crate) fn dimension(&self) -> usize {
        self.projection_dim
    }

    /// Tokens of the longest text.
    pub(crate) fn max_text_tokens(&self) -> usize {
        self.text_config.max_position_embeddings
    }

    pub(crate) fn image_preprocessor(&self) -> ImagePreprocessor {
        ImagePreprocessor {
            // Bounded by `check_patches`.
            side: self.vision_config.image_size as u32,
            fit: SquareFit::Letterbox,
            filter: FilterType::CatmullRom,
            mean: MEAN,
            deviation: DEVIATION,
        }
    }

    fn to_vision_config(&self) -> Result<ClipVisionConfig> {
        let VisionConfig { hidden_act: HiddenAct::QuickGelu, .. } = self.vision_config;
        let config = &self.vision_config;
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        check_tower_sizes("vision tower", width, heads, config.num_hidden_layers)?;
        check_patches(config.image_size, config.patch_size)?;
        check_norm(config.layer_norm_eps)?;
        if config.num_channels != 3 {
            bail!("vision tower: {} color channels, expected 3", config.num_channels);
        }
        Ok(ClipVisionConfig {
            embed_dim: width,
            activation: Activation::QuickGelu,
            intermediate_size: config.intermediate_size,
            num_hidden_layers: config.num_hidden_layers,
            num_attention_heads: heads,
            projection_dim: self.projection_dim,
            num_channels: config.num_channels,
            image_size: config.image_size,
            patch_size: config.patch_size,
        })
    }

    fn to_text_config(&self) -> Result<ClipTextConfig> {
        let TextConfig { hidden_act: HiddenAct::QuickGelu, .. } = self.text_config;
        let config = &self.text_config;
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        check_tower_sizes("text tower", width, heads, config.num_hidden_layers)?;
        check_norm(config.layer_norm_eps)?;
        Ok(ClipTextConfig {
            vocab_size: config.vocab_size,
            embed_dim: width,
            activation: Activation::QuickGelu,
            intermediate_size: config.intermediate_size,
            max_position_embeddings: config.max_position_embeddings,
            pad_with: None,
            num_hidden_layers: config.num_hidden_layers,
            num_attention_heads: heads,
            projection_dim: self.projection_dim,
        })
    }
}

fn check_norm(eps: f64) -> Result<()> {
    if (eps - LAYER_NORM_EPS).abs() > LAYER_NORM_EPS / 100.0 {
        bail!("layer_norm_eps is {eps}, not {LAYER_NORM_EPS}");
    }
    Ok(())
}

/// A loaded CLIP.
pub(crate) struct ClipModel {
    vision: ClipVisionTransformer,
    visual_projection: Linear,
    text: Option<(ClipTextTransformer, Linear)>,
    scale: f32,
    device: Device,
}

impl ClipModel {
    /// Reads the weights it needs from `weights`; the text tower if `has_text`.
    pub(crate) fn new(
        weights: &VarBuilder<'_>,
        config: &ClipConfig,
        has_text: bool,
    ) -> Result<Self> {
        let vision = config.to_vision_config()?;
        let projected = config.projection_dim;
        let text = has_text.then(|| {
            let text = config.to_text_config()?;
            let tower = ClipTextTransformer::new(weights.pp("text_model"), &text)?;
            let projection =
                linear_no_bias(text.embed_dim, projected, weights.pp("text_projection"))?;
            Result::Ok((tower, projection))
        });
        let scale = if weights.contains_tensor("logit_scale") {
            weights.get((), "logit_scale")?.to_scalar::<f32>()?.exp()
        } else {
            DEFAULT_LOGIT_SCALE
        };
        Ok(Self {
            visual_projection: linear_no_bias(
                vision.embed_dim,
                projected,
                weights.pp("visual_projection"),
            )?,
            // candle would initialise the class token randomly if the weights have none.
            vision: if weights.contains_tensor("vision_model.embeddings.class_embedding") {
                ClipVisionTransformer::new(weights.pp("vision_model"), &vision)?
            } else {
                bail!("vision_model.embeddings.class_embedding is missing")
            },
            text: text.transpose()?,
            scale,
            device: weights.device().clone(),
        })
    }
}

impl Towers for ClipModel {
    fn embed_pictures(&self, pixels: &Tensor) -> Result<Tensor> {
        pixels.apply(&self.vision)?.apply(&self.visual_projection)
    }

    fn embed_texts(&self, ids: &Tensor) -> Result<Option<Tensor>> {
        let encode = |(tower, projection): &(ClipTextTransformer, Linear)| {
            ids.apply(tower)?.apply(projection)
        };
        self.text.as_ref().map(encode).transpose()
    }

    fn match_calibration(&self) -> MatchCalibration {
        MatchCalibration { scale: self.scale, offset: -self.scale * EVEN_COSINE }
    }

    fn device(&self) -> &Device {
        &self.device
    }
}
