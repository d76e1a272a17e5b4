//! How well a part is what is wanted.

use std::collections::HashSet;

use super::{
    wanted::{HINTS, WantedWords, is_whole_number},
    word_match::{are_phrase, begins_with_phrase, has_phrase, join_words, split_words},
};

/// Longest second name of a part, in bytes: `(Congestion)` behind `#22`. More is text.
const MAX_NAME_BYTES: usize = 80;

/// Words before or behind a name that may say what it is in.
const MAX_CONTEXT_WORDS: usize = 12;

/// What a part says, as far as it is compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PartWords {
    /// Its names: the first cell of a row; of a text, what stands before and behind the first dash, colon or bracket.
    names: Vec<Vec<String>>,
    /// The words of its beginning.
    lead: Vec<String>,
    /// The cells of a row.
    cells: Vec<Vec<String>>,
    /// The number that a row codes in bits, or the first and last of a range.
    code: Option<(u64, u64)>,
    /// All of its words.
    all: Vec<String>,
    /// Its numbers behind `#`.
    signed_numbers: Vec<String>,
    label: Option<String>,
}

/// The order of parts: the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartRank {
    /// Whether only the words with digits were found.
    pub(super) is_partial: bool,
    pub(super) level: MatchLevel,
    /// Words that stand in what it is in instead.
    left_out: usize,
    /// Words that say the kind of part, and stand neither in it nor in what it is in.
    missing_hints: usize,
}

/// Where a part has the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchLevel {
    /// They are its name.
    Named,
    /// They are one of its cells.
    Cell,
    /// It begins with them, or they are in the range that it is about.
    Begins,
    /// They are in its name.
    InName,
    /// It has them one after the other.
    Phrase,
    /// It has them all.
    Scattered,
}

impl PartWords {
    /// The words of a paragraph, an item or a line.
    pub(super) fn of_text(label: Option<&str>, text: &str) -> Self {
        let (name, rest) = split_name(text);
        let second = split_name(rest.trim_start_matches([' ', '(', '\u{201c}', '"'])).0;
        let second = if second.len() <= MAX_NAME_BYTES { split_words(second) } else { Vec::new() };
        let mut names = vec![split_words(name), second];
        names.retain(|name| !name.is_empty());
        let all = split_words(text);
        Self {
            names,
            lead: all.clone(),
            signed_numbers: read_signed_numbers(text),
            all,
            label: label.map(str::to_lowercase),
            ..Self::default()
        }
    }

    /// The words of a row.
    pub(super) fn of_row(cells: &[String]) -> Self {
        let filled: Vec<&String> = cells.iter().filter(|cell| !cell.is_empty()).collect();
        let first = filled.first().map_or("", |cell| cell.as_str());
        let code = read_code(cells);
        let mut names = vec![split_words(first), split_words(split_name(first).0)];
        if code.is_some_and(|(low, high)| low == high)
            && let Some(meaning) = filled.last()
        {
            names.push(split_words(meaning));
        }
        names.retain(|name| !name.is_empty());
        Self {
            names,
            lead: split_words(first),
            cells: filled.iter().map(|cell| split_words(cell)).collect(),
            code,
            all: filled.iter().flat_map(|cell| split_words(cell)).collect(),
            signed_numbers: filled.iter().flat_map(|cell| read_signed_numbers(cell)).collect(),
            label: None,
        }
    }

    /// Whether a row has all of some cells, which are given as one word each; its first cell may begin with the first.
    pub(super) fn has_cells(&self, wanted: &[String]) -> bool {
        wanted.iter().all(|cell| {
            let number = cell.parse::<u64>().ok();
            let is_code = self
                .code
                .is_some_and(|(low, high)| number.is_some_and(|of| (low..=high).contains(&of)));
            is_code
                || self
                    .cells
                    .iter()
                    .chain(&self.names)
                    .any(|words| are_phrase(without_hints(words, cell), cell))
        })
    }

    /// How well it is what is wanted, below a context that has some words; `None` if it is not.
    pub(super) fn rank(&self, wanted: &WantedWords, context: &HashSet<String>) -> Option<PartRank> {
        if let Some(label) = &wanted.label {
            let is_labelled =
                self.label.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(label));
            if !is_labelled {
                return None;
            }
        }
        let missing = |hint: &&String| !context.contains(*hint) && !self.all.contains(hint);
        let missing_hints = wanted.hints.iter().filter(missing).count();
        if wanted.words.is_empty() {
            return Some(PartRank {
                is_partial: false,
                level: MatchLevel::Named,
                left_out: 0,
                missing_hints,
            });
        }
        let numbered = wanted.numbered_words();
        let whole = readings_below(&wanted.words, context, &numbered);
        let readings = whole.map(|words| (false, words)).chain([(true, numbered.as_slice())]);
        let ranks =
            readings.filter(|(_, words)| !words.is_empty()).filter_map(|(is_partial, words)| {
                let level = self.level_of(words, wanted.is_cause_number)?;
                let left_out = wanted.words.len() - words.len();
                Some(PartRank { is_partial, level, left_out, missing_hints })
            });
        ranks.min()
    }

    fn level_of(&self, words: &[String], is_cause_number: bool) -> Option<MatchLevel> {
        let joined = join_words(words);
        let number = match words {
            [word] if is_whole_number(word) => word.parse::<u64>().ok(),
            _ => None,
        };
        let code =
            self.code.filter(|(low, high)| number.is_some_and(|of| (*low..=*high).contains(&of)));
        let is_named = |name: &Vec<String>| are_phrase(without_hints(name, &joined), &joined);
        let has_sign = || words.iter().any(|word| self.signed_numbers.contains(word));
        match () {
            () if self.names.iter().any(is_named)
                || code.is_some_and(|(low, high)| low == high) =>
            {
                Some(MatchLevel::Named)
            }
            () if self.cells.iter().any(is_named) => Some(MatchLevel::Cell),
            () if begins_with_phrase(without_hints(&self.lead, &joined), &joined).is_some()
                || code.is_some() =>
            {
                Some(MatchLevel::Begins)
            }
            () if is_cause_number && !has_sign() => None,
            () if self.names.iter().any(|name| has_phrase(name, &joined)) => {
                Some(MatchLevel::InName)
            }
            () if has_phrase(&self.all, &joined) => Some(MatchLevel::Phrase),
            () if words.iter().all(|word| self.all.contains(word)) => Some(MatchLevel::Scattered),
            () => None,
        }
    }
}

