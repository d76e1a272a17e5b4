//! What a reindexing, of texts or of pictures, has done, and whether it may begin.

use serde::{Deserialize, Serialize};

use super::CommandError;

/// Report of a reindexing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReindexReport {
    /// The requested model.
    pub model: String,
    /// Whether searches use it now.
    pub switched: bool,
    /// Whether the run was stopped before its end.
    #[serde(default)]
    pub interrupted: bool,
    /// Passages, or pictures, embedded by this run.
    pub embedded: u64,
    /// Those that an earlier run had embedded.
    pub resumed: u64,
    /// Those that still wait, or cannot be opened; the next run tries them again.
    pub pending: u64,
    /// Seconds taken.
    pub seconds: f64,
}

impl ReindexReport {
    pub(super) fn for_model(model: &str) -> Self {
        Self { model: model.to_owned(), ..Self::default() }
    }
}

/// Refuses a model if the configuration names another one.
pub(super) fn check_configured_model(
    key: &'static str,
    configured: Option<String>,
    model: &str,
) -> Result<(), CommandError> {
    match configured.filter(|configured| configured != model) {
        Some(configured) => Err(CommandError::Configured { key, configured }),
        None => Ok(()),
    }
}
