//! Loads a model: files verified and read, configuration compared with the registry, weights taken
//! over as 32-bit numbers.
//!
//! Weight files are read, not mapped: the hash needs every byte anyway, candle copies each tensor
//! out of the file, and a mapped file could change after it was checked.

use std::{path::Path, sync::Arc};

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, nomic_bert};
use serde::de::DeserializeOwned;

use super::{
    bert::Bert,
    cross_encoder::{CrossEncoder, Head},
    encoder::Encoder,
    error::NeuralError,
    files,
    forward::{Forward, Padded},
    nomic::NomicBert,
    options::{Engine, LoadOptions},
    own::Own,
    registry::{Architecture, ModelEntry, ModelKind, Registry},
    reranker::Reranker,
    sentence::SentenceEmbedder,
    text_embedder::TextEmbedder,
    tokenize::Tokenizer,
};

const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
const CONFIG: &str = "config.json";

/// Loads a text embedder from the models folder.
pub fn load_embedder(
    registry: &Registry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn TextEmbedder>, NeuralError> {
    let entry = registry.entry_of_kind(name, ModelKind::TextEmbedder)?;
    let tokenizer = tokenizer(entry, models_dir)?;
    let data = read(entry, WEIGHTS, models_dir)?;
    let weights = weights(entry, &data)?;
    let forward = forward(entry, &weights, models_dir, &tokenizer, options)?;
    agree(entry, "dimension", entry.dimension, forward.width())?;
    Ok(Arc::new(SentenceEmbedder::new(entry.identity(), tokenizer, forward)?))
}

/// Loads a reranker from the models folder.
pub fn load_reranker(
    registry: &Registry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn Reranker>, NeuralError> {
    let entry = registry.entry_of_kind(name, ModelKind::Reranker)?;
    let tokenizer = tokenizer(entry, models_dir)?;
    let data = read(entry, WEIGHTS, models_dir)?;
    let weights = weights(entry, &data)?;
    let forward = forward(entry, &weights, models_dir, &tokenizer, options)?;
    let head = Head::new(&weights, forward.width()).map_err(|source| unusable(entry, source))?;
    Ok(Arc::new(CrossEncoder::new(entry.identity(), tokenizer, forward, head)))
}

/// Loads only the tokenizer of a model, for counting without the weights.
pub fn load_tokenizer(
    registry: &Registry,
    name: &str,
    models_dir: &Path,
) -> Result<Tokenizer, NeuralError> {
    tokenizer(registry.entry(name)?, models_dir)
}

fn tokenizer(entry: &ModelEntry, models_dir: &Path) -> Result<Tokenizer, NeuralError> {
    Tokenizer::from_bytes(&read(entry, TOKENIZER, models_dir)?)
}

/// Returns the program's own forward pass where it is wanted and written, else candle's.
fn forward(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
    tokenizer: &Tokenizer,
    options: &LoadOptions,
) -> Result<Box<dyn Forward>, NeuralError> {
    if options.engine == Engine::Auto
        && let Some(own) = own(entry, weights, models_dir, options)?
    {
        return Ok(Box::new(own));
    }
    let (encoder, width) = encoder(entry, weights, models_dir)?;
    Ok(Box::new(Padded::new(encoder, width, tokenizer.special().padding)))
}

/// Returns the program's own forward pass if it is written for this model.
fn own(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Option<Own>, NeuralError> {
    let precision = options.precision.precision(entry.kind);
    let own = match entry.architecture {
        Architecture::Bert => {
            let config: bert::Config = config(entry, models_dir)?;
            fits(entry, config.max_position_embeddings)?;
            Own::bert(weights, &config, precision)
        }
        Architecture::NomicBert => {
            let config: nomic_bert::Config = config(entry, models_dir)?;
            fits(entry, config.n_positions)?;
            Own::nomic(weights, &config, precision)
        }
    };
    own.transpose().map_err(|source| NeuralError::Packing { model: entry.name.clone(), source })
}

/// Returns candle's forward pass and the width of its states.
fn encoder(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
) -> Result<(Box<dyn Encoder>, usize), NeuralError> {
    let unusable = |source| unusable(entry, source);
    match entry.architecture {
        Architecture::Bert => {
            let config: bert::Config = config(entry, models_dir)?;
            fits(entry, config.max_position_embeddings)?;
            let model = Bert::new(weights.clone(), &config).map_err(unusable)?;
            Ok((Box::new(model), config.hidden_size))
        }
        Architecture::NomicBert => {
            let config: nomic_bert::Config = config(entry, models_dir)?;
            fits(entry, config.n_positions)?;
            let model = NomicBert::new(weights.clone(), &config).map_err(unusable)?;
            Ok((Box::new(model), config.n_embd))
        }
    }
}

fn config<C: DeserializeOwned>(entry: &ModelEntry, models_dir: &Path) -> Result<C, NeuralError> {
    serde_json::from_slice(&read(entry, CONFIG, models_dir)?)
        .map_err(|source| NeuralError::Config { model: entry.name.clone(), source })
}

/// Fails when a window has more tokens than the model has positions.
fn fits(entry: &ModelEntry, positions: usize) -> Result<(), NeuralError> {
    let window = entry.max_tokens as usize;
    agree(entry, "max_tokens", entry.max_tokens, positions.min(window))
}

fn agree(
    entry: &ModelEntry,
    what: &'static str,
    registry: u32,
    config: usize,
) -> Result<(), NeuralError> {
    let registry = registry as usize;
    if registry == config {
        return Ok(());
    }
    Err(NeuralError::Disagreement { model: entry.name.clone(), what, registry, config })
}

fn read(entry: &ModelEntry, name: &str, models_dir: &Path) -> Result<Vec<u8>, NeuralError> {
    match entry.file(name) {
        Some(file) => files::read_verified(entry, file, models_dir),
        None => Err(NeuralError::MissingFile {
            model: entry.name.clone(),
            path: models_dir.join(&entry.name).join(name),
            models_dir: models_dir.to_owned(),
        }),
    }
}

fn weights<'a>(entry: &ModelEntry, data: &'a [u8]) -> Result<VarBuilder<'a>, NeuralError> {
    VarBuilder::from_slice_safetensors(data, DType::F32, &Device::Cpu)
        .map_err(|source| unusable(entry, source))
}

fn unusable(entry: &ModelEntry, source: candle_core::Error) -> NeuralError {
    NeuralError::Weights { model: entry.name.clone(), source }
}
