//! Tables of results: a row for each document, with its outcome in a column of its own, as CT1 and SA1 write.

use std::{collections::HashSet, sync::LazyLock};

use regex::Regex;

use super::{
    line::begins_with_outcome,
    outcome::{decision_kind, outcome_in},
    unanchored::UnanchoredDecision,
};
use domain::{DocumentOutcome, TdocId};
use word::{ParagraphPiece, Piece, PieceKind, TablePiece};

/// Rows among which the head of a table is: a title may be above it.
const MAX_HEAD_ROWS: usize = 3;

/// The head of the column of results.
static RESULT_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:final\s+)?(?:results?|outcomes?|decisions?|conclusions?)(?:\s*(?:&|and|/|\+)\s*comments?)?\W*$",
    )
});
/// The head of the column of numbers.
static NUMBER_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:(?:t-?docs?|TD|documents?|docs?)\s*(?:#|no\.?|nos\.?|numbers?|nr\.?|id)?|(?:number|no\.?)\s+of\s+document)\W*$",
    )
});
/// The head of the column of titles.
static TITLE_HEAD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\W*(?:(?:document\s+)?titles?|subjects?)\b"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^\W*(?P<id>[A-Z][A-Z0-9]{1,3}[-\u{2010}\u{2011}\u{2013}]\d{5,8})\W*$")
});
/// "E-mail approval": left for e-mail.
static FOR_EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^(?:for\s+|in\s+)?e-?mail\s+(?:approval|agreement|endorsement|discussion)\b")
});
/// A result that is a proposal, a condition or a question: "Agreed?", "Block approve?", "Agreed unless objected".
static IS_UNSURE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\?|\b(?:if|unless|once|whether|can|could|may|might|should|would|will|shall|proposed|propose[sd]?|suggest\w*|to\s+be|OPEN)\b",
    )
});
/// The number that a heading begins with.
static AGENDA_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(\d+(?:\.\d+)*[a-z]?)\.?(?:\s|$)"));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The columns of a table of results.
struct ResultColumns {
    number: usize,
    result: usize,
    title: Option<usize>,
}

/// The heading above a table.
#[derive(Default)]
struct HeadingAbove {
    agenda_item: Option<String>,
    title: Option<String>,
}

impl HeadingAbove {
    fn enter(&mut self, line: &ParagraphPiece) {
        let text = line.text.trim();
        let typed = AGENDA_NUMBER.captures(text).map(|found| found[1].to_owned());
        let printed = line.label.as_deref().map(|label| label.trim_end_matches('.').to_owned());
        let printed = printed.filter(|label| AGENDA_NUMBER.is_match(label));
        let title = text.strip_prefix(typed.as_deref().unwrap_or_default()).unwrap_or(text);
        self.title = Some(title.trim_start_matches(['.', ' ', '\t']).to_owned());
        self.agenda_item = printed.or(typed).or(self.agenda_item.take());
    }
}

/// Adds the outcomes in tables of results, in the order of the text. A document with an outcome elsewhere keeps that: the
/// secretary lists all documents again in an annex.
pub(super) fn add_table_results(
    pieces: &[Piece],
    decisions: Vec<UnanchoredDecision>,
) -> Vec<UnanchoredDecision> {
    let mut told: HashSet<TdocId> = decisions
        .iter()
        .filter(|found| found.outcome.is_some())
        .filter_map(|found| found.recorded_under.clone())
        .collect();
    let mut heading = HeadingAbove::default();
    let mut found = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Paragraph(line) if matches!(line.kind, PieceKind::Heading(_)) => {
                heading.enter(line);
            }
            Piece::Paragraph(_) => {}
            Piece::Table(table) => found.extend(results_in(table, &heading)),
        }
    }
    found.retain(|result| result.recorded_under.clone().is_some_and(|id| told.insert(id)));
    merge_in_order(decisions, found)
}

