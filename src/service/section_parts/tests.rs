//! Parts of sections as specifications have them: tables of timers, causes and elements, lists of conditions, listings.

use document_model::{
    Block, CellParagraph, CodeBlock, CodeLanguage, ListItem, Paragraph, ParagraphKind, Table,
    TableCell, TableRow,
};

use super::*;

fn paragraph(text: &str) -> Block {
    let kind = ParagraphKind::from_first_words(text);
    Block::Paragraph(Paragraph { kind, text: text.into(), changed: false })
}

fn item(depth: u8, label: &str, text: &str) -> Block {
    let label = (!label.is_empty()).then(|| label.to_owned());
    Block::ListItem(ListItem { depth, label, text: text.into(), changed: false })
}

fn code(text: &str) -> Block {
    Block::Code(CodeBlock { language: CodeLanguage::detect(text), text: text.to_owned() })
}

/// A table whose first row is its head; a row of one cell spans the width.
fn table(caption: &str, rows: &[&[&str]]) -> Block {
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(1);
    let rows = rows.iter().enumerate().map(|(index, cells)| TableRow {
        is_head: index == 0,
        skipped_columns: 0,
        cells: cells
            .iter()
            .map(|text| TableCell {
                span: if cells.len() == 1 { width as u16 } else { 1 },
                continues: *text == "^",
                paragraphs: text
                    .trim_start_matches('^')
                    .lines()
                    .map(|line| CellParagraph { label: None, text: line.into() })
                    .collect(),
            })
            .collect(),
    });
    Block::Table(Table { caption: Some(caption.into()), rows: rows.collect() })
}

/// What is found, each part below its anchors.
fn found(blocks: &[Block], headings: &str, around: &str) -> Vec<String> {
    let wanted = WantedPart::parse(around).expect(around);
    let found = find_parts(blocks, headings, &wanted);
    let parts = found.parts.iter().map(|part| format!("{}: {}", part.anchors.join(" "), part.text));
    parts
        .chain((!found.more.is_empty()).then(|| format!("more {}", found.more.join(" "))))
        .collect()
}

fn timers() -> Vec<Block> {
    vec![
        paragraph("The timers are these."),
        table(
            "Table 7.1-1: Timers",
            &[
                &["Timer", "Start", "Stop", "At expiry"],
                &["T300", "Request sent", "Answer", "Inform upper layers"],
                &[
                    "T310\nNOTE 1",
                    "N310 indications, or T300 expired",
                    "N311 indications",
                    "Go to IDLE",
                ],
                &["^", "For a second group", "Release", "Report"],
                &["T3101", "Other", "Other", "Other"],
                &["NOTE 1: The timer runs per group.\nNOTE 2: Never."],
            ],
        ),
        paragraph("When T310 runs, the lamp burns."),
    ]
}

const TIMER_HEAD: &str =
    "Table 7.1-1: Timers\n| Timer | Start | Stop | At expiry |\n|---|---|---|---|\n";

#[test]
fn a_timer_is_its_rows_below_the_head_with_the_note_they_cite() {
    let rows = "| T310<br>NOTE 1 | N310 indications, or T300 expired | N311 indications | Go to IDLE |\n\
        | T310<br>NOTE 1 | For a second group | Release | Report |\nNOTE 1: The timer runs per group.";
    let expected = vec![format!("p2.3 p2.4: {TIMER_HEAD}{rows}")];
    for around in [
        "T310",
        "t310",
        "T-310",
        "timer T310",
        "\"T 310\"",
        "what is T310",
        "the value of timer T310",
    ] {
        assert_eq!(found(&timers(), "Timers", around), expected, "{around}");
    }
    assert_eq!(found(&timers(), "", "T3101").len(), 1);
    assert!(found(&timers(), "", "T3101")[0].starts_with("p2.5: "));
    assert_eq!(found(&timers(), "", "NOTE 2"), ["p2.6: NOTE 2: Never."]);
    assert_eq!(found(&timers(), "", "lamp burns"), ["p3: When T310 runs, the lamp burns."]);
    assert_eq!(found(&timers(), "", "T999"), Vec::<String>::new());
    // A word that nothing has is told.
    let wanted = WantedPart::parse("default range of T310").expect("words");
    let partial = find_parts(&timers(), "", &wanted);
    assert_eq!(partial.unmatched_words, ["range"]);
    assert_eq!(partial.parts[0].anchors, ["p2.3", "p2.4"]);
}

