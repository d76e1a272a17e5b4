//! What the switches of a code give.

use super::SwitchOption;
use crate::{Formula, FractionLine};

/// Maximum number of columns of an array.
const MAX_COLUMNS: usize = 100;

/// The parts of a row so far.
#[derive(Default)]
pub(super) struct FieldRow {
    parts: Vec<Formula>,
    text: String,
}

impl FieldRow {
    pub(super) fn push_char(&mut self, c: char) {
        self.text.push(c);
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.parts.push(as_text(text));
        }
    }

    pub(super) fn into_formula(mut self) -> Formula {
        self.end_text();
        match self.parts.len() {
            1 => self.parts.pop().unwrap_or_default(),
            _ => Formula::Row(self.parts),
        }
    }

    /// Adds a switch with its options and the parts of its list; `None` if there is no such switch.
    pub(super) fn push_switch(
        &mut self,
        switch: char,
        options: &[SwitchOption],
        parts: Vec<Formula>,
    ) -> Option<()> {
        let value_of = |name: &str| {
            options.iter().find(|option| option.name == name).map(|option| option.value.as_str())
        };
        if switch == 's' {
            // A script with an upward distance is raised; two parts are above each other.
            let is_lowered = value_of("do").is_some() && value_of("up").is_none();
            self.push_scripts(parts, is_lowered);
            return Some(());
        }
        let mut parts = parts.into_iter();
        let mut next = || Box::new(parts.next().unwrap_or_default());
        let formula = match switch {
            'f' => Formula::Fraction {
                numerator: next(),
                denominator: next(),
                line: FractionLine::Bar,
            },
            'r' => match (next(), parts.next()) {
                (radicand, None) => Formula::Root { radicand, degree: Box::default() },
                (degree, Some(radicand)) => Formula::Root { radicand: radicand.into(), degree },
            },
            'i' => {
                let symbol = match options.iter().find_map(|option| match option.name.as_str() {
                    "su" => Some("\u{2211}".to_owned()),
                    "pr" => Some("\u{220f}".to_owned()),
                    "fc" | "vc" => Some(option.value.clone()),
                    _ => None,
                }) {
                    Some(symbol) => symbol,
                    None => "\u{222b}".to_owned(),
                };
                Formula::LargeOperator { symbol, sub: next(), sup: next(), body: next() }
            }
            'b' => {
                let both = value_of("bc");
                let open = both.or(value_of("lc"));
                let close = both.map(closing_delimiter).or(value_of("rc"));
                let is_default = open.is_none() && close.is_none();
                let delimiter = |given: Option<&str>, default: &str| match given {
                    Some(given) => given.to_owned(),
                    None if is_default => default.to_owned(),
                    None => String::new(),
                };
                let (open, close) = (delimiter(open, "("), delimiter(close, ")"));
                Formula::Fenced { open, close, separator: ",".to_owned(), parts: parts.collect() }
            }
            'a' => {
                let columns = value_of("co").and_then(|count| count.parse().ok()).unwrap_or(1);
                let cells: Vec<Formula> = parts.collect();
                let rows = cells.chunks(columns.clamp(1, MAX_COLUMNS));
                Formula::Matrix(rows.map(<[Formula]>::to_vec).collect())
            }
            'l' => Formula::Row(join_list(parts)),
            'o' => overstrike(parts.collect()),
            'x' => frame(options, Formula::Row(parts.collect())),
            // A displacement moves what follows and prints nothing itself.
            'd' => Formula::Row(parts.filter(|part| *part != Formula::default()).collect()),
            _ => return None,
        };
        self.end_text();
        self.parts.push(formula);
        Some(())
    }

    /// Adds scripts to the symbol before them.
    fn push_scripts(&mut self, parts: Vec<Formula>, is_lowered: bool) {
        let mut parts = parts.into_iter();
        let (first, second) = (parts.next().unwrap_or_default(), parts.next());
        let (sub, sup) = match second {
            Some(second) => (second, first),
            None if is_lowered => (first, Formula::default()),
            None => (Formula::default(), first),
        };
        let empty = Formula::default();
        // A subscript and a superscript after each other have the same base.
        if self.text.is_empty()
            && let Some(Formula::Scripts { sub: own_sub, sup: own_sup, .. }) = self.parts.last_mut()
        {
            if **own_sub == empty && sup == empty {
                **own_sub = sub;
                return;
            }
            if **own_sup == empty && sub == empty {
                **own_sup = sup;
                return;
            }
        }
        let base = self.take_base();
        self.parts.push(Formula::Scripts { base: base.into(), sub: sub.into(), sup: sup.into() });
    }

    /// Removes the last word or the last part, which scripts belong to.
    fn take_base(&mut self) -> Formula {
        if self.text.is_empty() {
            return self.parts.pop().unwrap_or_default();
        }
        let is_word = |c: char| c.is_alphanumeric();
        let start = self.text.trim_end_matches(is_word).len();
        let start = if start < self.text.len() {
            start
        } else {
            self.text.char_indices().last().map_or(0, |(index, _)| index)
        };
        let text = self.text.split_off(start);
        self.end_text();
        if text.trim().is_empty() { Formula::default() } else { as_text(text) }
    }
}

