//! Outcomes that a register states more than once: a document in two rows, or the outcome of a revision in the row of the
//! document that it revises.

use std::collections::HashMap;

use domain::{RegisterStatus, TdocId};
use register::{Column, RegisterEntry, RevisionOutcome};

/// Rows of one document whose outcomes are quoted, at most.
const MAX_STATEMENTS: usize = 10;
/// Between two statements in a cell.
const SEPARATOR: char = '\n';

/// Joins the rows of documents that a register lists more than once. Where their outcomes contradict each other, none of
/// them counts: the status becomes unknown, and the rows are kept as statements. Returns a warning for each.
pub(super) fn join_repeated_rows(entries: &mut Vec<(TdocId, RegisterEntry)>) -> Vec<String> {
    let mut rows: HashMap<TdocId, Vec<usize>> = HashMap::new();
    for (index, (id, _)) in entries.iter().enumerate() {
        rows.entry(id.clone()).or_default().push(index);
    }
    let mut warnings = Vec::new();
    let mut dropped = vec![false; entries.len()];
    for (id, indexes) in rows.into_iter().filter(|(_, indexes)| indexes.len() > 1) {
        let with_outcome: Vec<usize> =
            indexes.iter().copied().filter(|index| has_outcome(&entries[*index].1)).collect();
        let mut statuses: Vec<RegisterStatus> =
            with_outcome.iter().map(|index| entries[*index].1.status()).collect();
        statuses.dedup();
        // The last row counts, as with a newer register; one with an outcome says more than one without.
        let kept = with_outcome.last().or(indexes.last()).copied().unwrap_or_default();
        for index in indexes.iter().copied().filter(|index| *index != kept) {
            dropped[index] = true;
            let texts = entries[index].1.texts.clone();
            for (column, text) in texts {
                entries[kept].1.texts.entry(column).or_insert(text);
            }
        }
        if statuses.len() > 1 {
            let said: Vec<String> = with_outcome
                .iter()
                .take(MAX_STATEMENTS)
                .map(|index| print_statement(&entries[*index].1))
                .collect();
            warnings.push(format!("{id} has several outcomes: {}", said.join("; ")));
            let texts = &mut entries[kept].1.texts;
            texts.insert(Column::Status, said.join("; "));
            texts.insert(Column::OutcomeStatements, said.join(&SEPARATOR.to_string()));
        }
    }
    let mut is_dropped = dropped.into_iter();
    entries.retain(|_| !is_dropped.next().unwrap_or_default());
    warnings.sort();
    warnings
}

/// The outcome of a revision that the row of an earlier document states.
struct StatedOutcome {
    revision: TdocId,
    status: RegisterStatus,
    word: String,
    /// Row, document and word.
    said: String,
}

/// Gives revisions without an outcome the one that the row of the document they revise states: `Revised to S2-9900012.
/// Agreed.` The outcome of a row of its own stays; a contradiction is kept as statements. Returns a warning for each.
pub(super) fn add_revision_outcomes(entries: &mut [(TdocId, RegisterEntry)]) -> Vec<String> {
    let stated: Vec<StatedOutcome> = entries
        .iter()
        .filter_map(|(id, entry)| {
            let outcome = entry.links().revision_outcome?;
            let said = format!("row {} ({id}): {}", entry.line, outcome.word);
            let RevisionOutcome { tdoc: revision, status, word } = outcome;
            Some(StatedOutcome { revision, status, word, said })
        })
        .collect();
    // Without the positions, a register of which every row states an outcome would take its length squared.
    let positions: HashMap<TdocId, usize> =
        (0..).zip(entries.iter()).map(|(index, (id, _))| (id.clone(), index)).collect();
    let mut warnings = Vec::new();
    for StatedOutcome { revision, status, word, said } in stated {
        let found = positions.get(&revision).and_then(|index| entries.get_mut(*index));
        let Some((id, entry)) = found else { continue };
        if entry.texts.contains_key(&Column::OutcomeStatements) || entry.status() == status {
            continue;
        }
        if has_outcome(entry) {
            let own = print_statement(entry);
            warnings.push(format!("{id} has several outcomes: {own}; {said}"));
            entry.texts.insert(Column::OutcomeStatements, format!("{own}{SEPARATOR}{said}"));
        } else {
            entry.texts.insert(Column::Status, word);
            entry.texts.insert(Column::OutcomeStatements, said);
        }
    }
    warnings
}

