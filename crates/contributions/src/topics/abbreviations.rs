//! Abbreviations that titles and decisions define: "low-power wake-up signal (LP-WUS)".
//!
//! The rule is from Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical
//! text" (PSB 2003): the letters of the abbreviation occur in order in the words before the parenthesis, and its first
//! letter begins a word.

use std::{collections::HashMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::words::split_words;

/// Abbreviations that everyone uses and hardly any document defines: `short,long`.
const SHIPPED_LIST: &str = include_str!("../../../../data/abbreviations.csv");

static SHIPPED: LazyLock<Abbreviations> = LazyLock::new(|| {
    let mut table = Abbreviations::default();
    for line in SHIPPED_LIST.lines().skip(1) {
        if let Some((short, long)) = line.split_once(',') {
            table.add_pair(&join_words(short), &join_words(long), 1);
        }
    }
    table
});

/// Longest abbreviation, in letters and digits, as in the paper: a longer text in parentheses is a remark.
const MAX_LETTERS: usize = 10;
/// Meanings of an abbreviation, and spellings of a meaning, that count. Each one is another form to match, and a short
/// abbreviation with many meanings would match unrelated decisions.
const MAX_FORMS: usize = 4;
/// A meaning that is so much rarer than the most frequent one is an error: the letters of other words before a
/// parenthesis match by chance.
const RARE_SHARE: u32 = 10;

/// Abbreviations and their long forms, with the number of definitions of each pair. Both are words separated by
/// blanks, as [`topic_phrase`](super::topic_phrase) returns them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Abbreviations {
    long_forms: HashMap<String, HashMap<String, u32>>,
    short_forms: HashMap<String, HashMap<String, u32>>,
}

impl Abbreviations {
    /// The abbreviations that are part of the program.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Adds the definitions in a text.
    pub fn add_text(&mut self, text: &str) {
        for (start, _) in text.match_indices('(') {
            let Some(length) = text[start + 1..].find(')') else { break };
            let inside = &text[start + 1..start + 1 + length];
            for short in inside.split(['/', ',', ';']).map(str::trim) {
                if let Some(long) = find_long_form(&text[..start], short) {
                    self.add_pair(&join_words(short), &join_words(long), 1);
                }
            }
        }
    }

    fn add_pair(&mut self, short: &str, long: &str, count: u32) {
        let add = |one: &str, other: &str, table: &mut HashMap<String, HashMap<String, u32>>| {
            let counts = table.entry(one.to_owned()).or_default();
            *counts.entry(other.to_owned()).or_default() += count;
        };
        add(short, long, &mut self.long_forms);
        add(long, short, &mut self.short_forms);
    }

    /// Adds all definitions of another table.
    pub fn merge(&mut self, other: &Self) {
        for (short, long_forms) in &other.long_forms {
            for (long, count) in long_forms {
                self.add_pair(short, long, *count);
            }
        }
    }

    /// [`merged_equivalents`] of this table alone.
    pub fn equivalents(&self, phrase: &str) -> Vec<&str> {
        merged_equivalents(&[self], phrase)
    }
}

/// The equivalents of a phrase in several tables: the long forms of an abbreviation; the abbreviation of a long form,
/// and its other spellings. The definitions of all tables are counted together: the errors of each of fifty meetings
/// would otherwise be as many meanings.
pub fn merged_equivalents<'a>(tables: &[&'a Abbreviations], phrase: &str) -> Vec<&'a str> {
    let long_forms =
        |short: &str| frequent_forms(tables.iter().map(|one| one.long_forms.get(short)));
    let mut found = long_forms(phrase);
    for short in frequent_forms(tables.iter().map(|one| one.short_forms.get(phrase))) {
        // Another meaning of the abbreviation is not a meaning of the phrase.
        let meanings = long_forms(short);
        if meanings.contains(&phrase) {
            found.push(short);
            found.extend(meanings.into_iter().filter(|long| is_spelling_of(long, phrase)));
        }
    }
    found
}

