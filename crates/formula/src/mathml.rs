//! Formulas as MathML Core, for pages.

use std::fmt::Write;

use super::{Formula, FractionLine, grouping::Operand};

/// Signs whose limits are below and above them.
const LARGE_OPERATORS: &str = "\u{220f}\u{2210}\u{2211}\u{22c0}\u{22c1}\u{22c2}\u{22c3}";

/// A blank between words.
const BLANK: &str = "<mspace width=\"0.3em\"/>";

/// Prints a side of a slash: in parentheses if it would fall apart without them.
fn push_operand(out: &mut String, part: &Formula, operand: Operand) {
    if part.needs_grouping(operand) {
        push_operator(out, "(");
        print(part, out);
        push_operator(out, ")");
    } else {
        print(part, out);
    }
}

/// Prints a formula as elements of MathML, without the `math` element around them.
pub(super) fn print(formula: &Formula, out: &mut String) {
    match formula {
        Formula::Text { text, is_upright } => push_text(out, text, *is_upright),
        Formula::Row(parts) => element(out, "mrow", |out| push_row(out, parts)),
        Formula::Fraction { numerator, denominator, line } => match line {
            FractionLine::Bar => {
                element(out, "mfrac", |out| push_both(out, numerator, denominator))
            }
            FractionLine::None => {
                out.push_str("<mfrac linethickness=\"0\">");
                push_both(out, numerator, denominator);
                out.push_str("</mfrac>");
            }
            FractionLine::Slash => element(out, "mrow", |out| {
                push_operand(out, numerator, Operand::Numerator);
                push_operator(out, "/");
                push_operand(out, denominator, Operand::Denominator);
            }),
        },
        Formula::Scripts { base, sub, sup } => push_scripts(out, base, sub, sup),
        Formula::Prescripts { base, sub, sup } => element(out, "mmultiscripts", |out| {
            print(base, out);
            out.push_str("<mprescripts/>");
            push_both(out, sub, sup);
        }),
        Formula::Root { radicand, degree } if is_empty(degree) => {
            element(out, "msqrt", |out| print(radicand, out));
        }
        Formula::Root { radicand, degree } => {
            element(out, "mroot", |out| push_both(out, radicand, degree));
        }
        Formula::LargeOperator { symbol, sub, sup, body } => element(out, "mrow", |out| {
            let sign = Formula::Text { text: symbol.clone(), is_upright: false };
            push_scripts(out, &sign, sub, sup);
            print(body, out);
        }),
        Formula::Fenced { open, close, separator, parts } => {
            element(out, fence_head(open, close), |out| {
                let is_tall = parts.iter().any(is_tall);
                push_fence(out, open, is_tall);
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        push_fence(out, separator, is_tall);
                    }
                    print(part, out);
                }
                push_fence(out, close, is_tall);
            })
        }
        Formula::Applied { function, argument } => {
            element(out, "mrow", |out| push_both(out, function, argument));
        }
        Formula::Limits { base, below, above } => push_limits(out, base, below, above),
        Formula::Accent { mark, base } => element(out, "mover accent=\"true\"", |out| {
            print(base, out);
            push_operator(out, accent_sign(*mark));
        }),
        Formula::Line { base, is_below } => {
            push_marked(out, base, if *is_below { "_" } else { "\u{af}" }, *is_below);
        }
        Formula::Brace { base, is_above } => {
            push_marked(out, base, if *is_above { "\u{23de}" } else { "\u{23df}" }, !*is_above);
        }
        Formula::Lines(lines) => element(out, "mtable class=\"lines\"", |out| {
            for line in lines {
                element(out, "mtr", |out| element(out, "mtd", |out| print(line, out)));
            }
        }),
        Formula::Matrix(rows) => element(out, "mtable", |out| {
            for row in rows {
                element(out, "mtr", |out| {
                    for cell in row {
                        element(out, "mtd", |out| print(cell, out));
                    }
                });
            }
        }),
    }
}

/// The group of a fence; cases after a brace begin at one edge.
fn fence_head(open: &str, close: &str) -> &'static str {
    if open == "{" && close.is_empty() { "mrow class=\"cases\"" } else { "mrow" }
}

/// Words of running text in a formula, which need blanks around them: mathematics in LaTeX drops those of the file.
/// Names of functions are not among them.
const WORDS: [&str; 14] = [
    "mod",
    "if",
    "for",
    "and",
    "or",
    "even",
    "odd",
    "otherwise",
    "with",
    "where",
    "when",
    "is",
    "else",
    "then",
];

fn push_row(out: &mut String, parts: &[Formula]) {
    let is_word = |part: &Formula| matches!(part, Formula::Text { text, is_upright: true } if WORDS.contains(&text.trim()));
    for (index, part) in parts.iter().enumerate() {
        let beside = index > 0 && (is_word(part) || is_word(&parts[index - 1]));
        if beside {
            out.push_str(BLANK);
        }
        print(part, out);
    }
}

/// An element; `head` is its name with its attributes.
fn element(out: &mut String, head: &str, content: impl FnOnce(&mut String)) {
    let name = head.split(' ').next().unwrap_or(head);
    let _ = write!(out, "<{head}>");
    content(out);
    let _ = write!(out, "</{name}>");
}

