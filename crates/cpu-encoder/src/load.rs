//! Reads a model's weights by name and packs them.

use crate::{
    Precision,
    encoder::{CpuEncoder, Embeddings, EncoderLayer, LayerNormWeights},
    error::EncoderError,
    kernels::{Epilogue, SimdLevel},
    linear::Linear,
    rotary::Rotary,
    shape::ModelSizes,
};

/// Where weights come from.
pub trait TensorSource {
    /// Returns the numbers of the tensor of this name and shape; the last dimension is contiguous.
    fn read_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError>;
}

impl CpuEncoder {
    /// Reads a BERT with learned positions from `tensors`; names begin with `prefix`.
    pub fn from_bert(
        sizes: ModelSizes,
        tensors: &dyn TensorSource,
        prefix: &str,
        precision: Precision,
        level: SimdLevel,
    ) -> Result<Self, EncoderError> {
        sizes.check()?;
        let source = WeightLoader { tensors, prefix, sizes, format: precision, level };
        let ModelSizes { width, vocabulary, positions, types, .. } = sizes;
        let embeddings = Embeddings {
            words: source.read_tensor("embeddings.word_embeddings.weight", &[vocabulary, width])?,
            positions: source
                .read_tensor("embeddings.position_embeddings.weight", &[positions, width])?,
            types: source
                .read_tensor("embeddings.token_type_embeddings.weight", &[types, width])?,
            norm: source.read_norm("embeddings.LayerNorm")?,
        };
        let layer = |at| source.read_bert_layer(&format!("encoder.layer.{at}."));
        let layers = (0..sizes.layers).map(layer).collect::<Result<_, _>>()?;
        Ok(source.build_encoder(embeddings, layers, None, Epilogue::Gelu))
    }

    /// Takes Nomic's BERT (rotary positions, gated feed-forward layers, no biases) out of `tensors`; names begin with `prefix`.
    pub fn from_nomic(
        sizes: ModelSizes,
        rotary_base: f32,
        tensors: &dyn TensorSource,
        prefix: &str,
        precision: Precision,
        level: SimdLevel,
    ) -> Result<Self, EncoderError> {
        sizes.check()?;
        if !(rotary_base.is_finite() && rotary_base > 0.0) {
            return Err(EncoderError::Shape("the rotary base is a positive number"));
        }
        let source = WeightLoader { tensors, prefix, sizes, format: precision, level };
        let ModelSizes { width, vocabulary, positions, types, .. } = sizes;
        let embeddings = Embeddings {
            words: source.read_tensor("embeddings.word_embeddings.weight", &[vocabulary, width])?,
            positions: Vec::new(),
            types: source
                .read_tensor("embeddings.token_type_embeddings.weight", &[types, width])?,
            norm: source.read_norm("emb_ln")?,
        };
        let layer = |at| source.read_nomic_layer(&format!("encoder.layers.{at}."));
        let layers = (0..sizes.layers).map(layer).collect::<Result<_, _>>()?;
        let rotary = Rotary::new(sizes.head_width(), positions, rotary_base);
        Ok(source.build_encoder(embeddings, layers, Some(rotary), Epilogue::GatedSilu))
    }
}

struct WeightLoader<'a> {
    tensors: &'a dyn TensorSource,
    prefix: &'a str,
    sizes: ModelSizes,
    format: Precision,
    level: SimdLevel,
}

