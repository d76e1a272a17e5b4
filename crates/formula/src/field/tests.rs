//! Codes of fields as LaTeX.

use super::*;

#[test]
fn switches_become_formulas() {
    for (code, latex) in [
        ("\\f(1,2)", "\\frac{1}{2}"),
        (" \\f( EIRP ; 1,5 ) ", "\\frac{EIRP}{1,5}"),
        ("x\\s\\up5(2)", "x^{2}"),
        ("x \\s \\do4 (i)", "x_{i}"),
        ("P\\s\\do8(UB)\\s\\up8(2)", "P_{UB}^{2}"),
        ("A\\s(a,b)", "A_{b}^{a}"),
        ("\\r(3,x+1)", "\\sqrt[3]{x+1}"),
        ("\\r(x)", "\\sqrt{x}"),
        ("\\r(,x)", "\\sqrt{x}"),
        ("\\i\\su(i=1,n,x)", "\\sum_{i=1}^{n} x"),
        ("\\i(a,b,f(x)dx)", "\\int_{a}^{b} f(x)dx"),
        ("\\b\\bc\\[(\\f(a,b))", "[\\frac{a}{b}]"),
        ("\\b \\lc\\{ (\\a(x;y))", "\\{\\begin{matrix}x \\\\ y\\end{matrix}"),
        ("\\b(a)", "(a)"),
        ("\\a\\al\\co2(a,b,c,d)", "\\begin{matrix}a & b \\\\ c & d\\end{matrix}"),
        ("\\l(a,b)", "a, b"),
        ("\\o(x,^)", "\\hat{x}"),
        ("\\o\\ac(\u{25cb},3)", "\u{2462}"),
        ("\\x\\to(A)", "\\overline{A}"),
        ("2\\f(\\r(3),2)", "2\\frac{\\sqrt{3}}{2}"),
        ("f\\(a\\,b\\)", "f(a,b)"),
        ("N = \\f((a,b)+1,c) \\* MERGEFORMAT", "N = \\frac{(a,b)+1}{c}"),
    ] {
        let formula = parse_field(code).map(|formula| formula.to_latex());
        assert_eq!(formula.as_deref(), Some(latex), "{code}");
    }
}

#[test]
fn codes_that_are_no_formulas_are_rejected() {
    let deep = format!("{}{}", "\\r(".repeat(40), ")".repeat(40));
    for code in ["", " ", "\\f(1,2", "\\q(1)", "\\f", "\\f 1", &deep, &"a".repeat(MAX_BYTES + 1)] {
        assert_eq!(parse_field(code), None, "{code}");
    }
}
