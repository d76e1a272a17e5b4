//! A row of the list of vector files, checked when it is read.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Name of a file of vectors in its collection's folder: digits and `.seg`. Other names in the list in redb are
/// rejected, so that no other file is ever opened or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct SegmentFile(String);

impl SegmentFile {
    /// The name of the file of this number.
    pub(crate) fn from_number(number: u64) -> Self {
        Self(format!("{number:08}.seg"))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for SegmentFile {
    fn as_ref(&self) -> &Path {
        self.0.as_ref()
    }
}

impl From<SegmentFile> for String {
    fn from(file: SegmentFile) -> Self {
        file.0
    }
}

impl TryFrom<String> for SegmentFile {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        let number = name.strip_suffix(".seg").and_then(|number| number.parse().ok());
        number
            .map(Self::from_number)
            .filter(|file| file.0 == name)
            .ok_or("not the name of a vector file")
    }
}

/// A file of vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentRow {
    /// File name in the collection's folder.
    pub(crate) file: SegmentFile,
    /// Rows in it.
    pub(crate) rows: u64,
}