impl WeightLoader<'_> {
    fn build_encoder(
        &self,
        embeddings: Embeddings,
        layers: Vec<EncoderLayer>,
        rotary: Option<Rotary>,
        activation: Epilogue,
    ) -> CpuEncoder {
        let Self { level, format, sizes, .. } = *self;
        CpuEncoder { level, format, sizes, embeddings, layers, rotary, activation }
    }

    fn read_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
        let name = format!("{}{name}", self.prefix);
        let numbers = self.tensors.read_tensor(&name, shape)?;
        let expected = shape.iter().product();
        if numbers.len() != expected {
            return Err(EncoderError::TensorSize { name, expected, found: numbers.len() });
        }
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(EncoderError::NotFinite { name });
        }
        Ok(numbers)
    }

    fn read_norm(&self, name: &str) -> Result<LayerNormWeights, EncoderError> {
        let width = [self.sizes.width];
        let part = |part| self.read_tensor(&format!("{name}.{part}"), &width);
        Ok(LayerNormWeights { gain: part("weight")?, shift: part("bias")? })
    }

    /// A linear layer with a bias.
    fn read_biased_linear(
        &self,
        name: &str,
        columns: usize,
        terms: usize,
    ) -> Result<Linear, EncoderError> {
        let weights = self.read_tensor(&format!("{name}.weight"), &[columns, terms])?;
        let bias = self.read_tensor(&format!("{name}.bias"), &[columns])?;
        Ok(Linear::new(self.format, &weights, columns, bias))
    }

    fn read_bert_layer(&self, name: &str) -> Result<EncoderLayer, EncoderError> {
        let ModelSizes { width, inner, .. } = self.sizes;
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            let part = format!("{name}attention.self.{part}");
            weights.extend(self.read_tensor(&format!("{part}.weight"), &[width, width])?);
            bias.extend(self.read_tensor(&format!("{part}.bias"), &[width])?);
        }
        self.scale_scores(&mut weights[..width * width]);
        self.scale_scores(&mut bias[..width]);
        Ok(EncoderLayer {
            mix: Linear::new(self.format.widen_int8(), &weights, 3 * width, bias),
            gather: self.read_biased_linear(
                &format!("{name}attention.output.dense"),
                width,
                width,
            )?,
            attention_norm: self.read_norm(&format!("{name}attention.output.LayerNorm"))?,
            up: self.read_biased_linear(&format!("{name}intermediate.dense"), inner, width)?,
            down: self.read_biased_linear(&format!("{name}output.dense"), width, inner)?,
            inner_norm: self.read_norm(&format!("{name}output.LayerNorm"))?,
        })
    }

    fn read_nomic_layer(&self, name: &str) -> Result<EncoderLayer, EncoderError> {
        let ModelSizes { width, inner, .. } = self.sizes;
        let weights = |part: &str, columns, terms| {
            self.read_tensor(&format!("{name}{part}.weight"), &[columns, terms])
        };
        let packed =
            |weights: &[f32], columns| Linear::new(self.format, weights, columns, Vec::new());
        let mut mix = weights("attn.Wqkv", 3 * width, width)?;
        self.scale_scores(&mut mix[..width * width]);
        let (up, gate) = (weights("mlp.fc11", inner, width)?, weights("mlp.fc12", inner, width)?);
        // The product expects up and gate of a column in two adjacent vectors.
        let vector = self.level.lane_count() * width;
        let pairs = up.chunks_exact(vector).zip(gate.chunks_exact(vector));
        let paired: Vec<f32> = pairs.flat_map(|(up, gate)| [up, gate].concat()).collect();
        Ok(EncoderLayer {
            mix: Linear::new(self.format.widen_int8(), &mix, 3 * width, Vec::new()),
            gather: packed(&weights("attn.out_proj", width, width)?, width),
            attention_norm: self.read_norm(&format!("{name}norm1"))?,
            up: packed(&paired, 2 * inner),
            down: Linear::new(
                self.format.widen_int8(),
                &weights("mlp.fc2", width, inner)?,
                width,
                Vec::new(),
            ),
            inner_norm: self.read_norm(&format!("{name}norm2"))?,
        })
    }

    /// Scores are divided by the square root of a head's width: once, here, in the weights of the queries.
    fn scale_scores(&self, numbers: &mut [f32]) {
        let factor = 1.0 / (self.sizes.head_width() as f32).sqrt();
        for number in numbers {
            *number *= factor;
        }
    }
}
