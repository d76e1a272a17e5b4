//! BERT and Nomic's BERT by this program's own forward pass. candle reads the weight file.

use std::cell::RefCell;

use candle_nn::VarBuilder;
use candle_transformers::models::{bert, nomic_bert};
use cpu_encoder::{
    CpuEncoder, EncoderError, EncoderScratch, ModelSizes, Precision, Sequence, SimdLevel,
    TensorSource,
};

use super::{
    batch::TokenWindow,
    error::NeuralError,
    window_encoder::{HiddenStates, WindowEncoder},
};

/// A loaded model.
pub(super) struct NativeEncoder {
    encoder: CpuEncoder,
}

impl NativeEncoder {
    /// Reads a BERT from `weights`; `None` if its configuration is not supported.
    pub(super) fn from_bert(
        weights: &VarBuilder<'_>,
        config: &bert::Config,
        precision: Precision,
    ) -> Option<Result<Self, EncoderError>> {
        use bert::{HiddenAct, PositionEmbeddingType};
        let is_supported = config.hidden_act == HiddenAct::Gelu
            && config.position_embedding_type == PositionEmbeddingType::Absolute;
        let sizes = ModelSizes {
            layers: config.num_hidden_layers,
            heads: config.num_attention_heads,
            width: config.hidden_size,
            inner: config.intermediate_size,
            vocabulary: config.vocab_size,
            positions: config.max_position_embeddings,
            types: config.type_vocab_size,
            layer_norm_epsilon: config.layer_norm_eps as f32,
        };
        let prefix = tensor_prefix(weights, config.model_type.as_deref());
        let make = || {
            CpuEncoder::from_bert(
                sizes,
                &CandleTensors(weights),
                &prefix,
                precision,
                SimdLevel::detect_best(),
            )
        };
        Self::from_encoder(is_supported.then(make)?)
    }

    /// Reads Nomic's BERT from `weights`; `None` if its configuration is not supported.
    pub(super) fn from_nomic(
        weights: &VarBuilder<'_>,
        config: &nomic_bert::Config,
        precision: Precision,
    ) -> Option<Result<Self, EncoderError>> {
        let has_biases = config.qkv_proj_bias || config.mlp_fc1_bias || config.mlp_fc2_bias;
        let is_supported = !has_biases
            && !config.prenorm
            && !config.rotary_emb_interleaved
            && config.rotary_emb_fraction == 1.0
            && config.activation_function == "swiglu";
        let sizes = ModelSizes {
            layers: config.n_layer,
            heads: config.n_head,
            width: config.n_embd,
            inner: config.n_inner,
            vocabulary: config.vocab_size,
            positions: config.n_positions,
            types: config.type_vocab_size,
            layer_norm_epsilon: config.layer_norm_epsilon as f32,
        };
        let prefix = tensor_prefix(weights, config.model_type.as_deref());
        let make = || {
            CpuEncoder::from_nomic(
                sizes,
                config.rotary_emb_base as f32,
                &CandleTensors(weights),
                &prefix,
                precision,
                SimdLevel::detect_best(),
            )
        };
        Self::from_encoder(is_supported.then(make)?)
    }

    fn from_encoder(
        encoder: Result<CpuEncoder, EncoderError>,
    ) -> Option<Result<Self, EncoderError>> {
        match encoder {
            Err(EncoderError::Shape(_)) => None,
            other => Some(other.map(|encoder| Self { encoder })),
        }
    }
}

/// The tensors of a model with a head have a prefix.
fn tensor_prefix(weights: &VarBuilder<'_>, model_type: Option<&str>) -> String {
    match model_type {
        Some(name) if !weights.contains_tensor("embeddings.word_embeddings.weight") => {
            format!("{name}.")
        }
        _ => String::new(),
    }
}

struct CandleTensors<'a, 'b>(&'a VarBuilder<'b>);

impl TensorSource for CandleTensors<'_, '_> {
    fn read_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
        let numbers = self.0.get(shape, name).and_then(|tensor| tensor.flatten_all()?.to_vec1());
        numbers
            .map_err(|source| EncoderError::Tensor { name: name.to_owned(), source: source.into() })
    }
}

impl WindowEncoder for NativeEncoder {
    fn state_width(&self) -> usize {
        self.encoder.state_width()
    }

    /// Long windows run alone; short ones together, so that they fill the registers.
    fn batch_tokens(&self) -> usize {
        256
    }

    fn encode_windows(&self, windows: &[&TokenWindow]) -> Result<HiddenStates, NeuralError> {
        thread_local! {
            static SCRATCH: RefCell<EncoderScratch> = RefCell::default();
        }
        let types: Vec<Vec<u32>> = windows.iter().map(|window| window.token_types()).collect();
        let sequences: Vec<Sequence<'_>> = windows
            .iter()
            .zip(&types)
            .map(|(window, types)| Sequence { ids: window.token_ids(), types })
            .collect();
        let mut states = Vec::new();
        SCRATCH.with_borrow_mut(|scratch| {
            self.encoder.encode_sequences(scratch, &sequences, &mut states)
        })?;
        let lengths = windows.iter().map(|window| window.len()).collect();
        Ok(HiddenStates::new(states, self.encoder.state_width(), lengths))
    }
}
