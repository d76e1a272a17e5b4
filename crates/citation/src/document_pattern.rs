//! Names of documents in a text: `3GPP TS 38.213`, `IETF RFC 7519`, `ITU-T E.212`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// `TS 38.213`, `3GPP TR 23.700-28`, `TS 38.101-1 V18.2.0`.
pub(crate) const SPECIFICATION: &str = r"(?:3GPP\s+|ETSI\s+)?T[SR]\s?(?P<spec>\d{2}\.\d{2,3}(?:-\d{1,3}){0,2})(?:\s*[Vv]\d{1,2}\.\d{1,2}\.\d{1,2})?";
/// `RFC 7519`, `IETF RFC 3261`.
pub(crate) const RFC: &str = r"(?:IETF\s+)?RFC\s?(?P<rfc>\d{3,5})";
/// `ITU-T E.212`, `ITU-T Recommendation X.680`, `ITU-R SM 329`.
pub(crate) const ITU: &str = r"ITU[-_](?P<sector>[TR])\s+(?:[Rr]ecommendation\s+|Rec\.?\s+)?(?P<series>[A-Z]{1,2})(?:\.\s?|\s)?(?P<itu>\d{1,4}(?:\.\d{1,3})?)(?:\s*\(\d{4}\))?";
/// `IEEE Std 802.11`, `IEEE C37.118.2`, `ISO 7637-1 (1990)`, `IEC TR 61850-90-1`, `CISPR publication 22`.
pub(crate) const STANDARD: &str = r"(?x:
    IEEE\s+(?:Standard\s+|Std\.?\s+)?(?P<ieee>P?(?:\d{3,5}|C\d{2})(?:\.\d{1,3}[A-Za-z]{0,3})*)
    | (?P<body>ISO/IEC|ISO|IEC\s+T[RS]|IEC|EN)\s+(?P<standard>\d{3,5}(?:-\d{1,2}\b)*)
    | CISPR\s+(?:[Pp]ublication\s+)?(?P<cispr>\d{1,3}(?:-\d{1,2}\b)*))";
/// `ETSI ETR 027`, `OMA-TS-DM`, `R1-2208454`: documents that only lists of references name. In running text, each
/// mention of a meeting document would become a citation.
const OTHERS: &str = r"(?x:
    ETR\s+(?P<etr>\d{2,4})
    | (?P<tdoc>(?:[RSCN][1-6]|RP|SP|CP|NP|TP)-\d{6,7})\b
    | (?P<oma>OMA-[A-Z]{2,6}-[A-Za-z0-9]{2,}(?:_[A-Za-z0-9]+)*))";

/// Any document that a text names without a label.
pub(crate) static DOCUMENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(r"^(?:{SPECIFICATION}|{RFC}|{ITU}|{STANDARD})");
    Regex::new(&pattern).expect("the pattern is a constant")
});
/// Any document that an entry of a list of references may name.
pub(crate) static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(r"(?:{SPECIFICATION}|{RFC}|{ITU}|{STANDARD}|{OTHERS})");
    Regex::new(&pattern).expect("the pattern is a constant")
});

/// The name of the document that one of these patterns found.
pub(crate) fn document_name(captures: &Captures<'_>) -> Option<String> {
    let group = |name| captures.name(name).map(|found| found.as_str());
    let numbered = |body: &str, name| group(name).map(|number| format!("{body} {number}"));
    if let Some(number) = group("spec").or_else(|| group("oma")).or_else(|| group("tdoc")) {
        return Some(number.to_owned());
    }
    if let (Some(sector), Some(series), Some(number)) =
        (group("sector"), group("series"), group("itu"))
    {
        return Some(format!("ITU-{sector} {series}.{number}"));
    }
    if let (Some(body), Some(number)) = (group("body"), group("standard")) {
        return Some(format!("{body} {number}"));
    }
    numbered("RFC", "rfc")
        // A draft is not a standard yet.
        .or_else(|| numbered("IEEE", "ieee").filter(|name| name.starts_with("IEEE P")))
        .or_else(|| numbered("IEEE Std", "ieee"))
        .or_else(|| numbered("CISPR", "cispr"))
        .or_else(|| numbered("ETR", "etr"))
}
