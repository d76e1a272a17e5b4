//! Names of documents in a text: `3GPP TS 38.213`, `IETF RFC 7519`, `ITU-T E.212`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// `TS 38.213`, `3GPP TR 23.700-28`, `TS 38.101-1 V18.2.0`.
pub(crate) const SPECIFICATION: &str = r"(?:3GPP\s+|ETSI\s+)?T[SR]\s?(?P<spec>\d{2}\.\d{2,3}(?:-\d{1,3}){0,2})(?:\s*[Vv]\d{1,2}\.\d{1,2}\.\d{1,2})?";
/// `RFC 7519`, `IETF RFC 3261`.
pub(crate) const RFC: &str = r"(?:IETF\s+)?RFC\s?(?P<rfc>\d{3,5})";
/// `ITU-T E.212`, `ITU-T Recommendation X.680`, `ITU-R M.2412`.
pub(crate) const ITU: &str = r"ITU-(?P<sector>[TR])\s+(?:Recommendation\s+|Rec\.?\s+)?(?P<itu>[A-Z]\.\d{1,4}(?:\.\d{1,3})?)(?:\s*\(\d{4}\))?";

/// Any of these.
pub(crate) static DOCUMENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(r"^(?:{SPECIFICATION}|{RFC}|{ITU})");
    Regex::new(&pattern).expect("the pattern is a constant")
});

/// The name of the document that a pattern of these found.
pub(crate) fn document_name(captures: &Captures<'_>) -> Option<String> {
    let group = |name| captures.name(name).map(|found| found.as_str());
    if let Some(number) = group("spec") {
        return Some(number.to_owned());
    }
    if let Some(number) = group("rfc") {
        return Some(format!("RFC {number}"));
    }
    Some(format!("ITU-{} {}", group("sector")?, group("itu")?))
}
