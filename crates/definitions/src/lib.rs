//! What a version of a specification defines and records: names of protocols, modules, terms, contradictions, its
//! change history.
//!
//! It is read from the text once, in the worker, and stored: requests only look it up. Owns the reading of definitions
//! clauses and the record of everything that was read. Knows no files and no storage.

#![forbid(unsafe_code)]

mod clauses;
mod entries;
mod term;

use change_history::{ChangeHistory, is_history_title, read_history};
use document_model::{Block, join_printed_blocks, print_blocks};
use names::{SectionBlocks, VersionNames, read_version};
use serde::{Deserialize, Serialize};

pub use term::TermEntry;

/// Maximum number of entries in the definitions clauses of one version. The vocabulary, 21.905, has 1,900.
const MAX_TERMS: usize = 20_000;

/// A section that may define something.
#[derive(Debug, Clone, Copy)]
pub struct DefiningSection<'a> {
    /// Its number.
    pub number: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Number of the section that contains it.
    pub parent: Option<&'a str>,
    /// Its content.
    pub blocks: &'a [Block],
}

/// What a version defines and records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentDefinitions {
    /// Abbreviations, terms and symbols, in the order of the text.
    pub terms: Vec<TermEntry>,
    /// Names of protocols, with modules and contradictions.
    pub names: VersionNames,
    /// The change history; `None` if no section is one.
    pub history: Option<RecordedHistory>,
}

/// The change history that a version records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedHistory {
    /// Ordinal of its section.
    pub section: u32,
    /// Its rows.
    pub history: ChangeHistory,
}

impl DocumentDefinitions {
    /// Reads what a version defines, given by the number of its document and its sections in order.
    pub fn read(document: &str, sections: &[DefiningSection<'_>]) -> Self {
        let blocks: Vec<SectionBlocks<'_>> = sections
            .iter()
            .map(|of| SectionBlocks { number: of.number, title: of.title, blocks: of.blocks })
            .collect();
        Self {
            terms: read_terms(sections),
            names: read_version(document, &blocks),
            history: read_recorded_history(sections),
        }
    }

    /// Whether it fits a version with this number of sections: records from another process or a file are not trusted.
    pub fn fits(&self, sections: usize) -> bool {
        let is_section = |ordinal: u32| (ordinal as usize) < sections;
        let mut places = self.names.findings.iter().flat_map(|finding| &finding.places);
        self.names.sections.len() == sections
            && self.terms.iter().all(|term| is_section(term.section))
            && self.history.as_ref().is_none_or(|history| is_section(history.section))
            && places.all(|place| place.section < sections)
    }
}

fn read_terms(sections: &[DefiningSection<'_>]) -> Vec<TermEntry> {
    let mut terms = Vec::new();
    for (section, lists) in clauses::find_definition_sections(sections) {
        let blocks = sections[section as usize].blocks;
        let text = join_printed_blocks(&print_blocks(blocks), |_| {});
        let entries = entries::parse_entries(&text, lists).into_iter();
        terms.extend(entries.map(|entry| TermEntry {
            section,
            kind: entry.kind,
            term: entry.term,
            meaning: entry.meaning,
        }));
    }
    terms.truncate(MAX_TERMS);
    terms
}

/// Reads the last section that is a history with rows; if none has rows, the first that is a history.
fn read_recorded_history(sections: &[DefiningSection<'_>]) -> Option<RecordedHistory> {
    let mut found = None;
    let histories = (0u32..).zip(sections).filter(|(_, of)| is_history_title(of.title));
    for (section, of) in histories.collect::<Vec<_>>().into_iter().rev() {
        let history = read_history(of.blocks);
        let has_rows = !history.rows.is_empty();
        found = Some(RecordedHistory { section, history });
        if has_rows {
            break;
        }
    }
    found
}
