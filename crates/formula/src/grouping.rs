//! Whether a part of a formula must be in parentheses next to a slash, which unlike a bar does not show where the part ends.

use super::{Formula, FractionLine};

/// The sides of a slash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Numerator,
    Denominator,
}

impl Formula {
    /// Whether this part must be in parentheses as a side of a slash: it contains an operator outside of delimiters, scripts and
    /// fractions. The sign of a numerator does not count.
    pub(super) fn needs_grouping(&self, operand: Operand) -> bool {
        match self {
            Self::Text { text, .. } => {
                let text = text.trim();
                let text = match operand {
                    Operand::Numerator => {
                        text.strip_prefix(['-', '\u{2212}', '+', '\u{b1}']).unwrap_or(text)
                    }
                    Operand::Denominator => text,
                };
                text.contains(is_operator)
            }
            Self::Row(parts) => {
                let mut parts = parts.iter();
                parts.next().is_some_and(|part| part.needs_grouping(operand))
                    || parts.any(|part| part.needs_grouping(Operand::Denominator))
            }
            Self::Fraction { line, .. } => *line == FractionLine::Slash,
            Self::LargeOperator { .. } => true,
            _ => false,
        }
    }
}

fn is_operator(c: char) -> bool {
    matches!(
        c,
        '+' | '-'
            | '\u{2212}'
            | '\u{b1}'
            | '\u{2213}'
            | '='
            | '<'
            | '>'
            | '/'
            | '\u{2215}'
            | '*'
            | ','
            | ';'
            | '\u{b7}'
            | '\u{d7}'
            | '\u{f7}'
            | '\u{2217}'
            | '\u{22c5}'
            | '\u{2264}'
            | '\u{2265}'
            | '\u{2295}'
            | '\u{2297}'
    )
}
