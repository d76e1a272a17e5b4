//! The forward pass of an architecture, from token numbers to one state for each token.

use candle_core::{Device, Result, Tensor};

use super::batch::TokenBatch;

/// Runs a batch through the layers.
pub(super) trait BatchEncoder: Send + Sync {
    /// Returns the last layer's states: rows, columns, width of the model, in 32 bits on the
    /// processor. The states in padding columns are undefined.
    fn encode_batch(&self, batch: &TokenBatch) -> Result<Tensor>;
}

/// Returns a table of the batch as a tensor on a device.
pub(super) fn tensor_from_table(
    table: &[u32],
    batch: &TokenBatch,
    device: &Device,
) -> Result<Tensor> {
    Tensor::from_slice(table, batch.shape(), device)
}
