//! The list of specifications that the 3GPP portal exports: a workbook with one row for each specification.

use serde::{Deserialize, Serialize};

use crate::{
    error::RegisterError,
    workbook::{self, Sheet},
};

/// Rows at the top in which the headings are searched for.
const MAX_HEADING_ROWS: usize = 10;
/// Maximum number of characters of a cell; titles have at most some hundred.
const MAX_CELL_CHARS: usize = 1_000;

/// A specification in the list of the portal. A cell that is empty, or a dash, is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedSpecification {
    /// Its number, as written: `38.331`, `00.01U`.
    pub number: String,
    /// `TS` or `TR`.
    pub doc_type: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its status, such as `Under change control`.
    pub status: Option<String>,
    /// The group that is responsible for it, such as `R2`.
    pub group: Option<String>,
    /// Its rapporteur.
    pub rapporteur: Option<String>,
    /// The release for which it was planned first.
    pub planned_release: Option<String>,
}

/// A column of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpecificationColumn {
    Number,
    Type,
    Title,
    Status,
    Group,
    Rapporteur,
    PlannedRelease,
}

/// The headings of the portal's export, in lower case.
const HEADINGS: [(SpecificationColumn, &str); 7] = [
    (SpecificationColumn::Number, "spec no"),
    (SpecificationColumn::Type, "type"),
    (SpecificationColumn::Title, "title"),
    (SpecificationColumn::Status, "status"),
    (SpecificationColumn::Group, "primary resp grp"),
    (SpecificationColumn::Rapporteur, "primary rapporteur"),
    (SpecificationColumn::PlannedRelease, "initial planned release"),
];

/// Reads the list of specifications from a workbook.
///
/// # Errors
///
/// If the bytes are not a workbook, or no sheet has at least the headings `Spec No` and `Title`.
pub fn read_specification_list(bytes: &[u8]) -> Result<Vec<ListedSpecification>, RegisterError> {
    let sheets = workbook::read_sheets(bytes)?;
    sheets.iter().find_map(parse_sheet).ok_or(RegisterError::NoSpecificationList)
}

fn parse_sheet((_, rows): &Sheet) -> Option<Vec<ListedSpecification>> {
    let headings = rows.iter().take(MAX_HEADING_ROWS);
    let (index, columns) = headings.enumerate().find_map(|(index, (_, cells))| {
        let columns = map_columns(cells);
        let has = |column| columns.iter().any(|(known, _)| *known == column);
        (has(SpecificationColumn::Number) && has(SpecificationColumn::Title))
            .then_some((index, columns))
    })?;
    let parse = |(_, cells): &(u32, Vec<String>)| parse_row(&columns, cells);
    Some(rows.iter().skip(index + 1).filter_map(parse).collect())
}

/// The columns with known headings, by their position.
fn map_columns(cells: &[String]) -> Vec<(SpecificationColumn, usize)> {
    let position =
        |heading: &str| cells.iter().position(|cell| cell.trim().eq_ignore_ascii_case(heading));
    let columns = HEADINGS.iter();
    columns.filter_map(|(column, heading)| Some((*column, position(heading)?))).collect()
}

fn parse_row(
    columns: &[(SpecificationColumn, usize)],
    cells: &[String],
) -> Option<ListedSpecification> {
    let text = |column: SpecificationColumn| {
        let (_, index) = columns.iter().find(|(known, _)| *known == column)?;
        let text = cells.get(*index)?.trim();
        let is_empty = text.chars().all(|c| c == '-' || c.is_whitespace());
        (!is_empty).then(|| text.chars().take(MAX_CELL_CHARS).collect::<String>())
    };
    let doc_type = text(SpecificationColumn::Type).and_then(|words| {
        let known = ["TS", "TR"].into_iter();
        known
            .map(str::to_owned)
            .find(|short| words == *short || words.ends_with(&format!("({short})")))
    });
    Some(ListedSpecification {
        number: text(SpecificationColumn::Number)?,
        doc_type,
        title: text(SpecificationColumn::Title),
        status: text(SpecificationColumn::Status),
        group: text(SpecificationColumn::Group),
        rapporteur: text(SpecificationColumn::Rapporteur),
        planned_release: text(SpecificationColumn::PlannedRelease),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(rows: &[&[&str]]) -> Sheet {
        let cells = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        let rows = rows.iter().zip(1..).map(|(row, line)| (line, cells(row))).collect();
        ("Specifications".to_owned(), rows)
    }

    #[test]
    fn columns_are_recognised_by_their_headings_and_dashes_are_no_values() {
        let read = parse_sheet(&sheet(&[
            &["Specifications of 3GPP"],
            &["Title", "Spec No", "Type", "Primary rapporteur", "Primary Resp Grp", "Technology"],
            &["Example protocol", "38.990", "Technical Specification (TS)", " - ", "R2", "5G"],
            &["Example study", "38.991", "Technical Report (TR)", "A. Example", "-", ""],
            &["Of an unknown kind", "38.992", "Something (TX)"],
            &["A line without a number", ""],
        ]));
        let specification = |number: &str, title: &str| ListedSpecification {
            number: number.to_owned(),
            title: Some(title.to_owned()),
            ..ListedSpecification::default()
        };
        let protocol = ListedSpecification {
            doc_type: Some("TS".to_owned()),
            group: Some("R2".to_owned()),
            ..specification("38.990", "Example protocol")
        };
        let study = ListedSpecification {
            doc_type: Some("TR".to_owned()),
            rapporteur: Some("A. Example".to_owned()),
            ..specification("38.991", "Example study")
        };
        let unknown = specification("38.992", "Of an unknown kind");
        assert_eq!(read, Some(vec![protocol, study, unknown]));
        assert_eq!(parse_sheet(&sheet(&[&["TDoc", "Title", "Type"], &["R1-1", "x", "CR"]])), None);
        assert!(read_specification_list(b"no workbook").is_err());
    }
}
