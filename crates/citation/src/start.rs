//! Where a citation may begin.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    document_pattern::{BARE_START, DOCUMENT_START},
    keyword::KEYWORDS,
};

/// The beginning of a citation.
pub(crate) static START: LazyLock<Regex> = LazyLock::new(|| {
    const LABEL: &str = r"(?P<label>\[)";
    const BARE: &str = r"\b(?:(?:in|to|see|with|per|under)\s+(?P<bare>(?:[A-Z]|\d{1,2})(?:\.\d{1,3}[A-Za-z]{0,2}){2,})|(?i:specified|defined|described|given)\s+in\s+(?P<short>\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2})+))";
    const OWNED: &str = r"\b(?P<owned>\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2}){1,8}(?:(?:,\s+|\s+(?:and|or)\s+)\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2}){1,8})*)\s+(?:of|in)\s+(?:3GPP\s+)?T[SR]\s";
    let keyword = format!(r"(?i:(?:\b|\bin){KEYWORDS})");
    let document = DOCUMENT_START.as_str();
    Regex::new(&format!("{keyword}|{document}|{LABEL}|{BARE_START}|{BARE}|{OWNED}"))
        .expect("the pattern is a constant")
});
