//! Forms of citations, as specifications have them.

use document_model::{Block, Paragraph};

use crate::*;

mod relatives;

fn references() -> ReferenceList {
    let entries = [
        "[5] 3GPP TS 38.213: \"Physical layer procedures for control\".",
        "[6] IETF RFC 7519: \"JSON Web Token\".",
        "[7] Void",
        "[8] ITU-T Recommendation E.212: \"The plan\".",
        "[9A] OMA-TS-DM: \"A protocol, as in 3GPP TS 24.301\".",
        "[10] 3GPP TR 23.700-28: \"Study\".",
        "[11] 3GPP TS 38.101-1 V18.1.0: \"Radio\".",
    ];
    let mut list = ReferenceList::default();
    list.add_section(
        &entries.map(|entry| {
            Block::Paragraph(Paragraph { text: entry.into(), ..Paragraph::default() })
        }),
    );
    list
}

/// The citations of a text as `kind document target-end`.
fn found(text: &str) -> Vec<String> {
    let references = references();
    let has = |kind, number: &str| match kind {
        ReferenceKind::Figure => number == "4.9-1",
        _ => matches!(number, "5.3.5.11" | "5.3.5" | "9.1"),
    };
    let finder = CitationFinder::new(&references, &has);
    let describe = |citation: &Citation| {
        let end = citation.target_end.as_ref().map(|end| format!("..{end}")).unwrap_or_default();
        let document = citation.document.as_deref().unwrap_or("-");
        let written = &text[citation.start as usize..citation.end as usize];
        assert!(!written.is_empty());
        format!("{} {document} {}{end}", citation.kind.as_str(), citation.target).trim().to_owned()
    };
    finder.find_citations(&text.into(), false).iter().map(describe).collect()
}

#[test]
fn entries_of_the_list_resolve_labels() {
    let list = references();
    assert_eq!(list.len(), 6);
    for (label, document) in [
        ("5", Some("38.213")),
        ("6", Some("RFC 7519")),
        ("7", None),
        ("8", Some("ITU-T E.212")),
        ("9A", Some("OMA-TS-DM")),
        ("10", Some("23.700-28")),
        ("11", Some("38.101-1")),
    ] {
        assert_eq!(list.find_document(label), document, "{label}");
    }
    assert!(is_reference_list("References") && !is_reference_list("Reference points"));
}