/// Runs of the words of a request, of which what stands before and behind is in the context: `presence of AMF ID in LAMP SETUP`.
/// Each has at least half of the words, or all with digits.
fn readings_below<'a>(
    words: &'a [String],
    context: &'a HashSet<String>,
    numbered: &'a [String],
) -> impl Iterator<Item = &'a [String]> {
    let in_context = |words: &&String| context.contains(*words);
    let before = words.iter().take_while(in_context).count();
    let behind = words.iter().rev().take_while(in_context).count();
    let starts = 0..=before.min(MAX_CONTEXT_WORDS);
    let runs = starts.flat_map(move |start| {
        let ends = 0..=behind.min(MAX_CONTEXT_WORDS);
        ends.filter_map(move |end| words.get(start..words.len().checked_sub(end)?))
    });
    runs.filter(move |run| {
        let has_numbers = !numbered.is_empty() && numbered.iter().all(|word| run.contains(word));
        run.len() * 2 >= words.len() || has_numbers
    })
}

/// Words without those at their beginning that say the kind of part, unless the phrase begins with them: `Cause #22`.
fn without_hints<'a>(words: &'a [String], joined: &str) -> &'a [String] {
    let is_hint =
        |word: &&String| HINTS.contains(&word.as_str()) && !joined.starts_with(word.as_str());
    let count = words.iter().take_while(is_hint).count();
    &words[count..]
}

/// What a text begins with, up to the first dash, colon or bracket, and the rest.
fn split_name(text: &str) -> (&str, &str) {
    const ENDS: [&str; 10] =
        [" \u{2013} ", " \u{2014} ", " - ", ": ", ":\n", "(", ")", "\"", "<br>", "; "];
    let end = ENDS.iter().filter_map(|end| text.find(end).map(|at| (at, end.len()))).min();
    match end {
        Some((at, length)) => (&text[..at], &text[at + length..]),
        None => (text.trim_end_matches(['.', ':', ';', ',']), ""),
    }
}

/// The numbers behind `#`.
fn read_signed_numbers(text: &str) -> Vec<String> {
    let numbers = text.match_indices('#').filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        (end > 0).then(|| rest[..end].to_owned())
    });
    numbers.collect()
}

/// The number that the first cells of a row code: bits in a cell each, or all in one cell, or a range of numbers.
fn read_code(cells: &[String]) -> Option<(u64, u64)> {
    const MIN_BITS: usize = 2;
    const MAX_BITS: usize = 32;
    let from_bits = |bits: &str| u64::from_str_radix(bits, 2).ok().map(|code| (code, code));
    let bits: String =
        cells.iter().take_while(|cell| matches!(cell.as_str(), "0" | "1")).cloned().collect();
    if (MIN_BITS..=MAX_BITS).contains(&bits.len()) {
        return from_bits(&bits);
    }
    let first = cells.iter().find(|cell| !cell.is_empty())?;
    let parts: Vec<&str> = first.split(' ').collect();
    if (MIN_BITS..=MAX_BITS).contains(&parts.len())
        && parts.iter().all(|part| matches!(*part, "0" | "1"))
    {
        return from_bits(&parts.concat());
    }
    let range =
        first.replace([' ', '#'], "").replace("to", "-").replace(['\u{2013}', '\u{2026}'], "-");
    let (low, high) = range.split_once('-')?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> PartWords {
        PartWords::of_row(&cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_row_codes_a_number_in_bits_or_a_range() {
        let code = |cells: &[&str]| row(cells).code;
        for (cells, expected) in [
            (
                &["0", "0", "0", "1", "1", "0", "1", "0", "", "Insufficient resources"][..],
                Some((26, 26)),
            ),
            (&["0 0 1 1", "Four"][..], Some((3, 3))),
            (&["128 to 255", "Reserved"][..], Some((128, 255))),
            (&["27-31", "Spare"][..], Some((27, 31))),
            (&["1", "One"][..], None),
            (&["T310", "1"][..], None),
            (&[][..], None),
        ] {
            assert_eq!(code(cells), expected, "{cells:?}");
        }
    }

    #[test]
    fn cells_are_wanted_together() {
        let band = row(&["n77", "30", "100 MHz"]);
        for (wanted, has) in
            [(&["n77", "100mhz"][..], true), (&["n77", "60"][..], false), (&["n7"][..], false)]
        {
            let wanted: Vec<String> = wanted.iter().map(|cell| (*cell).to_owned()).collect();
            assert_eq!(band.has_cells(&wanted), has, "{wanted:?}");
        }
    }
}
