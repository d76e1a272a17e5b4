//! Formulas from the LaTeX that [`super::latex`] prints: texts contain it, and pages show it as MathML.

use super::{Formula, FractionLine, commands::find_character};

/// Longer texts are not formulas. Each opening delimiter looks for its closing one up to the end of the text, so 4,000
/// bytes of `(` take 8 million steps, and ten times as many would take a hundred times as long.
const MAX_BYTES: usize = 4_000;
/// Closing delimiters. Any of them closes any opening delimiter, as in half-open intervals.
const CLOSINGS: [(&str, char); 6] = [
    (")", ')'),
    ("]", ']'),
    ("\\}", '}'),
    ("\\rfloor", '\u{230b}'),
    ("\\rceil", '\u{2309}'),
    ("\\rangle", '\u{27e9}'),
];
/// Maximum nesting of braces and delimiters: reading, comparing and printing a formula recurse.
const MAX_DEPTH: usize = 60;

/// Reads a formula; `None` if the text is not LaTeX of the kind that this crate prints.
pub(super) fn parse(latex: &str) -> Option<Formula> {
    if latex.len() > MAX_BYTES {
        return None;
    }
    let mut parser = LatexParser { rest: latex, depth: 0 };
    let formula = parser.parse_row(&[])?;
    parser.rest.is_empty().then_some(formula)
}

struct LatexParser<'a> {
    rest: &'a str,
    depth: usize,
}

/// What the next characters are.
enum Token<'a> {
    Command(&'a str),
    Character(char),
}

impl<'a> LatexParser<'a> {
    /// The next token and what follows it.
    fn peek(&self) -> Option<(Token<'a>, &'a str)> {
        let mut chars = self.rest.chars();
        let first = chars.next()?;
        if first != '\\' {
            return Some((Token::Character(first), chars.as_str()));
        }
        let letters = self.rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let end = match letters {
            0 => 1 + chars.next()?.len_utf8(),
            letters => 1 + letters,
        };
        Some((Token::Command(&self.rest[..end]), &self.rest[end..]))
    }

    /// Skips a text; returns false if another one follows.
    fn skip(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    /// Parts up to one of `ends`, which is not consumed, or to the end of the text.
    fn parse_row(&mut self, ends: &[&str]) -> Option<Formula> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut parts = Vec::new();
        loop {
            let ahead = self.rest.trim_start_matches(' ');
            if ahead.is_empty() || ends.iter().any(|end| ahead.starts_with(end)) {
                self.rest = ahead;
                break;
            }
            let base = if self.rest.starts_with(['_', '^']) {
                Formula::default()
            } else {
                self.parse_part()?
            };
            parts.push(self.parse_scripts(base)?);
        }
        self.depth -= 1;
        Some(match parts.len() {
            1 => parts.pop()?,
            _ => Formula::Row(parts),
        })
    }

    fn parse_scripts(&mut self, base: Formula) -> Option<Formula> {
        let sub = if self.skip("_{") { self.finish_group()? } else { Formula::default() };
        let sup = if self.skip("^{") { self.finish_group()? } else { Formula::default() };
        // This crate prints scripts in braces, and each of them once.
        if self.rest.starts_with(['_', '^']) {
            return None;
        }
        let has_none = sub == Formula::default() && sup == Formula::default();
        Some(if has_none {
            base
        } else {
            Formula::Scripts { base: base.into(), sub: sub.into(), sup: sup.into() }
        })
    }

    /// The rest of a group whose brace was read.
    fn finish_group(&mut self) -> Option<Formula> {
        let group = self.parse_row(&["}"])?;
        self.skip("}").then_some(group)
    }

    fn parse_group(&mut self) -> Option<Box<Formula>> {
        self.skip("{").then(|| self.finish_group()).flatten().map(Box::new)
    }

    fn parse_part(&mut self) -> Option<Formula> {
        let (token, rest) = self.peek()?;
        let before = std::mem::replace(&mut self.rest, rest);
        let variable = |text: String| Some(Formula::Text { text, is_upright: false });
        match token {
            Token::Character('{') => self.finish_group(),
            Token::Character('}' | '&') => None,
            Token::Character(c) if c.is_ascii_digit() => {
                let is_more = |c: char| !(c.is_ascii_digit() || c == '.');
                let digits = before.find(is_more).unwrap_or(before.len());
                let number = before[..digits].trim_end_matches('.');
                self.rest = &before[number.len()..];
                variable(number.to_owned())
            }
            Token::Character(open @ ('(' | '[')) => self.parse_fence(open),
            Token::Character('-') => variable("\u{2212}".to_owned()),
            Token::Character('\'') => variable("\u{2032}".to_owned()),
            Token::Character(c) => variable(c.to_string()),
            Token::Command(command) => self.parse_command(command),
        }
    }

