//! Groups windows into batches: sorted by length so that little is padding, bounded in padded
//! tokens so that memory is, and small enough that every lane has work.

use super::template::TokenTemplate;

/// One model input: token numbers with the special tokens, and how many belong to the first text.
#[derive(Clone, Debug)]
pub(super) struct TokenWindow {
    ids: Vec<u32>,
    /// Tokens of the first text with the special tokens around it.
    first_text_len: usize,
}

impl TokenWindow {
    /// Frames a text with its prompt.
    pub(super) fn from_text(frame: &TokenTemplate, prompt: &[u32], text: &[u32]) -> Self {
        let ids = [&frame.start, prompt, text, &frame.end].concat();
        Self { first_text_len: ids.len(), ids }
    }

    /// Frames a pair.
    pub(super) fn from_pair(frame: &TokenTemplate, query: &[u32], passage: &[u32]) -> Self {
        let ids = [&frame.start, query, &frame.between, passage, &frame.end].concat();
        Self { ids, first_text_len: frame.start.len() + query.len() + frame.between.len() }
    }

    /// Returns the number of tokens.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the token numbers.
    pub(super) fn token_ids(&self) -> &[u32] {
        &self.ids
    }

    /// Returns for each token 0 in the first text and 1 in the second.
    pub(super) fn token_types(&self) -> Vec<u32> {
        (0..self.ids.len()).map(|index| u32::from(index >= self.first_text_len)).collect()
    }
}

/// Windows padded to one width, as rows of three tables.
#[derive(Debug)]
pub(super) struct TokenBatch {
    /// Token numbers, row after row.
    pub(super) ids: Vec<u32>,
    /// 0 in the first text of a row, 1 in the second.
    pub(super) types: Vec<u32>,
    /// 1 for a token, 0 for padding.
    pub(super) mask: Vec<u32>,
    /// Tokens of each row, padding not counted.
    pub(super) lengths: Vec<usize>,
    /// Tokens of each row, padding counted.
    pub(super) width: usize,
}

impl TokenBatch {
    /// Pads the windows to the longest of them.
    pub(super) fn new(windows: &[&TokenWindow], padding: u32) -> Self {
        let lengths: Vec<usize> = windows.iter().map(|window| window.len()).collect();
        let width = lengths.iter().copied().max().unwrap_or(0);
        let size = windows.len() * width;
        let (mut ids, mut types, mut mask) = (vec![padding; size], vec![0; size], vec![0; size]);
        for (row, window) in windows.iter().enumerate() {
            let (start, end) = (row * width, row * width + window.len());
            ids[start..end].copy_from_slice(&window.ids);
            types[start + window.first_text_len..end].fill(1);
            mask[start..end].fill(1);
        }
        Self { ids, types, mask, lengths, width }
    }

    /// Returns rows and columns.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.lengths.len(), self.width)
    }
}

/// Returns groups of indices into `lengths`, longest windows first, of at most `tokens` each.
pub(super) fn plan_batches(lengths: &[usize], lanes: usize, tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(lengths[index]));
    let share = lengths.iter().sum::<usize>().div_ceil(lanes.max(1));
    let budget = share.min(tokens);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut width = 0;
    for index in order {
        match batches.last_mut() {
            Some(batch) if (batch.len() + 1) * width <= budget => batch.push(index),
            _ => {
                width = lengths[index];
                batches.push(vec![index]);
            }
        }
    }
    batches
}

/// Returns the results of planned batches in the order of the windows they were planned for.
pub(super) fn restore_order<R>(batches: &[Vec<usize>], results: Vec<Vec<R>>) -> Vec<R> {
    let mut placed: Vec<(usize, R)> =
        batches.iter().flatten().copied().zip(results.into_iter().flatten()).collect();
    placed.sort_unstable_by_key(|&(index, _)| index);
    placed.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENS: usize = 2048;

    fn frame() -> TokenTemplate {
        TokenTemplate { start: vec![101], between: vec![102], end: vec![102], padding: 0 }
    }

    #[test]
    fn every_window_is_in_exactly_one_batch() {
        let lengths: Vec<usize> = (0..200).map(|n| 2 + n * 37 % 511).collect();
        let mut seen: Vec<usize> =
            plan_batches(&lengths, 2, TOKENS).into_iter().flatten().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn a_batch_is_bounded_in_padded_tokens() {
        let lengths: Vec<usize> = (0..200).map(|n| 2 + n * 37 % 511).collect();
        for batch in plan_batches(&lengths, 2, TOKENS) {
            let width = batch.iter().map(|&index| lengths[index]).max().unwrap_or(0);
            assert!(batch.len() == 1 || batch.len() * width <= TOKENS);
        }
    }

    #[test]
    fn few_windows_are_spread_over_the_lanes() {
        assert_eq!(plan_batches(&[100; 8], 4, TOKENS).len(), 4);
        assert_eq!(plan_batches(&[], 4, TOKENS), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn results_return_to_the_order_of_the_windows() {
        let batches = [vec![2, 0], vec![1]];
        assert_eq!(restore_order(&batches, vec![vec!["c", "a"], vec!["b"]]), ["a", "b", "c"]);
    }

    #[test]
    fn padding_is_masked_and_the_second_text_is_marked() {
        let frame = frame();
        let (long, short) = (
            TokenWindow::from_pair(&frame, &[7], &[8, 9]),
            TokenWindow::from_text(&frame, &[], &[5]),
        );
        let batch = TokenBatch::new(&[&long, &short], frame.padding);
        assert_eq!(batch.shape(), (2, 6));
        assert_eq!(batch.ids, [101, 7, 102, 8, 9, 102, 101, 5, 102, 0, 0, 0]);
        assert_eq!(batch.types, [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(batch.mask, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
    }
}
