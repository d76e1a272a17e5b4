//! Documents without a finding, and with one each.

use crate::{
    SectionBlocks, find_disagreements,
    tests::{code, table},
};
use document_model::Block;
use domain::NameFindingKind;

/// The findings of sections, each as its kind, its name and whether it is doubtful.
fn findings(sections: &[(&str, &str, Vec<Block>)]) -> Vec<(NameFindingKind, String, bool)> {
    let sections: Vec<SectionBlocks<'_>> = sections
        .iter()
        .map(|(number, title, blocks)| SectionBlocks { number, title, blocks })
        .collect();
    let found = find_disagreements(&sections);
    found.into_iter().map(|of| (of.kind, of.name, of.is_doubtful)).collect()
}

#[test]
fn what_agrees_gives_no_finding_and_each_fault_gives_its_own() {
    use NameFindingKind::{Criticality, Duplicate, Missing, Presence, Spelling, Value};
    use domain::NameFindingKind;
    let document = |faults: &[(&str, &str)]| {
        let with = |text: &str| {
            faults.iter().fold(text.to_owned(), |text, (right, wrong)| text.replace(right, wrong))
        };
        let rows = |text: &str| {
            let text = with(text);
            let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            table(&rows)
        };
        let sections = [
            (
                "9.1.1",
                "LAMP SETUP REQUEST",
                vec![rows(
                    "IE/Group Name|Presence|Range|IE type and reference|Criticality|Assigned Criticality\nMessage Type|M||9.2.1|YES|reject\nLamp ID|M||9.2.2|YES|reject\nOil|O||9.2.3|YES|ignore",
                )],
            ),
            (
                "9.2.2",
                "Oil Kind",
                vec![
                    rows(
                        "IE/Group Name|Presence|IE type and reference\nOil Kind|M|ENUMERATED (olive, whale ...)",
                    ),
                    rows(
                        "Range bound|Explanation\nmaxnoofLamps|Maximum no. of lamps. Value is 16.",
                    ),
                ],
            ),
            (
                "9.3",
                "Definitions",
                vec![code(&with(
                    "Lamps DEFINITIONS ::= BEGIN\nLampSetupRequest ::= SEQUENCE { protocolIEs ProtocolIE-Container {{LampSetupRequestIEs}} }\nLampSetupRequestIEs LAMP-PROTOCOL-IES ::= {\n{ ID id-Lamp-ID CRITICALITY reject TYPE LampID PRESENCE mandatory } |\n{ ID id-Oil CRITICALITY ignore TYPE OilKind PRESENCE optional },\n...\n}\nOilKind ::= ENUMERATED { olive, whale, ... }\nmaxnoofLamps INTEGER ::= 16\nEND",
                ))],
            ),
            (
                "8.1",
                "LAMP ATTACH",
                vec![rows(
                    "IEI|Information Element|Type/Reference|Presence|Format|Length\n1A|Colour|9.9.1|O|TV|2\n2B|Oil level|9.9.2|O|TLV|3",
                )],
            ),
            (
                "6.1.2",
                "Type: LampInfo",
                vec![rows(
                    "Attribute name|Data type|P|Cardinality|Description\ncolour|Colour|M|1|Its colour.\nwick|Wick|O|0..1|Its wick.",
                )],
            ),
            (
                "6.1.3",
                "Enumeration: Shade",
                vec![rows("Enumeration value|Description\nRED|Red.\nBLUE|Blue.")],
            ),
            (
                "A.2",
                "Lamps API",
                vec![code(&with(
                    "openapi: 3.0.0\ninfo:\n  title: Lamps\ncomponents:\n  schemas:\n    LampInfo:\n      type: object\n      required:\n        - colour\n      properties:\n        colour:\n          type: string\n        wick:\n          type: string\n    Shade:\n      anyOf:\n        - type: string\n          enum:\n            - RED\n            - BLUE",
                ))],
            ),
        ];
        findings(&sections)
    };
    assert_eq!(document(&[]), []);
    for (right, wrong, kind, name) in [
        ("PRESENCE optional", "PRESENCE mandatory", Presence, "Oil"),
        ("id-Lamp-ID CRITICALITY reject", "id-Lamp-ID CRITICALITY ignore", Criticality, "Lamp ID"),
        ("\nOil|O||9.2.3|YES|ignore", "", Missing, "id-Oil"),
        ("olive, whale, ... }", "olive, ... }", Value, "whale"),
        ("Value is 16", "Value is 32", Value, "maxnoofLamps"),
        ("maxnoofLamps INTEGER", "maxnoof-lamps INTEGER", Spelling, "maxnoofLamps"),
        ("2B|Oil", "1A|Oil", Duplicate, "Oil level"),
        ("wick|Wick|O|0..1", "wick|Wick|M|1", Presence, "wick"),
        ("        wick:\n          type: string\n", "", Missing, "wick"),
        ("\nBLUE|Blue.", "", Missing, "BLUE"),
        (
            "            - RED\n            - BLUE",
            "            - RED\n            - Blue",
            Spelling,
            "BLUE",
        ),
        ("colour|Colour|M", "color|Colour|M", Missing, "color"),
    ] {
        let found = document(&[(right, wrong)]);
        assert!(
            found.iter().any(|(of, named, _)| *of == kind && named == name),
            "{right:?} -> {wrong:?}: {found:?}"
        );
    }
}

