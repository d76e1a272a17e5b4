//! Who signs a file, and what shows that it is the report of a meeting: its cover and its content, never its name.

use std::sync::LazyLock;

use regex::Regex;
use register::{PartyRole, parse_parties};

use extract::Contribution;

/// Lines at the beginning that may open a meeting; a table of contents stands before them.
const OPENING_LINES: usize = 2_000;

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The secretary of a meeting, its chair, or the group itself.
static MEETING_OFFICIAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:chair\w*|convenor|convener|secretar\w*|MCC|ETSI)\b|^\s*(?:3GPP\s+)?(?:TSG[ -]*)?(?:RAN|SA|CT)[ -]*(?:WG[ -]*)?\d?\s*$",
    )
});
static MODERATOR: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:moderator|feature\s+lead)s?\b"));
static RAPPORTEUR: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:rapporteur|editor)s?\b"));
/// The words that open a meeting in its report.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:\d+\W+)?opening\s+of\s+the\s+(?:\S+\s+){0,3}meeting|\bopened\s+the\s+meeting\b",
    )
});

/// Who signs a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signer {
    /// The meeting: its secretary, a chair, or the group.
    Meeting,
    /// The moderator of a discussion.
    Moderator,
    /// The rapporteur of a work item or the editor of a document.
    Rapporteur,
    /// A company.
    Company,
}

impl Signer {
    /// Who the cell or the line "Source" names.
    pub(super) fn from_source(source: &str) -> Self {
        if MODERATOR.is_match(source) {
            return Self::Moderator;
        }
        if MEETING_OFFICIAL.is_match(source) {
            return Self::Meeting;
        }
        let writes_for_others =
            parse_parties(source).iter().any(|party| party.role == PartyRole::Editor);
        match RAPPORTEUR.is_match(source) || writes_for_others {
            true => Self::Rapporteur,
            false => Self::Company,
        }
    }
}

/// What a report of a meeting has and a file lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportGap {
    /// Its cover does not call it a report.
    Cover,
    /// It has no opening of the meeting, and nobody of the meeting signs it.
    Opening,
    /// It records nothing.
    Decisions,
}

impl ReportGap {
    /// What is missing, in a sentence.
    pub(super) fn as_sentence(self) -> &'static str {
        match self {
            Self::Cover => "its first page does not call it the report of a meeting",
            Self::Opening => {
                "no secretary or chair signs it, and it has no \"Opening of the meeting\""
            }
            Self::Decisions => "it records neither a decision nor the outcome of a document",
        }
    }
}

/// What a file lacks to be the report of a meeting. `is_called_report` says whether its first page calls it one.
pub(super) fn find_report_gap(
    read: &Contribution,
    is_called_report: bool,
    signer: Option<Signer>,
) -> Option<ReportGap> {
    let opens = || {
        let blocks = read.blocks.iter().take(OPENING_LINES);
        blocks.flat_map(|block| block.text.lines()).any(|line| OPENING.is_match(line))
    };
    if !is_called_report {
        Some(ReportGap::Cover)
    } else if signer != Some(Signer::Meeting) && !opens() {
        Some(ReportGap::Opening)
    } else if read.minutes.decisions.is_empty() {
        Some(ReportGap::Decisions)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_says_who_signs() {
        for (source, expected) in [
            ("MCC Support", Signer::Meeting),
            ("RAN1 Chair (Example Radio)", Signer::Meeting),
            ("TSG RAN WG1", Signer::Meeting),
            ("Moderator (Example Radio)", Signer::Moderator),
            ("Feature lead (Example Radio)", Signer::Moderator),
            ("Rapporteur (Example Radio)", Signer::Rapporteur),
            ("Example Radio, Sample Inc.", Signer::Company),
        ] {
            assert_eq!(Signer::from_source(source), expected, "{source}");
        }
    }
}