/// The forms that are not errors, the most frequent first.
fn frequent_forms<'a>(
    counts: impl Iterator<Item = Option<&'a HashMap<String, u32>>>,
) -> Vec<&'a str> {
    let mut total: HashMap<&str, u32> = HashMap::new();
    for (form, count) in counts.flatten().flatten() {
        *total.entry(form.as_str()).or_default() += count;
    }
    let mut forms: Vec<(&str, u32)> = total.into_iter().collect();
    forms.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let most = forms.first().map_or(0, |(_, count)| *count);
    forms.retain(|(_, count)| count * RARE_SHARE >= most);
    forms.truncate(MAX_FORMS);
    forms.into_iter().map(|(form, _)| form).collect()
}

/// Whether two long forms differ only in hyphens: `sub band` and `subband`.
fn is_spelling_of(one: &str, other: &str) -> bool {
    one != other && one.replace(' ', "") == other.replace(' ', "")
}

/// The words of a text, separated by blanks.
pub(super) fn join_words(text: &str) -> String {
    split_words(text).collect::<Vec<_>>().join(" ")
}

/// The long form of an abbreviation at the end of a text. With fewer than two capitals it is a word.
fn find_long_form<'a>(before: &'a str, short: &str) -> Option<&'a str> {
    let letters: Vec<char> =
        short.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let capitals = short.chars().filter(|c| c.is_uppercase()).count();
    let is_short = (2..=MAX_LETTERS).contains(&letters.len()) && !short.contains(' ');
    if !is_short || capitals < 2 {
        return None;
    }
    let before = before.trim_end();
    let chars: Vec<(usize, char)> = before.char_indices().collect();
    let mut position = chars.len();
    for (index, letter) in letters.iter().enumerate().rev() {
        loop {
            position = position.checked_sub(1)?;
            let (_, c) = chars[position];
            let begins_word = position == 0 || !chars[position - 1].1.is_alphanumeric();
            let is_same = c.to_lowercase().eq(std::iter::once(*letter));
            if is_same && (index > 0 || begins_word) {
                break;
            }
        }
    }
    let long = &before[chars.get(position)?.0..];
    let count = long.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    // With a full stop or a comma in it, it is not a name.
    let is_name = !long.contains(['.', ',', ';', ':', '(', ')']);
    (is_name && count >= 2 && count <= (letters.len() + 5).min(letters.len() * 2)).then_some(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(texts: &[&str]) -> Abbreviations {
        let mut table = Abbreviations::default();
        texts.iter().for_each(|text| table.add_text(text));
        table
    }

    #[test]
    fn definitions_are_read_where_they_are_written_out() {
        for (text, short, long) in [
            ("Low-power wake-up signal (LP-WUS)", "lp wus", "low power wake up signal"),
            ("Views on sub-band full duplex (SBFD) operation", "sbfd", "sub band full duplex"),
            (
                "Integrated Sensing and Communication (ISAC)",
                "isac",
                "integrated sensing communication",
            ),
        ] {
            let table = table(&[text]);
            assert_eq!(table.equivalents(short), [long], "{text}");
            assert_eq!(table.equivalents(long), [short], "{text}");
        }
        for text in [
            "Support beams (FFS)",
            "Views on beams (Example Radio)",
            "Agreed (see below)",
            "an open ( parenthesis",
        ] {
            assert!(table(&[text]).long_forms.is_empty(), "{text}");
        }
    }

    #[test]
    fn common_abbreviations_are_known_without_any_document() {
        let shipped = Abbreviations::shipped();
        assert_eq!(shipped.equivalents("lp wus"), ["low power wake up signal"]);
        assert!(shipped.equivalents("narrowband iot").contains(&"nb iot"));
        let lines = SHIPPED_LIST.lines().skip(1);
        assert!(lines.clone().all(|line| line.split(',').count() == 2));
        assert!(
            lines.clone().zip(lines.skip(1)).all(|(a, b)| a.to_lowercase() <= b.to_lowercase())
        );
    }

    #[test]
    fn rare_meanings_are_slips_and_spellings_are_one() {
        let mut texts = vec!["full duplex mode (FDM)"; 20];
        texts.push("few different meanings (FDM)");
        assert_eq!(table(&texts).equivalents("fdm"), ["full duplex mode"]);
        let spellings = table(&["sub-band full duplex (SBFD)", "subband full duplex (SBFD)"]);
        let same = spellings.equivalents("subband full duplex");
        assert_eq!(same, ["sbfd", "sub band full duplex"]);
    }
}
