//! The margin of the reader: the version in which each paragraph last changed, and the change request behind it.

use std::{collections::HashMap, ops::Range};

use maud::{Markup, html};

use crate::service::{ParagraphAges, Service};
use crate::ui::paths::request_path;
use crate::ui::reader_path::history_path;
use store::{DocumentEntry, SectionHead, Snapshot};
use wire::{
    Failure,
    records::{AttributedChange, SectionHistoryEntry},
    values::AttributionCertainty,
};

/// The margins of the sections on a page, by their ordinals.
pub(super) fn read_margins(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    heads: &[SectionHead],
    shown: Range<usize>,
) -> Result<HashMap<usize, Margin>, Failure> {
    let (number, version) = (entry.row.number.as_str(), entry.row.version.to_string());
    let margin = |ordinal: usize| {
        let ages = crate::service::paragraph_ages(service, snapshot, entry, ordinal)?;
        Ok((ordinal, Margin::new(&ages, number, &version, &heads[ordinal].number)))
    };
    shown.map(margin).collect()
}

/// The notes in the margin of a section, one for each block.
pub(super) struct Margin {
    notes: Vec<MarginNote>,
}

/// What is next to a block.
#[derive(Clone, PartialEq)]
struct MarginNote {
    label: String,
    about: String,
    path: String,
}

impl Margin {
    /// The margin of a section of a version.
    fn new(ages: &ParagraphAges, number: &str, version: &str, section: &str) -> Self {
        let history = history_path(number, version, section);
        let note = |change: &Option<usize>| match change.and_then(|index| ages.changes.get(index)) {
            Some(entry) => describe_entry(entry, &history),
            None => MarginNote {
                label: format!("\u{2264} {}", ages.oldest),
                about: format!("Unchanged in all indexed versions since {}", ages.oldest),
                path: history.clone(),
            },
        };
        Self { notes: ages.blocks.iter().map(note).collect() }
    }

    /// The note next to a block; a ditto mark if it is that of the block above.
    pub(super) fn render(&self, block: usize) -> Markup {
        let Some(note) = self.notes.get(block) else { return html! {} };
        let is_same = block > 0 && self.notes.get(block - 1) == Some(note);
        html! {
            a.since href=(note.path) title=(note.about) aria-label={ (note.label) ": " (note.about) } {
                @if is_same { "\u{2033}" } @else { (note.label) }
            }
        }
    }
}

fn describe_entry(entry: &SectionHistoryEntry, history: &str) -> MarginNote {
    let is_known = |change: &&AttributedChange| change.certainty != AttributionCertainty::Possible;
    let known = entry.attributions.iter().find(is_known);
    let about = match known {
        Some(attributed) => {
            let change = &attributed.change;
            let number = change.cr_number.as_deref().unwrap_or("without number");
            let subject = change.subject.as_deref().unwrap_or_default();
            format!("CR {number} ({}): {subject}", attributed.certainty)
        }
        None => "No change request found for this change".to_owned(),
    };
    let document = known.and_then(|attributed| attributed.change.registered.first());
    MarginNote {
        label: entry.to.clone(),
        about: format!("Unchanged since {}. {about}", entry.to),
        path: document.map_or_else(|| history.to_owned(), |entry| request_path(&entry.tdoc_id)),
    }
}
