//! What the second look is given of the text that was read.

/// A section as the reader made it.
#[derive(Debug, Clone)]
pub struct StoredSection<'a> {
    /// Its number; the title for an unnumbered section.
    pub number: &'a str,
    /// Its title.
    pub title: &'a str,
    /// All its texts.
    pub texts: Vec<&'a str>,
}
