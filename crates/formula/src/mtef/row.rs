//! A line of a formula while its records are read.

use super::MtefError;
use crate::Formula;

/// The parts of a line, as they are read.
#[derive(Default)]
pub(crate) struct RowBuilder {
    parts: Vec<Formula>,
}

impl RowBuilder {
    pub(crate) fn into_parts(self) -> Vec<Formula> {
        self.parts
    }

    pub(crate) fn push(&mut self, part: Formula) {
        self.parts.push(part);
    }

    /// The previous part, to which scripts belong: all digits of a number, all letters of a word. Blanks between it and
    /// the scripts are dropped, or the scripts would belong to a blank.
    pub(crate) fn pop(&mut self) -> Formula {
        let is_blank =
            |part: &Formula| matches!(part, Formula::Text { text, .. } if text.trim().is_empty());
        while self.parts.last().is_some_and(is_blank) {
            self.parts.pop();
        }
        self.parts.pop().unwrap_or_default()
    }

    /// Adds a character: to the previous part, if both belong to one number or one word.
    pub(crate) fn push_character(&mut self, text: String, is_upright: bool) {
        let continues = |before: &str| {
            let is = |test: fn(&char) -> bool| {
                text.chars().all(|c| test(&c)) && before.chars().all(|c| test(&c))
            };
            is_upright && is(|c| c.is_alphanumeric() || *c == ' ') || is(char::is_ascii_digit)
        };
        match self.parts.last_mut() {
            Some(Formula::Text { text: before, is_upright: was_upright })
                if *was_upright == is_upright && continues(before) =>
            {
                before.push_str(&text);
            }
            _ => self.parts.push(Formula::Text { text, is_upright }),
        }
    }

    /// Puts a mark on the last character.
    pub(super) fn embellish(&mut self, code: u8) -> Result<(), MtefError> {
        let base = match self.parts.last_mut() {
            Some(Formula::Text { text, is_upright }) if text.chars().count() > 1 => {
                let last = text.pop().map(String::from).unwrap_or_default();
                Formula::Text { text: last, is_upright: *is_upright }
            }
            _ => self.pop(),
        };
        let accent = |mark| Formula::Accent { mark: Some(mark), base: Box::new(base.clone()) };
        let primes =
            |count: usize| Formula::Text { text: "\u{2032}".repeat(count), is_upright: false };
        let primed = |count| Formula::Row(vec![base.clone(), primes(count)]);
        self.parts.push(match code {
            2 => accent('\u{307}'),
            3 => accent('\u{308}'),
            4 => accent('\u{20db}'),
            5 => primed(1),
            19 => accent('\u{311}'),
            6 => primed(2),
            18 => primed(3),
            8 => accent('\u{303}'),
            9 => accent('\u{302}'),
            10 => accent('\u{338}'),
            11 | 14 => accent('\u{20d7}'),
            17 => Formula::Line { base: Box::new(base), is_below: false },
            20 => accent('\u{306}'),
            29 => Formula::Line { base: Box::new(base), is_below: true },
            other => {
                return Err(MtefError::Unknown { what: "embellishment", code: other.into() });
            }
        });
        Ok(())
    }
}
