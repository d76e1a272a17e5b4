//! File names of documents.

/// The part of a file name with the number of its document.
pub fn tdoc_stem(name: &str) -> Option<&str> {
    name.split(['.', '_', ' ']).next()
}
