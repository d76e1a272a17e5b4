//! The names that sections of all kinds define.

use super::*;
use domain::{DefinedNameKind, PrintedForm};

use document_model::{
    CellParagraph, CodeBlock, CodeLanguage, Paragraph, Table, TableCell, TableRow,
};

pub(crate) fn code(text: &str) -> Block {
    Block::Code(CodeBlock { language: CodeLanguage::detect(text), text: text.to_owned() })
}

fn read(title: &str, blocks: &[Block]) -> SectionNames {
    read_names("5", title, blocks, ListingRule::All)
}

pub(crate) fn paragraph(text: &str) -> Block {
    Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() })
}

pub(crate) fn table(rows: &[&[&str]]) -> Block {
    let cell = |text: &&str| TableCell {
        span: 1,
        continues: false,
        paragraphs: text
            .split('\n')
            .map(|line| CellParagraph { label: None, text: line.into() })
            .collect(),
    };
    let row = |cells: &&[&str]| TableRow {
        cells: cells.iter().map(cell).collect(),
        ..TableRow::default()
    };
    Block::Table(Table { caption: None, rows: rows.iter().map(row).collect() })
}

fn find<'a>(names: &'a SectionNames, name: &str) -> &'a DefinedName {
    names.names.iter().find(|found| found.name == name).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn a_field_has_its_description_its_need_and_its_condition() {
    let blocks = [
        paragraph("Direction: Network to UE"),
        code(
            "-- ASN1START\nLampSetup ::= SEQUENCE {\n  wick-r16 Wick-r16 OPTIONAL, -- Need R\n  oil CHOICE { full NULL, low Level } OPTIONAL, -- Cond Lit\n  colour ENUMERATED {red, green}\n}\n-- ASN1STOP",
        ),
        code("-- /example/ ASN1START\nWrong ::= NULL\n-- ASN1STOP"),
        table(&[
            &["LampSetup field descriptions"],
            &["wick\nHow the wick burns."],
            &["colour, oil\nOf the lamp."],
        ]),
        table(&[&["Conditional Presence", "Explanation"], &["Lit", "The lamp is lit."]]),
    ];
    let names = read("LampSetup", &blocks);
    let kinds: Vec<(&str, DefinedNameKind)> =
        names.names.iter().map(|name| (name.name.as_str(), name.kind)).collect();
    use DefinedNameKind::{Field, Message, Value};
    use domain::DefinedNameKind;
    assert_eq!(
        kinds,
        [
            ("LampSetup", Message),
            ("wick-r16", Field),
            ("oil", Field),
            ("full", Field),
            ("low", Field),
            ("colour", Field),
            ("red", Value),
            ("green", Value),
            ("Lit", DefinedNameKind::Condition),
        ]
    );
    let wick = find(&names, "wick-r16");
    assert_eq!((wick.need.as_deref(), &wick.presence), (Some("R"), &Some(NamePresence::Optional)));
    assert_eq!(wick.description.as_deref(), Some("How the wick burns."));
    assert_eq!(wick.definition, "wick-r16 Wick-r16 OPTIONAL -- Need R");
    let oil = find(&names, "oil");
    let condition = Condition { name: "Lit".to_owned(), text: Some("The lamp is lit.".to_owned()) };
    assert_eq!(
        (&oil.condition, &oil.presence),
        (&Some(condition), &Some(NamePresence::Conditional))
    );
    assert_eq!(find(&names, "low").within.as_deref(), Some("LampSetup.oil"));
    assert_eq!(find(&names, "green").within.as_deref(), Some("LampSetup.colour"));
    assert_eq!(names.used_types(), ["Level", "Wick-r16"]);
}

#[test]
fn a_line_in_another_style_belongs_to_an_open_definition() {
    let blocks = [
        code("Lamp ::= ENUMERATED {\n  lit,\n  ...,"),
        paragraph("dark"),
        code("}\nNext ::= NULL"),
    ];
    let names = read("Lamps", &blocks);
    assert_eq!(names.unread, 0);
    find(&names, "dark");
    find(&names, "Next");
}

