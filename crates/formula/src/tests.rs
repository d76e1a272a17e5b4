//! LaTeX that is printed is read again, and becomes MathML.

use super::*;

/// What the crate prints, in all its forms.
const PRINTED: &[&str] = &[
    "x_{2}",
    "N_{\\mathrm{symb},\\mathrm{all}}^{\\mathrm{PUSCH}}-1",
    "\\frac{1}{\\sqrt{2}}(1-2\\cdot c(2m))",
    "\\lceil {\\mathrm{log}}_{2}(2L)\\rceil",
    "\\sum_{i=0}^{n} x_{i}",
    "{\\overline{q}}_{0}",
    "\\begin{aligned}a=1 \\\\ b=2\\end{aligned}",
    "f=\\{\\begin{matrix}1 & x<2 \\\\ 0 & \\mathrm{otherwise}\\end{matrix}",
    "\\sqrt[3]{x}",
    "\\binom{n}{k}",
    "i\\in\\{0,1,\\ldots,7\\}",
    "[0,1)",
    "(a",
    "a)",
    "|T_{s}|",
    "CPICH\\_E_{c}",
    "\\hat{x}'",
    "\\overset{\\frown}{E}",
    "{\\overbrace{a}}^{b}",
    "3.5\\%",
    "\\mu x",
    "",
];

#[test]
fn what_is_printed_is_read_again() {
    for latex in PRINTED {
        let formula = Formula::from_latex(latex);
        let again = formula.as_ref().map(Formula::to_latex);
        let plain = |text: &str| text.replace(['{', '}', ' '], "");
        // Braces around a base and blanks before a letter may differ.
        assert_eq!(again.as_deref().map(plain), Some(plain(latex)), "{latex}");
    }
}

#[test]
fn other_texts_are_no_formulas() {
    for text in ["\\unknown", "a}", "{a", "a_b", "a & b", "\\frac{a}", "x_{1}_{2}", "\\begin{x}"] {
        assert_eq!(Formula::from_latex(text), None, "{text}");
    }
    assert_eq!(Formula::from_latex(&"{".repeat(500)), None);
    assert!(Formula::from_latex(&"(".repeat(4_000)).is_some());
    assert_eq!(Formula::from_latex(&"(".repeat(4_001)), None);
}

#[test]
fn formulas_become_mathml() {
    let mathml = |latex: &str| {
        let all = Formula::from_latex(latex).expect("a formula").to_mathml(FormulaPlace::InText);
        all.replace("<math>", "").replace("</math>", "")
    };
    for (latex, expected) in [
        ("x_{2}", "<msub><mi>x</mi><mn>2</mn></msub>"),
        ("\\frac{a}{12}", "<mfrac><mi>a</mi><mn>12</mn></mfrac>"),
        ("\\mathrm{log}", "<mi>log</mi>"),
        ("\\mathrm{a b}", "<mtext>a b</mtext>"),
        (
            "\\lfloor x\\rfloor",
            "<mrow><mo stretchy=\"false\">\u{230a}</mo><mi>x</mi><mo stretchy=\"false\">\u{230b}</mo></mrow>",
        ),
        ("(\\frac{1}{2})", "<mrow><mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo></mrow>"),
        (
            "a\\mathrm{mod}2",
            "<mrow><mi>a</mi><mspace width=\"0.3em\"/><mi>mod</mi><mspace width=\"0.3em\"/><mn>2</mn></mrow>",
        ),
        ("\\sum_{i}^{n}", "<munderover><mo>\u{2211}</mo><mi>i</mi><mi>n</mi></munderover>"),
        ("a<b", "<mrow><mi>a</mi><mo stretchy=\"false\">&lt;</mo><mi>b</mi></mrow>"),
        ("\\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (
            "\\begin{matrix}1 & 0\\end{matrix}",
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable>",
        ),
        ("\\hat{x}", "<mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">^</mo></mover>"),
    ] {
        assert_eq!(mathml(latex), expected, "{latex}");
    }
}
