//! The interface between models and what runs them: from windows of tokens to one state for each token.

use candle_core::Tensor;

use super::{
    batch::{TokenBatch, TokenWindow},
    batch_encoder::BatchEncoder,
    error::NeuralError,
};

/// Runs windows through the layers of a model.
pub(super) trait WindowEncoder: Send + Sync {
    /// Returns the width of a state.
    fn state_width(&self) -> usize;

    /// Returns how many tokens are best run together.
    fn batch_tokens(&self) -> usize;

    /// Returns the last layer's states of each window.
    fn encode_windows(&self, windows: &[&TokenWindow]) -> Result<HiddenStates, NeuralError>;
}

/// One state for each token of some windows, without padding.
#[derive(Debug)]
pub(super) struct HiddenStates {
    numbers: Vec<f32>,
    width: usize,
    lengths: Vec<usize>,
}

impl HiddenStates {
    /// States of windows of these lengths, one after the other.
    pub(super) fn new(numbers: Vec<f32>, width: usize, lengths: Vec<usize>) -> Self {
        debug_assert_eq!(numbers.len(), width * lengths.iter().sum::<usize>());
        Self { numbers, width, lengths }
    }

    /// Returns the width of a state.
    pub(super) fn state_width(&self) -> usize {
        self.width
    }

    /// Returns the states of each window, state after state.
    pub(super) fn iter_windows(&self) -> impl Iterator<Item = &[f32]> {
        let mut rest = self.numbers.as_slice();
        self.lengths.iter().map(move |&length| {
            let (window, after) = rest.split_at(length * self.width);
            rest = after;
            window
        })
    }
}

/// A model by candle, which takes windows padded to one length.
pub(super) struct PaddedEncoder {
    encoder: Box<dyn BatchEncoder>,
    width: usize,
    padding: u32,
}

impl PaddedEncoder {
    pub(super) fn new(encoder: Box<dyn BatchEncoder>, width: usize, padding: u32) -> Self {
        Self { encoder, width, padding }
    }

    /// Removes the states of padding.
    fn strip_padding(
        &self,
        padded: &Tensor,
        batch: TokenBatch,
    ) -> Result<HiddenStates, NeuralError> {
        let padded = padded.flatten_all()?.to_vec1::<f32>()?;
        let rows = padded.chunks_exact((batch.width * self.width).max(1)).zip(&batch.lengths);
        let numbers = rows.flat_map(|(row, length)| &row[..length * self.width]).copied().collect();
        Ok(HiddenStates::new(numbers, self.width, batch.lengths))
    }
}

impl WindowEncoder for PaddedEncoder {
    fn state_width(&self) -> usize {
        self.width
    }

    /// The matrices are then large enough; more would only take memory.
    fn batch_tokens(&self) -> usize {
        2048
    }

    fn encode_windows(&self, windows: &[&TokenWindow]) -> Result<HiddenStates, NeuralError> {
        let batch = TokenBatch::new(windows, self.padding);
        let padded = self.encoder.encode_batch(&batch)?;
        self.strip_padding(&padded, batch)
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use crate::template::TokenTemplate;

    /// Gives every token its number as a state of one, padding too.
    struct Echo;

    impl BatchEncoder for Echo {
        fn encode_batch(&self, batch: &TokenBatch) -> candle_core::Result<Tensor> {
            let ids: Vec<f32> = batch.ids.iter().map(|&id| id as f32).collect();
            let (rows, columns) = batch.shape();
            Tensor::from_vec(ids, (rows, columns, 1), &Device::Cpu)
        }
    }

    #[test]
    fn padding_is_left_out() {
        let frame = TokenTemplate { start: vec![1], between: vec![], end: vec![2], padding: 9 };
        let (long, short) = (
            TokenWindow::from_text(&frame, &[], &[5, 6]),
            TokenWindow::from_text(&frame, &[], &[]),
        );
        let padded = PaddedEncoder::new(Box::new(Echo), 1, frame.padding);
        let states = padded.encode_windows(&[&long, &short]).expect("the shapes agree");
        let windows: Vec<&[f32]> = states.iter_windows().collect();
        assert_eq!(windows, [&[1.0, 5.0, 6.0, 2.0][..], &[1.0, 2.0]]);
    }
}
