//! Formulas of a text as MathML: texts have them as LaTeX between dollar signs.

use cost_meter::spend;
use formula::{Formula, FormulaPlace};
use maud::{Markup, PreEscaped, html};

/// A text with its formulas; `inline` renders what is between them.
pub(super) fn render_formulas(text: &str, inline: &dyn Fn(&str) -> Markup) -> Markup {
    let mut pieces = Vec::new();
    let mut from = 0;
    let signs = formula_signs(text);
    let mut index = 0;
    // Each formula is between a sign and the next one, so no text is read twice.
    while let Some(&[start, end]) = signs.get(index..index + 2) {
        index += 1;
        spend(1 + (end - start));
        let Some(formula) = read_formula(&text[start + 1..end]) else { continue };
        if text[..start].trim().is_empty() && text[end + 1..].trim().is_empty() {
            return PreEscaped(formula.to_mathml(FormulaPlace::Alone));
        }
        pieces.push(inline(&text[from..start]));
        pieces.push(PreEscaped(formula.to_mathml(FormulaPlace::InText)));
        (from, index) = (end + 1, index + 1);
    }
    pieces.push(inline(&text[from..]));
    html! { @for piece in pieces { (piece) } }
}

/// The positions of dollar signs that are not escaped.
fn formula_signs(text: &str) -> Vec<usize> {
    let mut signs = Vec::new();
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'$' && !is_escaped {
            signs.push(at);
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    signs
}

/// A formula by the LaTeX between its signs. An amount in dollars is not one: formulas have no blank next to their
/// signs.
fn read_formula(latex: &str) -> Option<Formula> {
    let is_formula = !latex.is_empty() && latex.trim() == latex;
    is_formula.then(|| Formula::from_latex(latex)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        render_formulas(text, &|text| html! { (text) }).into_string()
    }

    #[test]
    fn formulas_become_mathml_and_other_text_stays() {
        for (text, expected) in [
            ("where $x$ holds", "where <math><mi>x</mi></math> holds"),
            ("$x$,$y$", "<math><mi>x</mi></math>,<math><mi>y</mi></math>"),
            ("costs $5 and $6 each", "costs $5 and $6 each"),
            ("$\\unknown{x}$ <b>", "$\\unknown{x}$ &lt;b&gt;"),
            ("a cut $x_{1", "a cut $x_{1"),
            ("$$", "$$"),
            (" $x$ ", "<math display=\"block\"><mi>x</mi></math>"),
            ("at $5\\$$", "at <math><mrow><mn>5</mn><mo stretchy=\"false\">$</mo></mrow></math>"),
        ] {
            assert_eq!(rendered(text), expected, "{text}");
        }
    }

    #[test]
    fn signs_are_found_in_one_pass_whatever_is_escaped() {
        assert_eq!(formula_signs(r"$a$ \$b \\$c$"), [0, 2, 10, 12]);
        assert_eq!(formula_signs(&r"\$".repeat(200_000)), Vec::<usize>::new());
        let many = "$5 ".repeat(100_000);
        assert_eq!(rendered(&many), many);
    }

    #[test]
    fn what_a_formula_says_is_never_markup() {
        let html = rendered("$a<b$ $\\mathrm{<script>}$");
        assert!(!html.contains("<b") && !html.contains("<script"), "{html}");
    }
}