    fn parse_command(&mut self, command: &str) -> Option<Formula> {
        let accent = |mark: char, base| Some(Formula::Accent { mark: Some(mark), base });
        match command {
            "\\mathrm" => {
                let text = self.rest.strip_prefix('{')?;
                let (text, rest) = text.split_once('}')?;
                self.rest = rest;
                let text = text.replace('\\', "");
                Some(Formula::Text { text, is_upright: true })
            }
            "\\frac" | "\\binom" => {
                let line = if command == "\\frac" { FractionLine::Bar } else { FractionLine::None };
                let (numerator, denominator) = (self.parse_group()?, self.parse_group()?);
                let fraction = Formula::Fraction { numerator, denominator, line };
                Some(match line {
                    FractionLine::None => Formula::Fenced {
                        open: "(".to_owned(),
                        close: ")".to_owned(),
                        separator: String::new(),
                        parts: vec![fraction],
                    },
                    _ => fraction,
                })
            }
            "\\sqrt" => {
                let degree = if self.skip("[") {
                    let degree = self.parse_row(&["]"])?;
                    self.skip("]").then_some(degree)?
                } else {
                    Formula::default()
                };
                Some(Formula::Root { radicand: self.parse_group()?, degree: degree.into() })
            }
            "\\overline" => Some(Formula::Line { base: self.parse_group()?, is_below: false }),
            "\\underline" => Some(Formula::Line { base: self.parse_group()?, is_below: true }),
            "\\overbrace" => Some(Formula::Brace { base: self.parse_group()?, is_above: true }),
            "\\underbrace" => Some(Formula::Brace { base: self.parse_group()?, is_above: false }),
            "\\overset" => {
                self.skip("{\\frown}").then(|| accent('\u{311}', self.parse_group()?)).flatten()
            }
            "\\begin" => self.parse_environment(),
            "\\{" => self.parse_fence('{'),
            "\\lfloor" => self.parse_fence('\u{230a}'),
            "\\lceil" => self.parse_fence('\u{2308}'),
            "\\langle" => self.parse_fence('\u{27e8}'),
            "\\}" | "\\%" | "\\&" | "\\#" | "\\_" | "\\$" => {
                Some(Formula::Text { text: command[1..].to_owned(), is_upright: false })
            }
            _ => match accent_mark(command) {
                Some(mark) => accent(mark, self.parse_group()?),
                None => {
                    // The blank that separates the command from the next letter is not part of the formula.
                    let text = find_character(command)?.to_string();
                    self.skip_blanks();
                    Some(Formula::Text { text, is_upright: false })
                }
            },
        }
    }

    /// What is between an opening delimiter, which was read, and the closing one. Before lines, as in a case
    /// distinction, it may have no closing one; elsewhere an unclosed delimiter is a character.
    fn parse_fence(&mut self, open: char) -> Option<Formula> {
        self.skip_blanks();
        let fenced = |close: String, content| Formula::Fenced {
            open: open.to_string(),
            close,
            separator: String::new(),
            parts: vec![content],
        };
        if self.is_closed() {
            let content = self.parse_row(&CLOSINGS.map(|(latex, _)| latex))?;
            let (_, close) = CLOSINGS.iter().find(|(latex, _)| self.skip(latex))?;
            self.skip_blanks();
            return Some(fenced(close.to_string(), content));
        }
        if self.skip("\\begin") {
            return self.parse_environment().map(|content| fenced(String::new(), content));
        }
        Some(Formula::Text { text: open.to_string(), is_upright: false })
    }

    /// Whether a closing delimiter follows in the same group and the same cell.
    fn is_closed(&self) -> bool {
        let mut ahead = Self { rest: self.rest, depth: 0 };
        let (mut braces, mut environments, mut fences) = (0_usize, 0_usize, 0_usize);
        while let Some((token, rest)) = ahead.peek() {
            ahead.rest = rest;
            let is_outside = braces == 0 && environments == 0;
            match token {
                Token::Character('{') => braces += 1,
                Token::Character('}') if braces == 0 => return false,
                Token::Character('}') => braces -= 1,
                Token::Command("\\begin") => environments += 1,
                Token::Command("\\end") if environments == 0 => return false,
                Token::Command("\\end") => environments -= 1,
                Token::Character('&') | Token::Command("\\\\") if is_outside => return false,
                Token::Character('(' | '[')
                | Token::Command("\\{" | "\\lfloor" | "\\lceil" | "\\langle")
                    if is_outside =>
                {
                    fences += 1;
                }
                Token::Character(')' | ']')
                | Token::Command("\\}" | "\\rfloor" | "\\rceil" | "\\rangle")
                    if is_outside =>
                {
                    match fences.checked_sub(1) {
                        None => return true,
                        Some(left) => fences = left,
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn parse_environment(&mut self) -> Option<Formula> {
        let is_matrix = self.skip("{matrix}");
        if !is_matrix && !self.skip("{aligned}") {
            return None;
        }
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        loop {
            self.skip_blanks();
            cells.push(self.parse_row(&["&", "\\\\", "\\end{"])?);
            if self.skip("&") {
                continue;
            }
            rows.push(std::mem::take(&mut cells));
            if !self.skip("\\\\") {
                break;
            }
        }
        let end = if is_matrix { "\\end{matrix}" } else { "\\end{aligned}" };
        if !self.skip(end) {
            return None;
        }
        Some(if is_matrix {
            Formula::Matrix(rows)
        } else {
            Formula::Lines(rows.into_iter().map(Formula::Row).collect())
        })
    }
}

fn accent_mark(command: &str) -> Option<char> {
    Some(match command {
        "\\hat" => '\u{302}',
        "\\tilde" => '\u{303}',
        "\\bar" => '\u{304}',
        "\\dot" => '\u{307}',
        "\\ddot" => '\u{308}',
        "\\dddot" => '\u{20db}',
        "\\vec" => '\u{20d7}',
        "\\check" => '\u{30c}',
        "\\breve" => '\u{306}',
        "\\not" => '\u{338}',
        _ => return None,
    })
}