#[test]
fn procedures_and_containers_name_their_messages_and_elements() {
    let text = "Light ::= SEQUENCE { protocolIEs Container {{Light-IEs}} }\nLight-IEs LAMP-IES ::= {\n { ID id-Wick CRITICALITY reject TYPE Wick PRESENCE mandatory },\n ...\n}\nlighting LAMP-PROCEDURE ::= {\n INITIATING MESSAGE Light\n PROCEDURE CODE id-light\n}\nmaxWicks INTEGER ::= 4 -- Of a lamp";
    let names = read("PDU", &[code(text)]);
    assert_eq!(find(&names, "Light").kind, DefinedNameKind::Message);
    let wick = find(&names, "id-Wick");
    assert_eq!(
        (wick.types.as_slice(), &wick.presence),
        (&["Wick".to_owned()][..], &Some(NamePresence::Mandatory))
    );
    assert_eq!(find(&names, "lighting").types, ["Light"]);
    let top = find(&names, "maxWicks");
    assert_eq!(
        (top.kind, top.description.as_deref()),
        (DefinedNameKind::Constant, Some("Of a lamp"))
    );
}

#[test]
fn rows_of_timers_and_counters_are_definitions() {
    let blocks = [
        table(&[
            &["TIMER NUM.", "TIMER VALUE", "CAUSE OF START", "ON\nEXPIRY"],
            &["T990\nNOTE 1", "8s", "Lamp lit", "Go out"],
            &["NOTE 1: Of lamps.", "", "", ""],
        ]),
        table(&[&["Counter", "Reset", "Incremented"], &["C_DARK", "At start", "At dusk"]]),
        table(&[&["Timer", "Remark"], &["T991", "none"]]),
        table(&[
            &["Cause", "Meaning"],
            &["#26", "No oil"],
            &["Lamp broken", "It fell"],
            &["NOTE", ""],
        ]),
    ];
    let names = read("Timers", &blocks);
    let found: Vec<&str> = names.names.iter().map(|name| name.name.as_str()).collect();
    assert_eq!(found, ["T990", "C_DARK", "#26", "No oil", "Lamp broken"]);
    assert_eq!(
        names.names[0].definition,
        "TIMER NUM.: T990\nNOTE 1\nTIMER VALUE: 8s\nCAUSE OF START: Lamp lit\nON EXPIRY: Go out"
    );
}

#[test]
fn elements_of_messages_have_their_presence_and_place() {
    let blocks = [table(&[
        &["IE/Group Name", "Presence", "Range", "IE type and reference"],
        &["Lamp List", "", "1", ""],
        &[">Lamp Item", "", "1 .. <maxLamps>", ""],
        &[">>Lamp ID", "M", "", "9.2.1"],
        &["Oil", "C-ifLit", "", "9.2.2"],
    ])];
    let names = read("LAMP REQUEST", &blocks);
    let id = find(&names, "Lamp ID");
    assert_eq!(id.within.as_deref(), Some("LAMP REQUEST > Lamp List > Lamp Item"));
    assert_eq!(id.presence, Some(NamePresence::Mandatory));
    let oil = find(&names, "Oil");
    assert_eq!(
        (oil.within.as_deref(), &oil.presence),
        (Some("LAMP REQUEST"), &Some(NamePresence::Conditional))
    );
}

