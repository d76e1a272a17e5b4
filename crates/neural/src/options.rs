//! How models are run: where, by which forward pass and in which precision.

use serde::Deserialize;

use cpu_encoder::Precision;

use super::{device::DeviceChoice, model_kind::ModelKind};

/// How models are run. No option changes which vectors may be compared: all precisions give nearly
/// the same vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Where.
    pub device: DeviceChoice,
    /// By what.
    pub engine: Engine,
    /// In which precision the program's own forward pass multiplies.
    pub precision: PrecisionChoice,
}

/// What runs a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The program's own forward pass if it supports the model, otherwise candle.
    #[default]
    Auto,
    /// candle, in 32-bit floats.
    Candle,
}

/// The precision of a model's products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum PrecisionChoice {
    /// 8-bit integers for what reads texts: on 163 questions, nDCG@10 is .479 instead of .482 in 16 bits, within
    /// chance (`docs/ranking.md`), in 0.7 of the time (`docs/benchmarks.md`). 32-bit floats for pictures.
    #[default]
    Auto,
    /// The same for every model.
    Only(Precision),
}

impl TryFrom<String> for PrecisionChoice {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "auto" => Ok(Self::Auto),
            other => other.parse().map(Self::Only).map_err(|_| {
                format!("unknown precision '{word}'; use auto, f32, bf16, int16 or int8")
            }),
        }
    }
}

impl PrecisionChoice {
    /// Returns the precision to run in.
    pub(super) fn resolve_precision(self, kind: ModelKind) -> Precision {
        match self {
            Self::Only(precision) => precision,
            Self::Auto => match kind {
                ModelKind::TextEmbedder | ModelKind::Reranker => Precision::Int8,
                // Only candle runs these.
                ModelKind::ImageEmbedder => Precision::F32,
            },
        }
    }
}
