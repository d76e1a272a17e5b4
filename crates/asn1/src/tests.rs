//! Reading of listings.

use super::*;

fn one(text: &str) -> Item {
    let notation = read_notation(text);
    assert_eq!((notation.items.len(), notation.unread.len()), (1, 0), "{text}: {notation:#?}");
    notation.items.into_iter().next().expect("one")
}

fn members(item: &Item) -> &[Member] {
    match &item.body {
        ItemBody::Type { definition: Type::Members { members, .. }, .. } => members,
        other => panic!("{other:?}"),
    }
}

fn references(definition: &Type) -> Vec<&str> {
    let mut names = Vec::new();
    definition.for_each_reference(&mut |name| names.push(name));
    names
}

#[test]
fn fields_have_types_presence_and_comments() {
    let text = "Lamp-Config ::= SEQUENCE {
        lampId      Lamp-Id,
        colours     SEQUENCE (SIZE (1..maxColours)) OF Colour-r16   OPTIONAL,  -- Need R
        shade       SetupRelease { Shade-Config }                   OPTIONAL,  -- Cond Lit
        level       INTEGER (0..7)                                  DEFAULT 3,
        ...,
        [[
        -- R1 1-2: two wicks
        wick-r17    OCTET STRING (CONTAINING Wick)                  OPTIONAL   -- Need M
        ]],
        [[ 3: oil-r18 CHOICE { full NULL, low ENUMERATED {n1, n2, ...} } OPTIONAL -- Need N
        ]]
    }";
    let item = one(text);
    assert_eq!(item.name, "Lamp-Config");
    let found: Vec<(&str, Option<&str>, bool)> = members(&item)
        .iter()
        .map(|m| (m.name.as_str(), m.comment.as_deref(), m.is_extension))
        .collect();
    assert_eq!(
        found,
        [
            ("lampId", None, false),
            ("colours", Some("Need R"), false),
            ("shade", Some("Cond Lit"), false),
            ("level", None, false),
            ("wick-r17", Some("Need M"), true),
            ("oil-r18", Some("Need N"), true),
        ]
    );
    let members = members(&item);
    let above = members.iter().map(|member| member.comment_above.as_deref());
    assert_eq!(
        above.collect::<Vec<_>>(),
        [None, None, None, None, Some("R1 1-2: two wicks"), None]
    );
    assert_eq!(members[0].presence, Presence::Mandatory);
    assert_eq!(members[1].presence, Presence::Optional);
    assert!(matches!(&members[3].presence, Presence::Default(span) if &text[span.clone()] == "3"));
    assert_eq!(references(&members[1].definition), ["Colour-r16"]);
    assert_eq!(references(&members[2].definition), ["SetupRelease", "Shade-Config"]);
    assert_eq!(references(&members[4].definition), ["Wick"]);
    assert!(text[members[5].span.clone()].starts_with("oil-r18 CHOICE"));
}

#[test]
fn modules_have_headers_imports_constants_and_ends() {
    let text =
        "LAMP-Constants {\nitu-t (0) lamps (3) }\n\nDEFINITIONS AUTOMATIC TAGS ::=\n\nBEGIN\n
IMPORTS\n    Lamp-Id,\n    Container{},\n    maxLamps\nFROM LAMP-IEs\n    Wick\nFROM LAMP-Common;\n
maxColours   INTEGER ::= 8    -- Maximum number of colours
                              -- of a lamp
-- unrelated
maxDark      INTEGER ::= -1
id-Wick      ProtocolIE-ID ::= 7
Shade ::= ENUMERATED { open (0), shut(1), ..., half }
END";
    let notation = read_notation(text);
    assert_eq!(notation.unread, []);
    let names: Vec<&str> = notation.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["LAMP-Constants", "", "maxColours", "maxDark", "id-Wick", "Shade", ""]);
    let items = &notation.items;
    let ItemBody::Imports(imports) = &items[1].body else { panic!("{:?}", items[1]) };
    let imported: Vec<(&str, usize)> =
        imports.iter().map(|import| (import.module.as_str(), import.names.len())).collect();
    assert_eq!(imported, [("LAMP-IEs", 3), ("LAMP-Common", 1)]);
    assert_eq!(items[2].comment.as_deref(), Some("Maximum number of colours of a lamp"));
    let value = |item: &Item| match &item.body {
        ItemBody::Value { value, .. } => text[value.clone()].to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!((value(&items[2]).as_str(), value(&items[3]).as_str()), ("8", "-1"));
    let ItemBody::Type { definition: Type::Enumerated(values), .. } = &items[5].body else {
        panic!("{:?}", items[5])
    };
    let values: Vec<(&str, Option<&str>, bool)> = values
        .iter()
        .map(|value| (value.name.as_str(), value.number.as_deref(), value.is_extension))
        .collect();
    assert_eq!(
        values,
        [("open", Some("0"), false), ("shut", Some("1"), false), ("half", None, true)]
    );
    assert_eq!(items[6].body, ItemBody::ModuleEnd);
}

