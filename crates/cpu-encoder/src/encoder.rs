//! The forward pass: embeddings, then blocks of attention and feed-forward layers, each followed by
//! a residual sum and a norm.

use crate::{
    Precision,
    attention::Attention,
    error::EncoderError,
    kernels::{Epilogue, SimdLevel},
    linear::Linear,
    rotary::Rotary,
    scratch::EncoderScratch,
    shape::ModelSizes,
};

/// Maximum number of tokens that run through the layers together; a longer sequence runs alone. Products then run at
/// full speed, and the states stay in the L2 cache: 384 of 384 numbers are 590 kB.
const GROUP_TOKENS: usize = 384;
/// Tokens in a block of the feed-forward layers; a multiple of the rows of every kernel (4, 6 and 12), so that none
/// runs with fewer. 96 rows of 1,536 inner numbers are 590 kB; all tokens together would leave the cache.
const INNER_BLOCK: usize = 96;

/// A model's forward pass. Immutable; any number of threads may share it.
pub struct CpuEncoder {
    pub(crate) level: SimdLevel,
    pub(crate) format: Precision,
    pub(crate) sizes: ModelSizes,
    pub(crate) embeddings: Embeddings,
    pub(crate) layers: Vec<EncoderLayer>,
    pub(crate) rotary: Option<Rotary>,
    pub(crate) activation: Epilogue,
}

/// One input: token numbers, and for each the kind of text it belongs to. Without types, all are type 0.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    /// Token numbers.
    pub ids: &'a [u32],
    /// Types, one for each token, or none.
    pub types: &'a [u32],
}

pub(crate) struct Embeddings {
    pub(crate) words: Vec<f32>,
    /// Empty if positions are rotary.
    pub(crate) positions: Vec<f32>,
    pub(crate) types: Vec<f32>,
    pub(crate) norm: LayerNormWeights,
}

pub(crate) struct LayerNormWeights {
    pub(crate) gain: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

pub(crate) struct EncoderLayer {
    /// To queries, keys and values; the queries include the factor of the scores.
    pub(crate) mix: Linear,
    pub(crate) gather: Linear,
    pub(crate) attention_norm: LayerNormWeights,
    pub(crate) up: Linear,
    pub(crate) down: Linear,
    pub(crate) inner_norm: LayerNormWeights,
}

impl CpuEncoder {
    /// Returns the width of a state.
    #[must_use]
    pub fn state_width(&self) -> usize {
        self.sizes.width
    }

    /// Returns the name of the instructions in use.
    #[must_use]
    pub fn instruction_set_name(&self) -> &'static str {
        self.level.name()
    }

