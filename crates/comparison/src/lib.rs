//! Sections and documents compared: what was inserted, deleted, changed or moved.
//!
//! Differences are between typed blocks, not lines of text: words of a paragraph, rows and cells of a table, lines of
//! code, formulas as wholes, figures by their content. A change can be applied: it makes the new section from the
//! old one, exactly. Knows no storage and no versions.

#![forbid(unsafe_code)]

mod alignment;
mod changed_texts;
mod counts;
mod edit;
mod formatting;
mod headings;
mod outline;
mod section;
mod sequence;
mod table_change;
mod text_change;
mod touched;
mod words;

pub use changed_texts::ChangedText;
pub use edit::{Edit, EditPlace, place_edits};
pub use formatting::{compare_across_kinds, differs_in_form_only};
pub use headings::{OutlineHeading, plain_title};
pub use outline::{SectionPair, Side, align_sections};
pub use section::{FigureItem, ItemChange, ProseForm, SectionChange, SectionContent, SectionItem};
pub use table_change::{CaptionChange, CellChange, CellParagraphChange, RowChange, TableChange};
pub use text_change::{ChangedPiece, TextChange};
pub use touched::{
    TouchedMatch, TouchedUnit, UnitCounts, has_what_is_touched, is_carried_out, match_touched,
};
pub use words::shingles;
