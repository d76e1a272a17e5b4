//! Reads the text of a part and reports the progress.

use std::io::{self, Read};

use crate::archive::UnpackBudget;

/// Share of the progress that the text of a part takes; its pictures take the rest. An ingest of 62 versions takes
/// 53.5 s with figures and 40.2 s without (docs/benchmarks.md).
const TEXT_SHARE: f64 = 0.8;

/// A reader of the text of a part that reports how much of it was read.
pub struct ObservedReader<'a, R> {
    source: R,
    budget: &'a UnpackBudget,
    read_bytes: u64,
    total_bytes: u64,
}

impl<'a, R: Read> ObservedReader<'a, R> {
    /// A reader of a text that has about `total_bytes`.
    pub fn new(source: R, total_bytes: u64, budget: &'a UnpackBudget) -> Self {
        Self { source, budget, read_bytes: 0, total_bytes: total_bytes.max(1) }
    }
}

impl<R: Read> Read for ObservedReader<'_, R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(target)?;
        self.read_bytes = self.read_bytes.saturating_add(read as u64);
        let share = self.read_bytes as f64 / self.total_bytes as f64;
        self.budget.report_share(TEXT_SHARE * share.min(1.0));
        Ok(read)
    }
}

impl UnpackBudget {
    /// Reports how many pictures of the part are drawn; its text has been read by then.
    pub fn report_pictures(&self, done: usize, total: usize) {
        let share = done as f64 / total.max(1) as f64;
        self.report_share(TEXT_SHARE + (1.0 - TEXT_SHARE) * share.min(1.0));
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::*;
    use crate::limits::Limits;

    #[test]
    fn the_share_grows_with_text_and_pictures_over_all_parts() {
        let heard = Rc::new(RefCell::new(Vec::new()));
        let sink = heard.clone();
        let hear = move |share| sink.borrow_mut().push(share);
        let budget = UnpackBudget::with_observer(&Limits::default(), hear);
        budget.begin_part(1, 2);
        let mut text = ObservedReader::new(&[0_u8; 10][..], 10, &budget);
        text.read_exact(&mut [0; 5]).expect("enough");
        budget.report_pictures(1, 1);
        let expected = [0.5, 0.7, 1.0];
        let heard = heard.borrow();
        assert_eq!(heard.len(), expected.len(), "{heard:?}");
        assert!(heard.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{heard:?}");
    }
}
