//! What clauses say about a timer beside its row: its expiry is often described by another clause, and its start by
//! procedures.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{
    mentions::passages_with,
    section_head,
    statements::{find_statements, is_whole, shorten},
};
use crate::service::{internal_failure, references::CitationResolver};
use domain::DefinedNameKind;
use domain::ReferenceKind;
use names::{DefinedName, name_key};
use store::{DocumentEntry, DocumentFilter, SectionKey, Snapshot};
use wire::{Failure, records::NameStatement};

/// Clauses that are read for a timer.
const MAX_CLAUSES: usize = 16;
/// Statements that are returned, characters of each, and of all together: a definition should not drown in them. Half
/// of 60 questions about names were answered in 278 tokens or fewer (docs/benchmarks.md).
const MAX_STATEMENTS: usize = 5;
const MAX_CHARS: usize = 600;
const MAX_TOTAL_CHARS: usize = 1_800;

/// How much a statement says; the highest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Other,
    Stop,
    Start,
    Expiry,
}

/// What clauses of the same version say about a timer: those that its definition refers to, and others that start,
/// stop or await it.
pub(super) fn read_timer_statements(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: u32,
    name: &DefinedName,
) -> Result<Vec<NameStatement>, Failure> {
    if name.kind != DefinedNameKind::Timer {
        return Ok(Vec::new());
    }
    let cited = cited_sections(snapshot, entry, section, name)?;
    let mut defining: BTreeSet<u32> = snapshot
        .names()
        .defining_sections_in(&name_key(&name.name), entry.id)
        .map_err(internal_failure)?
        .into_iter()
        .map(|key| key.ordinal)
        .collect();
    defining.insert(section);
    let own = DocumentFilter {
        number: Some(entry.row.number.clone()),
        version: Some(entry.row.version),
        ..DocumentFilter::default()
    };
    let passages = passages_with(snapshot, &own, &name.name)?;
    let mentioning: BTreeSet<u32> = passages
        .into_iter()
        .filter(|passage| passage.document == entry.id)
        .map(|passage| passage.section)
        .filter(|section| !defining.contains(section) && !cited.contains(section))
        .collect();
    let mut found: Vec<(Weight, bool, u32, String)> = Vec::new();
    let cited_first = cited.iter().map(|section| (true, *section));
    let others = mentioning.iter().map(|section| (false, *section));
    for (is_cited, section) in cited_first.chain(others).take(MAX_CLAUSES) {
        let key = SectionKey { document: entry.id, ordinal: section };
        let body = snapshot.documents().section_body(key).map_err(internal_failure)?;
        let text = body.unwrap_or_default().print_text();
        let statements = find_statements(&text, &name.name, MAX_CHARS);
        if statements.is_empty() && is_cited && !text.trim().is_empty() {
            found.push((Weight::Other, true, section, shorten(text, MAX_CHARS)));
        }
        // Rows of causes only name it.
        for statement in statements.into_iter().filter(|statement| !statement.contains("\n| ")) {
            let weight = weigh(&statement, &name.name);
            if weight > Weight::Other || is_cited {
                found.push((weight, is_cited, section, statement));
            }
        }
    }
    found.sort_by_key(|(weight, is_cited, section, _)| (Reverse(*weight), !is_cited, *section));
    let mut chars = 0;
    found.truncate(MAX_STATEMENTS);
    found.retain(|(.., text)| {
        chars += text.chars().count();
        chars <= MAX_TOTAL_CHARS
    });
    found.sort_by_key(|(.., section, _)| *section);
    let statements = found.into_iter().map(|(.., section, text)| {
        let head = section_head(snapshot, entry, section)?;
        Ok(NameStatement { section_number: head.number, section_title: head.title, text })
    });
    statements.collect()
}

/// The clauses of the same document that a definition refers to.
fn cited_sections(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: u32,
    name: &DefinedName,
) -> Result<BTreeSet<u32>, Failure> {
    let key = SectionKey { document: entry.id, ordinal: section };
    let mut cited = BTreeSet::new();
    let resolver = CitationResolver::new(snapshot, entry);
    for row in snapshot.documents().citations(key).map_err(internal_failure)? {
        let citation = row.citation;
        let is_own = citation.document.is_none() && citation.kind == ReferenceKind::Clause;
        if is_own && has_number(&name.definition, &citation.target) {
            let target = resolver.resolve_citation(&citation).map_err(internal_failure)?;
            cited.extend(target.section.map(|(key, _)| key.ordinal));
        }
    }
    cited.remove(&section);
    Ok(cited)
}

/// Bytes before and after the name of a timer in which a word says what happens to it; words farther away are said of
/// something else.
const BEFORE_NAME: usize = 45;
const BEHIND_NAME: usize = 60;

/// What a statement says about a timer, by the words next to its name. Names of timers are not such words.
pub(super) fn weigh(statement: &str, name: &str) -> Weight {
    let (text, name) = (statement.to_lowercase(), name.to_lowercase());
    let whole = text.match_indices(&name).filter(|(at, _)| is_whole(&text, *at, &name));
    let places = whole.map(|(at, _)| {
        let before = text.floor_char_boundary(at.saturating_sub(BEFORE_NAME));
        let end = text.floor_char_boundary(at + name.len() + BEHIND_NAME);
        let behind = &text[at + name.len()..end.max(at + name.len())];
        // What follows a comma is about something else.
        let behind = behind.split([',', ';', '.']).next().unwrap_or_default();
        let beside = format!("{} {behind}", &text[before..at]).replace(&name, " ");
        let has = |stems: &[&str]| stems.iter().any(|stem| beside.contains(stem));
        match () {
            () if has(&["expir", "timeout", "time out", "times out", "elapse"]) => Weight::Expiry,
            () if has(&["start"]) => Weight::Start,
            () if has(&["stop"]) => Weight::Stop,
            () => Weight::Other,
        }
    });
    places.max().unwrap_or(Weight::Other)
}

/// Whether a text has the number of a clause, and not only a longer one.
fn has_number(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + number.len()..].chars();
        let continues = match after.next() {
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            next => next.is_some_and(char::is_alphanumeric),
        };
        !continues && before.is_none_or(|before| !before.is_alphanumeric() && before != '.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_clause_is_told_from_longer_ones() {
        for (text, is_there) in [
            ("Perform the actions as specified in 5.3.8.6.", true),
            ("as in 5.3.8.6, or", true),
            ("as in 5.3.8.61", false),
            ("as in 5.3.8.6.1", false),
            ("as in 15.3.8.6", false),
            ("as in 5.3.8.6a", false),
        ] {
            assert_eq!(has_number(text, "5.3.8.6"), is_there, "{text}");
        }
    }

    #[test]
    fn what_happens_at_expiry_weighs_most() {
        assert_eq!(weigh("On expiry of T310 start T311", "T310"), Weight::Expiry);
        assert_eq!(weigh("start startTimer", "startTimer"), Weight::Start);
        assert_eq!(weigh("startTimer is meant", "startTimer"), Weight::Other);
        let other = "The UE shall stop timer T3430 if still running, until the counter is reset or T3245 expires";
        assert_eq!(weigh(other, "T3430"), Weight::Stop, "another timer expires");
    }
}
