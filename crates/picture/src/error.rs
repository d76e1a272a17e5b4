//! Why a picture is not drawn.

/// Why there is no PNG of a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The first bytes do not belong to a supported format.
    #[error("not a picture of a known format")]
    UnknownFormat,
    /// The format is known, but the content violates it.
    #[error("damaged {format}: {detail}")]
    Damaged {
        /// The format that was detected from the first bytes.
        format: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// The picture is larger, or more work, than any figure is.
    #[error("the picture is too large or takes too long to draw")]
    TooMuch,
    /// The PNG encoder failed.
    #[error("the picture could not be written as PNG")]
    Encoding,
    /// Everything was drawn, and the result has only one colour.
    #[error("the picture is blank")]
    Blank,
}

impl DrawError {
    pub(crate) fn damaged(format: &'static str, detail: impl Into<String>) -> Self {
        Self::Damaged { format, detail: detail.into() }
    }
}
