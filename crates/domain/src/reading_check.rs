//! What the reading of a document is known to have missed.

use std::cmp::Ordering;

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
        /// Files beside the text, and parts within its file, that carry text and were not read.
        Parts = "parts",
        /// Listings, such as modules of ASN.1 and OpenAPI files, that cannot be read whole from the stored text.
        Listings = "listings",
        /// Figures that were not drawn, are blank, or do not show all of their words.
        Figures = "figures",
        /// Fields without a result.
        Fields = "fields",
        /// Characters whose meaning is not known.
        Characters = "characters",
        /// References to clauses, annexes, tables, figures and listed documents that the document does not have.
        References = "references",
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

impl ReadingCheckKind {
    /// Whether what is missing was lost in the reading. A reference to nothing is often a mistake of the authors.
    pub fn shows_loss(self) -> bool {
        self != Self::References
    }

    /// Lost text is worse than a lost detail, and that is worse than a mistake of the authors.
    fn severity(self) -> u8 {
        match self {
            Self::Words | Self::Headings | Self::Contents | Self::Parts => 0,
            Self::Listings | Self::Figures | Self::Fields | Self::Characters => 1,
            Self::References => 2,
        }
    }

    /// What is missing, for one and for several.
    fn sentences(self) -> [&'static str; 2] {
        match self {
            Self::Words => [
                "words of the file is not in the text that was read",
                "words of the file are not in the text that was read",
            ],
            Self::Headings => [
                "numbered headings in the file has no section",
                "numbered headings in the file have no section",
            ],
            Self::Contents => [
                "entries in the printed table of contents has no section",
                "entries in the printed table of contents have no section",
            ],
            Self::Parts => [
                "files and parts with text was not read",
                "files and parts with text were not read",
            ],
            Self::Listings => {
                ["listings cannot be read completely", "listings cannot be read completely"]
            }
            Self::Figures => [
                "figures is not drawn, or not completely",
                "figures are not drawn, or not completely",
            ],
            Self::Fields => ["fields has no result", "fields have no result"],
            Self::Characters => [
                "special characters has no known meaning",
                "special characters have no known meaning",
            ],
            Self::References => [
                "references within the document leads to nothing",
                "references within the document lead to nothing",
            ],
        }
    }
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

    /// Adds what a check of the same kind found elsewhere.
    pub fn add_check(&mut self, other: &Self) {
        self.checked += other.checked;
        self.missing += other.missing;
        let room = MAX_EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.iter().take(room).cloned());
    }

    /// Whether enough is missing for a warning.
    pub fn is_worth_warning(&self) -> bool {
        let stray = if self.kind == ReadingCheckKind::Words { MAX_STRAY_WORDS } else { 0 };
        self.missing > stray
    }

    /// Whether enough is missing for a warning, and was lost in the reading.
    pub fn is_loss(&self) -> bool {
        self.kind.shows_loss() && self.is_worth_warning()
    }

    /// What is missing, in a sentence without its full stop.
    pub fn describe(&self) -> String {
        let [one, several] = self.kind.sentences();
        let what = if self.missing == 1 { one } else { several };
        let examples = self.examples.join("; ");
        format!("{} of {} {what}: {examples}", self.missing, self.checked)
    }

    /// The share that is missing, 0 to 1.
    pub fn missing_share(&self) -> f64 {
        if self.checked == 0 { 0.0 } else { self.missing as f64 / self.checked as f64 }
    }

    /// The order in which checks are shown: the worst first.
    pub fn compare_severity(&self, other: &Self) -> Ordering {
        let by_kind = self.kind.severity().cmp(&other.kind.severity());
        by_kind.then(other.missing_share().total_cmp(&self.missing_share()))
    }

    /// Whether the checks of a document compare its text with its file. Those of the text alone are made for any file.
    pub fn compare_file(checks: &[Self]) -> bool {
        checks.iter().any(|check| check.kind == ReadingCheckKind::Words)
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

    #[test]
    fn lost_text_comes_first_and_mistakes_of_the_authors_last() {
        let check =
            |kind, missing| ReadingCheck { checked: 10, missing, ..ReadingCheck::new(kind) };
        let mut checks = [
            check(ReadingCheckKind::References, 9),
            check(ReadingCheckKind::Characters, 8),
            check(ReadingCheckKind::Contents, 1),
            check(ReadingCheckKind::Parts, 2),
        ];
        checks.sort_by(ReadingCheck::compare_severity);
        let kinds = checks.each_ref().map(|check| check.kind.as_str());
        assert_eq!(kinds, ["parts", "contents", "characters", "references"]);
        assert!(checks[0].is_loss() && !checks[3].is_loss() && checks[3].is_worth_warning());
        assert!(!ReadingCheck::compare_file(&checks));
        assert!(ReadingCheck::compare_file(&[ReadingCheck::new(ReadingCheckKind::Words)]));
        assert!(
            checks[1]
                .describe()
                .starts_with("1 of 10 entries in the printed table of contents has")
        );
    }

    #[test]
    fn checks_of_two_parts_are_added() {
        let mut all = ReadingCheck::new(ReadingCheckKind::Parts);
        for part in 0..4 {
            let mut check = ReadingCheck::new(ReadingCheckKind::Parts);
            check.count_one(true, String::new);
            check.count_one(false, || format!("{part}.doc"));
            check.count_one(false, || format!("{part}.rtf"));
            all.add_check(&check);
        }
        assert_eq!((all.checked, all.missing, all.examples.len()), (12, 8, MAX_EXAMPLES));
        assert_eq!(all.examples[4], "2.doc");
    }
}
