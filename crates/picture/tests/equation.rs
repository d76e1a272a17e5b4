//! Equations that are pictures.

mod support;

use picture::{EquationPicture, read_equation_picture};
use support::{wmf, wmf_equation, wmf_rectangle};

fn latex(equation: &EquationPicture) -> Option<String> {
    equation.drawn.read_formula().map(|formula| formula.to_latex())
}

#[test]
fn the_characters_and_lines_of_an_equation_are_its_formula() {
    let equation = read_equation_picture(&wmf_equation(None, &[])).expect("an equation");
    assert!(equation.is_whole && equation.source.is_none());
    let expected = "N_{\\mathrm{RB}}=\\frac{\\mu}{\\Delta}";
    assert_eq!(latex(&equation).as_deref(), Some(expected), "{equation:?}");
}

#[test]
fn the_equation_that_mathtype_adds_is_read_from_its_comment() {
    let source = [5, 1, 0, 6, 7];
    let equation = read_equation_picture(&wmf_equation(Some(&source), &[])).expect("an equation");
    assert_eq!(equation.source.as_deref(), Some(&source[..]));
}

#[test]
fn an_equation_with_something_else_in_it_is_not_whole_and_other_pictures_are_none() {
    let more = read_equation_picture(&wmf_equation(None, &[wmf_rectangle()])).expect("an equation");
    assert!(!more.is_whole);
    assert_eq!(read_equation_picture(&wmf()), None);
    assert_eq!(read_equation_picture(b""), None);
}

#[test]
fn every_beginning_of_an_equation_is_read_without_an_error() {
    let whole = wmf_equation(Some(b"source"), &[]);
    for end in 0..whole.len() {
        let _ = read_equation_picture(&whole[..end]).map(|equation| latex(&equation));
    }
}
