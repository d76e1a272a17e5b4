//! Clauses of specifications, as named on change request covers and in decisions.

use domain::ClauseRelation;

/// The closest match of a clause in the cell that lists the clauses affected by a change request:
/// `5.2.1, 6.1 (new), Annex A`.
pub fn match_clause_list(cell: &str, clause: &str) -> Option<ClauseRelation> {
    let clause = normalise_clause(clause);
    let parts = cell.split(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '/' | '(' | ')' | '\u{2013}')
    });
    // A hyphen joins the ends of a range.
    let parts = parts.flat_map(|part| part.split('-')).map(normalise_clause);
    parts.filter_map(|part| match_clause(&part, &clause)).min()
}

fn normalise_clause(clause: &str) -> String {
    let bare = clause.trim().trim_matches(|c: char| !c.is_ascii_alphanumeric());
    bare.to_lowercase()
}

fn match_clause(named: &str, clause: &str) -> Option<ClauseRelation> {
    let is_clause = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            || text.len() > 1 && text.as_bytes()[1] == b'.'
            || text.len() == 1
    };
    if named.is_empty() || clause.is_empty() || !is_clause(named) {
        return None;
    }
    let below = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
    };
    match () {
        () if named == clause => Some(ClauseRelation::Exact),
        () if below(named, clause) => Some(ClauseRelation::Below),
        () if below(clause, named) => Some(ClauseRelation::Above),
        () => None,
    }
}

/// Whether a text names a clause of a specification: both numbers occur in it, and not as parts of longer ones.
pub fn mentions_clause(text: &str, doc_number: &str, clause: &str) -> bool {
    contains_whole_number(text, doc_number)
        && contains_whole_number(&text.to_lowercase(), &clause.to_lowercase())
}

/// Whether a text names a clause of a specification, or one below it.
pub fn mentions_clause_within(text: &str, doc_number: &str, clause: &str) -> bool {
    let is_below = || {
        clause.contains('.')
            && contains_whole_number(text, doc_number)
            && text.split_whitespace().any(|word| {
                match_clause(&normalise_clause(word), &normalise_clause(clause))
                    == Some(ClauseRelation::Below)
            })
    };
    mentions_clause(text, doc_number, clause) || is_below()
}

/// Whether a number occurs in a text and is not part of a longer one:
/// `5.2` in "clause 5.2.", not in "5.2.1" or "15.2".
fn contains_whole_number(text: &str, number: &str) -> bool {
    !number.is_empty()
        && text.match_indices(number).any(|(start, matched)| {
            let mut before = text[..start].chars().rev();
            let is_inner = match before.next() {
                // `TS38.214` has letters before it.
                Some(c) if c.is_ascii_digit() => true,
                Some('.') => before.next().is_some_and(|c| c.is_ascii_digit()),
                _ => false,
            };
            let mut after = text[start + matched.len()..].chars();
            let continues = match after.next() {
                Some(c) if c.is_alphanumeric() => true,
                Some('.' | '-') => after.next().is_some_and(|c| c.is_ascii_digit()),
                _ => false,
            };
            !(is_inner || continues)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_of_a_list_are_exact_below_or_above() {
        use ClauseRelation::{Above, Below, Exact};
        use domain::ClauseRelation;
        for (cell, clause, expected) in [
            ("5.2.1, 6.1 (new)", "5.2.1", Some(Exact)),
            ("5.2.1.4; 6.1", "5.2.1", Some(Below)),
            ("5.2", "5.2.1", Some(Above)),
            ("5.2, 5.2.1", "5.2.1", Some(Exact)),
            ("15.2.1", "5.2.1", None),
            ("5.2.10", "5.2.1", None),
            ("A.1, Annex B", "A.1", Some(Exact)),
            ("Annex B", "B", Some(Exact)),
            ("5.1-5.3", "5.3", Some(Exact)),
            ("11.2A", "11.2a", Some(Exact)),
            ("all", "5", None),
            ("", "5", None),
        ] {
            assert_eq!(match_clause_list(cell, clause), expected, "{cell} for {clause}");
        }
    }

    #[test]
    fn texts_name_a_clause_as_a_whole() {
        for (text, clause, expected) in [
            ("Adopt the TP for TS38.214 Clause 5.2.2.5.", "5.2.2.5", true),
            ("Adopt the TP for TS 38.214 Clause 5.2.2.5.1", "5.2.2.5", false),
            ("TS 38.213 clause 5.2.2.5", "5.2.2.5", false),
            ("38.214, section 6.1.2.1A", "6.1.2.1a", true),
            ("38.2141 clause 5", "5", false),
        ] {
            assert_eq!(mentions_clause(text, "38.214", clause), expected, "{text}");
        }
        for (text, expected) in [
            ("Adopt the TP for TS 38.214, clause 5.2.2.", true),
            ("Adopt the TP for TS 38.214 (clause 5.2.2.1).", true),
            ("Adopt the TP for TS 38.214 clause 5.2.", false),
            ("Adopt the TP for TS 38.213 clause 5.2.2.1", false),
        ] {
            assert_eq!(mentions_clause_within(text, "38.214", "5.2.2"), expected, "{text}");
        }
    }
}
