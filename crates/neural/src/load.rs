//! Loads a model: files verified and read, configuration compared with the registry, weights taken
//! over in the numbers of the device.
//!
//! Weight files are read, not mapped: the hash needs every byte anyway, candle copies each tensor
//! out of the file, and a mapped file could change after it was checked.

use std::{path::Path, sync::Arc};

use candle_core::{DType, Device};
use candle_nn::{Linear, VarBuilder, linear};
use candle_transformers::models::{bert, nomic_bert};
use image::imageops::FilterType;
use serde::de::DeserializeOwned;

use super::{
    bert::Bert,
    cross_encoder::{CrossEncoder, Head},
    device,
    encoder::Encoder,
    error::NeuralError,
    files,
    forward::{Forward, Padded},
    frame::frame_text,
    image::{Clip, ImageEmbedder, Siglip, Spelling, Texts, Towers, TwoTowers, clip, siglip},
    nomic::NomicBert,
    options::{Engine, LoadOptions},
    own::Own,
    qwen3::{self, Qwen3},
    registry::{Architecture, CONFIG, ModelEntry, ModelKind, Registry, TOKENIZER, WEIGHTS},
    reranker::Reranker,
    sentence::SentenceEmbedder,
    text_embedder::TextEmbedder,
    tokenize::Tokenizer,
    xlm_roberta::{self, XlmRoberta},
};