#[test]
fn a_cause_is_found_by_its_number_in_bits_in_a_row_in_a_title_and_in_a_list() {
    let bits = table(
        "Table 9-1: Cause information element",
        &[
            &["Cause value (octet 2)"],
            &["8", "7", "6", "5", "4", "3", "2", "1", ""],
            &["0", "0", "0", "1", "1", "0", "1", "0", "Insufficient resources"],
            &["0", "0", "0", "1", "1", "0", "1", "1", "Missing lamp"],
        ],
    );
    let [part] = &found(std::slice::from_ref(&bits), "Lamp cause", "#26")[..] else {
        panic!("one part")
    };
    assert!(part.contains("Insufficient resources") && !part.contains("Missing lamp"), "{part}");
    for around in ["cause 26", "lamp cause #26", "Insufficient resources", "26"] {
        assert_eq!(
            found(std::slice::from_ref(&bits), "Lamp cause", around).first(),
            Some(part),
            "{around}"
        );
    }
    let rows = table(
        "Table 8-1: Causes",
        &[
            &["Cause value (decimal)", "Meaning"],
            &["#16", "Accepted"],
            &["64", "Context not found"],
            &["65 to 127", "Spare"],
        ],
    );
    for (around, meaning) in
        [("#16", "Accepted"), ("cause 64", "Context not found"), ("cause #100", "Spare")]
    {
        let parts = found(std::slice::from_ref(&rows), "", around);
        assert!(parts.len() == 1 && parts[0].contains(meaning), "{around}: {parts:?}");
    }
    let annex = vec![
        paragraph("Cause #22 \u{2013} Congestion"),
        paragraph("This cause is sent because of #27, or of congestion."),
        paragraph("Cause #27 \u{2013} Missing lamp"),
        paragraph("This cause is sent if there is none."),
    ];
    let congestion =
        ["p1: Cause #22 \u{2013} Congestion\nThis cause is sent because of #27, or of congestion."];
    for around in ["#22", "cause 22", "EMM cause #22", "congestion"] {
        assert_eq!(found(&annex, "Causes of EMM", around), congestion, "{around}");
    }
    assert!(found(&annex, "", "#27")[0].starts_with("p3: "));
    let list = vec![
        paragraph("The UE shall act on the cause:"),
        item(1, "", "#22 (Congestion);"),
        item(1, "", "The UE shall stop T3410 within 27 s."),
        item(2, "-", "unless the lamp burns."),
        item(1, "", "#27 (Missing lamp)."),
        item(1, "", "The UE shall buy one."),
        paragraph("Other causes are abnormal."),
    ];
    let expected = "p2: The UE shall act on the cause:\n#22 (Congestion);\nThe UE shall stop T3410 within 27 s.\n  - unless the lamp burns.";
    assert_eq!(found(&list, "", "cause 22"), [expected]);
    assert_eq!(
        found(&list, "", "#27"),
        [
            "p5: The UE shall act on the cause:\n[3 items left out]\n#27 (Missing lamp).\nThe UE shall buy one."
        ]
    );
    assert_eq!(found(&list, "", "#3"), Vec::<String>::new());
}

