//! Takes a model's weights by name and packs them.

use crate::{
    encoder::{Embeddings, Encoder, Layer, Norm},
    error::EncoderError,
    kernels::{Finish, Format, Level},
    linear::Linear,
    rotary::Rotary,
    shape::{BertShape, NomicShape, Precision, Sizes},
};

/// Where weights come from.
pub trait Tensors {
    /// Returns the numbers of the tensor of this name and shape, the last dimension together.
    fn get(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError>;
}

impl Encoder {
    /// Takes a BERT with learned positions out of `tensors`; names begin with `prefix`.
    pub fn bert(
        shape: &BertShape,
        tensors: &dyn Tensors,
        prefix: &str,
        precision: Precision,
        level: Level,
    ) -> Result<Self, EncoderError> {
        let sizes = Sizes::of_bert(shape)?;
        let source = Source { tensors, prefix, sizes, format: format(precision), level };
        let Sizes { width, vocabulary, positions, types, .. } = sizes;
        let embeddings = Embeddings {
            words: source.get("embeddings.word_embeddings.weight", &[vocabulary, width])?,
            positions: source.get("embeddings.position_embeddings.weight", &[positions, width])?,
            types: source.get("embeddings.token_type_embeddings.weight", &[types, width])?,
            norm: source.norm("embeddings.LayerNorm")?,
        };
        let layer = |at| source.bert_layer(&format!("encoder.layer.{at}."));
        let layers = (0..sizes.layers).map(layer).collect::<Result<_, _>>()?;
        Ok(source.encoder(embeddings, layers, None, Finish::Gelu))
    }

    /// Takes Nomic's BERT out of `tensors`; names begin with `prefix`.
    pub fn nomic(
        shape: &NomicShape,
        tensors: &dyn Tensors,
        prefix: &str,
        precision: Precision,
        level: Level,
    ) -> Result<Self, EncoderError> {
        let sizes = Sizes::of_nomic(shape)?;
        let source = Source { tensors, prefix, sizes, format: format(precision), level };
        let Sizes { width, vocabulary, positions, types, .. } = sizes;
        let embeddings = Embeddings {
            words: source.get("embeddings.word_embeddings.weight", &[vocabulary, width])?,
            positions: Vec::new(),
            types: source.get("embeddings.token_type_embeddings.weight", &[types, width])?,
            norm: source.norm("emb_ln")?,
        };
        let layer = |at| source.nomic_layer(&format!("encoder.layers.{at}."));
        let layers = (0..sizes.layers).map(layer).collect::<Result<_, _>>()?;
        let rotary = Rotary::new(sizes.head_width(), positions, shape.rotary_base);
        Ok(source.encoder(embeddings, layers, Some(rotary), Finish::GatedSilu))
    }
}

fn format(precision: Precision) -> Format {
    match precision {
        Precision::F32 => Format::F32,
        Precision::Bf16 => Format::Bf16,
        Precision::Int16 => Format::Int16,
        Precision::Int8 => Format::Int8,
    }
}

struct Source<'a> {
    tensors: &'a dyn Tensors,
    prefix: &'a str,
    sizes: Sizes,
    format: Format,
    level: Level,
}

impl Source<'_> {
    fn encoder(
        &self,
        embeddings: Embeddings,
        layers: Vec<Layer>,
        rotary: Option<Rotary>,
        activation: Finish,
    ) -> Encoder {
        let Self { level, format, sizes, .. } = *self;
        Encoder { level, format, sizes, embeddings, layers, rotary, activation }
    }

    fn get(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
        let name = format!("{}{name}", self.prefix);
        let numbers = self.tensors.get(&name, shape)?;
        let expected = shape.iter().product();
        if numbers.len() != expected {
            return Err(EncoderError::TensorSize { name, expected, found: numbers.len() });
        }
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(EncoderError::NotFinite { name });
        }
        Ok(numbers)
    }

    fn norm(&self, name: &str) -> Result<Norm, EncoderError> {
        let width = [self.sizes.width];
        let part = |part| self.get(&format!("{name}.{part}"), &width);
        Ok(Norm { gain: part("weight")?, shift: part("bias")? })
    }

    /// A linear layer with a bias.
    fn biased(&self, name: &str, columns: usize, terms: usize) -> Result<Linear, EncoderError> {
        let weights = self.get(&format!("{name}.weight"), &[columns, terms])?;
        let bias = self.get(&format!("{name}.bias"), &[columns])?;
        Ok(Linear::new(self.format, &weights, columns, bias))
    }

    fn bert_layer(&self, name: &str) -> Result<Layer, EncoderError> {
        let Sizes { width, inner, .. } = self.sizes;
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            let part = format!("{name}attention.self.{part}");
            weights.extend(self.get(&format!("{part}.weight"), &[width, width])?);
            bias.extend(self.get(&format!("{part}.bias"), &[width])?);
        }
        self.scale_scores(&mut weights[..width * width]);
        self.scale_scores(&mut bias[..width]);
        Ok(Layer {
            mix: Linear::new(self.format.in_fine_steps(), &weights, 3 * width, bias),
            gather: self.biased(&format!("{name}attention.output.dense"), width, width)?,
            attention_norm: self.norm(&format!("{name}attention.output.LayerNorm"))?,
            up: self.biased(&format!("{name}intermediate.dense"), inner, width)?,
            down: self.biased(&format!("{name}output.dense"), width, inner)?,
            inner_norm: self.norm(&format!("{name}output.LayerNorm"))?,
        })
    }

    fn nomic_layer(&self, name: &str) -> Result<Layer, EncoderError> {
        let Sizes { width, inner, .. } = self.sizes;
        let weights = |part: &str, columns, terms| {
            self.get(&format!("{name}{part}.weight"), &[columns, terms])
        };
        let packed =
            |weights: &[f32], columns| Linear::new(self.format, weights, columns, Vec::new());
        let mut mix = weights("attn.Wqkv", 3 * width, width)?;
        self.scale_scores(&mut mix[..width * width]);
        let (up, gate) = (weights("mlp.fc11", inner, width)?, weights("mlp.fc12", inner, width)?);
        // The product finds up and gate of a column in two vectors beside each other.
        let vector = self.level.lanes() * width;
        let pairs = up.chunks_exact(vector).zip(gate.chunks_exact(vector));
        let paired: Vec<f32> = pairs.flat_map(|(up, gate)| [up, gate].concat()).collect();
        Ok(Layer {
            mix: Linear::new(self.format.in_fine_steps(), &mix, 3 * width, Vec::new()),
            gather: packed(&weights("attn.out_proj", width, width)?, width),
            attention_norm: self.norm(&format!("{name}norm1"))?,
            up: packed(&paired, 2 * inner),
            down: Linear::new(
                self.format.in_fine_steps(),
                &weights("mlp.fc2", width, inner)?,
                width,
                Vec::new(),
            ),
            inner_norm: self.norm(&format!("{name}norm2"))?,
        })
    }

    /// Scores are divided by the root of a head's width: here, once, in what makes the queries.
    fn scale_scores(&self, numbers: &mut [f32]) {
        let factor = 1.0 / (self.sizes.head_width() as f32).sqrt();
        for number in numbers {
            *number *= factor;
        }
    }
}
