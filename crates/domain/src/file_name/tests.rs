//! Names of real files, names that people type, and the order of parts.

use super::*;

fn parsed(name: &str) -> (String, Option<String>) {
    let name = SpecFileName::parse_name(name).expect(name);
    (name.number.to_string(), name.version.map(|v| v.to_string()))
}

#[test]
fn names_of_every_kind_are_read() {
    for (name, number, version) in [
        ("38331-i00.docx", "38.331", Some("18.0.0")),
        ("38101-1-i20_s00-05.docx", "38.101-1", Some("18.2.0")),
        ("23700-28-i10.docx", "23.700-28", Some("18.1.0")),
        ("29198-04-1-900.zip", "29.198-04-1", Some("9.0.0")),
        ("26.258-i00.docx", "26.258", Some("18.0.0")),
        ("26.258-i00", "26.258", Some("18.0.0")),
        ("22.101", "22.101", None),
        ("22101.docx", "22.101", None),
        ("23894-A00.docx", "23.894", Some("10.0.0")),
        ("27002_330.doc", "27.002", Some("3.3.0")),
        ("38.401-010-cl.doc", "38.401", Some("0.1.0")),
        ("32153-031-rev", "32.153", Some("0.3.1")),
        ("33512-v2010.docx", "33.512", Some("20.1.0")),
        ("38859-i00~2.docx", "38.859", Some("18.0.0")),
        ("archive/38_series/38.331/38331-j00.zip", "38.331", Some("19.0.0")),
        ("36413-174600.doc", "36.413", Some("17.46.0")),
    ] {
        assert_eq!(parsed(name), (number.to_owned(), version.map(str::to_owned)), "{name}");
    }
}

#[test]
fn foreign_names_are_refused() {
    for name in
        ["rel_16.docx", "~$331-i00.docx", "readme.txt", "R1-2505202.zip", "S2-1813311.doc", ""]
    {
        assert!(SpecFileName::parse_name(name).is_err(), "{name}");
    }
}

#[test]
fn annexes_by_letter_are_parts_of_their_own_in_natural_order() {
    let names = [
        "38133-i40_s00-09.docx",
        "38133-i40_sA.1-A.3.docx",
        "38133-i40_sA.4-A.9",
        "38133-i40_sA.10-A.12.docx",
        "38133-i40_sB.1-XX",
    ];
    let orders = names.map(|name| SpecFileName::parse_name(name).expect(name).order);
    assert!(orders.is_sorted_by(|a, b| a < b), "{orders:?}");
    let whole = SpecFileName::parse_name("38331-i00_something.docx").expect("a name");
    assert_eq!(whole.order, PartOrder::Main);
}

#[test]
fn parts_are_in_the_order_of_the_text() {
    let mut names = [
        "38101-1-i20_sAnnexes.docx",
        "38101-1-i20_s07-XX.docx",
        "38101-1-i20_s00-05.docx",
        "38101-1-i20_cover.docx",
        "38101-1-i20_s06-06.docx",
    ];
    names.sort_by_key(|name| SpecFileName::parse_name(name).expect("valid").order);
    let order: Vec<&str> = names.iter().map(|n| &n[12..n.len() - 5]).collect();
    assert_eq!(order, ["cover", "s00-05", "s06-06", "s07-XX", "sAnnexes"]);
}

#[test]
fn revision_marked_copies_are_distinguished_from_clean_ones() {
    assert!(SpecFileName::parse_name("23854-130_rm.docx").expect("valid").revision_marked);
    assert!(!SpecFileName::parse_name("23854-130_cl.docx").expect("valid").revision_marked);
}

#[test]
fn names_that_people_type_are_read_or_leave_the_version_to_the_cover() {
    for (name, number, version) in [
        ("TS 38.331 v18.1.0.docx", "38.331", Some("18.1.0")),
        ("TS38331 v19.0.0 clean.docx", "38.331", Some("19.0.0")),
        ("TS_38331_v18_1_0.docx", "38.331", Some("18.1.0")),
        ("3GPP TS 38.331 V18.1.0 (2024-03).docx", "38.331", Some("18.1.0")),
        ("38331-v18.1.0.docx", "38.331", Some("18.1.0")),
        ("38331_18.1.0.docx", "38.331", Some("18.1.0")),
        ("38331-18-1-0.docx", "38.331", Some("18.1.0")),
        ("38101-1-18-1-0.docx", "38.101-1", Some("18.1.0")),
        ("38.101-1 v18.2.0.docx", "38.101-1", Some("18.2.0")),
        ("38331 (v18.1.0).docx", "38.331", Some("18.1.0")),
        ("38331 - i10.docx", "38.331", Some("18.1.0")),
        ("38331i10.docx", "38.331", Some("18.1.0")),
        ("38331-v180100.docx", "38.331", Some("18.1.0")),
        ("38331-i10 (1).docx", "38.331", Some("18.1.0")),
        ("Copy of 38331-i10.docx", "38.331", Some("18.1.0")),
        ("draft_38331-020.docx", "38.331", Some("0.2.0")),
        ("23813-050cl.docx", "23.813", Some("0.5.0")),
        ("TS 38_331.docx", "38.331", None),
        ("38331-v15.docx", "38.331", None),
        ("38331-R18.docx", "38.331", None),
        ("38331-old.docx", "38.331", None),
        ("38331_new.docx", "38.331", None),
        ("38331-doc.docx", "38.331", None),
        ("38331 for review.docx", "38.331", None),
        ("38331-2nd.docx", "38.331", None),
        ("38331-240315.docx", "38.331", None),
        ("38331-200315.docx", "38.331", None),
        ("38331-2024-03-15.docx", "38.331", None),
        ("38331 15.03.24.docx", "38.331", None),
        ("38331 Rel-18.docx", "38.331", None),
        ("38331-n00.docx", "38.331", None),
    ] {
        assert_eq!(parsed(name), (number.to_owned(), version.map(str::to_owned)), "{name}");
    }
}

#[test]
fn only_plain_names_with_a_code_are_names_of_the_archive() {
    let is_archive_name = |name| SpecFileName::parse_name(name).expect(name).is_archive_name;
    for name in [
        "38331-i00.docx",
        "38101-1-i20.zip",
        "38101-1-i20_s00-05.docx",
        "36413-174600.doc",
        "38133-i20_sA.1-A.3",
    ] {
        assert!(is_archive_name(name), "{name}");
    }
    for name in [
        "38331.docx",
        "38331_i00.docx",
        "38.331-i00.docx",
        "38331-i00_clean.docx",
        "38331-i00 (1).docx",
        "38331-v18.1.0.docx",
        "38331-old.docx",
        "TS38331-i00.docx",
    ] {
        assert!(!is_archive_name(name), "{name}");
    }
}

#[test]
fn marked_copies_have_the_order_of_their_clean_part() {
    let order = |name| SpecFileName::parse_name(name).expect(name).order;
    assert_eq!(order("38133-i20_s06-06_rm.docx"), order("38133-i20_s06-06.docx"));
    assert_eq!(order("38331_cover.docx"), PartOrder::Cover);
    assert_eq!(order("38331 SA2 comments.docx"), PartOrder::Main);
}
