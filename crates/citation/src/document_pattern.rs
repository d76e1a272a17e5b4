//! Names of documents in a text: `3GPP TS 38.213`, `IETF RFC 7519`, `ITU-T E.212`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// `TS 38.213`, `3GPP TR 23.700-28`, `TS 38.101-1 V18.2.0`, `GSM 03.38`.
pub(crate) const SPECIFICATION: &str = r"(?:3GPP\s+|ETSI\s+)?(?:T[SR]s?\.?|GSM)\s?(?P<spec>\d{2}\.\d{2,3}(?:-\d{1,3}){0,2})(?:\s*[Vv]\d{1,2}\.\d{1,2}\.\d{1,2})?";
/// `3GPP 38.213`, and after `of` or `in` also `38.213`: a number whose series exists.
const BARE_SPECIFICATION: &str =
    r"(?:3GPP\s+)?(?P<bare_spec>(?:2[1-9]|3[1-8]|4[1-689]|5[0125])\.\d{3}(?:-\d{1,2}){0,2})";
/// `ETSI TS 102 221`, `EN 300 392-2`, `ETSI GS NFV-IFA 013`.
const ETSI: &str = r"(?x:(?:ETSI\s+)?(?:(?P<etsi_type>T[SR]|E[NSG]|SR|TBR|I-ETS|ETS)\s+(?P<etsi>\d{3}\s?\d{3}(?:-\d{1,3})*)
    | (?P<etsi_group>G[SR]\s+[A-Z]{2,5}(?:-[A-Z]{2,5})?\s*\d{3}(?:-\d{1,2})?))(?:\s*[Vv]\d{1,2}\.\d{1,2}\.\d{1,2})?)";
/// `RFC 7519`, `IETF RFC 3261`, `draft-ietf-sipcore-digest-scheme-15`.
pub(crate) const RFC: &str = r"(?:IETF\s+)?(?:RFCs?\s?(?P<rfc>\d{3,5})|(?P<draft>draft-[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,12}))";
/// `ITU-T E.212`, `ITU-T Recommendation X.680`, `ITU-R SM 329`, `CCITT Recommendation X.25`.
pub(crate) const ITU: &str = r"(?:ITU[-_](?P<sector>[TR])|CCITT)\s+(?:[Rr]ecommendations?\s+|Recs?\.?\s+)?(?P<series>[A-Z]{1,2})(?:\.\s?|\s)?(?P<itu>\d{1,4}(?:\.\d{1,3})?)(?:\s*\(\d{4}\))?";
/// `IEEE Std 802.11-2016`, `IEEE C37.118.2`, `ISO 7637-1 (1990)`, `IEC TR 61850-90-1`, `CISPR publication 22`.
pub(crate) const STANDARD: &str = r"(?x:
    IEEE\s+(?:Standard\s+|Std\.?\s+)?(?P<ieee>P?(?:\d{3,5}|C\d{2})(?:\.\d{1,3}[A-Za-z]{0,3})*)(?:\x{2122})?(?:[-:]\d{4}\b)?
    | (?P<body>ISO\s?[/-]\s?IEC|ISO|IEC\s+T[RS]|IEC|EN)\s+(?:[Pp]ublications?\s+)?(?P<standard>\d{3,5}(?:-\d{1,2}\b)*|\d{2}(?:-\d{1,2}\b){1,2})(?:[-:]\d{4}\b)?
    | CISPR\s+(?:[Pp]ublication\s+)?(?P<cispr>\d{1,3}(?:-\d{1,2}\b)*))";
/// `O-RAN.WG4.CUS.0-v10.00`, `3GPP2 C.S0002-A`, `GSMA PRD RCC.07`, `OMA-TS-DM`, `W3C REC-xml`, `FIPS PUB 197`.
const CONSORTIA: &str = r"(?x:
    (?P<oran>O-RAN(?:\.[A-Za-z0-9_]+)+(?:-[A-Za-z0-9_]+(?:\.\d+)*)*)
    | 3GPP2\s+(?:[Ss]pecification\s+)?(?P<cdma>[A-Z]\.[A-Z]{1,2}\d{4}(?:-\d{3})?(?:-[A-Z0-9]\b)?)
    | (?P<gsma>GSMA\s+(?:PRD\s+)?[A-Z]{2,4}[.\s]\d{2,3})\b
    | (?:OMA\s+)?(?P<oma>OMA-[A-Z]{2,6}-[A-Za-z0-9]{2,}(?:_[A-Za-z0-9]+)*)(?:-[A-Za-z0-9_]+)*
    | (?P<w3c>W3C\s+(?:REC|CR|PR|WD|NOTE)-[A-Za-z][\w-]*)
    | (?P<nist>FIPS\s+(?:PUB\s+)?\d{3}(?:-\d)?|NIST\s+SP\s+\d{3}-\d{1,3}[A-Z]?))";
/// `ETSI ETR 027`, `R1-2208454`: documents that only lists of references name. In running text, each
/// mention of a meeting document would become a citation.
const OTHERS: &str = r"(?x:
    ETR\s+(?P<etr>\d{2,4})
    | (?P<tdoc>(?:[RSCN][1-6]|RP|SP|CP|NP|TP)-\d{6,7})\b)";
/// The organizations whose documents specifications cite, for names of documents that no pattern knows.
const ORGANIZATIONS: &str = r"(?:ETSI|GSMA|IETF|ITU(?:-[TR])?|O-RAN(?:\s+ALLIANCE|\s+Alliance)?|3GPP2|IEEE|W3C|OMA|OASIS|ISO(?:/IEC)?|IEC|ANSI|TIA(?:/EIA)?|ATIS|ARIB|NIST|FIPS|CableLabs|BBF|Broadband\s+Forum|Wi-Fi\s+Alliance|GlobalPlatform|Bluetooth|MEF|JESD|ECMA)";

