//! Words of registers in place of a party, or after the last one.

/// Cells and pieces that name nobody, in lower case: placeholders, and values of other columns. Each would otherwise
/// become an organization, as "Void" once did. Sorted for a binary search.
const PLACEHOLDERS: [&str; 49] = [
    "action",
    "agreement",
    "all",
    "all companies",
    "all delegates",
    "and all",
    "and others",
    "approval",
    "available",
    "cancelled",
    "companies",
    "decision",
    "discussion",
    "drafting group",
    "drafting team",
    "dummy",
    "endorsement",
    "et al",
    "etc",
    "information",
    "more",
    "more companies",
    "n/a",
    "na",
    "nil",
    "nobody",
    "none",
    "not available",
    "not used",
    "other companies",
    "others",
    "postponed",
    "presentation",
    "reserved",
    "see comments",
    "source",
    "tba",
    "tbc",
    "tbd",
    "to be added",
    "to be announced",
    "to be completed",
    "to be confirmed",
    "to be decided",
    "to be determined",
    "unknown",
    "unused",
    "various",
    "void",
];
/// Ends of a list whose other parties are not named.
const LIST_ENDS: [&str; 10] = [
    " et al.",
    " et al",
    " et. al.",
    " et. al",
    " etc.",
    " etc",
    " and all",
    " and others",
    " and other companies",
    " and more",
];
/// Headings that some cells repeat.
const HEADINGS: [&str; 3] = ["source:", "sources:", "submitted by:"];

/// Whether a piece of a cell names nobody.
pub(super) fn is_placeholder(piece: &str) -> bool {
    let plain = piece.to_lowercase();
    let plain = plain.trim_matches(|c: char| !c.is_alphanumeric());
    let plain: Vec<&str> = plain.split_whitespace().collect();
    plain.is_empty()
        || PLACEHOLDERS.binary_search(&plain.join(" ").as_str()).is_ok()
        // Withdrawn documents, with or without a remark.
        || plain[0] == "withdrawn"
}

/// A piece of a cell without a heading at its start and "et al" at its end.
pub(super) fn strip_filler(piece: &str) -> &str {
    let mut piece = piece.trim();
    for heading in HEADINGS {
        let start = piece.get(..heading.len());
        if start.is_some_and(|start| start.eq_ignore_ascii_case(heading)) {
            piece = piece[heading.len()..].trim_start();
        }
    }
    for end in LIST_ENDS {
        let start = piece.len().saturating_sub(end.len());
        if piece.get(start..).is_some_and(|found| found.eq_ignore_ascii_case(end)) {
            return piece[..start].trim_end();
        }
    }
    piece
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_told_from_names() {
        assert!(PLACEHOLDERS.is_sorted());
        for piece in [
            "Void",
            "-",
            "\u{2026}",
            "??",
            "n/a",
            "N/A",
            "TBD.",
            "[tbd]",
            "withdrawn",
            "To be  confirmed",
        ] {
            assert!(is_placeholder(piece), "{piece}");
        }
        for piece in ["NA Radio", "All Connected BV", "Voids", "3", "None Such Telecom"] {
            assert!(!is_placeholder(piece), "{piece}");
        }
        for (piece, name) in [
            ("Source: Example Radio", "Example Radio"),
            ("Example Radio et al.", "Example Radio"),
            ("Example Radio etc", "Example Radio"),
            ("Marconietc", "Marconietc"),
            (" Example Radio ", "Example Radio"),
            ("\u{e9}tc", "\u{e9}tc"),
        ] {
            assert_eq!(strip_filler(piece), name);
        }
    }
}
