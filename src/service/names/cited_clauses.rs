//! The clauses that a definition refers to: what a timer does at expiry often stands in one of them.

use std::collections::BTreeSet;

use super::section_head;
use crate::service::{internal_failure, references::resolve_citation};
use citation::CitationKind;
use names::{DefinedKind, DefinedName, DefinitionForm};
use store::{DocumentEntry, SectionKey, Snapshot};
use wire::{Failure, records::CitedClause};

/// Clauses that are read for a definition, and characters of each.
const MAX_CLAUSES: usize = 2;
const MAX_CHARS: usize = 600;

/// The clauses of the same document that the row of a timer refers to.
pub(super) fn read_cited_clauses(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: u32,
    name: &DefinedName,
) -> Result<Vec<CitedClause>, Failure> {
    if name.kind != DefinedKind::Timer || name.form != DefinitionForm::Row {
        return Ok(Vec::new());
    }
    let key = SectionKey { document: entry.id, ordinal: section };
    let documents = snapshot.documents();
    let mut targets = BTreeSet::new();
    let mut clauses = Vec::new();
    for row in documents.citations(key).map_err(internal_failure)? {
        let citation = row.citation;
        let is_own = citation.document.is_none() && citation.kind == CitationKind::Clause;
        if !is_own
            || !has_number(&name.definition, &citation.target)
            || !targets.insert(citation.target.clone())
        {
            continue;
        }
        let target = resolve_citation(snapshot, entry, &citation).map_err(internal_failure)?;
        let Some((cited, _)) = target.and_then(|target| target.section) else { continue };
        let head = section_head(snapshot, entry, cited.ordinal)?;
        let body = documents.section_body(cited).map_err(internal_failure)?.unwrap_or_default();
        let text = shorten(body.print_text());
        clauses.push(CitedClause { section_number: head.number, section_title: head.title, text });
        if clauses.len() == MAX_CLAUSES {
            break;
        }
    }
    Ok(clauses)
}

/// How a text begins.
fn shorten(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
        text.truncate(end);
        text.push('\u{2026}');
    }
    text
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
}