/// What rows state of the outcome of a document, if they contradict each other or another document's row states it.
pub fn outcome_statements(entry: &RegisterEntry) -> Vec<String> {
    let cell = entry.column_text(Column::OutcomeStatements).unwrap_or_default();
    cell.split(SEPARATOR).filter(|said| !said.is_empty()).map(str::to_owned).collect()
}

fn print_statement(entry: &RegisterEntry) -> String {
    let word = entry.column_text(Column::Status).unwrap_or_default();
    format!("row {}: {word}", entry.line)
}

/// Whether a row says what became of a document.
fn has_outcome(entry: &RegisterEntry) -> bool {
    !matches!(
        entry.status(),
        RegisterStatus::Unknown | RegisterStatus::Available | RegisterStatus::Reserved
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::entry;

    fn rows(rows: &[(&str, &str)]) -> Vec<(TdocId, RegisterEntry)> {
        let made = (2..).zip(rows).map(|(line, (id, status))| {
            let mut entry = entry(id, &[(Column::Status, status), (Column::Title, "Beams")]);
            entry.line = line;
            (id.parse().expect("a number"), entry)
        });
        made.collect()
    }

    #[test]
    fn a_document_with_two_outcomes_has_none_and_both_are_told() {
        let (one, other) = ("S2-9900001", "S2-9900002");
        for (statuses, status, told) in [
            ([(one, "Agreed"), (other, "Noted"), (one, "Noted")], RegisterStatus::Unknown, 2),
            ([(one, "Agreed"), (other, "Noted"), (one, "agreed")], RegisterStatus::Agreed, 0),
            ([(one, "Agreed"), (other, "Noted"), (one, "Open")], RegisterStatus::Agreed, 0),
            ([(one, ""), (other, "Noted"), (one, "Agreed")], RegisterStatus::Agreed, 0),
            ([(one, "sleeping"), (other, "Noted"), (one, "Agreed")], RegisterStatus::Agreed, 0),
        ] {
            let mut entries = rows(&statuses);
            let warnings = join_repeated_rows(&mut entries);
            assert_eq!((entries.len(), warnings.len()), (2, usize::from(told > 0)), "{statuses:?}");
            let joined = entries.iter().find(|(id, _)| id.as_str() == one).expect("it stays");
            assert_eq!(joined.1.status(), status, "{statuses:?}");
            let said = outcome_statements(&joined.1);
            assert_eq!(said.len(), told, "{said:?}");
            assert!(told == 0 || said == ["row 2: Agreed", "row 4: Noted"], "{said:?}");
        }
    }

    #[test]
    fn a_revision_has_the_outcome_that_the_row_before_it_states_unless_its_own_row_has_one() {
        let first = ("S2-9900001", "Revised to S2-9900012. Agreed.");
        for (own, status, said) in [
            ("", RegisterStatus::Agreed, &["row 2 (S2-9900001): Agreed"][..]),
            ("Open", RegisterStatus::Agreed, &["row 2 (S2-9900001): Agreed"]),
            ("agreed", RegisterStatus::Agreed, &[]),
            ("Noted", RegisterStatus::Noted, &["row 3: Noted", "row 2 (S2-9900001): Agreed"]),
        ] {
            let mut entries = rows(&[first, ("S2-9900012", own)]);
            let warnings = add_revision_outcomes(&mut entries);
            assert_eq!(entries[1].1.status(), status, "{own}");
            assert_eq!(outcome_statements(&entries[1].1), said, "{own}");
            assert_eq!(warnings.len(), usize::from(said.len() > 1), "{own}");
        }
    }
}
