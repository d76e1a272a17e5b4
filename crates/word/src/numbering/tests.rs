//! Automatic numbers, as Word counts them.

use super::*;

fn numbering() -> Numbering {
    let xml = r#"<w:numbering>
      <w:abstractNum w:abstractNumId="3">
        <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
        <w:pStyle w:val="H1"/><w:lvlText w:val="%1"/></w:lvl>
        <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
        <w:lvlText w:val="%1.%2"/></w:lvl>
        <w:lvl w:ilvl="2"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/>
        <w:lvlText w:val="(%3)"/></w:lvl>
      </w:abstractNum>
      <w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>
      <w:lvlText w:val="o"/></w:lvl></w:abstractNum>
      <w:num w:numId="1"><w:abstractNumId w:val="3"/></w:num>
      <w:num w:numId="2"><w:abstractNumId w:val="4"/></w:num>
      <w:num w:numId="5"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0">
      <w:startOverride w:val="8"/></w:lvlOverride></w:num>
    </w:numbering>"#;
    Numbering::read_numbering(Some(xml.as_bytes()), "numbering", &Limits::default()).expect("valid")
}

#[test]
fn labels_count_as_word_counts_them() {
    let mut numbering = numbering();
    let mut next = |instance, level| numbering.next_label(instance, level).unwrap_or_default();
    assert_eq!(next(1, 0), "1");
    assert_eq!(next(1, 1), "1.1");
    assert_eq!(next(1, 1), "1.2");
    assert_eq!(next(1, 2), "(iii)");
    assert_eq!(next(1, 0), "2");
    assert_eq!(next(1, 1), "2.1");
    assert_eq!(next(2, 0), "-");
    assert_eq!(next(5, 0), "8");
    assert_eq!(next(5, 0), "9");
    assert_eq!(next(99, 0), "");
}

#[test]
fn a_typed_number_sets_the_counters() {
    let mut numbering = numbering();
    numbering.set_counters_from_typed(1, "5.3a");
    assert_eq!(numbering.next_label(1, 1).as_deref(), Some("5.4"));
    assert_eq!(numbering.level_of_style(1, "H1"), Some(0));
}

/// A list of numbered paragraphs: instance and level of each, and the label that Word prints.
fn labels(xml: &str, paragraphs: &[(u32, u8)]) -> Vec<String> {
    let xml = format!("<w:numbering>{xml}</w:numbering>");
    let read = Numbering::read_numbering(Some(xml.as_bytes()), "numbering", &Limits::default());
    let mut numbering = read.expect("valid");
    let label = |(instance, level): &(u32, u8)| numbering.next_label(*instance, *level);
    paragraphs.iter().map(label).map(Option::unwrap_or_default).collect()
}

fn level(index: u8, text: &str, properties: &str) -> String {
    format!(
        r#"<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>{properties}<w:lvlText w:val="{text}"/></w:lvl>"#
    )
}

fn definition(id: u32, inner: &str) -> String {
    format!(r#"<w:abstractNum w:abstractNumId="{id}">{inner}</w:abstractNum>"#)
}

fn instance(id: u32, of: u32, inner: &str) -> String {
    format!(r#"<w:num w:numId="{id}"><w:abstractNumId w:val="{of}"/>{inner}</w:num>"#)
}

#[test]
fn a_level_says_after_which_others_it_restarts() {
    let levels = |restart: &str| {
        let inner = [
            level(0, "%1", r#"<w:start w:val="5"/>"#),
            level(1, "%1.%2", ""),
            level(2, "%1.%2.%3", restart),
        ];
        format!("{}{}", definition(0, &inner.concat()), instance(1, 0, ""))
    };
    let paragraphs = [(1, 0), (1, 1), (1, 2), (1, 1), (1, 2), (1, 0), (1, 1), (1, 2)];
    for (restart, expected) in [
        ("", ["5", "5.1", "5.1.1", "5.2", "5.2.1", "6", "6.1", "6.1.1"]),
        (
            r#"<w:lvlRestart w:val="0"/>"#,
            ["5", "5.1", "5.1.1", "5.2", "5.2.2", "6", "6.1", "6.1.3"],
        ),
        (
            r#"<w:lvlRestart w:val="1"/>"#,
            ["5", "5.1", "5.1.1", "5.2", "5.2.2", "6", "6.1", "6.1.1"],
        ),
        (
            r#"<w:lvlRestart w:val="2"/>"#,
            ["5", "5.1", "5.1.1", "5.2", "5.2.1", "6", "6.1", "6.1.1"],
        ),
    ] {
        assert_eq!(labels(&levels(restart), &paragraphs), expected, "{restart}");
    }
}

#[test]
fn an_instance_overrides_levels_and_starts() {
    let shared = definition(0, &[level(0, "%1", ""), level(1, "%1.%2", "")].concat());
    let other = r#"<w:lvlOverride w:ilvl="1"><w:lvl w:ilvl="1"><w:start w:val="4"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1-%2"/></w:lvl></w:lvlOverride>"#;
    let later = r#"<w:lvlOverride w:ilvl="1"><w:startOverride w:val="7"/></w:lvlOverride>"#;
    let xml = [shared, instance(1, 0, ""), instance(2, 0, other), instance(3, 0, later)].concat();
    assert_eq!(labels(&xml, &[(1, 0), (1, 1), (1, 1)]), ["1", "1.1", "1.2"]);
    assert_eq!(labels(&xml, &[(1, 0), (2, 1), (2, 1)]), ["1", "1-d", "1-e"]);
    // The start of an instance also holds when its level begins again.
    assert_eq!(
        labels(&xml, &[(3, 0), (3, 1), (3, 1), (3, 0), (3, 1)]),
        ["1", "1.7", "1.8", "2", "2.7"]
    );
}

#[test]
fn numbers_of_a_legal_level_are_digits_and_a_style_may_define_the_levels() {
    let letters = |legal: &str| {
        let first =
            r#"<w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1"/></w:lvl>"#;
        let inner = format!(r#"<w:styleLink w:val="Outline"/>{first}{}"#, level(1, "%1.%2", legal));
        let linked = definition(8, r#"<w:numStyleLink w:val="Outline"/>"#);
        format!("{linked}{}{}", definition(0, &inner), instance(1, 8, ""))
    };
    assert_eq!(labels(&letters(""), &[(1, 0), (1, 1)]), ["I", "I.1"]);
    assert_eq!(labels(&letters("<w:isLgl/>"), &[(1, 0), (1, 1)]), ["I", "1.1"]);
    assert_eq!(labels(&letters(r#"<w:isLgl w:val="0"/>"#), &[(1, 0), (1, 1)]), ["I", "I.1"]);
}
