//! The report of a run: every file that was ingested, skipped or refused, with the reason.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// A document version that was ingested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IngestedDocument {
    /// The files it came from.
    pub files: Vec<String>,
    /// Document number.
    pub doc_number: String,
    /// Version.
    pub version: String,
    /// Release.
    pub release: String,
    /// How it was read.
    pub pipeline: String,
    /// Sections.
    pub sections: usize,
    /// Passages.
    pub passages: usize,
    /// Figures.
    #[serde(default)]
    pub figures: usize,
    /// Passages and figures whose vectors were made in this run.
    pub embedded: usize,
    /// Seconds it took, reading and embedding.
    pub seconds: f64,
    /// Of these, seconds in which the model made vectors.
    pub model_seconds: f64,
    /// Problems that did not stop the reading, one sentence each.
    pub warnings: Vec<String>,
}

/// A file that was left out on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedFile {
    /// The file; a member of an archive follows the archive's name.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// A file that could not be ingested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedFile {
    /// The file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IngestReport {
    /// Document versions that were ingested.
    pub taken: Vec<IngestedDocument>,
    /// Files left out.
    pub skipped: Vec<SkippedFile>,
    /// Files that could not be read.
    pub refused: Vec<RefusedFile>,
    /// Pictures of figures that were embedded.
    #[serde(default)]
    pub pictures_embedded: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
    /// Why the run failed, if it did: an error of the model or of the store.
    pub failed: Option<String>,
    /// Seconds in all.
    pub seconds: f64,
}

impl IngestReport {
    /// A summary for people.
    pub fn summary(&self) -> String {
        let passages: usize = self.taken.iter().map(|taken| taken.passages).sum();
        let embedded: usize = self.taken.iter().map(|taken| taken.embedded).sum();
        let mut text = format!(
            "{} document versions taken ({passages} passages, {embedded} embedded), {} files skipped, \
             {} refused, in {:.1} s",
            self.taken.len(),
            self.skipped.len(),
            self.refused.len(),
            self.seconds,
        );
        let model: f64 = self.taken.iter().map(|taken| taken.model_seconds).sum();
        if embedded > 0 && model > 0.0 && self.seconds > 0.0 {
            let (rate, share) = (embedded as f64 / model, 100.0 * model / self.seconds);
            let _ = write!(text, "; the model took {share:.0} % of it, {rate:.0} passages/s");
        }
        if self.pictures_embedded > 0 {
            let _ = write!(text, "; {} pictures embedded", self.pictures_embedded);
        }
        for refused in &self.refused {
            let _ = write!(text, "\n  refused {}: {}", refused.file, refused.reason);
        }
        if let Some(failed) = &self.failed {
            let _ = write!(text, "\nthe run failed {failed}");
        }
        if self.interrupted {
            text.push_str("\nstopped before the end; run the same command again to go on");
        }
        text
    }
}
