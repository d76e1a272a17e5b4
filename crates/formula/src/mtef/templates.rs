//! The templates of MTEF data: parts with slots.

use super::{MtefError, row::RowBuilder};
use crate::{Formula, FractionLine};

/// The content of a template.
#[derive(Default)]
pub(super) struct Slots {
    /// Its lines.
    pub(super) slots: Vec<Formula>,
    /// Its other parts: delimiters, the sign of an operator.
    pub(super) signs: Vec<Formula>,
}

/// A template; the versions number them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Template {
    /// Delimiters: the first and the last.
    Fence(Option<char>, Option<char>),
    Root,
    Fraction(FractionLine),
    /// Scripts of the part before, or, if `precedes`, of the part after.
    Scripts {
        precedes: bool,
    },
    Line {
        is_below: bool,
    },
    /// An arrow with text above or below it.
    Arrow(char),
    /// A large operator; the sign is one of the template's, or its last slot if the author wrote another sign.
    Operator,
    /// A base with a limit below, above, or both.
    Limit,
    Brace {
        is_above: bool,
    },
    /// An accent over all of a base.
    Accent(char),
    /// A template without a useful form in LaTeX: only its content is printed.
    Content,
}

/// Delimiters in the order of selectors, in both versions.
const FENCES: [(char, char); 8] = [
    ('\u{27e8}', '\u{27e9}'),
    ('(', ')'),
    ('{', '}'),
    ('[', ']'),
    ('|', '|'),
    ('\u{2016}', '\u{2016}'),
    ('\u{230a}', '\u{230b}'),
    ('\u{2308}', '\u{2309}'),
];

/// The template of MTEF 3.
fn template_3(selector: u8, variation: u16) -> Option<Template> {
    use Template as T;
    Some(match selector {
        0..=7 => {
            let (open, close) = FENCES[usize::from(selector)];
            T::Fence((variation != 2).then_some(open), (variation != 1).then_some(close))
        }
        8 => T::Fence(Some('['), Some('[')),
        9 => T::Fence(Some(']'), Some(']')),
        10 => T::Fence(Some(']'), Some('[')),
        11 => T::Fence(Some('['), Some(')')),
        12 => T::Fence(Some('('), Some(']')),
        13 => T::Root,
        14 => T::Fraction(FractionLine::Bar),
        15 => T::Scripts { precedes: false },
        16 => T::Line { is_below: true },
        17 => T::Line { is_below: false },
        18 => T::Arrow('\u{2190}'),
        19 => T::Arrow('\u{2192}'),
        20 => T::Arrow('\u{2194}'),
        21..=26 | 29..=38 | 42 | 43 => T::Operator,
        27 => T::Brace { is_above: true },
        28 => T::Brace { is_above: false },
        39 => T::Limit,
        40 | 45 => T::Content,
        41 => T::Fraction(FractionLine::Slash),
        44 => T::Scripts { precedes: true },
        46 | 47 => T::Accent('\u{20d7}'),
        _ => return None,
    })
}

/// The template of MTEF 5.
fn template_5(selector: u8, variation: u16) -> Option<Template> {
    use Template as T;
    Some(match selector {
        0..=7 => {
            let (open, close) = FENCES[usize::from(selector)];
            let (has_open, has_close) = (variation & 1 != 0, variation & 2 != 0);
            T::Fence(has_open.then_some(open), has_close.then_some(close))
        }
        8 => T::Fence(Some('['), Some('[')),
        9 => {
            let delimiter =
                |code| [Some('('), Some(')'), Some('['), Some(']')][usize::from(code & 3)];
            T::Fence(delimiter(variation as u8), delimiter((variation >> 4) as u8))
        }
        10 => T::Root,
        11 if variation & 2 != 0 => T::Fraction(FractionLine::Slash),
        11 => T::Fraction(FractionLine::Bar),
        12 => T::Line { is_below: true },
        13 => T::Line { is_below: false },
        14 => match variation & 3 {
            0 => T::Arrow('\u{2194}'),
            1 => T::Arrow('\u{2190}'),
            _ => T::Arrow('\u{2192}'),
        },
        15..=22 => T::Operator,
        23 => T::Limit,
        24 | 25 => T::Brace { is_above: variation & 1 != 0 },
        26 | 30 | 35..=37 => T::Content,
        27..=29 => T::Scripts { precedes: variation & 1 != 0 },
        31 => T::Accent('\u{20d7}'),
        32 => T::Accent('\u{303}'),
        33 => T::Accent('\u{302}'),
        34 => T::Accent('\u{306}'),
        _ => return None,
    })
}

/// Adds a template to its line.
pub(super) fn build_template(
    version: u8,
    selector: u8,
    variation: u16,
    slots: Slots,
    row: &mut RowBuilder,
) -> Result<(), MtefError> {
    let found = match version {
        5 => template_5(selector, variation),
        _ => template_3(selector, variation),
    };
    let code = u32::from(selector) << 16 | u32::from(variation);
    let template = found.ok_or(MtefError::Unknown { what: "template", code })?;
    let Slots { slots, signs } = slots;
    let mut slots = slots.into_iter();
    let mut next = || Box::new(slots.next().unwrap_or_default());
    let part = match template {
        Template::Fence(open, close) => Formula::Fenced {
            open: open.map(String::from).unwrap_or_default(),
            close: close.map(String::from).unwrap_or_default(),
            separator: String::new(),
            parts: vec![*next()],
        },
        Template::Root => Formula::Root { radicand: next(), degree: next() },
        Template::Fraction(line) => {
            Formula::Fraction { numerator: next(), denominator: next(), line }
        }
        Template::Scripts { precedes: false } => {
            Formula::Scripts { base: Box::new(row.pop()), sub: next(), sup: next() }
        }
        Template::Scripts { precedes: true } => {
            Formula::Prescripts { base: Box::default(), sub: next(), sup: next() }
        }
        Template::Line { is_below } => Formula::Line { base: next(), is_below },
        Template::Arrow(arrow) => {
            let base = Formula::Text { text: arrow.to_string(), is_upright: false };
            Formula::Limits { base: Box::new(base), above: next(), below: next() }
        }
        Template::Operator => {
            let (body, sub, sup, own_sign) = (next(), next(), next(), next());
            match signs.into_iter().next() {
                Some(Formula::Text { text: symbol, .. }) => {
                    Formula::LargeOperator { symbol, sub, sup, body }
                }
                _ => Formula::Row(vec![
                    Formula::Limits { base: own_sign, below: sub, above: sup },
                    *body,
                ]),
            }
        }
        Template::Limit => Formula::Limits { base: next(), below: next(), above: next() },
        Template::Brace { is_above } => {
            let base = Formula::Brace { base: next(), is_above };
            let label = next();
            let (below, above) =
                if is_above { (Box::default(), label) } else { (label, Box::default()) };
            Formula::Limits { base: Box::new(base), below, above }
        }
        Template::Accent(mark) => Formula::Accent { mark: Some(mark), base: next() },
        Template::Content => Formula::Row(slots.collect()),
    };
    row.push(part);
    Ok(())
}