#[test]
fn an_item_comes_with_the_conditions_that_it_is_in() {
    let blocks = vec![
        paragraph("The UE shall:"),
        item(1, "1>", "if the lamp burns:"),
        item(2, "2>", "stop timer T310;"),
        item(2, "2>", "if T311 runs:"),
        item(3, "3>", "start T312, if any;"),
        paragraph("NOTE 1: Lamps go out."),
        item(1, "1>", "else start T301."),
    ];
    let expected = "p5: The UE shall:\n1> if the lamp burns:\n[1 item left out]\n  2> if T311 runs:\n    3> start T312, if any;\nNOTE 1: Lamps go out.";
    assert_eq!(found(&blocks, "", "T312"), [expected]);
    assert_eq!(found(&blocks, "", "3>"), [expected]);
    assert_eq!(found(&blocks, "", "2> stop").len(), 1);
    assert_eq!(found(&blocks, "", "2>").len(), 2);
    assert_eq!(found(&blocks, "", "4>"), Vec::<String>::new());
    assert_eq!(found(&blocks, "", "#p5"), [expected]);
    assert_eq!(found(&blocks, "", "p99"), Vec::<String>::new());
    let alternatives = vec![
        item(1, "1>", "else:"),
        item(2, "2>", "upon start of the lamp; or"),
        item(2, "2>", "upon T310 expiry; or"),
        item(2, "2>", "upon loss of oil:"),
        item(3, "3>", "light another."),
        item(2, "2>", "stop."),
    ];
    let expected = "p3: 1> else:\n[1 item left out]\n  2> upon T310 expiry; or\n  2> upon loss of oil:\n    \
        3> light another.";
    assert_eq!(found(&alternatives, "", "T310"), [expected], "with what follows from it");
    // What an item introduces belongs to it.
    assert!(found(&blocks, "", "T311")[0].contains("3> start T312"));
}

#[test]
fn an_element_of_a_message_comes_with_the_elements_it_is_in() {
    let blocks = vec![table(
        "Table 9.2-1: LAMP SETUP REQUEST",
        &[
            &["IE/Group Name", "Presence", "Range", "Semantics"],
            &["Message Type", "M", "", ""],
            &["AMF UE Lamp ID", "M", "", ""],
            &["AMF UE Lamp ID 2", "O", "", ""],
            &["RAN UE Lamp ID", "M", "", ""],
            &["Lamp List", "", "0..1", ""],
            &[">Lamp Item", "", "1..n", ""],
            &[">>Lamp ID", "O", "", "a|b"],
        ],
    )];
    for around in [
        "AMF UE Lamp ID",
        "presence of AMF UE Lamp ID",
        "AMF-UE-Lamp-ID",
        "AMF UE Lamp ID in LAMP SETUP REQUEST",
    ] {
        let parts = found(&blocks, "LAMP SETUP REQUEST", around);
        assert_eq!(parts.len(), 1, "{around}");
        assert!(
            parts[0].starts_with("p1.3: ") && parts[0].ends_with("| AMF UE Lamp ID | M |  |  |"),
            "{parts:?}"
        );
    }
    let parts = found(&blocks, "", "Lamp ID");
    assert!(
        parts[0].ends_with(
            "| Lamp List |  | 0..1 |  |\n| >Lamp Item |  | 1..n |  |\n| >>Lamp ID | O |  | a\\|b |"
        ),
        "{parts:?}"
    );
}

#[test]
fn a_row_is_found_by_its_cells_and_a_table_by_its_number() {
    let blocks = vec![
        table(
            "Table 5.3-1: Bands",
            &[
                &["Band", "SCS", "MHz"],
                &["n77", "15", "50"],
                &["n77", "30", "100"],
                &["n78", "30", "100"],
            ],
        ),
        table("Table 5.3-2: Others", &[&["Band", "Use"], &["n77", "None"]]),
    ];
    let rows = |text: &str| {
        let found = find_parts(&blocks, "", &WantedPart::parse_row(text).expect(text));
        found.parts.into_iter().flat_map(|part| part.anchors).collect::<Vec<_>>().join(" ")
    };
    for (text, anchors) in [
        ("n77", "p1.2 p1.3 p2.2"),
        ("n77, 30", "p1.3"),
        ("N77 | 100", "p1.3"),
        ("Table 5.3-2: n77", "p2.2"),
        ("table 5.3-1 n78", "p1.4"),
        ("n79", ""),
        ("Table 5.3-9: n77", ""),
    ] {
        assert_eq!(rows(text), anchors, "{text}");
    }
    assert!(
        found(&blocks, "", "Table 5.3-2")[0].starts_with("p2: Table 5.3-2: Others\n| Band | Use |")
    );
    assert_eq!(found(&blocks, "", "Table 5.3-1: n78").len(), 1);
    assert_eq!(found(&blocks, "", "Table 5.3"), Vec::<String>::new());
}