#[test]
fn clauses_tables_figures_and_documents_are_found_in_all_their_forms() {
    for (text, citations) in [
        ("see clause 8.1 of [5, TS 38.213].", &["clause 38.213 8.1"][..]),
        ("as in TS 38.213 [5], clause 8.1, and", &["clause 38.213 8.1"]),
        ("(see 3GPP TS 38.213 [5] subclause 8.1.2a)", &["clause 38.213 8.1.2a"]),
        ("according to [5].", &["document 38.213"]),
        ("clauses 5.2 and 5.3", &["clause - 5.2", "clause - 5.3"]),
        (
            "clauses 5.2, 5.3.1 or 5.4 of TS 38.213",
            &["clause 38.213 5.2", "clause 38.213 5.3.1", "clause 38.213 5.4"],
        ),
        ("clauses 5.2 to 5.4 apply", &["clause - 5.2..5.4"]),
        ("Annex A.2 and Annex B", &["annex - A.2", "annex - B"]),
        ("see clause 6.2B.1.3_1.4 for", &["clause - 6.2B.1.3_1.4"]),
        ("see clause 5.2.48B4A10 and", &["clause - 5.2.48B4A10"]),
        ("see annex Da.", &["annex - Da"]),
        ("see clause 8.x.", &["clause - 8.x"]),
        ("Tables 6.3.3.1-3 to 6.3.3.1-4B", &["table - 6.3.3.1-3..6.3.3.1-4B"]),
        ("Table 5.1-1/2/3", &["table - 5.1-1", "table - 5.1-2", "table - 5.1-3"]),
        ("Tables 6.3-1, -2 and -3 list", &["table - 6.3-1", "table - 6.3-2", "table - 6.3-3"]),
        ("Figure 4.1-1 and Table 4.1-1", &["figure - 4.1-1", "table - 4.1-1"]),
        ("Table 5-1 in clause 5.1 of [5]", &["table 38.213 5-1", "clause 38.213 5.1"]),
        ("by equation (7.3-1)", &["equation - 7.3-1"]),
        ("IETF RFC 7519 [6] section 4.1", &["clause RFC 7519 4.1"]),
        ("the MCC of ITU-T E.212 [8]", &["document ITU-T E.212"]),
        ("TS 38.213 [5] and clause 7", &["document 38.213", "clause - 7"]),
        ("TS 38.213 [5], TR 23.700-28 [10]", &["document 38.213", "document 23.700-28"]),
        ("as specified in 5.3.5.11;", &["clause - 5.3.5.11"]),
        (
            "clause 5.2 of TS 38.213 [5], clause 6 of TS 38.101-1 [11]",
            &["clause 38.213 5.2", "clause 38.101-1 6"],
        ),
        ("clause A.1 in [9A]", &["clause OMA-TS-DM A.1"]),
        ("TS 38.213 TS 38.213 [5]", &["document 38.213"]),
        ("TS 38.213 Physical layer [5], clause 6.2", &["clause 38.213 6.2"]),
        ("RFC 7519 (a web token, signed) [6]", &["document RFC 7519"]),
        ("TS 38.213 [5], clause, 5.7", &["clause 38.213 5.7"]),
        ("Figure 4.9-1 [10] shows", &["figure - 4.9-1", "document 23.700-28"]),
        ("Table 5-1 in -Clause 5.1 of [5]", &["table 38.213 5-1", "clause 38.213 5.1"]),
        (
            "TS 38.213 [5] and in clause 6.9 of the same document",
            &["document 38.213", "clause 38.213 6.9"],
        ),
        (
            "clauses 9 and 9.2.5 or clause 6.1 of [5, TS 38.213]",
            &["clause - 9", "clause - 9.2.5", "clause 38.213 6.1"],
        ),
        ("clause 4.2.2, steps 3 and 4 of TS 38.213", &["clause 38.213 4.2.2"]),
        ("clause 5.4.5 case e) or case f); of TS 38.213 [5]", &["clause 38.213 5.4.5"]),
        ("as shown inTable 7.3.1A-1", &["table - 7.3.1A-1"]),
        (
            "TS 38.213 [5], clause 4.4.2.1 and Annex C;",
            &["clause 38.213 4.4.2.1", "annex 38.213 C"],
        ),
        (
            "IEEE 802.1AS domains and IEC 61850-9-2",
            &["document IEEE Std 802.1AS", "document IEC 61850-9-2"],
        ),
        ("specified in 9.1", &["clause - 9.1"]),
        ("clauses from 6.4.2.1 to 6.4.2.4", &["clause - 6.4.2.1..6.4.2.4"]),
        (
            "clause 5.3.5 and clause 4.15.6 of TS 23.502",
            &["clause - 5.3.5", "clause 23.502 4.15.6"],
        ),
        (
            "clause 4.15.5 and clause 4.15.6 of TS 23.502",
            &["clause 23.502 4.15.5", "clause 23.502 4.15.6"],
        ),
        ("TS 31.102 [99], subclause 5.1.1", &["clause 31.102 5.1.1"]),
        ("(TR 23.700-28) [10]", &["document 23.700-28"]),
        ("7.3A, 7.3B in TS 38.101-3", &["clause 38.101-3 7.3A", "clause 38.101-3 7.3B"]),
        (
            "ITU-R SM 329 and ITU_T recommendation P.64",
            &["document ITU-R SM.329", "document ITU-T P.64"],
        ),
        ("clause 4.3 of [TS 38.213]", &["clause 38.213 4.3"]),
        ("clause 8.1 of [5 TS 38.213] or [5, 38.213]", &["clause 38.213 8.1", "document 38.213"]),
        ("TS 38.213 [5]), clause 5.3.5.9.4", &["clause 38.213 5.3.5.9.4"]),
        ("5.6.10 of TS 38.213 [5]", &["clause 38.213 5.6.10"]),
        ("according to 5.3.5.11 and 5.3.5", &["clause - 5.3.5.11", "clause - 5.3.5"]),
        ("clauses 5, 6 and 7 are", &["clause - 5", "clause - 6", "clause - 7"]),
        ("table 5 of OMA Std 1 [9A]", &["table OMA-TS-DM 5"]),
        ("clause A.2 (title) of TS 38.213", &["clause 38.213 A.2"]),
        ("TS 38.213 clause 6.9.4 [5]", &["clause 38.213 6.9.4"]),
        ("ITU-T Q.763 (1999) clause 3.88", &["clause ITU-T Q.763 3.88"]),
        ("Table 5.2.1.1.1/2 specifies", &["table - 5.2.1.1.1/2"]),
        (
            "Figures 5.1/5.2 and Tables 5/6",
            &["figure - 5.1", "figure - 5.2", "table - 5", "table - 6"],
        ),
        (
            "TS 38.508-1 [6] clause 4.6.3 Table 4.6.3-118",
            &["clause 38.508-1 4.6.3", "table 38.508-1 4.6.3-118"],
        ),
    ] {
        assert_eq!(found(text), citations, "{text}");
    }
}

