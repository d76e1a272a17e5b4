//! Formulas as LaTeX.

use super::{
    Formula, FractionLine,
    commands::{MAX_COMMAND_BYTES, find_command},
    grouping::Operand,
};

/// Prints a formula; the result may contain runs of blanks.
pub(super) fn print(formula: &Formula) -> String {
    let trimmed = |part: &Formula| print(part).trim().to_owned();
    let scripts = |sub: &Formula, sup: &Formula| {
        format!("{}{}", format_script('_', &trimmed(sub)), format_script('^', &trimmed(sup)))
    };
    match formula {
        Formula::Text { text, is_upright } => {
            let mut out = String::new();
            push_text(&mut out, text, *is_upright);
            out
        }
        Formula::Row(parts) => {
            let mut out = String::new();
            parts.iter().for_each(|part| append_latex(&mut out, &print(part)));
            out
        }
        Formula::Fraction { numerator, denominator, line } => {
            let (above, below) = (trimmed(numerator), trimmed(denominator));
            match line {
                FractionLine::Bar => format!("\\frac{{{above}}}{{{below}}}"),
                FractionLine::None => {
                    format!("\\begin{{matrix}}{above} \\\\ {below}\\end{{matrix}}")
                }
                FractionLine::Slash => {
                    let above = group_operand(&above, numerator.needs_grouping(Operand::Numerator));
                    let below =
                        group_operand(&below, denominator.needs_grouping(Operand::Denominator));
                    format!("{above}/{below}")
                }
            }
        }
        Formula::Scripts { base, sub, sup } => {
            format!("{}{}", brace_base(&trimmed(base)), scripts(sub, sup))
        }
        Formula::Prescripts { base, sub, sup } => {
            format!("{{}}{}{}", scripts(sub, sup), trimmed(base))
        }
        Formula::Root { radicand, degree } => match trimmed(degree) {
            degree if degree.is_empty() => format!("\\sqrt{{{}}}", trimmed(radicand)),
            degree => format!("\\sqrt[{degree}]{{{}}}", trimmed(radicand)),
        },
        Formula::LargeOperator { symbol, sub, sup, body } => {
            let mut sign = String::new();
            push_text(&mut sign, symbol, false);
            format!("{}{}{}", sign.trim(), scripts(sub, sup), prepend_space(&trimmed(body)))
        }
        Formula::Fenced { open, close, separator, parts } => {
            if let Some((above, below)) = formula.binomial() {
                return format!("\\binom{{{}}}{{{}}}", trimmed(above), trimmed(below));
            }
            let parts: Vec<String> = parts.iter().map(trimmed).collect();
            let inner = parts.join(&format_delimiter(separator));
            format!("{}{inner}{}", format_delimiter(open), format_delimiter(close))
        }
        Formula::Applied { function, argument } => {
            format!("{}{}", trimmed(function), prepend_space(&trimmed(argument)))
        }
        Formula::Limits { base, below, above } => {
            format!("{}{}", brace_base(&trimmed(base)), scripts(below, above))
        }
        Formula::Accent { mark, base } => format!("{}{{{}}}", accent_command(*mark), trimmed(base)),
        Formula::Line { base, is_below: true } => format!("\\underline{{{}}}", trimmed(base)),
        Formula::Line { base, is_below: false } => format!("\\overline{{{}}}", trimmed(base)),
        Formula::Brace { base, is_above: true } => format!("\\overbrace{{{}}}", trimmed(base)),
        Formula::Brace { base, is_above: false } => format!("\\underbrace{{{}}}", trimmed(base)),
        Formula::Lines(lines) => {
            let lines: Vec<String> = lines.iter().map(trimmed).collect();
            format!("\\begin{{aligned}}{}\\end{{aligned}}", lines.join(" \\\\ "))
        }
        Formula::Matrix(rows) => {
            let row =
                |cells: &Vec<Formula>| cells.iter().map(trimmed).collect::<Vec<_>>().join(" & ");
            let rows: Vec<String> = rows.iter().map(row).collect();
            format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "))
        }
    }
}

/// Appends text, characters as commands; upright words of two letters and more in `\mathrm`.
fn push_text(target: &mut String, text: &str, upright: bool) {
    let word = text.trim();
    let is_word = word.len() > 1
        && word.chars().all(|c| c.is_ascii_alphanumeric() || " -_,./()".contains(c))
        && word.chars().any(|c| c.is_ascii_alphabetic());
    if upright && is_word {
        target.push_str("\\mathrm{");
        push_chars(target, word);
        target.push('}');
        if text.ends_with(' ') {
            target.push(' ');
        }
        return;
    }
    push_chars(target, text);
}

