//! How clauses are cited: `3GPP TS 38.331 V18.1.0, clause 5.3.5.2`.

use domain::SectionNumber;
use wire::values::DocumentType;

/// `TS 38.331 V18.1.0`.
pub(super) fn name_version(doc_type: DocumentType, doc_number: &str, version: &str) -> String {
    format!("{doc_type} {doc_number} V{version}")
}

/// `3GPP TS 38.331 V18.1.0, clause 5.3.5.2`. For a section without a number, `clause` is the nearest one that has one.
pub(super) fn cite(document: &str, section: Option<&str>, clause: Option<&str>) -> String {
    match section {
        Some(section) => format!("3GPP {document}, {}", name_section(section, clause)),
        None => format!("3GPP {document}"),
    }
}

/// `clause 5.3.5`, `annex A`, `clause 6.3.2, BWP`.
fn name_section(section: &str, clause: Option<&str>) -> String {
    let numbered = |number: &str| {
        let is_annex = number.starts_with(|c: char| c.is_ascii_uppercase());
        format!("{} {number}", if is_annex { "annex" } else { "clause" })
    };
    match clause {
        _ if SectionNumber::is_numbered(section) => numbered(section),
        Some(clause) => format!("{}, {section}", numbered(clause)),
        None => section.to_owned(),
    }
}

/// The heading of a section: its number and title, or the title alone if that is its number.
pub(super) fn name_heading(section: &str, title: Option<&str>) -> String {
    match title.filter(|title| !title.is_empty() && *title != section) {
        Some(title) if SectionNumber::is_numbered(section) => format!("{section} {title}"),
        Some(title) => title.to_owned(),
        None => section.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_annexes_and_unnumbered_sections_are_cited() {
        let document = "TS 38.331 V18.1.0";
        for (section, clause, expected) in [
            (Some("5.3.5.2"), None, "3GPP TS 38.331 V18.1.0, clause 5.3.5.2"),
            (Some("B.2"), None, "3GPP TS 38.331 V18.1.0, annex B.2"),
            (Some("BWP"), Some("6.3.2"), "3GPP TS 38.331 V18.1.0, clause 6.3.2, BWP"),
            (Some("Foreword"), None, "3GPP TS 38.331 V18.1.0, Foreword"),
            (None, None, "3GPP TS 38.331 V18.1.0"),
        ] {
            assert_eq!(cite(document, section, clause), expected);
        }
        assert_eq!(name_heading("5.3", Some("Connection control")), "5.3 Connection control");
        assert_eq!(name_heading("BWP", Some("BWP")), "BWP");
    }
}
