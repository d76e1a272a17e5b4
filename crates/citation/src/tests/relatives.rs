//! Numbers whose document their neighbours show, and numbers with mistakes of print.

use super::{found, references};
use crate::*;

#[test]
fn numbers_that_the_document_does_not_have_follow_their_relatives() {
    for (text, citations) in [
        (
            "according to Clause 9, Clause 11.1, Clause 11.2A, Clause 15 and Clause 17.2 of [5, TS 38.213], the",
            &[
                "clause 38.213 9",
                "clause 38.213 11.1",
                "clause 38.213 11.2A",
                "clause 38.213 15",
                "clause 38.213 17.2",
            ][..],
        ),
        ("clause 4.11.1.1 and Annex C in TS 23.502", &["clause 23.502 4.11.1.1", "annex 23.502 C"]),
        ("clause 5.3.5 and Annex C in TS 23.502", &["clause - 5.3.5", "annex 23.502 C"]),
        (
            "in clause 5.1.4a or in clause 5.1.5 of [5]",
            &["clause 38.213 5.1.4a", "clause 38.213 5.1.5"],
        ),
        (
            "in clause 6.3.1.27 and in clause 5.37.4 of [5]",
            &["clause - 6.3.1.27", "clause 38.213 5.37.4"],
        ),
        (
            "Table 7.4.1-3 and Table 7.4.1-4 as described in Clause 7.4.1 of [5]",
            &["table 38.213 7.4.1-3", "table 38.213 7.4.1-4", "clause 38.213 7.4.1"],
        ),
        (
            "Figure 6.1-1 of TS 33.501 and after that step 12 in Figure 6.1-1",
            &["figure 33.501 6.1-1", "figure 33.501 6.1-1"],
        ),
        (
            "Table 7.4.1-3 applies. See clause 7.4.1 of [5]",
            &["table - 7.4.1-3", "clause 38.213 7.4.1"],
        ),
        ("figure 4.9-1 and clause 4.9 of [5]", &["figure - 4.9-1", "clause 38.213 4.9"]),
        ("table 11.2.3(see 3GPP TS 24.008 [13])", &["table 24.008 11.2.3"]),
        ("table 10.5.118/3GPP TS 24.008 [13]", &["table 24.008 10.5.118"]),
        ("clause 5.3.5 (see TS 24.008)", &["clause - 5.3.5", "document 24.008"]),
    ] {
        assert_eq!(found(text), citations, "{text}");
    }
}

#[test]
fn mistakes_of_print_keep_their_numbers() {
    for (text, citations) in [
        (
            "in figure 9.9.3.35.1and table 9.9.3.35.1.",
            &["figure - 9.9.3.35.1", "table - 9.9.3.35.1"][..],
        ),
        ("Table 6.1.4.1-1to determine", &["table - 6.1.4.1-1"]),
        ("clause 4.2.6.2.1and include", &["clause - 4.2.6.2.1"]),
        ("clause 5.2.1an and", &["clause - 5.2.1an"]),
        ("Table 5.1.3.1.-2 to determine", &["table - 5.1.3.1-2"]),
        ("clause 8.1 of [5, TS. 38.213]", &["clause 38.213 8.1"]),
        ("see TS. 38.213.", &["document 38.213"]),
        ("clause 8.1 in [5, TS 38.213. The", &["clause 38.213 8.1"]),
        ("sections 4 and 5, and 2G GBA", &["clause - 4", "clause - 5"]),
        ("clause 5.2 and 3G GBA_ME", &["clause - 5.2"]),
        ("clause 5.2.1, N LSB bits", &["clause - 5.2.1"]),
    ] {
        assert_eq!(found(text), citations, "{text}");
    }
    let (list, has) = (references(), |_: ReferenceKind, _: &str| false);
    let caption = "Table 5.1.3.1-1: MCS index table 1 for PDSCH".into();
    assert!(CitationFinder::new(&list, &has).find_citations(&caption, true).is_empty());
}