fn push_chars(target: &mut String, text: &str) {
    for c in text.chars() {
        let after_command = ends_in_command(target);
        match find_command(c) {
            Some(command) => target.push_str(command),
            None => match c {
                '#' | '%' | '&' | '_' | '$' | '{' | '}' => {
                    target.push('\\');
                    target.push(c);
                }
                '\u{a0}' | '\t' | '\n' | '\u{2000}'..='\u{200a}' => target.push(' '),
                '\u{200b}' | '\u{2061}'..='\u{2064}' | '\u{feff}' => {}
                _ => {
                    if after_command && c.is_ascii_alphanumeric() {
                        target.push(' ');
                    }
                    target.push(c);
                }
            },
        }
    }
}

/// Appends finished LaTeX; a blank keeps a letter from becoming part of a command.
fn append_latex(target: &mut String, latex: &str) {
    if ends_in_command(target) && latex.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        target.push(' ');
    }
    target.push_str(latex);
}

/// Whether a letter written next would become part of a command.
///
/// Looks no further back than the longest command, because runs of letters have no bound.
fn ends_in_command(text: &str) -> bool {
    let mut letters = 0;
    for byte in text.bytes().rev().take(MAX_COMMAND_BYTES) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => letters += 1,
            _ => return byte == b'\\' && letters > 0,
        }
    }
    false
}

/// A subscript or superscript, nothing for an empty one.
fn format_script(mark: char, latex: &str) -> String {
    if latex.is_empty() { String::new() } else { format!("{mark}{{{latex}}}") }
}

/// The base of a script, in braces when it is more than one symbol.
fn brace_base(latex: &str) -> String {
    let single = latex.chars().count() <= 1
        || (latex.starts_with('\\') && latex[1..].bytes().all(|b| b.is_ascii_alphabetic()))
        || latex.bytes().all(|b| b.is_ascii_alphanumeric());
    if single { latex.to_owned() } else { format!("{{{latex}}}") }
}

/// A side of a slash: in parentheses if it would fall apart without them.
fn group_operand(latex: &str, needs_grouping: bool) -> String {
    if needs_grouping { format!("({latex})") } else { brace_base(latex) }
}

/// LaTeX to follow a script or a command: with a blank before it if it begins with a letter or digit.
fn prepend_space(latex: &str) -> String {
    match latex.chars().next() {
        Some(c) if c.is_ascii_alphanumeric() => format!(" {latex}"),
        _ => latex.to_owned(),
    }
}

/// The command of an accent; a hat if the file names none.
fn accent_command(mark: Option<char>) -> &'static str {
    match mark {
        Some('\u{303}' | '~' | '\u{2dc}') => "\\tilde",
        Some('\u{304}' | '\u{305}' | '\u{af}' | '\u{203e}') => "\\bar",
        Some('\u{307}' | '\u{2d9}') => "\\dot",
        Some('\u{308}') => "\\ddot",
        Some('\u{20db}') => "\\dddot",
        Some('\u{20d7}' | '\u{2192}') => "\\vec",
        Some('\u{30c}' | '\u{2c7}') => "\\check",
        Some('\u{306}' | '\u{2d8}') => "\\breve",
        Some('\u{311}') => "\\overset{\\frown}",
        Some('\u{338}') => "\\not",
        _ => "\\hat",
    }
}

/// A delimiter as LaTeX writes it.
fn format_delimiter(text: &str) -> String {
    let mut out = String::new();
    push_chars(&mut out, text);
    // A closing delimiter (`\rfloor`) gets a blank only if a letter follows; `append_latex` adds it.
    if ends_in_command(&out) && !out.starts_with("\\r") {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_after_a_command_keeps_its_distance() {
        let mut out = String::new();
        push_text(&mut out, "\u{3bc}x_1", false);
        assert_eq!(out, "\\mu x\\_1");
        assert_eq!(format_delimiter("\u{230a}"), "\\lfloor ");
        assert_eq!(format_delimiter("\u{230b}"), "\\rfloor");
        assert_eq!(brace_base("N"), "N");
        assert_eq!(brace_base("a+b"), "{a+b}");
    }
}