/// Text of a code; several words are upright, because only upright text keeps its blanks.
fn as_text(text: String) -> Formula {
    let is_upright = text.trim().contains(char::is_whitespace);
    Formula::Text { text, is_upright }
}

fn join_list(parts: impl Iterator<Item = Formula>) -> Vec<Formula> {
    let mut joined = Vec::new();
    for part in parts {
        if !joined.is_empty() {
            joined.push(Formula::Text { text: ", ".to_owned(), is_upright: true });
        }
        joined.push(part);
    }
    joined
}

/// The closing delimiter of an opening one.
fn closing_delimiter(open: &str) -> &str {
    match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        "<" => ">",
        "\u{27e8}" => "\u{27e9}",
        "\u{230a}" => "\u{230b}",
        "\u{2308}" => "\u{2309}",
        other => other,
    }
}

/// Parts printed over each other: a sign with an accent or a stroke, or a number in a circle; else side by side.
fn overstrike(parts: Vec<Formula>) -> Formula {
    let texts: Vec<String> =
        parts.iter().map(|part| part.plain_text().unwrap_or_default()).collect();
    let [first, second] = &texts[..] else { return Formula::Row(parts) };
    let (first, second) = (first.trim(), second.trim());
    if let Some(number) = circled_number(first, second).or_else(|| circled_number(second, first)) {
        return Formula::Text { text: number.to_string(), is_upright: true };
    }
    let mark = |text: &str| match text {
        "^" | "\u{2c6}" => Some('\u{302}'),
        "~" | "\u{2dc}" => Some('\u{303}'),
        "\u{af}" | "\u{203e}" | "\u{2013}" | "_" => Some('\u{304}'),
        "\u{2d9}" | "." => Some('\u{307}'),
        "\u{a8}" => Some('\u{308}'),
        "\u{2192}" => Some('\u{20d7}'),
        "/" => Some('\u{338}'),
        _ => None,
    };
    let mut parts = parts.into_iter();
    let (one, other) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match (mark(first), mark(second)) {
        (_, Some(mark)) => Formula::Accent { mark: Some(mark), base: one.into() },
        (Some(mark), None) => Formula::Accent { mark: Some(mark), base: other.into() },
        (None, None) => Formula::Row(vec![one, other]),
    }
}

/// A number from 1 to 20 in a circle.
fn circled_number(circle: &str, number: &str) -> Option<char> {
    let is_circle =
        matches!(circle, "\u{25cb}" | "\u{25ef}" | "\u{25e6}" | "\u{26aa}" | "\u{3007}");
    let number: u32 =
        number.parse().ok().filter(|number| is_circle && (1..=20).contains(number))?;
    char::from_u32(0x245f + number)
}

/// A box: lines above and below are kept, those at the sides are not.
fn frame(options: &[SwitchOption], content: Formula) -> Formula {
    let has = |name: &str| options.iter().any(|option| option.name == name);
    let content =
        if has("bo") { Formula::Line { base: content.into(), is_below: true } } else { content };
    if has("to") { Formula::Line { base: content.into(), is_below: false } } else { content }
}
