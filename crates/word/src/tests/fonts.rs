//! Characters whose font says what they mean.

use super::*;

/// A run with properties.
fn formed(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn fonts(attributes: &str) -> String {
    format!("<w:rFonts {attributes}/>")
}

/// Both fonts of Latin text.
fn latin(font: &str) -> String {
    fonts(&format!("w:ascii=\"{font}\" w:hAnsi=\"{font}\""))
}

#[test]
fn letters_in_symbol_fonts_are_the_signs_they_draw() {
    let symbol = latin("Symbol");
    for (run, expected) in [
        (formed(&symbol, "m"), "\u{3bc}"),
        (formed(&symbol, "\u{c5}"), "\u{2295}"),
        (formed(&symbol, "\u{f044}F"), "\u{394}\u{3a6}"),
        (formed(&symbol, "&#163;"), "\u{2264}"),
        (formed(&latin("Wingdings"), "\u{e0}"), "\u{2192}"),
        (formed(&latin("Wingdings"), "\u{fc}"), "\u{2713}"),
        (formed(&latin("wingdings 2"), "P"), "\u{2713}"),
        (formed(&latin("Wingdings 3"), "\""), "\u{2192}"),
        (formed(&latin("Webdings"), "a"), "\u{2714}"),
        (formed(&latin("MT Extra"), "L"), "\u{22ef}"),
        (formed(&latin("ZapfDingbats"), "4"), "\u{2714}"),
        (formed(&latin("Symbol Neu"), "m"), "m"),
        (formed(&symbol, "\u{3b2}"), "\u{3b2}"),
        (formed(&fonts("w:hAnsi=\"Symbol\""), "\u{a3}a"), "\u{2264}a"),
        (formed(&fonts("w:ascii=\"Symbol\""), "\u{a3}a"), "\u{a3}\u{3b1}"),
        (formed(&fonts("w:ascii=\"Arial\" w:hAnsi=\"Symbol\" w:eastAsia=\"Wingdings\" w:hint=\"eastAsia\""), "\u{d7}\u{f0e0}"),
         "\u{2b98}\u{2192}"),
        (formed(&fonts("w:eastAsia=\"Symbol\""), "\u{d7}m"), "\u{d7}m"),
        (formed(&format!("{}<w:rtl/>", fonts("w:ascii=\"Arial\" w:cs=\"Symbol\"")), "m"), "\u{3bc}"),
        (formed(&format!("{}<w:rtl w:val=\"0\"/>", fonts("w:cs=\"Symbol\"")), "m"), "m"),
        (formed(&fonts("w:ascii=\"Symbol\" w:asciiTheme=\"minorHAnsi\""), "m"), "m"),
        ("<w:r><w:sym w:font=\"MT Extra\" w:char=\"F04B\"/></w:r>".to_owned(), "\u{2026}"),
        ("<w:r><w:rPr><w:rFonts w:ascii=\"Wingdings\"/></w:rPr><w:sym w:font=\"Symbol\" w:char=\"F02B\"/></w:r>".to_owned(), "+"),
    ] {
        let text = texts(&runs(&format!("{}{run}{}", super::run("("), super::run(")"))));
        assert_eq!(text, [format!("({expected})")], "{run}");
    }
}

#[test]
fn notes_have_symbol_fonts_too() {
    let notes = format!(
        "<w:footnotes><w:footnote w:id=\"1\"><w:p>{}{}{}</w:p></w:footnote></w:footnotes>",
        formed(&latin("Symbol"), "m"),
        super::run("m"),
        "<w:r><w:sym w:font=\"Symbol\" w:char=\"F0B3\"/></w:r>"
    );
    let body = "<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id=\"1\"/></w:r></w:p>";
    let docx = TestDocx::new(&format!("{}{body}", paragraph("Heading1", "1\tScope")))
        .part("word/footnotes.xml", &notes);
    let document = read_with(&docx, &Limits::default()).expect("valid");
    assert_eq!(print_block(&document.sections[0].blocks[0]).text, "x [\u{3bc}m\u{2265}]");
}

#[test]
fn styles_and_themes_give_symbol_fonts() {
    let styles = format!(
        "<w:styles><w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style>\
         <w:style w:type=\"character\" w:styleId=\"Base\"><w:rPr>{}</w:rPr></w:style>\
         <w:style w:type=\"character\" w:styleId=\"Sign\"><w:basedOn w:val=\"Base\"/></w:style>\
         <w:style w:type=\"character\" w:styleId=\"Themed\"><w:rPr><w:rFonts w:asciiTheme=\"minorHAnsi\"/></w:rPr></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Signs\"><w:name w:val=\"Signs\"/><w:rPr>{}</w:rPr></w:style></w:styles>",
        latin("Symbol"),
        latin("Wingdings"),
    );
    let theme = "<a:theme><a:themeElements><a:fontScheme><a:majorFont><a:latin typeface=\"Arial\"/></a:majorFont>\
        <a:minorFont><a:latin typeface=\"Symbol\"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>";
    let sign = "<w:rStyle w:val=\"Sign\"/>";
    let signs =
        |inner: &str| format!("<w:p><w:pPr><w:pStyle w:val=\"Signs\"/></w:pPr>{inner}</w:p>");
    for (body, expected) in [
        (runs(&formed(sign, "q")), "\u{3b8}"),
        (runs(&formed(&format!("{sign}{}", latin("Arial")), "q")), "q"),
        (runs(&formed("<w:rStyle w:val=\"Themed\"/>", "q")), "\u{3b8}"),
        (signs(&super::run("\u{fc}")), "\u{2713}"),
        (signs(&formed(sign, "q")), "\u{3b8}"),
        (signs(&formed(&latin("Arial"), "q")), "q"),
    ] {
        let docx = TestDocx::new(&format!("{}{body}", paragraph("Heading1", "1\tScope")))
            .part("word/styles.xml", &styles)
            .part("word/theme/theme1.xml", theme);
        let document = read_with(&docx, &Limits::default()).expect("valid");
        assert_eq!(print_block(&document.sections[0].blocks[0]).text, expected, "{body}");
    }
}

#[test]
fn characters_that_no_table_names_are_counted_and_never_shown_as_letters() {
    let unknown = "<w:r><w:sym w:font=\"Mathematica1\" w:char=\"F06D\"/></w:r>";
    let hidden = formed(&format!("{}<w:vanish/>", latin("MT Extra")), "A");
    let body = format!("{}{unknown}{hidden}{}", formed(&latin("MT Extra"), "AB"), super::run("x"));
    let document = read(&format!("{}{}", paragraph("Heading1", "1\tScope"), runs(&body)));
    assert_eq!(print_block(&document.sections[0].blocks[0]).text, "\u{fffd}\u{fffd}\u{fffd}x");
    let warnings = document.warnings.join("\n");
    assert!(warnings.contains("2 characters of the symbol font MT Extra"), "{warnings}");
    assert!(warnings.contains("1 character of the symbol font Mathematica1"), "{warnings}");
}

#[test]
fn text_that_a_style_hides_or_whitens_is_not_read() {
    let style = |id: &str, based_on: &str, properties: &str| {
        format!(
            "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{id}\"/>\
             <w:basedOn w:val=\"{based_on}\"/>{properties}</w:style>"
        )
    };
    let hidden = "<w:rPr><w:vanish/></w:rPr>";
    let white = "<w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr>";
    let shading = "<w:pPr><w:shd w:val=\"clear\" w:fill=\"004488\"/></w:pPr>";
    for (styles, expected) in [
        (style("Own", "None", hidden), "x"),
        (style("Base", "None", hidden) + &style("Own", "Base", ""), "x"),
        (style("A", "None", hidden) + &style("B", "A", "") + &style("Own", "B", ""), "x"),
        (style("Own", "Base", "") + &style("Base", "None", hidden), "x"),
        (style("Own", "None", white), "x"),
        (style("Base", "None", white) + &style("Own", "Base", ""), "x"),
        (
            style("Base", "None", hidden)
                + &style("Own", "Base", "<w:rPr><w:vanish w:val=\"0\"/></w:rPr>"),
            "Agreed x",
        ),
        (style("Own", "None", &format!("{shading}{white}")), "Agreed x"),
        (style("Own", "None", ""), "Agreed x"),
    ] {
        let heading = "<w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style>";
        let styles = format!("<w:styles>{heading}{styles}</w:styles>");
        let own = "<w:pPr><w:pStyle w:val=\"Own\"/></w:pPr>";
        let shown = formed("<w:vanish w:val=\"0\"/><w:color w:val=\"000000\"/>", "x");
        let body = format!(
            "{}<w:p>{own}{}{shown}</w:p>",
            paragraph("Heading1", "1\tScope"),
            super::run("Agreed ")
        );
        let docx = TestDocx::new(&body).part("word/styles.xml", &styles);
        let document = read_with(&docx, &Limits::default()).expect("valid");
        assert_eq!(print_block(&document.sections[0].blocks[0]).text, expected, "{styles}");
    }
}

#[test]
fn text_hidden_by_a_style_is_shown_where_the_run_says_so() {
    let styles = "<w:styles><w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style>\
        <w:style w:type=\"character\" w:styleId=\"Hid\"><w:rPr><w:vanish/></w:rPr></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"HidP\"><w:name w:val=\"HidP\"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>";
    let hid = "<w:rStyle w:val=\"Hid\"/>";
    let inner = format!(
        "{}{}{}",
        formed(hid, "no"),
        formed(&format!("{hid}<w:vanish w:val=\"0\"/>"), "run "),
        super::run("plain")
    );
    for (style, expected) in
        [("", "run plain"), ("<w:pPr><w:pStyle w:val=\"HidP\"/></w:pPr>", "norun ")]
    {
        let body = format!("{}<w:p>{style}{inner}</w:p>", paragraph("Heading1", "1\tScope"));
        let docx = TestDocx::new(&body).part("word/styles.xml", styles);
        let document = read_with(&docx, &Limits::default()).expect("valid");
        assert_eq!(print_block(&document.sections[0].blocks[0]).text, expected.trim(), "{style}");
    }
}
