//! How much two texts differ, in numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Size of the differences. Kinds without differences are omitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceCounts {
    /// Number of words in the new version that are not in the old one.
    pub words_inserted: u64,
    /// Number of words in the old version that are not in the new one.
    pub words_deleted: u64,
    /// Paragraphs and list items.
    #[serde(default, skip_serializing_if = "DifferenceTally::is_zero")]
    pub paragraphs: DifferenceTally,
    /// Tables.
    #[serde(default, skip_serializing_if = "DifferenceTally::is_zero")]
    pub tables: DifferenceTally,
    /// Rows of tables that both versions have.
    #[serde(default, skip_serializing_if = "DifferenceTally::is_zero")]
    pub table_rows: DifferenceTally,
    /// Figures, by their pictures.
    #[serde(default, skip_serializing_if = "DifferenceTally::is_zero")]
    pub figures: DifferenceTally,
    /// Formulas, including those drawn as pictures.
    #[serde(default, skip_serializing_if = "DifferenceTally::is_zero")]
    pub formulas: DifferenceTally,
    /// Lines of code.
    #[serde(default, skip_serializing_if = "DifferenceTally::is_zero")]
    pub code_lines: DifferenceTally,
    /// Paragraphs, list items, tables and table rows whose words are the same, but whose form is not: style, bullets, or a
    /// paragraph that became a list item. They are not counted as changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reformatted: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Number of differences of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceTally {
    /// Only in the new version.
    pub inserted: u64,
    /// Only in the old version.
    pub deleted: u64,
    /// In both, with differences.
    pub changed: u64,
    /// In both, in different positions.
    pub moved: u64,
}

impl DifferenceTally {
    /// Whether nothing differs.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    fn add(&mut self, other: &Self) {
        self.inserted += other.inserted;
        self.deleted += other.deleted;
        self.changed += other.changed;
        self.moved += other.moved;
    }
}

impl DifferenceCounts {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: &Self) {
        self.words_inserted += other.words_inserted;
        self.words_deleted += other.words_deleted;
        self.paragraphs.add(&other.paragraphs);
        self.tables.add(&other.tables);
        self.table_rows.add(&other.table_rows);
        self.figures.add(&other.figures);
        self.formulas.add(&other.formulas);
        self.code_lines.add(&other.code_lines);
        self.reformatted += other.reformatted;
    }

    /// Whether nothing but the form differs.
    pub fn is_form_only(&self) -> bool {
        *self == Self { reformatted: self.reformatted, ..Self::default() }
    }

    /// Whether words, figures or formulas differ, not only their style or the characters between words.
    pub fn has_content(&self) -> bool {
        self.words_inserted + self.words_deleted > 0
            || !self.figures.is_zero()
            || !self.formulas.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_two_comparisons_add_up() {
        let tally =
            |n| DifferenceTally { inserted: n, deleted: n + 1, changed: n + 2, moved: n + 3 };
        let counts = |n| DifferenceCounts {
            words_inserted: n,
            words_deleted: n + 1,
            paragraphs: tally(n),
            tables: tally(n + 10),
            table_rows: tally(n + 20),
            figures: tally(n + 30),
            formulas: tally(n + 40),
            code_lines: tally(n + 50),
            reformatted: n + 60,
        };
        let sum = |a: DifferenceTally, b: DifferenceTally| DifferenceTally {
            inserted: a.inserted + b.inserted,
            deleted: a.deleted + b.deleted,
            changed: a.changed + b.changed,
            moved: a.moved + b.moved,
        };
        let (first, second) = (counts(1), counts(100));
        let mut both = first;
        both.add(&second);
        let expected = DifferenceCounts {
            words_inserted: 101,
            words_deleted: 103,
            paragraphs: sum(first.paragraphs, second.paragraphs),
            tables: sum(first.tables, second.tables),
            table_rows: sum(first.table_rows, second.table_rows),
            figures: sum(first.figures, second.figures),
            formulas: sum(first.formulas, second.formulas),
            code_lines: sum(first.code_lines, second.code_lines),
            reformatted: 221,
        };
        assert_eq!(both, expected);
    }

    #[test]
    fn words_figures_and_formulas_are_content_and_styles_are_not() {
        let one = DifferenceTally { changed: 1, ..DifferenceTally::default() };
        let none = DifferenceCounts::default();
        for (counts, has_content) in [
            (none, false),
            (DifferenceCounts { words_inserted: 1, ..none }, true),
            (DifferenceCounts { words_deleted: 1, ..none }, true),
            (DifferenceCounts { figures: one, ..none }, true),
            (DifferenceCounts { formulas: one, ..none }, true),
            (DifferenceCounts { paragraphs: one, ..none }, false),
        ] {
            assert_eq!(counts.has_content(), has_content, "{counts:?}");
        }
    }
}
