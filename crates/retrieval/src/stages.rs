//! Measures the stages of a search, for the operator's metrics.

use std::time::Instant;

use metrics::histogram;

/// A stage of a search that begins now; its time is recorded when it is dropped.
pub(crate) struct Stage {
    name: &'static str,
    began: Instant,
}

impl Stage {
    pub(crate) fn begin(name: &'static str) -> Self {
        Self { name, began: Instant::now() }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        histogram!("specbox_search_stage_seconds", "stage" => self.name)
            .record(self.began.elapsed());
    }
}