#[test]
fn rows_and_members_that_may_be_the_same_are_not_told_as_missing() {
    let found = |row: &str, more: &str| {
        let head = ["IE/Group Name", "Presence", "Range", "IE type and reference"];
        let rows: Vec<[&str; 4]> = [row, more]
            .into_iter()
            .filter(|row| !row.is_empty())
            .map(|row| [row, "O", "", "9.2"])
            .collect();
        let rows: Vec<&[&str]> = std::iter::once(&head).chain(&rows).map(|row| &row[..]).collect();
        let listing = "Lamps DEFINITIONS ::= BEGIN\nLampData ::= SEQUENCE { oilMeasConfigDL Oil OPTIONAL }\nOil ::= NULL\nEND";
        let sections = [
            ("9.2.9", "Lamp Data", vec![table(&rows)]),
            ("9.3", "Definitions", vec![code(listing)]),
        ];
        findings(&sections).into_iter().map(|(_, name, _)| name).collect::<Vec<_>>()
    };
    // An abbreviation, and a pair of names that match only because both are alone.
    assert_eq!(found("Oil Measurement Configuration Downlink", ""), [""; 0]);
    assert_eq!(found("Kind of Fuel", ""), [""; 0]);
    assert_eq!(found("Oil Measurement Configuration Downlink", "Wick"), ["Wick"]);
}

#[test]
fn a_condition_that_no_table_explains_is_found_and_so_is_a_field_that_no_listing_has() {
    let blocks = vec![
        code(
            "-- ASN1START\nLamp ::= SEQUENCE {\n  wick Wick OPTIONAL, -- Cond LitUp\n  oil Oil OPTIONAL -- Cond Full\n}\n-- ASN1STOP",
        ),
        table(&[&["Lamp field descriptions"], &["wick\nIts wick."], &["oyl\nIts oil."]]),
        table(&[
            &["Conditional Presence", "Explanation"],
            &["Litup", "It is lit."],
            &["Empty", "No oil."],
        ]),
    ];
    let found = findings(&[("6.3", "Lamp", blocks)]);
    let named = |kind, name: &str| found.contains(&(kind, name.to_owned(), false));
    assert!(named(NameFindingKind::Spelling, "LitUp"), "{found:?}");
    for name in ["Full", "Empty", "oyl"] {
        assert!(named(NameFindingKind::Missing, name), "{name}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
}