fn push_both(out: &mut String, first: &Formula, second: &Formula) {
    print(first, out);
    print(second, out);
}

fn is_empty(formula: &Formula) -> bool {
    matches!(formula, Formula::Row(parts) if parts.is_empty())
}

fn push_scripts(out: &mut String, base: &Formula, sub: &Formula, sup: &Formula) {
    if is_large_operator(base) {
        return push_limits(out, base, sub, sup);
    }
    match (is_empty(sub), is_empty(sup)) {
        (true, true) => print(base, out),
        (false, true) => element(out, "msub", |out| push_both(out, base, sub)),
        (true, false) => element(out, "msup", |out| push_both(out, base, sup)),
        (false, false) => element(out, "msubsup", |out| {
            push_both(out, base, sub);
            print(sup, out);
        }),
    }
}

fn push_limits(out: &mut String, base: &Formula, below: &Formula, above: &Formula) {
    match (is_empty(below), is_empty(above)) {
        (true, true) => print(base, out),
        (false, true) => element(out, "munder", |out| push_both(out, base, below)),
        (true, false) => element(out, "mover", |out| push_both(out, base, above)),
        (false, false) => element(out, "munderover", |out| {
            push_both(out, base, below);
            print(above, out);
        }),
    }
}

fn push_marked(out: &mut String, base: &Formula, mark: &str, is_below: bool) {
    element(out, if is_below { "munder" } else { "mover" }, |out| {
        print(base, out);
        element(out, "mo stretchy=\"true\"", |out| out.push_str(mark));
    });
}

fn accent_sign(mark: Option<char>) -> &'static str {
    match mark {
        Some('\u{303}' | '~' | '\u{2dc}') => "~",
        Some('\u{304}' | '\u{305}' | '\u{af}' | '\u{203e}') => "\u{af}",
        Some('\u{307}' | '\u{2d9}') => "\u{2d9}",
        Some('\u{308}') => "\u{a8}",
        Some('\u{20db}') => "\u{20db}",
        Some('\u{20d7}' | '\u{2192}') => "\u{2192}",
        Some('\u{30c}' | '\u{2c7}') => "\u{2c7}",
        Some('\u{306}' | '\u{2d8}') => "\u{2d8}",
        Some('\u{311}') => "\u{2322}",
        Some('\u{338}') => "/",
        _ => "^",
    }
}

/// A delimiter of a group, as high as the group if it is tall. Delimiters that always stretch would also grow around a
/// subscript.
fn push_fence(out: &mut String, delimiter: &str, is_tall: bool) {
    match (delimiter, is_tall) {
        ("", _) => {}
        (delimiter, true) => element(out, "mo", |out| push_escaped(out, delimiter)),
        (delimiter, false) => push_operator(out, delimiter),
    }
}

/// Whether a formula is much higher than a line of text.
fn is_tall(formula: &Formula) -> bool {
    match formula {
        Formula::Row(parts) | Formula::Fenced { parts, .. } => parts.iter().any(is_tall),
        Formula::Scripts { base, .. } | Formula::Prescripts { base, .. } => {
            is_tall(base) || is_large_operator(base)
        }
        Formula::Fraction { line, .. } => *line != FractionLine::Slash,
        Formula::LargeOperator { .. }
        | Formula::Limits { .. }
        | Formula::Brace { .. }
        | Formula::Lines(_)
        | Formula::Matrix(_) => true,
        Formula::Root { radicand: base, .. }
        | Formula::Accent { base, .. }
        | Formula::Line { base, .. }
        | Formula::Applied { argument: base, .. } => is_tall(base),
        Formula::Text { .. } => false,
    }
}

fn is_large_operator(base: &Formula) -> bool {
    matches!(base, Formula::Text { text, .. }
        if !text.is_empty() && text.chars().all(|c| LARGE_OPERATORS.contains(c)))
}

/// An operator as high as a line of text.
fn push_operator(out: &mut String, sign: &str) {
    element(out, "mo stretchy=\"false\"", |out| push_escaped(out, sign));
}

fn push_text(out: &mut String, text: &str, is_upright: bool) {
    let is_word = is_upright && text.chars().any(char::is_alphabetic);
    if is_word {
        let head = match text.chars().count() {
            1 => "mi mathvariant=\"normal\"",
            _ if text.contains(' ') => "mtext",
            _ => "mi",
        };
        return element(out, head, |out| push_escaped(out, text));
    }
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let end = if c.is_ascii_digit() {
            rest.find(|c| !is_number(c)).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        match c {
            _ if c.is_ascii_digit() => element(out, "mn", |out| out.push_str(part)),
            _ if c.is_alphabetic() || c == '\u{221e}' || c == '\u{2205}' => {
                element(out, "mi", |out| push_escaped(out, part));
            }
            ' ' | '\u{a0}' => out.push_str(BLANK),
            _ if LARGE_OPERATORS.contains(c) => element(out, "mo", |out| push_escaped(out, part)),
            _ => push_operator(out, part),
        }
    }
}

fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}
