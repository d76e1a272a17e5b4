//! The forward pass: embeddings, then blocks of attention and feed-forward layers, each followed by
//! a residual sum and a norm.

use crate::{
    attention::Attention,
    error::EncoderError,
    kernels::{Finish, Format, Level},
    linear::Linear,
    rotary::Rotary,
    scratch::Scratch,
    shape::Sizes,
};

/// Tokens that go through the layers together; a longer sequence goes alone. By then products
/// run at full speed, and the states stay in the second cache.
const GROUP_TOKENS: usize = 384;
/// Tokens whose inner numbers are held at once; a multiple of the rows of every kernel.
const INNER_BLOCK: usize = 96;

/// A model's forward pass. Immutable; any number of threads may share it.
pub struct Encoder {
    pub(crate) level: Level,
    pub(crate) format: Format,
    pub(crate) sizes: Sizes,
    pub(crate) embeddings: Embeddings,
    pub(crate) layers: Vec<Layer>,
    pub(crate) rotary: Option<Rotary>,
    pub(crate) activation: Finish,
}

/// One input: token numbers, and for each the kind of text it belongs to. No types means type 0.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    /// Token numbers.
    pub ids: &'a [u32],
    /// Types, one for each token, or none.
    pub types: &'a [u32],
}

pub(crate) struct Embeddings {
    pub(crate) words: Vec<f32>,
    /// Empty where positions are rotary.
    pub(crate) positions: Vec<f32>,
    pub(crate) types: Vec<f32>,
    pub(crate) norm: Norm,
}

pub(crate) struct Norm {
    pub(crate) gain: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

pub(crate) struct Layer {
    /// Queries, keys and values; the factor of the scores is in the queries.
    pub(crate) mix: Linear,
    pub(crate) gather: Linear,
    pub(crate) attention_norm: Norm,
    pub(crate) up: Linear,
    pub(crate) down: Linear,
    pub(crate) inner_norm: Norm,
}

impl Encoder {
    /// Returns the numbers in a state.
    #[must_use]
    pub fn width(&self) -> usize {
        self.sizes.width
    }

    /// Returns the name of the instructions in use.
    #[must_use]
    pub fn kernels(&self) -> &'static str {
        self.level.name()
    }

    /// Writes one state for each token of each sequence into `states`, in their order, without
    /// padding. After an error `states` is empty.
    pub fn encode(
        &self,
        scratch: &mut Scratch,
        sequences: &[Sequence<'_>],
        states: &mut Vec<f32>,
    ) -> Result<(), EncoderError> {
        states.clear();
        sequences.iter().try_for_each(|sequence| self.check(sequence))?;
        let tokens: usize = sequences.iter().map(|sequence| sequence.ids.len()).sum();
        states.resize(tokens * self.sizes.width, 0.0);
        let mut rest = states.as_mut_slice();
        for group in groups(sequences) {
            let tokens: usize = group.iter().map(|sequence| sequence.ids.len()).sum();
            let (states, after) = rest.split_at_mut(tokens * self.sizes.width);
            self.run(scratch, group, states);
            rest = after;
        }
        Ok(())
    }

    fn check(&self, sequence: &Sequence<'_>) -> Result<(), EncoderError> {
        let Sizes { vocabulary, positions, types, .. } = self.sizes;
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
    fn run(&self, scratch: &mut Scratch, group: &[Sequence<'_>], states: &mut [f32]) {
        let width = self.sizes.width;
        let mut rest = &mut *states;
        for sequence in group {
            let (own, after) = rest.split_at_mut(sequence.ids.len() * width);
            self.embed(sequence, own);
            rest = after;
        }
        self.normalise(&self.embeddings.norm, states);
        for layer in &self.layers {
            self.attend(layer, scratch, group, states);
            self.normalise(&layer.attention_norm, states);
            for block in states.chunks_mut(INNER_BLOCK * width) {
                self.feed_forward(layer, scratch, block);
            }
            self.normalise(&layer.inner_norm, states);
        }
    }

    fn embed(&self, sequence: &Sequence<'_>, states: &mut [f32]) {
        let width = self.sizes.width;
        let row = |table: &[f32], at: usize, state: &mut [f32]| {
            for (number, value) in state.iter_mut().zip(table.iter().skip(at * width)) {
                *number += value;
            }
        };
        for (at, state) in states.chunks_exact_mut(width).enumerate() {
            row(&self.embeddings.words, sequence.ids[at] as usize, state);
            row(&self.embeddings.types, sequence.types.get(at).map_or(0, |&t| t as usize), state);
            row(&self.embeddings.positions, at, state);
        }
    }

    fn normalise(&self, norm: &Norm, states: &mut [f32]) {
        for state in states.chunks_exact_mut(self.sizes.width) {
            self.level.layer_norm(state, &norm.gain, &norm.shift, self.sizes.epsilon);
        }
    }

    /// Adds to each state what attention gathers for it.
    fn attend(
        &self,
        layer: &Layer,
        scratch: &mut Scratch,
        group: &[Sequence<'_>],
        states: &mut [f32],
    ) {
        let width = self.sizes.width;
        let Scratch { mixed, context, rows, heads, .. } = scratch;
        mixed.resize(3 * states.len());
        context.resize(states.len());
        rows.fill(self.level, layer.mix.format(), states, width);
        layer.mix.apply(self.level, rows, Finish::Store, mixed, 3 * width);
        let attention = Attention {
            level: self.level,
            format: self.format.in_fine_steps(),
            heads: self.sizes.heads,
            width,
        };
        let (mut mixed, mut gathered) = (&mut **mixed, &mut **context);
        for sequence in group {
            let (own, mixed_after) = mixed.split_at_mut(sequence.ids.len() * 3 * width);
            let (out, gathered_after) = gathered.split_at_mut(sequence.ids.len() * width);
            if let Some(rotary) = &self.rotary {
                for (position, row) in own.chunks_exact_mut(3 * width).enumerate() {
                    rotary.turn(position, &mut row[..2 * width]);
                }
            }
            attention.run(heads, own, out);
            (mixed, gathered) = (mixed_after, gathered_after);
        }
        rows.fill(self.level, layer.gather.format(), context, width);
        layer.gather.apply(self.level, rows, Finish::Add, states, width);
    }

    /// Adds to each state what the feed-forward layers make of it.
    fn feed_forward(&self, layer: &Layer, scratch: &mut Scratch, states: &mut [f32]) {
        let Sizes { width, inner: inner_width, .. } = self.sizes;
        let Scratch { inner, rows, .. } = scratch;
        inner.resize(states.len() / width * inner_width);
        rows.fill(self.level, layer.up.format(), states, width);
        layer.up.apply(self.level, rows, self.activation, inner, inner_width);
        rows.fill(self.level, layer.down.format(), inner, inner_width);
        layer.down.apply(self.level, rows, Finish::Add, states, width);
    }
}

/// Cuts the sequences into runs of at most [`GROUP_TOKENS`] tokens, or of one sequence.
fn groups<'a, 'b>(sequences: &'a [Sequence<'b>]) -> impl Iterator<Item = &'a [Sequence<'b>]> {
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
