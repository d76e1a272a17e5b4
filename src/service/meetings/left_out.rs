//! What the source of a decision has and its quote does not.

use document_model::{EQUATION_MARKER, FIGURE_MARKER};
use wire::values::LeftOutElement;

/// The elements for which a quote has only a mark.
pub(super) fn list_left_out(quote: &str) -> Vec<LeftOutElement> {
    let marks =
        [(FIGURE_MARKER, LeftOutElement::Figure), (EQUATION_MARKER, LeftOutElement::Equation)];
    let found = marks.into_iter().filter(|(mark, _)| quote.contains(mark));
    found.map(|(_, element)| element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_equations_that_a_quote_lacks_are_named() {
        use LeftOutElement::{Equation, Figure};
        for (quote, expected) in [
            ("[figure]", &[Figure][..]),
            ("The value is [equation] as in [figure]", &[Figure, Equation]),
            ("The value is [5] as in $x$", &[]),
        ] {
            assert_eq!(list_left_out(quote), expected, "{quote}");
        }
    }
}
