//! Why a picture is not drawn.

/// Why there is no PNG of a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The first bytes are those of no format that is drawn.
    #[error("not a picture of a known format")]
    UnknownFormat,
    /// The format is known, and the content breaks its rules.
    #[error("damaged {format}: {detail}")]
    Damaged {
        /// The format as its first bytes say.
        format: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// The picture is larger, or more work, than any figure is.
    #[error("the picture is too large or takes too long to draw")]
    TooMuch,
    /// Everything was drawn, and the result is white all over.
    #[error("the picture is blank")]
    Blank,
}

impl DrawError {
    pub(crate) fn damaged(format: &'static str, detail: impl Into<String>) -> Self {
        Self::Damaged { format, detail: detail.into() }
    }
}
