//! Names of the files of documents.

/// The part of a file's name that holds the number of its document.
pub fn tdoc_stem(name: &str) -> Option<&str> {
    name.split(['.', '_', ' ']).next()
}
