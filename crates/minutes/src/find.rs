//! The decisions of a file in any form, with anchors and pages.

use super::{
    DoubtfulDecision, ExtractedDecision, Minutes, document_entries,
    explained::ExplainedLine,
    finder,
    grammar::GrammarSet,
    look_ahead::iter_paragraphs,
    outcome::documents_in,
    own_meeting::OwnMeeting,
    replaced_documents::add_replacements,
    result_tables::add_table_results,
    unanchored::{UnanchoredDecision, UnanchoredMinutes},
};
use domain::{RecordedDecision, TdocId};
use word::Piece;

/// Maximum number of decisions of one file; a report has a thousand. It bounds the memory that a hostile file takes in
/// the server, which caches the decisions of a meeting.
const MAX_DECISIONS: usize = 20_000;

/// Reads the decisions of a file. `anchor` converts the ordinal of a paragraph to an anchor, `page` a count of page
/// breaks to a page number.
pub fn read_minutes(
    pieces: &[Piece],
    grammars: &GrammarSet,
    anchor: &dyn Fn(u32) -> String,
    page: &dyn Fn(u32) -> Option<u32>,
) -> Minutes {
    let mut found = if document_entries::has_document_entries(pieces) {
        let decisions = document_entries::find_entry_decisions(pieces);
        UnanchoredMinutes { decisions, ..UnanchoredMinutes::default() }
    } else {
        finder::find_marked_decisions(pieces, grammars)
    };
    let own = own_meeting_of(pieces);
    let is_of_ran1 = own.as_ref().is_some_and(|own| own.is_of_group("RAN1") == Some(true));
    let group = own.as_ref().map_or("", OwnMeeting::group);
    let machine = grammars.machine_basis(group);
    // RAN1 repeats outcomes in annexes, and has a line of its own for each.
    if !is_of_ran1 {
        let decisions = add_replacements(pieces, found.decisions);
        found.decisions = add_table_results(pieces, decisions);
    }
    let add_anchors = |found: UnanchoredDecision| ExtractedDecision {
        end_uncertain: found.end_uncertain,
        is_coloured: found.is_coloured,
        shows_own_meeting: found.shows_own_meeting,
        basis: found.basis.unwrap_or(machine),
        decision: RecordedDecision {
            kind: found.kind,
            outcome: found.outcome,
            marker: found.marker,
            references: collect_references(&found.quote, found.recorded_under.as_ref()),
            quote: found.quote,
            is_cut: found.is_cut,
            anchor: anchor(found.first.0),
            last_anchor: anchor(found.last),
            page: page(found.first.1),
            agenda_item: found.agenda_item,
            heading: found.heading,
            recorded_under: found.recorded_under,
            session: found.session,
            part_of: found.part_of,
        },
    };
    let doubtful = found.doubtful.into_iter().filter_map(|found| {
        Some(DoubtfulDecision { reason: found.doubt?, read: add_anchors(found) })
    });
    Minutes {
        doubtful: doubtful.take(MAX_DECISIONS).collect(),
        decisions: found.decisions.into_iter().take(MAX_DECISIONS).map(add_anchors).collect(),
        cover_agenda_item: found.cover_agenda_item,
    }
}

/// How each line of a file is read by the rules for notes, in the order of the text.
pub fn explain_minutes(pieces: &[Piece], grammars: &GrammarSet) -> Vec<ExplainedLine> {
    finder::explain_lines(pieces, grammars)
}

/// The meeting that the cover names.
fn own_meeting_of(pieces: &[Piece]) -> Option<OwnMeeting> {
    let cover = iter_paragraphs(pieces).take(finder::COVER_LINES);
    cover.filter_map(|line| OwnMeeting::in_line(&line.text)).next()
}

fn collect_references(quote: &str, under: Option<&TdocId>) -> Vec<TdocId> {
    documents_in(quote).into_iter().filter(|id| Some(id) != under).collect()
}

#[cfg(test)]
pub(super) mod tests;