#[test]
fn a_field_comes_with_the_type_that_it_is_in() {
    let asn1 = code(
        "Lamp ::= SEQUENCE {\n    wick    Wick,\n    oil     SEQUENCE {\n        litres  INTEGER (0..9)\n    }  OPTIONAL,\n    t310    ENUMERATED {ms0, ms50}\n}\n\nWick ::= INTEGER",
    );
    let field = "p1.6: ```\nLamp ::= SEQUENCE {\n[4 lines left out]\n    t310    ENUMERATED {ms0, ms50}\n```";
    let blocks = [asn1];
    assert_eq!(found(&blocks, "", "t310"), [field]);
    assert_eq!(found(&blocks, "", "litres").len(), 1);
    assert!(found(&blocks, "", "oil")[0].contains("litres  INTEGER (0..9)\n    }  OPTIONAL,"));
    assert!(found(&blocks, "", "Lamp")[0].contains("t310"));
    assert_eq!(found(&blocks, "", "Wick").len(), 2, "a type, and the field of that name");
    let yaml = code(
        "components:\n  schemas:\n    Lamp:\n      type: object\n      required:\n        - wick\n    Oil:\n      type: string",
    );
    assert_eq!(
        found(&[yaml], "", "Oil"),
        [
            "p1.7: ```\ncomponents:\n  schemas:\n[4 lines left out]\n    Oil:\n      type: string\n```"
        ]
    );
}

#[test]
fn what_is_left_out_of_many_parts_is_named() {
    let items: Vec<Block> =
        (0..30).map(|n| item(1, "-", &format!("start T310 {n} times;"))).collect();
    let parts = found(&items, "", "start T310");
    assert_eq!(parts.len(), 9, "{parts:?}");
    assert!(parts[8].starts_with("more p9 p10 "), "{parts:?}");
    let long =
        vec![item(1, "-", &"T310 ".repeat(4_000)), item(1, "-", "T310"), item(2, "-", "deeper")];
    let parts = found(&long, "", "p1");
    assert_eq!(parts.len(), 1, "the part is whole");
    assert!(parts[0].len() > 19_000);
}

#[test]
fn the_names_of_parts_are_listed() {
    let mut blocks = timers();
    blocks.push(paragraph("Cause #22 \u{2013} Congestion"));
    blocks.push(item(1, "", "#27 (Missing lamp)"));
    blocks.push(code("Lamp ::= INTEGER"));
    let keys = list_part_keys(&blocks);
    let expected =
        ["T300", "T310", "T3101", "Cause #22 \u{2013} Congestion", "#27 (Missing lamp)", "Lamp"];
    assert_eq!(keys, expected);
}

#[test]
fn hostile_sections_end() {
    let deep: Vec<Block> =
        (0..2_000).map(|n| item((n % 255) as u8, "#", "#1 x: ( \u{e9}")).collect();
    assert!(!found(&deep, "", "#1").is_empty());
    let wide = table("", &[&["| \\", "\\|"], &["", ""], &["<br>", "NOTE 1:"]]);
    for around in ["NOTE 1", "p1.1", "p1.99", "#1"] {
        let _ = found(std::slice::from_ref(&wide), "", around);
    }
    let listing = code(&" x {\n".repeat(3_000));
    assert!(found(&[listing], "", "x").len() > 1);
}
