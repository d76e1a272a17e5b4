//! The code of a field: its kind, its arguments, and its switches.

/// Maximum number of words of a code that are read; formulas, which have more, are read by their own reader.
const MAX_WORDS: usize = 200;
/// Switches with an argument, in the fields that are computed here.
const SWITCHES_WITH_ARGUMENT: [&str; 8] = ["*", "#", "@", "f", "s", "r", "d", "b"];

/// A word of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CodeWord {
    text: String,
    /// Whether quotation marks enclose it.
    is_quoted: bool,
}

/// A code.
pub(super) struct FieldCode<'a> {
    kind: String,
    rest: &'a str,
    words: Vec<CodeWord>,
}

impl<'a> FieldCode<'a> {
    pub(super) fn parse(code: &'a str) -> Self {
        let code = code.trim();
        let (kind, rest) = match code.strip_prefix('=') {
            Some(rest) => ("=", rest),
            None => {
                let end = code.find(|c: char| c.is_whitespace() || c == '\\').unwrap_or(code.len());
                code.split_at(end)
            }
        };
        let mut words = split_words(rest);
        // Of references to paragraphs, `\r` has no argument.
        if kind.eq_ignore_ascii_case("REF") {
            words.retain(|word| word.text != "\\d");
        }
        Self { kind: kind.to_ascii_uppercase(), rest, words }
    }

    /// Its first word, in upper case.
    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    /// Its first word as written.
    pub(super) fn first_word(&self) -> Option<&str> {
        Some(self.kind.as_str()).filter(|kind| !kind.is_empty())
    }

    /// All after its first word.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    fn is_switch(word: &CodeWord) -> bool {
        !word.is_quoted && word.text.starts_with('\\')
    }

    /// An argument by its number, switches and their arguments not counted.
    pub(super) fn argument(&self, number: usize) -> Option<&str> {
        let takes_argument = |word: &CodeWord| {
            let name = word.text.trim_start_matches('\\');
            let is_reference = self.kind == "REF";
            SWITCHES_WITH_ARGUMENT.contains(&name) && !(is_reference && matches!(name, "r" | "f"))
        };
        let (mut seen, mut is_skipped) = (0, false);
        for word in &self.words {
            if Self::is_switch(word) {
                is_skipped = takes_argument(word);
            } else if std::mem::take(&mut is_skipped) {
            } else if seen == number {
                return Some(&word.text);
            } else {
                seen += 1;
            }
        }
        None
    }

    /// Whether it has a switch, which is written without its backslash.
    pub(super) fn has_switch(&self, name: &str) -> bool {
        self.words
            .iter()
            .any(|word| Self::is_switch(word) && word.text[1..].eq_ignore_ascii_case(name))
    }

    /// The word after a switch.
    pub(super) fn switch_argument(&self, name: &str) -> Option<&str> {
        let mut words = self.words.iter();
        words.find(|word| Self::is_switch(word) && word.text[1..].eq_ignore_ascii_case(name))?;
        words.next().filter(|word| !Self::is_switch(word)).map(|word| word.text.as_str())
    }

    /// The formats of `\*`, in upper case.
    pub(super) fn formats(&self) -> impl Iterator<Item = &str> {
        let pairs = self.words.iter().zip(self.words.iter().skip(1));
        pairs
            .filter(|(switch, _)| Self::is_switch(switch) && switch.text == "\\*")
            .map(|(_, word)| word.text.as_str())
    }

    /// The text after the first argument, as fields that are buttons print it.
    pub(super) fn text_after_argument(&self) -> &'a str {
        let rest = self.rest.trim_start();
        rest.split_once(char::is_whitespace).map_or("", |(_, text)| text.trim())
    }
}

/// The words of a code: quotation marks keep blanks together, and a switch is a word of its own even without blanks around it.
fn split_words(code: &str) -> Vec<CodeWord> {
    let mut words = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(&first) = chars.peek() {
        if words.len() >= MAX_WORDS {
            break;
        }
        if first.is_whitespace() {
            chars.next();
            continue;
        }
        let mut text = String::new();
        let is_quoted = is_quote(first);
        if is_quoted {
            chars.next();
            while let Some(c) = chars.next().filter(|c| !is_quote(*c)) {
                // A backslash keeps a quotation mark or a backslash.
                let escaped = if c == '\\' {
                    chars.next_if(|next| is_quote(*next) || *next == '\\')
                } else {
                    None
                };
                text.push(escaped.unwrap_or(c));
            }
        } else {
            chars.next();
            text.push(first);
            let is_switch = first == '\\';
            while let Some(c) = chars.next_if(|c| !c.is_whitespace() && !is_quote(*c) && *c != '\\')
            {
                text.push(c);
                if is_switch && text.chars().count() == 2 && !c.is_alphabetic() {
                    break;
                }
            }
        }
        words.push(CodeWord { text, is_quoted });
    }
    words
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}
