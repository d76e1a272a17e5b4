//! Equations of Word as LaTeX.

use super::*;
use document::Limits;

fn latex(omml: &str) -> Result<String, ExtractError> {
    let xml = format!("<m:oMath>{omml}</m:oMath>");
    let mut xml = XmlReader::new(xml.as_bytes(), "math", &Limits::default());
    let mut buffer = Vec::new();
    assert!(matches!(xml.next_event(&mut buffer), Ok(XmlEvent::Start(_))));
    let reading = EquationReading {
        max_depth: 64,
        tracked: crate::TrackedChanges::Accepted,
        styles: &Styles::default(),
        has_alignment_marks: false,
    };
    let lines = read_equation(&mut xml, reading, &mut UnknownSymbols::default())?;
    Ok(lines.iter().map(Formula::to_latex).collect::<Vec<_>>().join("\n"))
}

fn run(text: &str) -> String {
    format!("<m:r><w:rPr><w:t>no</w:t></w:rPr><m:t>{text}</m:t></m:r>")
}

#[test]
fn structures_become_latex() {
    let tag = |name: &str, inner: &str| format!("<m:{name}>{inner}</m:{name}>");
    let part = |name: &str, text: &str| tag(name, &run(text));
    let upright = tag("sub", "<m:r><m:rPr><m:nor/></m:rPr><m:t>symb</m:t></m:r>");
    let floor = "<m:dPr><m:begChr m:val=\"\u{230a}\"/><m:endChr m:val=\"\u{230b}\"/></m:dPr>";
    let sum = "<m:naryPr><m:chr m:val=\"\u{2211}\"/></m:naryPr>";
    let cases = [
        ("f", part("num", "a") + &part("den", "2"), "\\frac{a}{2}"),
        (
            "sSubSup",
            part("e", "N") + &upright + &part("sup", "\u{3bc}"),
            "N_{\\mathrm{symb}}^{\\mu}",
        ),
        ("rad", "<m:deg/>".to_owned() + &part("e", "x"), "\\sqrt{x}"),
        (
            "nary",
            sum.to_owned() + &part("sub", "i=0") + &part("sup", "n") + &part("e", "x"),
            "\\sum_{i=0}^{n} x",
        ),
        ("d", floor.to_owned() + &part("e", "x"), "\\lfloor x\\rfloor"),
    ];
    for (name, inner, expected) in cases {
        assert_eq!(latex(&tag(name, &inner)).expect("valid"), expected, "{name}");
    }
}

#[test]
fn matrices_delimiters_and_deletions_become_latex() {
    let e = |inner: &str| format!("<m:e>{}</m:e>", run(inner));
    let row = |a: &str, b: &str| format!("<m:mr>{}{}</m:mr>", e(a), e(b));
    for (omml, expected) in [
        (format!("<m:d>{}</m:d>", e("a")), "(a)"),
        (
            format!("<m:m>{}{}</m:m>", row("a", "b"), row("c", "d")),
            "\\begin{matrix}a & b \\\\ c & d\\end{matrix}",
        ),
        (format!("<w:del>{}</w:del>{}", run("old"), run("n\u{2264}5")), "n\\leq 5"),
    ] {
        assert_eq!(latex(&omml).expect("valid"), expected, "{omml}");
    }
}

#[test]
fn deep_equations_are_refused() {
    let deep = format!("{}{}", "<m:e>".repeat(80), "</m:e>".repeat(80));
    assert!(matches!(latex(&deep), Err(ExtractError::Limit { bound: LimitKind::MathDepth, .. })));
}

#[test]
fn a_line_break_divides_an_equation_and_primes_are_no_script() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let broken = "<m:r><w:br/></m:r>";
    let lines = format!("{}{broken}{}{broken}", run("a=b"), run("c"));
    assert_eq!(latex(&lines).expect("read"), "a=b\nc\n");
    // In a fraction there is no line to break.
    let fraction =
        format!("<m:f><m:num>{}{broken}</m:num><m:den>{}</m:den></m:f>", run("a"), run("b"));
    assert_eq!(latex(&fraction).expect("read"), "\\frac{a}{b}");
    let script =
        |sup: &str| format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", run("k"), run(sup));
    assert_eq!(latex(&script("'")).expect("read"), "k'");
    assert_eq!(latex(&script("''")).expect("read"), "k''");
    assert_eq!(latex(&script("2")).expect("read"), "k^{2}");
    let both = format!(
        "<m:sSubSup><m:e>{}</m:e><m:sub>{}</m:sub><m:sup>{}</m:sup></m:sSubSup>",
        run("w"),
        run("f"),
        run("'")
    );
    assert_eq!(latex(&both).expect("read"), "w_{f}'");
}

#[test]
fn hidden_degrees_alignment_marks_and_symbol_fonts_are_read_as_printed() {
    let e = |text: &str| format!("<m:e>{}</m:e>", run(text));
    let deg = format!("<m:deg>{}</m:deg>", run("2"));
    let fraction = |kind: &str, above: &str, below: &str| {
        format!(
            "<m:f><m:fPr><m:type m:val=\"{kind}\"/></m:fPr><m:num>{}</m:num><m:den>{}</m:den></m:f>",
            run(above),
            run(below)
        )
    };
    let symbol = "<w:rPr><w:rFonts w:ascii=\"Symbol\" w:hAnsi=\"Symbol\"/></w:rPr>";
    for (omml, expected) in [
        (format!("<m:rad><m:radPr><m:degHide/></m:radPr>{deg}{}</m:rad>", e("x")), "\\sqrt{x}"),
        (
            format!("<m:rad><m:radPr><m:degHide m:val=\"0\"/></m:radPr>{deg}{}</m:rad>", e("x")),
            "\\sqrt[2]{x}",
        ),
        (
            format!("<m:eqArr>{}{}</m:eqArr>", e("a&amp;=b"), e("&amp;=c")),
            "\\begin{aligned}a=b \\\\ =c\\end{aligned}",
        ),
        (run("a&amp;b"), "a\\&b"),
        (fraction("lin", "a+b", "c+d"), "(a+b)/(c+d)"),
        (fraction("skw", "a", "c-d"), "a/(c-d)"),
        (fraction("lin", "-1", "2"), "{-1}/2"),
        (fraction("lin", "a", "-b"), "a/(-b)"),
        (fraction("lin", "a\u{b7}b", "c"), "(a\\cdot b)/c"),
        (fraction("noBar", "n", "k"), "\\begin{matrix}n \\\\ k\\end{matrix}"),
        (format!("<m:r>{symbol}<m:t>Dm</m:t></m:r>"), "\\Delta\\mu"),
        ("<m:r><w:sym w:font=\"Symbol\" w:char=\"F0A3\"/></m:r>".to_owned(), "\\leq"),
    ] {
        assert_eq!(latex(&omml).expect("valid"), expected, "{omml}");
    }
}