/// Both lists in the order of the text; parts refer to their wholes by the new indexes.
fn merge_in_order(
    decisions: Vec<UnanchoredDecision>,
    found: Vec<UnanchoredDecision>,
) -> Vec<UnanchoredDecision> {
    let mut found = found.into_iter().peekable();
    let mut indexes: Vec<u32> = Vec::with_capacity(decisions.len());
    let mut all: Vec<UnanchoredDecision> = Vec::with_capacity(decisions.len());
    for mut decision in decisions {
        while let Some(result) =
            found.next_if(|result| decision.part_of.is_none() && result.first.0 < decision.first.0)
        {
            all.push(result);
        }
        indexes.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
        decision.part_of = decision.part_of.and_then(|whole| indexes.get(whole as usize).copied());
        all.push(decision);
    }
    all.extend(found);
    all
}

/// The outcomes in a table, if it is one of results.
fn results_in(table: &TablePiece, heading: &HeadingAbove) -> Vec<UnanchoredDecision> {
    let rows = split_rows(table);
    let heads = rows.iter().take(MAX_HEAD_ROWS).enumerate();
    let found = heads.filter_map(|(index, row)| Some((index, result_columns(row)?))).next();
    let Some((head, columns)) = found else { return Vec::new() };
    rows.iter().skip(head + 1).filter_map(|row| result_of_row(row, &columns, heading)).collect()
}

/// The paragraphs of each row, the head first.
fn split_rows(table: &TablePiece) -> Vec<Vec<&ParagraphPiece>> {
    let mut lines = table.lines.iter().peekable();
    let ends = table.rows.iter().map(|row| row.ordinal).chain([u32::MAX]);
    ends.map(|end| std::iter::from_fn(|| lines.next_if(|line| line.ordinal < end)).collect())
        .collect()
}

/// The columns of a table with this head.
fn result_columns(head: &[&ParagraphPiece]) -> Option<ResultColumns> {
    let column_of = |pattern: &Regex| {
        head.iter().find(|line| pattern.is_match(line.text.trim())).and_then(|line| line.column)
    };
    Some(ResultColumns {
        number: column_of(&NUMBER_HEAD)?,
        result: column_of(&RESULT_HEAD)?,
        title: column_of(&TITLE_HEAD),
    })
}

/// The outcome in a row: the first line of its result. Companies' comments may follow.
fn result_of_row(
    row: &[&ParagraphPiece],
    columns: &ResultColumns,
    heading: &HeadingAbove,
) -> Option<UnanchoredDecision> {
    let in_column = |column: usize| {
        row.iter().copied().find(|line| line.column == Some(column) && !line.text.trim().is_empty())
    };
    let id: TdocId = NUMBER.captures(&in_column(columns.number)?.text)?["id"].parse().ok()?;
    let result = in_column(columns.result)?;
    let title = columns.title.and_then(in_column).map_or("", |line| line.text.trim());
    let quote = result.text.trim();
    let outcome = result_outcome(quote.lines().next()?)?;
    Some(UnanchoredDecision {
        kind: decision_kind("", title, Some(outcome)),
        outcome: Some(outcome),
        marker: String::new(),
        quote: quote.to_owned(),
        is_cut: false,
        end_uncertain: false,
        is_coloured: false,
        shows_own_meeting: false,
        doubt: None,
        first: (result.ordinal, result.breaks),
        last: result.ordinal,
        agenda_item: heading.agenda_item.clone(),
        heading: heading.title.clone(),
        recorded_under: Some(id),
        session: None,
        part_of: None,
        basis: None,
    })
}

