//! Kinds of elements that a quote may leave out.

use crate::closed_set::closed_set;

closed_set! {
    /// Kind of element of a text that cannot be quoted as text.
    pub enum WildcardKind {
        /// A formula, or a picture of one.
        Formula = "formula",
        /// A picture.
        Picture = "picture",
        /// A table.
        Table = "table",
    }
}
