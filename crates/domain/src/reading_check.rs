//! What the reading of a document is known to have missed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

closed_set! {
    /// Subject of a check of the reading.
    pub enum ReadingCheckKind {
        /// Words of the file that the stored text lacks.
        Words = "words",
        /// Numbered headings that are not the heading of a section.
        Headings = "headings",
        /// Entries of the printed table of contents that are not the heading of a section.
        Contents = "contents",
    }
}

/// Examples that a check keeps: enough to find the place, and few enough to be read.
const MAX_EXAMPLES: usize = 5;
/// Missing words that are not worth a warning: a word that the reader prints as two is missing too.
const MAX_STRAY_WORDS: u64 = 2;
/// Characters of an example.
const MAX_EXAMPLE_CHARS: usize = 100;

/// The outcome of a check of the reading, made by code that does not share the reader's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadingCheck {
    /// What was checked.
    pub kind: ReadingCheckKind,
    /// How many there are.
    pub checked: u64,
    /// How many of them are missing.
    pub missing: u64,
    /// Some of the missing ones.
    pub examples: Vec<String>,
}

impl ReadingCheck {
    /// A check of nothing yet.
    pub fn new(kind: ReadingCheckKind) -> Self {
        Self { kind, checked: 0, missing: 0, examples: Vec::new() }
    }

    /// Counts one more; `example` describes it if it is missing.
    pub fn count_one(&mut self, is_there: bool, example: impl FnOnce() -> String) {
        self.checked += 1;
        if !is_there {
            self.add_failures(1, &example());
        }
    }

    /// Adds missing ones that were counted as checked.
    pub fn add_failures(&mut self, count: u64, example: &str) {
        self.missing += count;
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(example.chars().take(MAX_EXAMPLE_CHARS).collect());
        }
    }

    /// Whether enough is missing for a warning.
    pub fn is_worth_warning(&self) -> bool {
        let stray = match self.kind {
            ReadingCheckKind::Words => MAX_STRAY_WORDS,
            ReadingCheckKind::Headings | ReadingCheckKind::Contents => 0,
        };
        self.missing > stray
    }

    /// What is missing, in a sentence without its full stop.
    pub fn describe(&self) -> String {
        let what = match self.kind {
            ReadingCheckKind::Words => "words of the file are not in the text that was read",
            ReadingCheckKind::Headings => "numbered headings in the file have no section",
            ReadingCheckKind::Contents => {
                "entries in the printed table of contents have no section"
            }
        };
        let examples = self.examples.join("; ");
        format!("{} of {} {what}: {examples}", self.missing, self.checked)
    }

    /// The share that is missing, 0 to 1.
    pub fn missing_share(&self) -> f64 {
        if self.checked == 0 { 0.0 } else { self.missing as f64 / self.checked as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_counts_and_names_what_is_missing() {
        let mut check = ReadingCheck::new(ReadingCheckKind::Headings);
        check.count_one(true, || unreachable!("it is there"));
        assert_eq!((check.missing_share(), check.is_worth_warning()), (0.0, false));
        for number in 1..=7 {
            check.count_one(false, || format!("{number}{}", " long".repeat(40)));
        }
        assert_eq!((check.checked, check.missing, check.examples.len()), (8, 7, MAX_EXAMPLES));
        assert!(check.examples.iter().all(|example| example.len() == MAX_EXAMPLE_CHARS));
        assert_eq!(check.missing_share(), 0.875);
        let sentence = check.describe();
        assert!(
            sentence.starts_with("7 of 8 numbered headings in the file have no section: 1 long"),
            "{sentence}"
        );
    }

    #[test]
    fn a_stray_word_is_not_worth_a_warning() {
        for (kind, missing, warns) in [
            (ReadingCheckKind::Words, 2, false),
            (ReadingCheckKind::Words, 3, true),
            (ReadingCheckKind::Contents, 1, true),
            (ReadingCheckKind::Headings, 0, false),
        ] {
            let check = ReadingCheck { missing, ..ReadingCheck::new(kind) };
            assert_eq!(check.is_worth_warning(), warns, "{kind} {missing}");
        }
    }
}