/// The outcome that a result begins with.
fn result_outcome(text: &str) -> Option<DocumentOutcome> {
    let text = text.trim();
    if IS_UNSURE.is_match(text) {
        return None;
    }
    if FOR_EMAIL.is_match(text) {
        return Some(DocumentOutcome::ForEmail);
    }
    // What follows the first words may be about another document: "Revised to C1-990002. Agreed".
    let sentence = text.split(['.', ';', '\n']).next().unwrap_or(text);
    if begins_with_outcome(sentence) { outcome_in(sentence) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DocumentOutcome::{
        Agreed, Approved, Endorsed, ForEmail, Merged, NotPursued, NotTreated, Noted, Postponed,
        Revised, Withdrawn,
    };
    use word::PieceRow;

    #[test]
    fn a_result_is_what_the_meeting_did() {
        for (text, expected) in [
            ("Agreed", Some(Agreed)),
            ("agreed", Some(Agreed)),
            ("Approved", Some(Approved)),
            ("Revised to C1-990002", Some(Revised)),
            ("Revised to C1-990002. Agreed", Some(Revised)),
            ("Merged into C1-990003 and its revisions", Some(Merged)),
            ("Postponed", Some(Postponed)),
            ("Noted", Some(Noted)),
            ("Withdrawn", Some(Withdrawn)),
            ("Not pursued", Some(NotPursued)),
            ("Rejected", Some(NotPursued)),
            ("Not treated", Some(NotTreated)),
            ("Technically endorsed", Some(Endorsed)),
            ("E-mail approval", Some(ForEmail)),
            ("Email approval until Friday", Some(ForEmail)),
            ("Agreed?", None),
            ("Agreed if nobody objects", None),
            ("Block approve?", None),
            ("Postponed OPEN", None),
            ("Return to", None),
            ("Example, Tue, 1020: this is agreed", None),
            ("Proposed to be agreed", None),
            ("available", None),
            ("Revision of C1-980001", None),
        ] {
            assert_eq!(result_outcome(text), expected, "{text}");
        }
    }

    fn table(head: [&str; 3], rows: &[[&str; 3]]) -> Piece {
        let mut lines = Vec::new();
        let mut ordinal = 0;
        for row in std::iter::once(&head).chain(rows) {
            for (column, text) in row.iter().enumerate() {
                ordinal += 1;
                let (text, column) = ((*text).to_owned(), Some(column));
                lines.push(ParagraphPiece { ordinal, text, column, ..ParagraphPiece::default() });
            }
        }
        let row = |index: usize| PieceRow {
            ordinal: u32::try_from(index * 3 + 4).unwrap_or_default(),
            ..PieceRow::default()
        };
        let rows = (0..rows.len()).map(row).collect();
        Piece::Table(TablePiece { head: String::new(), rows, lines })
    }

    #[test]
    fn rows_of_a_table_of_results_are_outcomes() {
        let rows = [
            ["C1-990001", "Beams", "Revised to C1-990002"],
            ["C1-990002", "CR on beams", "Agreed"],
            ["C1-990003", "Rays", "Example, Tue: agreed"],
            ["see C1-990004", "Rays", "Agreed"],
            ["C1-990001", "Beams, again", "Agreed"],
        ];
        let told = |head: [&str; 3]| -> Vec<(String, Option<DocumentOutcome>)> {
            let all = add_table_results(&[table(head, &rows)], Vec::new());
            all.into_iter()
                .filter_map(|found| Some((found.recorded_under?.to_string(), found.outcome)))
                .collect()
        };
        let expected =
            vec![("C1-990001".to_owned(), Some(Revised)), ("C1-990002".to_owned(), Some(Agreed))];
        for head in [
            ["Tdoc", "Title", "Result & comments"],
            ["TDoc #", "Subject", "Result"],
            ["Document", "Title", "Decision"],
        ] {
            assert_eq!(told(head), expected, "{head:?}");
        }
        let titled =
            [["18.2", "Beams", ""], ["TD#", "Title", "Result"], ["C1-990001", "Rays", "Noted"]];
        let all = add_table_results(&[table(["Agenda of the week", "", ""], &titled)], Vec::new());
        assert_eq!(all.iter().map(|found| found.outcome).collect::<Vec<_>>(), [Some(Noted)]);
        for head in [
            ["Tdoc", "Title", "Proposal"],
            ["Tdoc", "Title", "Recommended decision"],
            ["Source", "Title", "Result"],
        ] {
            assert_eq!(told(head), [], "{head:?}");
        }
    }

    #[test]
    fn what_stands_elsewhere_comes_first() {
        let rows = [["C1-990001", "Beams", "Agreed"], ["C1-990002", "Rays", "Noted"]];
        let piece = [table(["Tdoc", "Title", "Result"], &rows)];
        let mut own = add_table_results(&piece, Vec::new());
        own.truncate(1);
        own[0].first.0 = 20;
        let part = UnanchoredDecision { part_of: Some(0), recorded_under: None, ..own[0].clone() };
        own.push(part);
        let all = add_table_results(&piece, own);
        let told: Vec<_> = all.iter().map(|found| (found.first.0, found.part_of)).collect();
        assert_eq!(told, [(9, None), (20, None), (20, Some(1))]);
    }
}
