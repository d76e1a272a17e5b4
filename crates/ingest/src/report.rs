//! The report of a run: every file that was ingested, skipped or rejected, with the reason.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    path::Path,
};

use domain::ReadingCheck;
use serde::{Deserialize, Serialize};

/// Versions that the summary names because their texts lack something of their files; `specbox status --reading` lists all.
const MAX_INCOMPLETE: usize = 10;

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
    /// The checks of the reading that found something.
    #[serde(default)]
    pub reading: Vec<ReadingCheck>,
    /// Whether its text was compared with its file.
    #[serde(default)]
    pub checked_against_file: bool,
}

/// A file that was skipped on purpose.
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
    /// Files that were skipped.
    pub skipped: Vec<SkippedFile>,
    /// Files that could not be read.
    pub refused: Vec<RefusedFile>,
    /// Seconds until everything was read and could be found by its words.
    #[serde(default)]
    pub reading_seconds: f64,
    /// Passages, headings and figures whose vectors were computed while this run waited.
    #[serde(default)]
    pub embedded: u64,
    /// Those that still have no vectors, and are found by their words; of the whole index.
    #[serde(default)]
    pub without_vectors: u64,
    /// Why no vectors could be computed, if so.
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
    /// The report of a run that was stopped and then resumed: a file that the second part skips because the first
    /// indexed or skipped it is listed once, and one that the second part indexes does not count as rejected.
    #[must_use]
    pub fn followed_by(mut self, rest: Self) -> Self {
        // Indexed and rejected files are listed with their paths, skipped ones by name; several files may have the
        // same name.
        let mut listed: HashMap<String, usize> = HashMap::new();
        let taken = self.taken.iter().flat_map(|taken| &taken.files).map(|file| name_of(file));
        for name in taken.chain(self.skipped.iter().map(|skipped| skipped.file.as_str())) {
            *listed.entry(name.to_owned()).or_default() += 1;
        }
        self.skipped.extend(rest.skipped.into_iter().filter(|skipped| {
            match listed.get_mut(&skipped.file) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        }));
        let taken_names: HashSet<&str> =
            rest.taken.iter().flat_map(|taken| &taken.files).map(|file| name_of(file)).collect();
        let rejected_again: HashSet<&str> =
            rest.refused.iter().map(|refused| refused.file.as_str()).collect();
        self.refused.retain(|refused| {
            !taken_names.contains(name_of(&refused.file))
                && !rejected_again.contains(refused.file.as_str())
        });
        self.refused.extend(rest.refused.iter().cloned());
        self.taken.extend(rest.taken);
        Self {
            reading_seconds: self.reading_seconds + rest.reading_seconds,
            embedded: self.embedded + rest.embedded,
            pictures_embedded: self.pictures_embedded + rest.pictures_embedded,
            seconds: self.seconds + rest.seconds,
            without_vectors: rest.without_vectors,
            vectors_failed: rest.vectors_failed,
            interrupted: rest.interrupted,
            failed: rest.failed,
            ..self
        }
    }

    /// The checks that found something, the worst first.
    fn find_incomplete(&self) -> Vec<(&IngestedDocument, &ReadingCheck)> {
        let mut incomplete: Vec<(&IngestedDocument, &ReadingCheck)> = Vec::new();
        for taken in &self.taken {
            incomplete.extend(taken.reading.iter().map(|check| (taken, check)));
        }
        incomplete.sort_by(|(_, a), (_, b)| a.compare_severity(b));
        incomplete
    }

    /// Writes what the checks of the reading found, and how many versions they could not compare with their files.
    fn summarize_reading(&self, text: &mut String) {
        let incomplete = self.find_incomplete();
        for (taken, check) in incomplete.iter().take(MAX_INCOMPLETE) {
            let _ =
                write!(text, "\n  {} {}: {}", taken.doc_number, taken.version, check.describe());
        }
        if let Some(more) = incomplete.len().checked_sub(MAX_INCOMPLETE + 1) {
            let _ = write!(text, "\n  {} more: `specbox status --reading` lists them", more + 1);
        }
        let unchecked = self.taken.iter().filter(|taken| !taken.checked_against_file).count();
        if unchecked > 0 {
            let versions = count_of(unchecked, "document version");
            let _ =
                write!(text, "\n  not compared with their files, which are not .docx: {versions}");
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
        self.summarize_reading(&mut text);
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

/// The name of a file without its folders.
fn name_of(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ReadingCheckKind;

    fn taken(files: &[&str]) -> Vec<IngestedDocument> {
        let document = |file: &&str| IngestedDocument {
            files: vec![(*file).to_owned()],
            doc_number: "38.331".to_owned(),
            version: "18.0.0".to_owned(),
            release: "Rel-18".to_owned(),
            pipeline: "own_reader".to_owned(),
            sections: 1,
            passages: 1,
            figures: 0,
            seconds: 1.0,
            warnings: Vec::new(),
            reading: Vec::new(),
            checked_against_file: true,
        };
        files.iter().map(document).collect()
    }

    fn skipped(files: &[(&str, &str)]) -> Vec<SkippedFile> {
        let skip = |(file, reason): &(&str, &str)| SkippedFile {
            file: (*file).to_owned(),
            reason: (*reason).to_owned(),
        };
        files.iter().map(skip).collect()
    }

    fn refused(files: &[&str]) -> Vec<RefusedFile> {
        let refuse = |file: &&str| RefusedFile { file: (*file).to_owned(), reason: "x".to_owned() };
        files.iter().map(refuse).collect()
    }

    #[test]
    fn a_resumed_run_lists_each_file_once() {
        let first = IngestReport {
            taken: taken(&["/in/a/one.zip"]),
            skipped: skipped(&[("copy.zip", "was read from one.zip")]),
            refused: refused(&["/in/late.zip", "/in/bad.zip"]),
            interrupted: true,
            seconds: 2.0,
            ..IngestReport::default()
        };
        let indexed = "already indexed";
        let rest = IngestReport {
            taken: taken(&["/in/late.zip"]),
            skipped: skipped(&[("one.zip", indexed), ("one.zip", indexed), ("copy.zip", indexed)]),
            refused: refused(&["/in/bad.zip"]),
            seconds: 3.0,
            ..IngestReport::default()
        };
        let whole = first.followed_by(rest);
        assert_eq!(whole.taken, taken(&["/in/a/one.zip", "/in/late.zip"]));
        // The second one.zip is in another folder, and was indexed before.
        let skips = skipped(&[("copy.zip", "was read from one.zip"), ("one.zip", indexed)]);
        assert_eq!(whole.skipped, skips);
        assert_eq!(whole.refused, refused(&["/in/bad.zip"]));
        assert!(!whole.interrupted);
        assert_eq!(whole.seconds, 5.0);
    }

    #[test]
    fn the_summary_names_the_worst_first_and_counts_what_was_not_compared() {
        let check = |kind| ReadingCheck {
            checked: 4,
            missing: 1,
            examples: vec!["there".to_owned()],
            ..ReadingCheck::new(kind)
        };
        let mut taken = taken(&["/in/one.zip", "/in/two.doc"]);
        taken[0].reading =
            vec![check(ReadingCheckKind::References), check(ReadingCheckKind::Parts)];
        taken[1].checked_against_file = false;
        let summary = IngestReport { taken, ..IngestReport::default() }.summary();
        let lines: Vec<&str> = summary.lines().skip(1).collect();
        assert!(
            lines[0].contains("1 of 4 files and parts with text was not read: there"),
            "{summary}"
        );
        assert!(lines[1].contains("references within the document leads to nothing"), "{summary}");
        assert!(lines[2].ends_with(": 1 document version"), "{summary}");
    }
}
