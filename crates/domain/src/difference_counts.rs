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
    }

    /// Whether words, figures or formulas differ, not only their style or the characters between words.
    pub fn has_content(&self) -> bool {
        self.words_inserted + self.words_deleted > 0
            || !self.figures.is_zero()
            || !self.formulas.is_zero()
    }
}
