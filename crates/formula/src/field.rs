//! Formulas from fields EQ of Word (ECMA-376 part 1, 17.16.5.22): switches with lists in parentheses, such as `\f(1,2)`.

mod row;

use super::Formula;
use row::FieldRow;

/// Longest code that is read, in bytes, as long as the longest LaTeX that is read.
const MAX_BYTES: usize = 4_000;
/// Maximum nesting of lists; real formulas are at most five deep.
const MAX_DEPTH: usize = 20;

/// Reads a formula from the code of a field, without its name `EQ`; `None` if it is not one.
#[must_use]
pub fn parse_field(code: &str) -> Option<Formula> {
    if code.len() > MAX_BYTES {
        return None;
    }
    let code = code.split("\\*").next().unwrap_or_default();
    let chars: Vec<char> = code.trim().chars().collect();
    let mut parser =
        FieldParser { chars: &chars, at: 0, depth: 0, separator: find_separator(&chars) };
    let formula = parser.parse_row()?;
    (parser.at == chars.len() && formula != Formula::default()).then_some(formula)
}

/// What separates the parts of lists: a semicolon in languages that have commas in numbers.
fn find_separator(chars: &[char]) -> char {
    let mut depth = 0_usize;
    let mut previous = ' ';
    for &c in chars {
        match c {
            _ if previous == '\\' => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ';' if depth > 0 => return ';',
            _ => {}
        }
        previous = if c == '\\' && previous == '\\' { ' ' } else { c };
    }
    ','
}

struct FieldParser<'a> {
    chars: &'a [char],
    at: usize,
    depth: usize,
    separator: char,
}

/// An option of a switch: its name, and what follows it.
struct SwitchOption {
    name: String,
    value: String,
}

impl FieldParser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Text and switches up to the end of a part of a list, which is not consumed, or to the end of the code.
    fn parse_row(&mut self) -> Option<Formula> {
        let mut row = FieldRow::default();
        // Parentheses of the text itself.
        let mut open = 0_usize;
        while let Some(c) = self.peek() {
            match c {
                ')' if open == 0 && self.depth > 0 => break,
                _ if c == self.separator && open == 0 && self.depth > 0 => break,
                '\\' if self.is_escape() => {
                    self.at += 1;
                    row.push_char(self.next()?);
                }
                '\\' => {
                    self.at += 1;
                    self.parse_switch(&mut row)?;
                }
                _ => {
                    open = match c {
                        '(' => open + 1,
                        ')' => open.saturating_sub(1),
                        _ => open,
                    };
                    self.at += 1;
                    row.push_char(c);
                }
            }
        }
        Some(row.into_formula())
    }

    /// Whether a backslash keeps the next character as it is.
    fn is_escape(&self) -> bool {
        self.chars.get(self.at + 1).is_some_and(|next| !next.is_alphabetic())
    }

    fn parse_switch(&mut self, row: &mut FieldRow) -> Option<()> {
        let switch = self.next()?.to_ascii_lowercase();
        let mut options = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek()? {
                '(' => break,
                '\\' => {
                    self.at += 1;
                    options.push(self.parse_option(switch)?);
                }
                // Scripts need no list before the next one.
                _ => return None,
            }
        }
        let parts = self.parse_list()?;
        row.push_switch(switch, &options, parts)
    }

    /// An option: two letters, then a number or, for delimiters, a character.
    fn parse_option(&mut self, switch: char) -> Option<SwitchOption> {
        let mut name = String::new();
        while name.len() < 2 {
            name.push(self.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase());
        }
        let takes_character = (switch == 'b' && matches!(name.as_str(), "lc" | "rc" | "bc"))
            || (switch == 'i' && matches!(name.as_str(), "fc" | "vc"));
        let mut value = String::new();
        if takes_character {
            if self.peek() == Some('\\') {
                self.at += 1;
            }
            value.push(self.next()?);
        } else {
            self.skip_blanks();
            while let Some(c) = self.peek().filter(|c| c.is_ascii_digit() || matches!(c, '-' | '.'))
            {
                value.push(c);
                self.at += 1;
            }
        }
        Some(SwitchOption { name, value })
    }

    /// The parts of a list in parentheses.
    fn parse_list(&mut self) -> Option<Vec<Formula>> {
        self.next().filter(|c| *c == '(')?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut parts = Vec::new();
        loop {
            parts.push(self.parse_row()?);
            if self.next()? == ')' {
                break;
            }
        }
        self.depth -= 1;
        Some(parts)
    }
}

#[cfg(test)]
mod tests;