#[test]
fn numbers_within_the_brackets_of_a_reference_belong_to_its_document() {
    for (text, citations) in [
        ("as specified in [5, clause 8.1].", &["clause 38.213 8.1"][..]),
        ("TS 36.101 [42, table 5.6-1]", &["table 36.101 5.6-1"]),
        ("as defined in [5, TS 38.213, clause 8.1] and", &["clause 38.213 8.1"]),
        ("[5, 38.213, clauses 8.1 and 8.2]", &["clause 38.213 8.1", "clause 38.213 8.2"]),
        ("see [5; clause 8.1 and table 8.1-1]", &["clause 38.213 8.1", "table 38.213 8.1-1"]),
        ("(see [6, section 4.1])", &["clause RFC 7519 4.1"]),
        ("[8, Annex A] or clause 5.3.5", &["annex ITU-T E.212 A", "clause - 5.3.5"]),
        ("see [TS 38.213, clause 8.1]", &["clause 38.213 8.1"]),
        ("in [26, clause 4.2]", &["clause [26] 4.2"]),
    ] {
        assert_eq!(found(text), citations, "{text}");
    }
}

#[test]
fn a_mention_ends_with_its_brackets() {
    let references = references();
    let finder = CitationFinder::new(&references, &|_, _| false);
    let written = |text: &str| {
        let found = finder.find_citations(&text.into(), false);
        found.iter().map(|c| text[c.start as usize..c.end as usize].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(written("see [5, clause 8.1]."), ["[5, clause 8.1]"]);
    assert_eq!(written("see [5, clause 8.1, step 2]."), ["[5, clause 8.1"]);
    assert_eq!(
        written("TS 38.213 [5, clauses 8.1 and 8.2]"),
        ["TS 38.213 [5, clauses 8.1", "8.2]"]
    );
}

#[test]
fn a_label_that_the_list_does_not_have_is_named_and_not_taken_for_the_document_itself() {
    for (text, citations) in [
        ("see clause 4.2 of [26].", &["clause [26] 4.2"][..]),
        ("table 5-1 in [26]", &["table [26] 5-1"]),
        ("[26], clause 4.2 and annex B", &["clause [26] 4.2", "annex [26] B"]),
        ("annex C of [x] applies", &["annex [x] C"]),
        ("as described in [26].", &["document [26]"]),
        ("see clause 7.2 of [7]", &["clause [7] 7.2"]),
        ("clause 9.1 [99] dB", &["clause - 9.1"]),
    ] {
        assert_eq!(found(text), citations, "{text}");
    }
    let no_list = ReferenceList::default();
    let finder = CitationFinder::new(&no_list, &|_, _| false);
    assert!(finder.find_citations(&"the values in [26].".into(), false).is_empty());
}

#[test]
fn documents_of_other_organizations_keep_their_clauses() {
    for (text, citations) in [
        ("ETSI TS 102 221, clause 10.2 applies.", &["clause ETSI TS 102 221 10.2"][..]),
        ("TS 102 221 [99], clause 10.2", &["clause ETSI TS 102 221 10.2"]),
        ("ETSI EN 300 392-2, clause 5.3", &["clause ETSI EN 300 392-2 5.3"]),
        ("clause 4.2 of ETSI GS NFV-IFA 013", &["clause ETSI GS NFV-IFA 013 4.2"]),
        ("O-RAN.WG4.CUS.0 clause 4.2 applies.", &["clause O-RAN.WG4.CUS.0 4.2"]),
        ("O-RAN.WG4.CUS.0-v10.00, section 4.2", &["clause O-RAN.WG4.CUS.0 4.2"]),
        ("3GPP2 C.S0002 section 5.3 applies.", &["clause 3GPP2 C.S0002 5.3"]),
        ("3GPP2 C.S0024-B [99] sub-section 13.9", &["clause 3GPP2 C.S0024-B 13.9"]),
        ("GSMA PRD IR.92, section 2.2.1", &["clause GSMA PRD IR.92 2.2.1"]),
        ("section 2 of GSMA NG.116", &["clause GSMA NG.116 2"]),
        ("IEEE Std 802.11-2016, clause 8.4", &["clause IEEE Std 802.11 8.4"]),
        ("IEEE Std 802.1Q-2018 [45] clause 14.2.5", &["clause IEEE Std 802.1Q 14.2.5"]),
        ("ISO/IEC 7816-4:2020, clause 7.1", &["clause ISO/IEC 7816-4 7.1"]),
        ("W3C XML Schema 1.1, section 3.2", &["clause W3C XML Schema 1.1 3.2"]),
        (
            "section 3.2 of the W3C XML Schema specification",
            &["clause W3C XML Schema specification 3.2"],
        ),
        ("ANSI T1.113 clause 3.1", &["clause ANSI T1.113 3.1"]),
        ("draft-ietf-sip-digest-15 section 2", &["clause draft-ietf-sip-digest 2"]),
        ("ITU-T Rec. E212 [30], annex A", &["annex ITU-T E.212 A"]),
        ("CCITT Recommendation X.25, clause 3", &["clause ITU-T X.25 3"]),
        ("RFC 7519 \"Token\", section 4.1", &["clause RFC 7519 4.1"]),
    ] {
        assert_eq!(found(text), citations, "{text}");
    }
    // Without a number of its own, an organization is no document.
    assert_eq!(found("agreed with ETSI, see clause 5.3.5"), ["clause - 5.3.5"]);
    assert_eq!(found("IEEE TSN bridges (clause 5.3.5)"), ["clause - 5.3.5"]);
}

#[test]
fn lists_of_specifications_name_each_of_them() {
    for (text, documents) in [
        ("See TS 38.211, 38.212 and 38.213.", &["38.211", "38.212", "38.213"][..]),
        ("See 3GPP TS 36.211/36.212.", &["36.211", "36.212"]),
        ("TS 36.304 and 38.304", &["36.304", "38.304"]),
        ("TSs 38.322 [3] and 38.323 [4]", &["38.322", "38.323"]),
        ("TS 38.101-1 [7], 38.101-2 [8] or TS 38.101-3", &["38.101-1", "38.101-2", "38.101-3"]),
        ("TS 38.101-1/2/3", &["38.101-1", "38.101-2", "38.101-3"]),
        ("as in 38.213 and 3GPP 38.331", &["38.213", "38.331"]),
        ("GSM 03.38", &["03.38"]),
        ("TS 38.213 and 25.5 dB", &["38.213"]),
        ("a carrier in 25.104 MHz", &[]),
    ] {
        let expected: Vec<String> =
            documents.iter().map(|name| format!("document {name}")).collect();
        assert_eq!(found(text), expected, "{text}");
    }
    assert_eq!(found("clause 5 of TS 36.304 and 38.304"), ["clause 36.304 5", "document 38.304"]);
    assert_eq!(found("TS 38.213 [5], 5.1.1.2."), ["clause 38.213 5.1.1.2"]);
    assert_eq!(found("clause 8.1 of 38.213"), ["clause 38.213 8.1"]);
}

#[test]
fn parts_of_a_clause_do_not_separate_it_from_its_document() {
    for text in [
        "clause 11.2.3.1.5, bits 5 to 8, of 3GPP TS 24.007 [13]",
        "clause 11.2.3.1.5, octet 3, of TS 24.007",
        "clause 11.2.3.1.5 (second paragraph) of TS 24.007",
        "clause 11.2.3.1.5, rows 1 and 2 of TS 24.007",
        "clause 11.2.3.1.5, first paragraph, of TS 24.007",
        "clause 11.2.3.1.5, of TS 24.007",
        "clause 11.2.3.1.5 defined in TS 24.007",
    ] {
        assert_eq!(found(text), ["clause 24.007 11.2.3.1.5"], "{text}");
    }
    // A clause that the document has may only be mentioned beside another document.
    assert_eq!(found("clause 5.3.5 defined in TS 24.007"), ["clause - 5.3.5", "document 24.007"]);
    assert_eq!(
        found("TS 24.007 (for bridges), in clause 5.3.5"),
        ["document 24.007", "clause - 5.3.5"]
    );
}

#[test]
fn what_only_looks_like_a_citation_is_none() {
    for text in [
        "this clause and the present document",
        "[7] is void and [99] is unknown",
        "a value in [0, 1] or [1, 2]",
        "within [2] ms and [0] to [127]",
        "calleeInformation [5] CalleePartyInformation OPTIONAL",
        "first [6] INTEGER,\n  second\t[8] OCTET STRING",
        "the table below",
        "in 5.3.9 and to 18.1.0",
        "clause",
        "Clauses are numbered",
        "the annexes give",
        "a table of 3 rows",
        "see clause 0",
        "in this clause, 5 values",
        "specified in 9.2 and in 4.5",
        "Table: Values",
        "RFC editors",
        "section headings",
    ] {
        assert!(found(text).is_empty(), "{text}: {:?}", found(text));
    }
}

#[test]
fn documents_of_others_have_one_name_each() {
    for (entry, name) in [
        ("[1] ITU-R Recommendation SM.329 (2003): \"Emissions\".", "ITU-R SM.329"),
        ("[1] IEC CISPR publication 16-1: \"Apparatus\".", "CISPR 16-1"),
        ("[1] IEC 61000-3-2; (2000): \"Limits\".", "IEC 61000-3-2"),
        ("[1] ISO 7637-1 (1990): \"Vehicles\".", "ISO 7637-1"),
        ("[1] ETSI ETR 027 (1991): \"Methods\".", "ETR 027"),
        ("[1] IEEE Standard 802.3\u{2122}-2018: \"Ethernet\".", "IEEE Std 802.3"),
        ("[1] IEEE 802.11: \"LAN\".", "IEEE Std 802.11"),
        ("[1] IEEE P802.1Qdd: \"RAP\".", "IEEE P802.1Qdd"),
        ("[1] IEC 61850-9-3-2016 - a profile", "IEC 61850-9-3"),
        ("[1] IEC TR 61850-90-1:2010, Networks", "IEC TR 61850-90-1"),
        ("[1] R1-2208454 Errors of positioning", "R1-2208454"),
        ("[1] 3GPP2 C.S0024-C v2.0: \"Air interface\".", "3GPP2 C.S0024-C"),
        ("[1] OMA OMA-ERELD-Light-V1_1-20180612-C: \"Device\".", "OMA-ERELD-Light"),
        ("[1] IEEE: \"Guidelines for identifiers (EUI)\".", "IEEE Guidelines for identifiers"),
    ] {
        let mut list = ReferenceList::default();
        list.add_entry(entry);
        assert_eq!(list.find_document("1"), Some(name), "{entry}");
    }
}

#[test]
fn a_column_of_references_cites_without_words() {
    let references = references();
    let has = |_, number: &str| matches!(number, "9.1" | "5.3.5");
    let finder = CitationFinder::new(&references, &has);
    let targets = |text: &str| {
        let found = finder.find_listed_clauses(&text.into());
        found.into_iter().map(|citation| citation.target).collect::<Vec<_>>()
    };
    assert_eq!(targets("9.1"), ["9.1"]);
    assert_eq!(targets("5.3.5, 9.1"), ["5.3.5", "9.1"]);
    assert!(targets("9.2").is_empty() && targets("9.1 dB").is_empty() && targets("9").is_empty());
}

#[test]
fn a_caption_does_not_cite_itself() {
    assert!(found("Table 6.1-1: Bands").is_empty());
    assert_eq!(found("Figure 6.1-1: States (see clause 5)"), ["clause - 5"]);
}

#[test]
fn no_text_breaks_it() {
    for text in [
        "clause \u{e9}",
        "[\u{e9}",
        "TS",
        "TS 38.\u{663}",
        "clauses 5.2 and ",
        "Table \u{2013}",
        "[5",
        "eq. (",
        "[5, clause",
        "TS 38.213,",
        "ETSI TS 1",
        "O-RAN.",
        "[5, clause 8.1]]",
    ] {
        drop(found(text));
    }
}