#[test]
fn openapi_has_operations_schemas_and_attributes() {
    let yaml = "openapi: 3.0.0
info:
  title: Nlamp_Light
paths:
  /lamps/{lampId}:
    get:
      operationId: GetLamp
      summary: Reads a lamp
      parameters:
        - name: lampId
          in: path
          required: true
          schema:
            $ref: '#/components/schemas/LampId'
      responses:
        '200':
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Lamp'
components:
  schemas:
    LampId:
      type: string
    Lamp:
      description: A lamp.
      type: object
      properties:
        colour:
          $ref: 'TS29999_Common.yaml#/components/schemas/Colour'
        oil:
          type: integer
      required:
      - colour
    Colour:
      anyOf:
      - type: string
        enum:
          - RED
          - GREEN
      - type: string";
    let names = read("TS29999_Nlamp.yaml", &[code(yaml)]);
    let kinds: Vec<(&str, DefinedNameKind)> =
        names.names.iter().map(|name| (name.name.as_str(), name.kind)).collect();
    use DefinedNameKind::{Attribute, Operation, Parameter, Schema, Service, Value};
    use domain::DefinedNameKind;
    assert_eq!(
        kinds,
        [
            ("Nlamp_Light", Service),
            ("GetLamp", Operation),
            ("lampId", Parameter),
            ("LampId", Schema),
            ("Lamp", Schema),
            ("colour", Attribute),
            ("oil", Attribute),
            ("Colour", Schema),
            ("RED", Value),
            ("GREEN", Value),
        ]
    );
    let operation = find(&names, "GetLamp");
    assert_eq!(operation.within.as_deref(), Some("GET /lamps/{lampId}"));
    assert_eq!(operation.types, ["LampId", "Lamp"]);
    let parameter = find(&names, "lampId");
    assert_eq!(parameter.presence, Some(NamePresence::Mandatory));
    assert!(parameter.definition.starts_with("name: lampId\nin: path"), "{}", parameter.definition);
    let lamp = find(&names, "Lamp");
    assert_eq!(
        (lamp.description.as_deref(), lamp.types.as_slice()),
        (Some("A lamp."), &["Colour".to_owned()][..])
    );
    assert!(lamp.definition.ends_with("required:\n  - colour"), "{}", lamp.definition);
    assert_eq!(find(&names, "colour").presence, Some(NamePresence::Mandatory));
    assert_eq!(find(&names, "oil").definition, "oil:\n  type: integer");
    assert_eq!(find(&names, "RED").within.as_deref(), Some("Colour"));
    for hostile in
        ["info: [".to_owned(), "[".repeat(100_000), "- ".repeat(100_000), "? ".repeat(100_000)]
    {
        let text = format!("openapi: 3.0.0\n{hostile}");
        let block = Block::Code(CodeBlock { language: CodeLanguage::Yaml, text });
        let found = read("", &[block]);
        assert_eq!((found.unread, found.names.len()), (1, 0), "{}", &hostile[..7]);
    }
}

#[test]
fn listings_of_annexes_are_examples_where_those_of_the_module_are_marked() {
    let marked = [code("-- ASN1START\nLamp ::= NULL\n-- ASN1STOP")];
    let bare = [code("Lamp ::= NULL")];
    let rule = ListingRule::of_document([&bare[..], &marked].into_iter());
    assert_eq!(rule, ListingRule::Marked);
    for (number, blocks, count) in [
        ("5.1", &bare, 1),
        ("D", &bare, 0),
        ("A.4", &bare, 0),
        ("A.4", &marked, 1),
        ("Lamp", &bare, 1),
    ] {
        let found = read_names(number, "Lamp", blocks, rule);
        assert_eq!(found.names.len(), count, "{number}");
    }
    assert_eq!(ListingRule::of_document([&bare[..]].into_iter()), ListingRule::All);
}

#[test]
fn a_listing_without_end_has_no_names() {
    let endless = "-- nothing\n".repeat(500_000);
    let blocks = [code(&format!("Lamp ::= NULL\n{endless}"))];
    assert_eq!(find_listing(&blocks), None);
    assert!(read("Lamp", &blocks).names.is_empty());
}

