//! The tables below a listing: descriptions of its fields, and the conditions on which they are present.

use std::collections::HashMap;

use document_model::{Block, Table};

use crate::{
    grid::{Grid, cell_text},
    key::{base_name, name_key},
};

/// The end of the title of such a table, in lower case.
const TITLE_END: &str = "field descriptions";

/// The descriptions of the fields and conditions of a listing.
#[derive(Default)]
pub(crate) struct FieldTables {
    /// By the base name of the type and of the field.
    of_type: HashMap<(String, String), String>,
    /// By the base name of the field alone; `None` if several types of the section describe it differently.
    of_field: HashMap<String, Option<String>>,
    /// By the key of the condition, because tables and listings differ in capitals.
    conditions: HashMap<String, ExplainedCondition>,
    /// Types with fields that they describe, as printed and in order.
    described: Vec<(String, String)>,
}

/// A condition as a table prints it, with its explanation.
struct ExplainedCondition {
    name: String,
    text: String,
}

impl FieldTables {
    pub(crate) fn read(blocks: &[Block]) -> Self {
        let mut tables = Self::default();
        for block in blocks {
            let Block::Table(table) = block else { continue };
            match described_type(table) {
                Some(of) => tables.add_descriptions(&of, table),
                None => tables.add_conditions(table),
            }
        }
        tables
    }

    /// The description of a field of a type.
    pub(crate) fn description_of(&self, of: &str, field: &str) -> Option<String> {
        let key = (base_name(of).to_owned(), base_name(field).to_owned());
        let anywhere = || self.of_field.get(&key.1).cloned().flatten();
        self.of_type.get(&key).cloned().or_else(anywhere)
    }

    /// The explanation of a condition.
    pub(crate) fn condition_text(&self, name: &str) -> Option<String> {
        Some(self.conditions.get(&name_key(name))?.text.clone())
    }

    /// How the table prints a condition.
    pub(crate) fn printed_condition(&self, name: &str) -> Option<&str> {
        Some(self.conditions.get(&name_key(name))?.name.as_str())
    }

    /// The conditions that are explained, in alphabetical order.
    pub(crate) fn condition_names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.conditions.values().map(|of| of.name.as_str()).collect();
        names.sort_unstable();
        names.into_iter()
    }

    /// The fields that are described, each with the type that the table names.
    pub(crate) fn described_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.described.iter().map(|(of, field)| (of.as_str(), field.as_str()))
    }

    fn add_descriptions(&mut self, of: &str, table: &Table) {
        for row in &table.rows[1..] {
            let Some(cell) = row.cells.first() else { continue };
            let Some((names, lines)) = cell.paragraphs.split_first() else { continue };
            let mut lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            let mut names = names.text.as_str();
            // Name and description may be one paragraph.
            if let Some((first, rest)) = names.split_once('\n') {
                names = first;
                lines.insert(0, rest);
            }
            let text = match row.cells.get(1) {
                Some(cell) if lines.is_empty() => cell_text(cell),
                _ => lines.join("\n"),
            };
            for name in names.split([',', '/']).map(str::trim).filter(|name| is_name(name)) {
                let field = base_name(name).to_owned();
                self.described.push((of.to_owned(), name.to_owned()));
                self.of_type
                    .entry((base_name(of).to_owned(), field.clone()))
                    .or_insert_with(|| text.clone());
                let known = self.of_field.entry(field).or_insert_with(|| Some(text.clone()));
                if known.as_ref() != Some(&text) {
                    *known = None;
                }
            }
        }
    }

    fn add_conditions(&mut self, table: &Table) {
        let Some(grid) = Grid::read(table) else { return };
        let is_condition = |head: &str| {
            let head = head.to_lowercase();
            head.starts_with("conditional presence") || head == "condition" || head == "cond"
        };
        if grid.heads.len() < 2 || !is_condition(&grid.heads[0]) {
            return;
        }
        for row in &grid.rows {
            if let [name, text, ..] = row.as_slice() {
                let explained =
                    || ExplainedCondition { name: name.trim().to_owned(), text: text.clone() };
                self.conditions.entry(name_key(name)).or_insert_with(explained);
            }
        }
    }
}

/// The type whose fields a table describes, by its first row.
fn described_type(table: &Table) -> Option<String> {
    let (first, rest) = table.rows.split_first()?;
    let title = cell_text(first.cells.first()?);
    let plain = title.to_lowercase();
    let at = plain.find(TITLE_END)?;
    let of = title.get(..at)?.trim().trim_end_matches("information element").trim();
    (!rest.is_empty()).then(|| of.to_owned())
}

/// Whether a text may be the name of a field.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}
