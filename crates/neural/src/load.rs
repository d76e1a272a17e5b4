//! Loads a model: files verified and read, configuration compared with the registry, weights converted
//! to the number format of the device.
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
    batch_encoder::BatchEncoder,
    bert::Bert,
    cross_encoder::{CrossEncoder, RerankerHead},
    device,
    error::NeuralError,
    files,
    image::{
        ClipModel, ImageEmbedder, Siglip, TextNormalisation, TextPreprocessor, Towers, TwoTowers,
        clip, siglip,
    },
    model_kind::ModelKind,
    native::NativeEncoder,
    nomic::NomicBert,
    options::{Engine, LoadOptions},
    qwen3::{self, Qwen3},
    registry::{
        Architecture, CONFIG_FILE, ModelEntry, ModelRegistry, TOKENIZER_FILE, WEIGHTS_FILE,
    },
    reranker::Reranker,
    sentence::SentenceEmbedder,
    template::template_text,
    text_embedder::TextEmbedder,
    tokenize::Tokenizer,
    window_encoder::{PaddedEncoder, WindowEncoder},
    xlm_roberta::{self, XlmRoberta},
};

/// Loads a text embedder from the models folder.
pub fn load_embedder(
    registry: &ModelRegistry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn TextEmbedder>, NeuralError> {
    let entry =
        &*registry.find_entry_of_kind(name, ModelKind::TextEmbedder)?.resolve_pins(models_dir)?;
    let tokenizer = read_tokenizer(entry, models_dir)?;
    let data = read_model_file(entry, WEIGHTS_FILE, models_dir)?;
    let weights = open_weights(entry, &data, options)?;
    let forward = build_window_encoder(entry, &weights, models_dir, &tokenizer, options)?;
    check_agreement(entry, "dimension", entry.dimension, forward.state_width())?;
    Ok(Arc::new(SentenceEmbedder::new(entry.identity(), tokenizer, forward)?))
}

/// Loads a reranker from the models folder.
pub fn load_reranker(
    registry: &ModelRegistry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn Reranker>, NeuralError> {
    let entry =
        &*registry.find_entry_of_kind(name, ModelKind::Reranker)?.resolve_pins(models_dir)?;
    let tokenizer = read_tokenizer(entry, models_dir)?;
    let data = read_model_file(entry, WEIGHTS_FILE, models_dir)?;
    let weights = open_weights(entry, &data, options)?;
    let forward = build_window_encoder(entry, &weights, models_dir, &tokenizer, options)?;
    let head = build_head(entry, weights, forward.state_width(), &tokenizer)?;
    Ok(Arc::new(CrossEncoder::new(entry.identity(), tokenizer, forward, head)))
}

/// Loads an image embedder from the models folder.
pub fn load_image_embedder(
    registry: &ModelRegistry,
    name: &str,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Arc<dyn ImageEmbedder>, NeuralError> {
    let entry =
        &*registry.find_entry_of_kind(name, ModelKind::ImageEmbedder)?.resolve_pins(models_dir)?;
    let data = read_model_file(entry, WEIGHTS_FILE, models_dir)?;
    let weights = open_weights(entry, &data, options)?;
    let has_text = entry.reads_texts();
    let (preprocessor, dimension, positions, towers): (_, _, _, Box<dyn Towers>) =
        match entry.architecture {
            Architecture::Siglip | Architecture::Siglip2 => {
                let config: siglip::Config = read_config(entry, models_dir)?;
                let towers = Siglip::new(&weights, &config, has_text);
                let is_second = entry.architecture == Architecture::Siglip2;
                let filter = if is_second { FilterType::Triangle } else { FilterType::CatmullRom };
                let width = config.vision_config.hidden_size;
                let positions = config.text_config.max_position_embeddings;
                let towers = towers.map_err(|source| weights_error(entry, source))?;
                (siglip::image_preprocessor(&config, filter), width, positions, Box::new(towers))
            }
            Architecture::Clip => {
                let config: clip::ClipConfig = read_config(entry, models_dir)?;
                let towers = ClipModel::new(&weights, &config, has_text);
                let towers = towers.map_err(|source| weights_error(entry, source))?;
                (
                    config.image_preprocessor(),
                    config.dimension(),
                    config.max_text_tokens(),
                    Box::new(towers),
                )
            }
            Architecture::Bert
            | Architecture::NomicBert
            | Architecture::XlmRoberta
            | Architecture::Qwen3 => return Err(wrong_architecture_error(entry)),
        };
    check_agreement(entry, "dimension", entry.dimension, dimension)?;
    let texts = has_text.then(|| -> Result<TextPreprocessor, NeuralError> {
        check_agreement(entry, "max_tokens", entry.max_tokens, positions)?;
        let normalisation = match entry.architecture {
            Architecture::Siglip => TextNormalisation::LowercaseWithoutPunctuation,
            Architecture::Siglip2 => TextNormalisation::Lowercase,
            Architecture::Bert
            | Architecture::NomicBert
            | Architecture::XlmRoberta
            | Architecture::Qwen3
            | Architecture::Clip => TextNormalisation::AsIs,
        };
        Ok(TextPreprocessor {
            tokenizer: read_tokenizer(entry, models_dir)?,
            max_row_tokens: positions,
            normalisation,
            pads_rows: entry.architecture != Architecture::Clip,
        })
    });
    let texts = texts.transpose()?;
    Ok(Arc::new(TwoTowers {
        identity: entry.identity(),
        image_preprocessor: preprocessor,
        towers,
        text_preprocessor: texts,
    }))
}

/// Returns the text of a model's `tokenizer.json`, which is verified and can be read, for
/// [`TokenCounter`](crate::TokenCounter) in another process.
pub fn read_vocabulary(
    registry: &ModelRegistry,
    name: &str,
    models_dir: &Path,
) -> Result<String, NeuralError> {
    let entry = registry.find_entry(name)?.resolve_pins(models_dir)?;
    let json = read_model_file(&entry, TOKENIZER_FILE, models_dir)?;
    Tokenizer::new(&json, template_text(entry.architecture, entry.kind))?;
    // It is JSON, which is UTF-8.
    String::from_utf8(json).map_err(|error| NeuralError::Tokenizer(Box::new(error)))
}

/// Loads only the tokenizer of a model, for counting without the weights.
pub fn load_tokenizer(
    registry: &ModelRegistry,
    name: &str,
    models_dir: &Path,
) -> Result<Tokenizer, NeuralError> {
    read_tokenizer(&*registry.find_entry(name)?.resolve_pins(models_dir)?, models_dir)
}

fn read_tokenizer(entry: &ModelEntry, models_dir: &Path) -> Result<Tokenizer, NeuralError> {
    let around = template_text(entry.architecture, entry.kind);
    Tokenizer::new(&read_model_file(entry, TOKENIZER_FILE, models_dir)?, around)
}

/// Returns the program's own forward pass if the options allow it and it supports the model, otherwise candle's. The
/// own one runs on the processor only.
fn build_window_encoder(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
    tokenizer: &Tokenizer,
    options: &LoadOptions,
) -> Result<Box<dyn WindowEncoder>, NeuralError> {
    if options.engine == Engine::Auto
        && weights.device().is_cpu()
        && let Some(own) = build_native_encoder(entry, weights, models_dir, options)?
    {
        return Ok(Box::new(own));
    }
    let (encoder, width) = build_batch_encoder(entry, weights, models_dir)?;
    Ok(Box::new(PaddedEncoder::new(encoder, width, tokenizer.token_template().padding)))
}

/// Returns the program's own forward pass if it supports this model.
fn build_native_encoder(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
    options: &LoadOptions,
) -> Result<Option<NativeEncoder>, NeuralError> {
    let precision = options.precision.resolve_precision(entry.kind);
    let own = match entry.architecture {
        Architecture::Bert => {
            let config: bert::Config = read_config(entry, models_dir)?;
            check_window_fits(entry, config.max_position_embeddings)?;
            NativeEncoder::from_bert(weights, &config, precision)
        }
        Architecture::NomicBert => {
            let config: nomic_bert::Config = read_config(entry, models_dir)?;
            check_window_fits(entry, config.n_positions)?;
            NativeEncoder::from_nomic(weights, &config, precision)
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
fn build_batch_encoder(
    entry: &ModelEntry,
    weights: &VarBuilder<'_>,
    models_dir: &Path,
) -> Result<(Box<dyn BatchEncoder>, usize), NeuralError> {
    let unusable = |source| weights_error(entry, source);
    match entry.architecture {
        Architecture::Bert => {
            let config: bert::Config = read_config(entry, models_dir)?;
            check_window_fits(entry, config.max_position_embeddings)?;
            let model = Bert::new(weights.clone(), &config).map_err(unusable)?;
            Ok((Box::new(model), config.hidden_size))
        }
        Architecture::NomicBert => {
            let config: nomic_bert::Config = read_config(entry, models_dir)?;
            check_window_fits(entry, config.n_positions)?;
            let model = NomicBert::new(weights.clone(), &config).map_err(unusable)?;
            Ok((Box::new(model), config.n_embd))
        }
        Architecture::XlmRoberta => {
            let config: xlm_roberta::Config = read_config(entry, models_dir)?;
            check_window_fits(entry, xlm_roberta::longest_window(&config))?;
            // The tensors of a model with a head have a prefix.
            let body = match entry.kind {
                ModelKind::Reranker => weights.pp("roberta"),
                ModelKind::TextEmbedder | ModelKind::ImageEmbedder => weights.clone(),
            };
            let model = XlmRoberta::new(&body, &config).map_err(unusable)?;
            Ok((Box::new(model), config.hidden_size))
        }
        Architecture::Qwen3 => {
            let mut config: qwen3::Config = read_config(entry, models_dir)?;
            check_window_fits(entry, config.max_position_embeddings)?;
            // The table of positions is computed to the length that is used.
            config.max_position_embeddings = entry.max_tokens as usize;
            let model = Qwen3::new(weights.clone(), &config).map_err(unusable)?;
            Ok((Box::new(model), config.hidden_size))
        }
        Architecture::Clip | Architecture::Siglip | Architecture::Siglip2 => {
            Err(wrong_architecture_error(entry))
        }
    }
}

/// Returns the head that turns states of this width into a logit.
fn build_head(
    entry: &ModelEntry,
    weights: VarBuilder<'_>,
    width: usize,
    tokenizer: &Tokenizer,
) -> Result<RerankerHead, NeuralError> {
    let weights = weights.set_device(Device::Cpu).set_dtype(DType::F32);
    let classifier = |hidden: &str, logit: &str| {
        let hidden = Some(linear(width, width, weights.pp(hidden))?);
        Ok(RerankerHead { hidden, logit: linear(width, 1, weights.pp(logit))? })
    };
    let head = match entry.architecture {
        Architecture::Bert | Architecture::NomicBert => {
            classifier("bert.pooler.dense", "classifier")
        }
        Architecture::XlmRoberta => classifier("classifier.dense", "classifier.out_proj"),
        Architecture::Qwen3 => {
            build_yes_no_head(&weights, tokenizer.token_id("yes")?, tokenizer.token_id("no")?)
        }
        Architecture::Clip | Architecture::Siglip | Architecture::Siglip2 => {
            return Err(wrong_architecture_error(entry));
        }
    };
    head.map_err(|source| weights_error(entry, source))
}

/// If "no" is the only other answer, the logit of "yes" is the difference of the two words' logits: its sigmoid
/// equals the probability of "yes" in the softmax of both.
fn build_yes_no_head(
    weights: &VarBuilder<'_>,
    yes: u32,
    no: u32,
) -> candle_core::Result<RerankerHead> {
    // The head shares the table of the word embeddings unless the file has its own.
    let own = "lm_head.weight";
    let shared = "model.embed_tokens.weight";
    let name = if weights.contains_tensor(own) { own } else { shared };
    let table = weights.get_unchecked(name)?;
    let row = |token: u32| table.narrow(0, token as usize, 1);
    Ok(RerankerHead { hidden: None, logit: Linear::new((row(yes)? - row(no)?)?, None) })
}

fn read_config<C: DeserializeOwned>(
    entry: &ModelEntry,
    models_dir: &Path,
) -> Result<C, NeuralError> {
    serde_json::from_slice(&read_model_file(entry, CONFIG_FILE, models_dir)?)
        .map_err(|source| NeuralError::Config { model: entry.name.clone(), source })
}

/// Fails if a window has more tokens than the model has positions.
fn check_window_fits(entry: &ModelEntry, positions: usize) -> Result<(), NeuralError> {
    let window = entry.max_tokens as usize;
    check_agreement(entry, "max_tokens", entry.max_tokens, positions.min(window))
}

fn check_agreement(
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

fn read_model_file(
    entry: &ModelEntry,
    name: &str,
    models_dir: &Path,
) -> Result<Vec<u8>, NeuralError> {
    match entry.find_file(name) {
        Some(file) => files::read_verified(entry, file, models_dir),
        None => Err(NeuralError::MissingFile {
            model: entry.name.clone(),
            path: models_dir.join(&entry.name).join(name),
            models_dir: models_dir.to_owned(),
        }),
    }
}

fn open_weights<'a>(
    entry: &ModelEntry,
    data: &'a [u8],
    options: &LoadOptions,
) -> Result<VarBuilder<'a>, NeuralError> {
    let device = options.device.open()?;
    let numbers = device::compute_dtype(entry.architecture, &device);
    VarBuilder::from_slice_safetensors(data, numbers, &device)
        .map_err(|source| weights_error(entry, source))
}

/// The registry gives a model an architecture that does something else.
fn wrong_architecture_error(entry: &ModelEntry) -> NeuralError {
    let message = format!("{:?} is not the architecture of a {}", entry.architecture, entry.kind);
    weights_error(entry, candle_core::Error::Msg(message))
}

fn weights_error(entry: &ModelEntry, source: candle_core::Error) -> NeuralError {
    NeuralError::Weights { model: entry.name.clone(), source }
}