#[test]
fn tables_of_types_capabilities_pairs_and_octets_are_read() {
    let spanned = |cells: &[(&str, u16)]| TableRow {
        cells: cells
            .iter()
            .map(|(text, span)| TableCell {
                span: *span,
                continues: false,
                paragraphs: vec![CellParagraph { label: None, text: (*text).into() }],
            })
            .collect(),
        ..TableRow::default()
    };
    let layout = Block::Table(Table {
        caption: None,
        rows: vec![
            spanned(&[
                ("8", 1),
                ("7", 1),
                ("6", 1),
                ("5", 1),
                ("4", 1),
                ("3", 1),
                ("2", 1),
                ("1", 1),
                ("", 1),
            ]),
            spanned(&[("Lamp IEI", 4), ("0\nspare", 1), ("Colour", 3), ("octet 1", 1)]),
            spanned(&[("Length of oil", 8), ("octet 2", 1)]),
        ],
    });
    let coded = table(&[
        &["Colour (octet 1)", "", "", ""],
        &["3", "2", "1", ""],
        &["0", "0", "1", "red"],
        &["0", "1", "0", "blue"],
    ]);
    let names = read("Lamp cause", &[layout.clone(), coded]);
    assert!(find(&names, "Lamp cause").definition.ends_with("\n\n001: red\n010: blue"));
    for name in ["blue", "Lamp cause #2"] {
        let cause = find(&names, name);
        assert_eq!(
            (cause.kind, cause.within.as_deref()),
            (DefinedNameKind::Cause, Some("Lamp cause"))
        );
    }
    let names = read("Lamp colour", &[layout]);
    let element = find(&names, "Lamp colour");
    assert_eq!((element.kind, element.form), (DefinedNameKind::Element, PrintedForm::Row));
    assert_eq!(
        element.definition,
        "octet 1: bits 8 to 5 Lamp IEI, bit 4 0 spare, bits 3 to 1 Colour\noctet 2: Length of oil"
    );

    let attributes = table(&[
        &["Attribute name", "Data type", "P", "Cardinality", "Description"],
        &["wicks", "array(Wick)", "M", "1..N", "The wicks."],
        &["colour", "Colour", "O", "0..1", "Its colour."],
        &["NOTE: a remark", "", "", "", ""],
    ]);
    let names = read("Type: LampInfo", &[attributes]);
    let wicks = find(&names, "wicks");
    assert_eq!((names.names.len(), wicks.kind), (2, DefinedNameKind::Attribute));
    assert_eq!(wicks.within.as_deref(), Some("LampInfo"));
    assert_eq!(
        (wicks.types.as_slice(), &wicks.presence),
        (&["Wick".to_owned()][..], &Some(NamePresence::Mandatory))
    );

    let values = table(&[&["Enumeration value", "Description"], &["\"RED\"", "It is red."]]);
    let names = read("Enumeration: Colour", std::slice::from_ref(&values));
    assert_eq!(find(&names, "RED").within.as_deref(), Some("Colour"));
    let Block::Table(mut captioned) = values else { panic!("a table") };
    captioned.caption = Some("Table 5-1: Enumeration Color".into());
    let names = read("Enumeration: Colour", &[Block::Table(captioned)]);
    assert_eq!(
        find(&names, "Color").definition,
        "Enumeration value: \"RED\"\nDescription: It is red."
    );

    let capabilities = table(&[
        &["Definitions for parameters", "Per", "M"],
        &["twoWicks\nWhether it burns two wicks.", "UE", "No"],
    ]);
    let found = read("Lamp parameters", &[capabilities]);
    assert_eq!(
        find(&found, "twoWicks").description.as_deref(),
        Some("Whether it burns two wicks.")
    );

    let pairs = table(&[
        &["Attribute Name", "AVP Code", "Value Type", "AVP Flag rules", "AVP Flag rules"],
        &["Attribute Name", "AVP Code", "Value Type", "Must", "May"],
        &["Lamp-Colour", "4711", "Enumerated", "M, V", ""],
    ]);
    let found = read("Pairs", &[pairs]);
    assert!(find(&found, "Lamp-Colour").definition.contains("AVP Code: 4711"));

    let tunnel = table(&[
        &["Information elements", "P", "Condition / Comment", "IE Type"],
        &["Lamp ID", "M", "Which one.", "Lamp ID"],
    ]);
    let found = read("Lamp Request", &[tunnel]);
    assert_eq!(find(&found, "Lamp ID").presence, Some(NamePresence::Mandatory));
}