    /// Writes one state for each token of each sequence into `states`, in their order, without
    /// padding. After an error `states` is empty.
    pub fn encode_sequences(
        &self,
        scratch: &mut EncoderScratch,
        sequences: &[Sequence<'_>],
        states: &mut Vec<f32>,
    ) -> Result<(), EncoderError> {
        states.clear();
        sequences.iter().try_for_each(|sequence| self.check_sequence(sequence))?;
        let tokens: usize = sequences.iter().map(|sequence| sequence.ids.len()).sum();
        states.resize(tokens * self.sizes.width, 0.0);
        let mut rest = states.as_mut_slice();
        for group in group_sequences(sequences) {
            let tokens: usize = group.iter().map(|sequence| sequence.ids.len()).sum();
            let (states, after) = rest.split_at_mut(tokens * self.sizes.width);
            self.run_group(scratch, group, states);
            rest = after;
        }
        Ok(())
    }

    fn check_sequence(&self, sequence: &Sequence<'_>) -> Result<(), EncoderError> {
        let ModelSizes { vocabulary, positions, types, .. } = self.sizes;
        let tokens = sequence.ids.len();
        if tokens > positions {
            return Err(EncoderError::TooLong { tokens, positions });
        }
        if !sequence.types.is_empty() && sequence.types.len() != tokens {
            return Err(EncoderError::TypesMissing { tokens, types: sequence.types.len() });
        }
        if let Some(&id) = sequence.ids.iter().find(|&&id| id as usize >= vocabulary) {
            return Err(EncoderError::UnknownToken { id, vocabulary });
        }
        match sequence.types.iter().find(|&&found| found as usize >= types) {
            Some(&found) => Err(EncoderError::UnknownType { found, types }),
            None => Ok(()),
        }
    }

    /// Runs a group of sequences that have been checked.
    fn run_group(&self, scratch: &mut EncoderScratch, group: &[Sequence<'_>], states: &mut [f32]) {
        let width = self.sizes.width;
        let mut rest = &mut *states;
        for sequence in group {
            let (own, after) = rest.split_at_mut(sequence.ids.len() * width);
            self.embed_tokens(sequence, own);
            rest = after;
        }
        self.normalise_states(&self.embeddings.norm, states);
        for layer in &self.layers {
            self.add_attention(layer, scratch, group, states);
            self.normalise_states(&layer.attention_norm, states);
            for block in states.chunks_mut(INNER_BLOCK * width) {
                self.add_feed_forward(layer, scratch, block);
            }
            self.normalise_states(&layer.inner_norm, states);
        }
    }

    fn embed_tokens(&self, sequence: &Sequence<'_>, states: &mut [f32]) {
        let width = self.sizes.width;
        let add_row = |table: &[f32], row: usize, state: &mut [f32]| {
            for (number, value) in state.iter_mut().zip(table.iter().skip(row * width)) {
                *number += value;
            }
        };
        for (position, state) in states.chunks_exact_mut(width).enumerate() {
            let token_type = sequence.types.get(position).map_or(0, |&number| number as usize);
            add_row(&self.embeddings.words, sequence.ids[position] as usize, state);
            add_row(&self.embeddings.types, token_type, state);
            add_row(&self.embeddings.positions, position, state);
        }
    }

    fn normalise_states(&self, norm: &LayerNormWeights, states: &mut [f32]) {
        for state in states.chunks_exact_mut(self.sizes.width) {
            self.level.layer_norm(state, &norm.gain, &norm.shift, self.sizes.layer_norm_epsilon);
        }
    }

    /// Adds the attention output to each state.
    fn add_attention(
        &self,
        layer: &EncoderLayer,
        scratch: &mut EncoderScratch,
        group: &[Sequence<'_>],
        states: &mut [f32],
    ) {
        let width = self.sizes.width;
        let EncoderScratch { mixed, context, rows, heads, .. } = scratch;
        mixed.resize(3 * states.len());
        context.resize(states.len());
        rows.encode_rows(self.level, layer.mix.format(), states, width);
        layer.mix.apply_to_rows(self.level, rows, Epilogue::Store, mixed, 3 * width);
        let attention = Attention {
            level: self.level,
            format: self.format.widen_int8(),
            heads: self.sizes.heads,
            width,
        };
        let (mut mixed, mut gathered) = (&mut **mixed, &mut **context);
        for sequence in group {
            let (own, mixed_after) = mixed.split_at_mut(sequence.ids.len() * 3 * width);
            let (out, gathered_after) = gathered.split_at_mut(sequence.ids.len() * width);
            if let Some(rotary) = &self.rotary {
                for (position, row) in own.chunks_exact_mut(3 * width).enumerate() {
                    rotary.rotate_heads(position, &mut row[..2 * width]);
                }
            }
            attention.attend_heads(heads, own, out);
            (mixed, gathered) = (mixed_after, gathered_after);
        }
        rows.encode_rows(self.level, layer.gather.format(), context, width);
        layer.gather.apply_to_rows(self.level, rows, Epilogue::Add, states, width);
    }

    /// Adds the output of the feed-forward layers to each state.
    fn add_feed_forward(
        &self,
        layer: &EncoderLayer,
        scratch: &mut EncoderScratch,
        states: &mut [f32],
    ) {
        let ModelSizes { width, inner: inner_width, .. } = self.sizes;
        let EncoderScratch { inner, rows, .. } = scratch;
        inner.resize(states.len() / width * inner_width);
        rows.encode_rows(self.level, layer.up.format(), states, width);
        layer.up.apply_to_rows(self.level, rows, self.activation, inner, inner_width);
        rows.encode_rows(self.level, layer.down.format(), inner, inner_width);
        layer.down.apply_to_rows(self.level, rows, Epilogue::Add, states, width);
    }
}

/// Cuts the sequences into runs of at most [`GROUP_TOKENS`] tokens, or of one sequence.
fn group_sequences<'a, 'b>(
    sequences: &'a [Sequence<'b>],
) -> impl Iterator<Item = &'a [Sequence<'b>]> {
    let mut rest = sequences;
    std::iter::from_fn(move || {
        let mut tokens = 0;
        let fits = rest.iter().take_while(|sequence| {
            tokens += sequence.ids.len();
            tokens <= GROUP_TOKENS
        });
        let count = fits.count().max(1).min(rest.len());
        let (group, after) = rest.split_at(count);
        rest = after;
        (!group.is_empty()).then_some(group)
    })
}