/// Any document that a text names without a label.
pub(crate) static DOCUMENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(
        r"^(?:{SPECIFICATION}|{ETSI}|{RFC}|{ITU}|{STANDARD}|{CONSORTIA}|{BARE_SPECIFICATION})"
    );
    Regex::new(&pattern).expect("the pattern is a constant")
});
/// Where such a name may begin. A number without `TS` is one after a preposition only, because a value may have its form.
pub(crate) static DOCUMENT_START: LazyLock<String> = LazyLock::new(|| {
    format!(
        r"\b(?P<document>(?:3GPP|ETSI)\s+T[SR]|T[SR]s?\.?\s?\d{{2}}\.|(?:3GPP|GSM)\s+\d\d\.\d|(?:TS|TR|EN|ES|EG)\s\d{{3}}|(?:IETF\s+)?RFC|draft-[a-z]|CCITT\s|CISPR\s|ITU[-_][TR]\s|{ORGANIZATIONS}[\s./-])"
    )
});
/// A specification without `TS`, after a preposition.
pub(crate) const BARE_START: &str =
    r"\b(?:of|in|from|by|see|per)\s+(?P<bare_spec>(?:2[1-9]|3[1-8]|4[1-689]|5[0125])\.\d{3}\b)";
/// An organization and the words of its document's name: `W3C XML Schema 1.1`, `ANSI T1.113`.
pub(crate) static BODY: LazyLock<Regex> = LazyLock::new(|| {
    /// `Core 1.0`, `specification`: capitalised words and numbers, and the nouns for documents.
    const WORDS: &str = r"(?:[\s/-]+(?:[A-Z0-9][\w./+-]*|(?:specification|standard|recommendation|publication|document)s?\b)){0,6}";
    let pattern = format!(r"^{ORGANIZATIONS}\b{WORDS}");
    Regex::new(&pattern).expect("the pattern is a constant")
});
/// What follows a specification if another one of the same list follows without `TS`: `, 38.212`, ` and 38.304`, `/36.212`.
pub(crate) static FURTHER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(
        r"^\s*(?:,\s*(?:and\s+|or\s+)?|/\s*|\b(?:and|or|to|through|&)\s+|[-\u{{2013}}]\s*){BARE_SPECIFICATION}"
    );
    Regex::new(&pattern).expect("the pattern is a constant")
});
/// Any document that an entry of a list of references may name.
pub(crate) static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        format!(r"(?:{SPECIFICATION}|{ETSI}|{RFC}|{ITU}|{STANDARD}|{CONSORTIA}|{OTHERS})");
    Regex::new(&pattern).expect("the pattern is a constant")
});

/// The name of the document that one of these patterns found.
pub(crate) fn document_name(captures: &Captures<'_>) -> Option<String> {
    let group = |name| captures.name(name).map(|found| found.as_str());
    let numbered = |body: &str, name| group(name).map(|number| format!("{body} {number}"));
    let verbatim = ["spec", "bare_spec", "oma", "tdoc", "gsma", "w3c", "nist"];
    if let Some(name) = verbatim.into_iter().find_map(group) {
        return Some(join_blanks(name));
    }
    if let (Some(series), Some(number)) = (group("series"), group("itu")) {
        // The CCITT is the ITU-T since 1993, and its recommendations kept their numbers.
        return Some(format!("ITU-{} {series}.{number}", group("sector").unwrap_or("T")));
    }
    if let (Some(body), Some(number)) = (group("body"), group("standard")) {
        let is_joint = body.starts_with("ISO") && body.ends_with("IEC");
        return Some(format!("{} {number}", if is_joint { "ISO/IEC" } else { body }));
    }
    if let (Some(kind), Some(number)) = (group("etsi_type"), group("etsi")) {
        let digits: String = number.chars().filter(|c| !c.is_whitespace()).collect();
        let (first, rest) = digits.split_at_checked(3)?;
        return Some(format!("ETSI {kind} {first} {rest}"));
    }
    if let Some(name) = group("oran") {
        let edition = ["-v", "-V", "-R0"].into_iter().filter_map(|mark| name.find(mark)).min();
        return name.get(..edition.unwrap_or(name.len())).map(str::to_owned);
    }
    if let Some(name) = group("draft") {
        // The number at the end is the edition.
        let is_edition =
            |end: &str| end.len() == 2 && end.bytes().all(|byte| byte.is_ascii_digit());
        let stem = name.rsplit_once('-').filter(|(_, end)| is_edition(end));
        return Some(stem.map_or(name, |(stem, _)| stem).to_owned());
    }
    numbered("RFC", "rfc")
        // A draft is not a standard yet.
        .or_else(|| numbered("IEEE", "ieee").filter(|name| name.starts_with("IEEE P")))
        .or_else(|| numbered("IEEE Std", "ieee"))
        .or_else(|| numbered("CISPR", "cispr"))
        .or_else(|| numbered("ETR", "etr"))
        .or_else(|| numbered("3GPP2", "cdma"))
        .or_else(|| numbered("ETSI", "etsi_group").map(|name| join_blanks(&name)))
}

/// A name with single blanks.
pub(crate) fn join_blanks(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_draft_has_few_short_words() {
        let pattern = Regex::new(RFC).expect("the pattern is a constant");
        let length = |text: &str| pattern.find(text).map_or(0, |found| found.len());
        let usual = "draft-ietf-sipcore-digest-scheme-15";
        assert_eq!(length(usual), usual.len());
        assert_eq!(
            length(&format!("draft-ietf{}", "-a".repeat(1000))),
            "draft-ietf".len() + 12 * 2
        );
        assert_eq!(length(&format!("draft-{}", "a".repeat(1000))), 0);
    }
}