/// Loads a text embedder from the models folder.
pub fn load_embedder(
    registry: &Registry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn TextEmbedder>, NeuralError> {
    let entry = &*registry.entry_of_kind(name, ModelKind::TextEmbedder)?.locked(models_dir)?;
    let tokenizer = tokenizer(entry, models_dir)?;
    let data = read(entry, WEIGHTS, models_dir)?;
    let weights = weights(entry, &data, options)?;
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
    let entry = &*registry.entry_of_kind(name, ModelKind::Reranker)?.locked(models_dir)?;
    let tokenizer = tokenizer(entry, models_dir)?;
    let data = read(entry, WEIGHTS, models_dir)?;
    let weights = weights(entry, &data, options)?;
    let forward = forward(entry, &weights, models_dir, &tokenizer, options)?;
    let head = head(entry, weights, forward.width(), &tokenizer)?;
    Ok(Arc::new(CrossEncoder::new(entry.identity(), tokenizer, forward, head)))
}

/// Loads an image embedder from the models folder.
pub fn load_image_embedder(
    registry: &Registry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn ImageEmbedder>, NeuralError> {
    let entry = &*registry.entry_of_kind(name, ModelKind::ImageEmbedder)?.locked(models_dir)?;
    let data = read(entry, WEIGHTS, models_dir)?;
    let weights = weights(entry, &data, options)?;
    let has_text = entry.reads_texts();
    let (look, dimension, positions, towers): (_, _, _, Box<dyn Towers>) = match entry.architecture
    {
        Architecture::Siglip | Architecture::Siglip2 => {
            let config: siglip::Config = config(entry, models_dir)?;
            let towers = Siglip::new(&weights, &config, has_text);
            let is_second = entry.architecture == Architecture::Siglip2;
            let filter = if is_second { FilterType::Triangle } else { FilterType::CatmullRom };
            let width = config.vision_config.hidden_size;
            let positions = config.text_config.max_position_embeddings;
            let towers = towers.map_err(|source| unusable(entry, source))?;
            (siglip::look(&config, filter), width, positions, Box::new(towers))
        }
        Architecture::Clip => {
            let config: clip::Config = config(entry, models_dir)?;
            let towers = Clip::new(&weights, &config, has_text);
            let towers = towers.map_err(|source| unusable(entry, source))?;
            (config.look(), config.dimension(), config.positions(), Box::new(towers))
        }
        Architecture::Bert
        | Architecture::NomicBert
        | Architecture::XlmRoberta
        | Architecture::Qwen3 => return Err(misplaced(entry)),
    };
    agree(entry, "dimension", entry.dimension, dimension)?;
    let texts = has_text.then(|| -> Result<Texts, NeuralError> {
        agree(entry, "max_tokens", entry.max_tokens, positions)?;
        let spelling = match entry.architecture {
            Architecture::Siglip => Spelling::SmallWithoutPunctuation,
            Architecture::Siglip2 => Spelling::Small,
            Architecture::Bert
            | Architecture::NomicBert
            | Architecture::XlmRoberta
            | Architecture::Qwen3
            | Architecture::Clip => Spelling::AsIs,
        };
        Ok(Texts {
            tokenizer: tokenizer(entry, models_dir)?,
            window: positions,
            spelling,
            is_filled: entry.architecture != Architecture::Clip,
        })
    });
    let texts = texts.transpose()?;
    Ok(Arc::new(TwoTowers { identity: entry.identity(), look, towers, texts }))
}

/// Loads only the tokenizer of a model, for counting without the weights.
pub fn load_tokenizer(
    registry: &Registry,
    name: &str,
    models_dir: &Path,
) -> Result<Tokenizer, NeuralError> {
    tokenizer(&*registry.entry(name)?.locked(models_dir)?, models_dir)
}

fn tokenizer(entry: &ModelEntry, models_dir: &Path) -> Result<Tokenizer, NeuralError> {
    let around = frame_text(entry.architecture, entry.kind);
    Tokenizer::new(&read(entry, TOKENIZER, models_dir)?, around)
}

/// Returns the program's own forward pass where it is wanted and written, else candle's. The own
/// one is for the processor.
fn forward(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
    tokenizer: &Tokenizer,
    options: &LoadOptions,
) -> Result<Box<dyn Forward>, NeuralError> {
    if options.engine == Engine::Auto
        && weights.device().is_cpu()
        && let Some(own) = own(entry, weights, models_dir, options)?
    {
        return Ok(Box::new(own));
    }
    let (encoder, width) = encoder(entry, weights, models_dir)?;
    Ok(Box::new(Padded::new(encoder, width, tokenizer.frame().padding)))
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
        Architecture::XlmRoberta
        | Architecture::Qwen3
        | Architecture::Clip
        | Architecture::Siglip
        | Architecture::Siglip2 => None,
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
        Architecture::XlmRoberta => {
            let config: xlm_roberta::Config = config(entry, models_dir)?;
            fits(entry, xlm_roberta::longest_window(&config))?;
            // A model with a head has a name for its body.
            let body = match entry.kind {
                ModelKind::Reranker => weights.pp("roberta"),
                ModelKind::TextEmbedder | ModelKind::ImageEmbedder => weights.clone(),
            };
            let model = XlmRoberta::new(&body, &config).map_err(unusable)?;
            Ok((Box::new(model), config.hidden_size))
        }
        Architecture::Qwen3 => {
            let mut config: qwen3::Config = config(entry, models_dir)?;
            fits(entry, config.max_position_embeddings)?;
            // The table of positions is computed to the length that is used.
            config.max_position_embeddings = entry.max_tokens as usize;
            let model = Qwen3::new(weights.clone(), &config).map_err(unusable)?;
            Ok((Box::new(model), config.hidden_size))
        }
        Architecture::Clip | Architecture::Siglip | Architecture::Siglip2 => Err(misplaced(entry)),
    }
}

/// Returns what turns states of this width into a logit.
fn head(
    entry: &ModelEntry,
    weights: VarBuilder<'_>,
    width: usize,
    tokenizer: &Tokenizer,
) -> Result<Head, NeuralError> {
    let weights = weights.set_device(Device::Cpu).set_dtype(DType::F32);
    let classifier = |hidden: &str, logit: &str| {
        let hidden = Some(linear(width, width, weights.pp(hidden))?);
        Ok(Head { hidden, logit: linear(width, 1, weights.pp(logit))? })
    };
    let head = match entry.architecture {
        Architecture::Bert | Architecture::NomicBert => {
            classifier("bert.pooler.dense", "classifier")
        }
        Architecture::XlmRoberta => classifier("classifier.dense", "classifier.out_proj"),
        Architecture::Qwen3 => {
            yes_or_no(&weights, tokenizer.number("yes")?, tokenizer.number("no")?)
        }
        Architecture::Clip | Architecture::Siglip | Architecture::Siglip2 => {
            return Err(misplaced(entry));
        }
    };
    head.map_err(|source| unusable(entry, source))
}

/// The logit of "yes" where "no" is the only other answer is the difference of the two words'
/// logits: the sigmoid of it is the first's share in the softmax of both.
fn yes_or_no(weights: &VarBuilder<'_>, yes: u32, no: u32) -> candle_core::Result<Head> {
    // The head's table is that of the words unless the file has one.
    let own = "lm_head.weight";
    let shared = "model.embed_tokens.weight";
    let name = if weights.contains_tensor(own) { own } else { shared };
    let table = weights.get_unchecked(name)?;
    let row = |token: u32| table.narrow(0, token as usize, 1);
    Ok(Head { hidden: None, logit: Linear::new((row(yes)? - row(no)?)?, None) })
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

fn weights<'a>(
    entry: &ModelEntry,
    data: &'a [u8],
    options: &LoadOptions,
) -> Result<VarBuilder<'a>, NeuralError> {
    let device = options.device.open()?;
    let numbers = device::numbers(entry.architecture, &device);
    VarBuilder::from_slice_safetensors(data, numbers, &device)
        .map_err(|source| unusable(entry, source))
}

/// The registry gives a model an architecture that does something else.
fn misplaced(entry: &ModelEntry) -> NeuralError {
    let said = format!("{:?} is not the architecture of a {}", entry.architecture, entry.kind);
    unusable(entry, candle_core::Error::Msg(said))
}

fn unusable(entry: &ModelEntry, source: candle_core::Error) -> NeuralError {
    NeuralError::Weights { model: entry.name.clone(), source }
}