#[test]
fn information_objects_say_what_they_set() {
    let text = "LAMP-IES ::= CLASS {\n  &id Lamp-ID UNIQUE,\n  &Value\n}\nWITH SYNTAX {\n  ID &id\n  TYPE &Value\n}
LightRequest-IEs LAMP-IES ::= {
  { ID id-Wick CRITICALITY reject TYPE Wick PRESENCE mandatory } |
  { ID id-Type CRITICALITY ignore TYPE TYPE PRESENCE optional },
  ...
}
light LAMP-PROCEDURE ::= {
  INITIATING MESSAGE LightRequest
  SUCCESSFUL OUTCOME LightResponse
  PROCEDURE CODE id-light
}
LAMP-PROCEDURES LAMP-PROCEDURE ::= { light | LAMP-MORE, ... }
Container {LAMP-IES : SetParam, INTEGER : top} ::= SEQUENCE (SIZE (0..top)) OF Field {{SetParam}}
Field {LAMP-IES : SetParam} ::= SEQUENCE {\n  id LAMP-IES.&id ({SetParam}),\n  value LAMP-IES.&Value ({SetParam}{@id})\n}";
    let notation = read_notation(text);
    assert_eq!(notation.unread, []);
    let items = &notation.items;
    assert_eq!(items[0].body, ItemBody::Class);
    let ItemBody::ObjectSet { class, entries } = &items[1].body else { panic!("{:?}", items[1]) };
    let settings = |entry: &SetEntry| -> Vec<String> {
        entry.settings.iter().map(|s| format!("{}={}", s.label, s.value)).collect()
    };
    assert_eq!((class.as_str(), entries.len()), ("LAMP-IES", 2));
    assert_eq!(
        settings(&entries[0]),
        ["ID=id-Wick", "CRITICALITY=reject", "TYPE=Wick", "PRESENCE=mandatory"]
    );
    assert_eq!(settings(&entries[1])[2], "TYPE=TYPE");
    let ItemBody::Object { settings, .. } = &items[2].body else { panic!("{:?}", items[2]) };
    assert_eq!(settings[0].value, "LightRequest");
    let ItemBody::ObjectSet { entries, .. } = &items[3].body else { panic!("{:?}", items[3]) };
    assert_eq!(entries[1].reference.as_deref(), Some("LAMP-MORE"));
    let ItemBody::Type { parameters, definition } = &items[4].body else { panic!() };
    assert_eq!(parameters, &["SetParam", "top"]);
    assert_eq!(references(definition), ["Field", "SetParam"]);
    assert_eq!(references(&members(&items[5])[0].definition), ["LAMP-IES"]);
}

#[test]
fn what_cannot_be_read_does_not_hide_what_follows() {
    let text = "Good ::= INTEGER\nBad ::= SEQUENCE {\n  a INTEGER\n  b BOOLEAN,\n  c }\n\nOpen ::= SEQUENCE {\n  a INTEGER,\n\nNext ::= BOOLEAN";
    let notation = read_notation(text);
    let names: Vec<&str> = notation.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"Good"), Some(&"Next")));
    assert!(notation.unread.iter().any(|span| text[span.clone()].starts_with("Open")));
}

#[test]
fn no_text_breaks_it() {
    let deep = format!("A ::= {} INTEGER", "SEQUENCE OF ".repeat(100_000));
    for text in [
        "",
        "::=",
        "A ::=",
        "A ::= {",
        "IMPORTS",
        "IMPORTS a FROM",
        "A { B",
        "a ::= {",
        "}}}",
        "A B ::= {{",
        "A ::= OCTET STRING (CONTAINING",
        "A ::= SEQUENCE { a INTEGER DEFAULT",
        "A ::= SEQUENCE { ...!",
        "A ::= ENUMERATED { a (",
        "A ::= CLASS { } WITH SYNTAX {",
        "\u{2011} ::= \u{2011}",
        &deep,
    ] {
        read_notation(text);
    }
}

#[test]
fn a_module_whose_name_follows_other_signs_keeps_its_name() {
    let notation = read_notation(
        ".$Lamps {itu-t (0) lamps (5)}\nDEFINITIONS ::=\nBEGIN\nA ::= INTEGER\n.#END\n",
    );
    let names: Vec<&str> = notation.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!((names, notation.unread.len()), (vec!["Lamps", "A", ""], 0));
    assert_eq!(notation.items[2].body, ItemBody::ModuleEnd);
}

#[test]
fn a_dash_in_a_name_is_its_hyphen() {
    let item = one(
        "A\u{2013}r16 ::= SEQUENCE {\n  first\u{2013}r16 BOOLEAN OPTIONAL, \u{2013} Need R\n  second BOOLEAN\n}",
    );
    let names: Vec<&str> = members(&item).iter().map(|member| member.name.as_str()).collect();
    assert_eq!((item.name.as_str(), names), ("A-r16", vec!["first-r16", "second"]));
    assert_eq!(members(&item)[0].comment.as_deref(), Some("Need R"));
}
