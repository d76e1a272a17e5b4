//! What an argument of a prompt or of a resource template is, and with that what completes it.

/// Kind of argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentKind {
    /// The number of a document.
    Document,
    /// The number of a section of the document that is named by another argument.
    Section,
    /// A version of that document.
    Version,
    /// A release.
    Release,
    /// A meeting.
    Meeting,
    /// A name that protocols define.
    Name,
    /// Words of a person, which nothing completes.
    FreeText,
}
