//! The report of a run: every file that was ingested, skipped or refused, with the reason.

use std::{collections::HashSet, ffi::OsStr, fmt::Write as _, path::Path};

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
    /// Seconds it took.
    pub seconds: f64,
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

/// Why a file is skipped that is in the index as it is.
pub(crate) const ALREADY_INDEXED: &str = "already indexed";

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IngestReport {
    /// Document versions that were ingested.
    pub taken: Vec<IngestedDocument>,
    /// Files left out.
    pub skipped: Vec<SkippedFile>,
    /// Files that could not be read.
    pub refused: Vec<RefusedFile>,
    /// Seconds until everything was read and could be found by its words.
    #[serde(default)]
    pub reading_seconds: f64,
    /// Passages, headings and figures whose vectors were made while this run waited.
    #[serde(default)]
    pub embedded: u64,
    /// Those that still have no vectors, and are found by their words; of the whole index.
    #[serde(default)]
    pub without_vectors: u64,
    /// Why no vectors could be made, if so.
    #[serde(default)]
    pub vectors_failed: Option<String>,
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
    /// The report of a run that was stopped and then resumed: what the second part skipped because the first had taken
    /// or skipped it is listed once.
    #[must_use]
    pub fn followed_by(self, rest: Self) -> Self {
        // Taken files are listed with their paths, skipped ones by name.
        let names = self.taken.iter().flat_map(|taken| &taken.files);
        let taken_names: HashSet<&OsStr> =
            names.filter_map(|file| Path::new(file).file_name()).collect();
        let is_new = |skipped: &SkippedFile| {
            let was_taken = skipped.reason == ALREADY_INDEXED
                && taken_names.contains(OsStr::new(&skipped.file));
            !(was_taken || self.skipped.contains(skipped))
        };
        let newly_skipped: Vec<_> = rest.skipped.into_iter().filter(is_new).collect();
        let tried_again: HashSet<_> =
            rest.refused.iter().map(|refused| refused.file.clone()).collect();
        let refused = self.refused.into_iter().filter(|old| !tried_again.contains(&old.file));
        // With --force, the second part takes everything again.
        let taken_again =
            |old: &IngestedDocument| rest.taken.iter().any(|new| new.files == old.files);
        let mut taken: Vec<_> = self.taken.into_iter().filter(|old| !taken_again(old)).collect();
        taken.extend(rest.taken);
        Self {
            taken,
            skipped: self.skipped.into_iter().chain(newly_skipped).collect(),
            refused: refused.chain(rest.refused).collect(),
            reading_seconds: self.reading_seconds + rest.reading_seconds,
            embedded: self.embedded + rest.embedded,
            pictures_embedded: self.pictures_embedded + rest.pictures_embedded,
            seconds: self.seconds + rest.seconds,
            without_vectors: rest.without_vectors,
            vectors_failed: rest.vectors_failed,
            interrupted: rest.interrupted,
            failed: rest.failed,
        }
    }

    /// A summary for people.
    pub fn summary(&self) -> String {
        let passages: usize = self.taken.iter().map(|taken| taken.passages).sum();
        let mut text = format!(
            "{} indexed ({}), {} skipped, {} rejected, in {:.1} s",
            count_of(self.taken.len(), "document version"),
            count_of(passages, "passage"),
            count_of(self.skipped.len(), "file"),
            self.refused.len(),
            self.reading_seconds,
        );
        if self.embedded > 0 {
            let seconds = self.seconds - self.reading_seconds;
            let _ = write!(text, "; {} texts embedded in {seconds:.1} s", self.embedded);
        }
        if self.without_vectors > 0 {
            let _ = write!(
                text,
                "\n{} texts can be searched only by words until their vectors are computed; a server computes them in \
                 the background, and so does `specbox ingest`",
                self.without_vectors
            );
        }
        if let Some(reason) = &self.vectors_failed {
            let _ = write!(text, "\nno vectors could be computed: {reason}");
        }
        if self.pictures_embedded > 0 {
            let _ = write!(text, "; {} pictures embedded", self.pictures_embedded);
        }
        for refused in &self.refused {
            let _ = write!(text, "\n  rejected {}: {}", refused.file, refused.reason);
        }
        if let Some(failed) = &self.failed {
            let _ = write!(text, "\nthe run failed {failed}");
        }
        if self.interrupted {
            text.push_str("\ninterrupted; run the same command again to resume");
        }
        text
    }
}

/// `1 file`, `2 files`.
fn count_of(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
