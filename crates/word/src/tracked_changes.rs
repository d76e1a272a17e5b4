//! The two texts of a document with tracked changes: the text after them, and the text before.

/// Which text is read of a document with tracked changes (`w:ins`, `w:del`, `w:moveTo`, `w:moveFrom`,
/// `w:cellIns`, `w:cellDel`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackedChanges {
    /// The text after them: all count as accepted.
    Accepted,
    /// The text before them: all count as rejected. Changes of style and numbering are left as they are.
    Rejected,
}

impl TrackedChanges {
    /// The name of an element, if this text leaves its content out.
    pub(super) fn left_out_element(self, element: &str) -> Option<&'static str> {
        let left_out: &[&'static str] = match self {
            Self::Accepted => &["w:del", "w:moveFrom", "w:delText"],
            Self::Rejected => &["w:ins", "w:moveTo"],
        };
        left_out.iter().copied().find(|name| *name == element)
    }

    /// Whether this text leaves out the cell of a table that has the element among its properties.
    pub(super) fn leaves_out_cell(self, element: &str) -> bool {
        match self {
            Self::Accepted => element == "w:cellDel",
            Self::Rejected => element == "w:cellIns",
        }
    }
}
