//! Formulas of a text as MathML: texts have them as LaTeX between dollar signs.

use formula::{Formula, FormulaPlace};
use maud::{Markup, PreEscaped, html};

/// A text with its formulas; `inline` renders what stands between them.
pub(super) fn render_formulas(text: &str, inline: &dyn Fn(&str) -> Markup) -> Markup {
    let alone = find_formula(text.trim()).filter(|(_, length)| *length == text.trim().len());
    if let Some((formula, _)) = alone {
        return PreEscaped(formula.to_mathml(FormulaPlace::Alone));
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut searched = 0;
    while let Some(start) = rest[searched..].find('$').map(|at| searched + at) {
        match find_formula(&rest[start..]) {
            Some((formula, length)) => {
                pieces.push(inline(&rest[..start]));
                pieces.push(PreEscaped(formula.to_mathml(FormulaPlace::InText)));
                (rest, searched) = (&rest[start + length..], 0);
            }
            None => searched = start + 1,
        }
    }
    pieces.push(inline(rest));
    html! { @for piece in pieces { (piece) } }
}

/// The formula at the beginning of a text, and its length with both signs. A sum in dollars is none: formulas have no
/// blank beside their signs.
fn find_formula(text: &str) -> Option<(Formula, usize)> {
    let inside = text.strip_prefix('$')?;
    let mut is_escaped = false;
    let end = inside.find(|c| match c {
        '\\' => {
            is_escaped = !is_escaped;
            false
        }
        '$' if !is_escaped => true,
        _ => {
            is_escaped = false;
            false
        }
    })?;
    let latex = &inside[..end];
    let is_formula = !latex.is_empty() && latex.trim() == latex;
    let formula = is_formula.then(|| Formula::from_latex(latex)).flatten()?;
    Some((formula, end + 2))
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
    fn what_a_formula_says_is_never_markup() {
        let html = rendered("$a<b$ $\\mathrm{<script>}$");
        assert!(!html.contains("<b") && !html.contains("<script"), "{html}");
    }
}
