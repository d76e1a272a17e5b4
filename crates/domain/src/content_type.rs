//! What a passage consists of.

use crate::closed_set::closed_set;

closed_set! {
    /// Kind of content of a passage.
    pub enum PassageContentType {
        /// Running text, lists, notes, equations.
        Text = "text",
        /// A table in Markdown.
        Table = "table",
        /// ASN.1, YAML, XML or another fenced block.
        Code = "code",
    }
}
