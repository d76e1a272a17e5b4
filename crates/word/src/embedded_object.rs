//! Objects of other programs in the text.

/// An object in the text.
#[derive(Debug, Clone, Default)]
pub(super) struct EmbeddedObject {
    pub(super) relation: String,
    pub(super) program: String,
    /// The page has only its icon.
    pub(super) is_icon: bool,
}
