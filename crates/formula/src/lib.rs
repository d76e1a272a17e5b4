//! Formulas as trees: read from equation objects (Equation Editor 3 and MathType) and from the pictures of them, printed
//! as LaTeX and MathML.

#![forbid(unsafe_code)]

mod commands;
mod field;
mod grouping;
mod latex;
pub mod layout;
mod mathml;
pub mod mtef;
mod parse;

pub use field::parse_field;

/// A formula, or a part of one.
///
/// A part that a formula does not have is [`Formula::default`], an empty row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// Characters of one style. Letters that are not upright are variables.
    Text {
        /// The characters, as Unicode.
        text: String,
        /// Whether letters are upright, as in words and names of functions.
        is_upright: bool,
    },
    /// Parts side by side.
    Row(Vec<Formula>),
    /// One part above or before another.
    Fraction {
        /// What is above, or before the slash.
        numerator: Box<Formula>,
        /// What is below, or after the slash.
        denominator: Box<Formula>,
        /// What is between them.
        line: FractionLine,
    },
    /// A base with scripts after it, lower or higher.
    Scripts {
        /// What the scripts belong to.
        base: Box<Formula>,
        /// The subscript.
        sub: Box<Formula>,
        /// The superscript.
        sup: Box<Formula>,
    },
    /// A base with scripts before it.
    Prescripts {
        /// What the scripts belong to.
        base: Box<Formula>,
        /// The lower one.
        sub: Box<Formula>,
        /// The higher one.
        sup: Box<Formula>,
    },
    /// A root.
    Root {
        /// What is under the sign.
        radicand: Box<Formula>,
        /// Its degree; empty for a square root.
        degree: Box<Formula>,
    },
    /// A sum, a product, an integral, or another large operator.
    LargeOperator {
        /// The sign.
        symbol: String,
        /// The lower limit.
        sub: Box<Formula>,
        /// The upper limit.
        sup: Box<Formula>,
        /// What it applies to.
        body: Box<Formula>,
    },
    /// Parts between delimiters.
    Fenced {
        /// The opening delimiter; empty if there is none.
        open: String,
        /// The closing delimiter; empty if there is none.
        close: String,
        /// What is between two parts.
        separator: String,
        /// The parts.
        parts: Vec<Formula>,
    },
    /// A function and what it applies to.
    Applied {
        /// Its name.
        function: Box<Formula>,
        /// What it applies to.
        argument: Box<Formula>,
    },
    /// A base with parts right below and above it.
    Limits {
        /// What they belong to.
        base: Box<Formula>,
        /// The part below.
        below: Box<Formula>,
        /// The part above.
        above: Box<Formula>,
    },
    /// A base with a mark above it.
    Accent {
        /// The mark; a hat if the file names none.
        mark: Option<char>,
        /// What is below it.
        base: Box<Formula>,
    },
    /// A base with a line.
    Line {
        /// What has the line.
        base: Box<Formula>,
        /// Whether the line is below it.
        is_below: bool,
    },
    /// A base with a horizontal brace.
    Brace {
        /// What has the brace.
        base: Box<Formula>,
        /// Whether the brace is above it.
        is_above: bool,
    },
    /// Lines below each other.
    Lines(Vec<Formula>),
    /// Rows of cells.
    Matrix(Vec<Vec<Formula>>),
}

/// What is between the parts of a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FractionLine {
    /// A line.
    Bar,
    /// Nothing: one is above the other, as in a binomial coefficient, which has parentheses around both.
    None,
    /// A slash.
    Slash,
}

/// Where a formula is on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaPlace {
    /// In a line of text.
    InText,
    /// In a paragraph of its own.
    Alone,
}

impl Default for Formula {
    fn default() -> Self {
        Self::Row(Vec::new())
    }
}

impl Formula {
    /// Whether it begins and ends with blanks, which LaTeX does not show: in Word, the blank between a formula and the
    /// next word may belong to the formula.
    #[must_use]
    pub fn blank_edges(&self) -> (bool, bool) {
        match self {
            Self::Text { text, .. } => {
                (text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace))
            }
            Self::Row(parts) => (
                parts.first().is_some_and(|part| part.blank_edges().0),
                parts.last().is_some_and(|part| part.blank_edges().1),
            ),
            _ => (false, false),
        }
    }

    /// The text of a formula that is only text.
    #[must_use]
    pub fn plain_text(&self) -> Option<String> {
        match self {
            Self::Text { text, .. } => Some(text.clone()),
            Self::Row(parts) => parts.iter().map(Self::plain_text).collect(),
            _ => None,
        }
    }

    /// What is above and below in a binomial coefficient: a fraction without a line, between parentheses.
    fn binomial(&self) -> Option<(&Self, &Self)> {
        let Self::Fenced { open, close, parts, .. } = self else { return None };
        let [part] = &parts[..] else { return None };
        let part = match part {
            Self::Row(row) if row.len() == 1 => &row[0],
            part => part,
        };
        match part {
            Self::Fraction { numerator, denominator, line: FractionLine::None }
                if open == "(" && close == ")" =>
            {
                Some((numerator, denominator))
            }
            _ => None,
        }
    }

    /// The formula as LaTeX, without the signs that begin and end mathematics.
    #[must_use]
    pub fn to_latex(&self) -> String {
        let latex = latex::print(self);
        latex.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Reads a formula from LaTeX of the kind that [`Formula::to_latex`] prints; `None` for any other text.
    #[must_use]
    pub fn from_latex(latex: &str) -> Option<Self> {
        parse::parse(latex)
    }

    /// The formula as a `math` element of MathML Core, escaped.
    #[must_use]
    pub fn to_mathml(&self, place: FormulaPlace) -> String {
        let mut out = String::from(match place {
            FormulaPlace::InText => "<math>",
            FormulaPlace::Alone => "<math display=\"block\">",
        });
        mathml::print(self, &mut out);
        out.push_str("</math>");
        out
    }
}

#[cfg(test)]
mod tests;
