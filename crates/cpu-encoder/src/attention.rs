//! Attention of one sequence: all heads, one after the other, in blocks of queries.

use crate::{
    Precision,
    kernels::{Epilogue, HeadStrip, PANEL, SimdLevel, pair_limit},
    scratch::HeadScratch,
};

/// Queries whose scores are computed at once; with a panel of keys they fit in the L1 cache.
const QUERY_BLOCK: usize = 12;

/// How attention is computed in one model.
#[derive(Clone, Copy)]
pub(crate) struct Attention {
    pub(crate) level: SimdLevel,
    pub(crate) format: Precision,
    pub(crate) heads: usize,
    pub(crate) width: usize,
}

impl Attention {
    /// Writes the attention output of each token into `context`. `mixed` has for each token its queries (already
    /// scaled by the factor of the scores), its keys and its values, each of the model's width.
    pub(crate) fn attend_heads(
        &self,
        scratch: &mut HeadScratch,
        mixed: &[f32],
        context: &mut [f32],
    ) {
        for head in 0..self.heads {
            self.attend_head(scratch, mixed, context, head * self.width / self.heads);
        }
    }

    fn attend_head(
        &self,
        scratch: &mut HeadScratch,
        mixed: &[f32],
        context: &mut [f32],
        start: usize,
    ) {
        let (level, format) = (self.level, self.format);
        let (stride, width) = (3 * self.width, self.width / self.heads);
        let tokens = mixed.len() / stride;
        let strip = |part: usize| {
            let start = part * self.width + start;
            HeadStrip { table: mixed, stride, start, width, rows: tokens }
        };
        let HeadScratch { keys, values, scores, queries, weights } = scratch;
        level.pack_keys(format, strip(1), keys);
        level.pack_values(format, strip(2), values);
        let padded = tokens.next_multiple_of(PANEL);
        for first in (0..tokens).step_by(QUERY_BLOCK) {
            let rows = QUERY_BLOCK.min(tokens - first);
            queries.begin_rows(format, rows, width);
            for row in 0..rows {
                let query = strip(0).row(first + row);
                queries.encode_row(level, format, row, query, pair_limit(width));
            }
            scores.resize(rows * padded);
            level.multiply_rows(
                queries.left_operand(),
                keys.right_operand(format),
                Epilogue::Store,
                scores,
                padded,
            );
            weights.fill_softmax(level, format, scores, padded, tokens);
            let out = &mut context[first * self.width + start..];
            level.multiply_rows(
                weights.left_operand(),
                values.right_operand(format),
                Epilogue::Store,
                out,
                self.width,
            );
        }
    }
}
