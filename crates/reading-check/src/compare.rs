//! What the stored text lacks of what the walk found.

use std::collections::{HashMap, HashSet};

use domain::{ReadingCheck, ReadingCheckKind};

use crate::details::check_suspects;
use crate::fold::{fold_line, hash_folded};
use crate::paragraph::OBJECT;
use crate::printed::{ANNEX_WORDS, PrintedText, count_words};
use crate::stored_section::StoredSection;

/// Checks the words, the headings, the table of contents, the fields and the characters of a document against its sections. Of a file that
/// could not be walked, only the characters are checked.
pub fn compare_text(
    printed: Option<&PrintedText>,
    sections: &[StoredSection<'_>],
) -> Vec<ReadingCheck> {
    let Some(printed) = printed else {
        let [_, characters] = check_suspects(&PrintedText::default(), sections);
        return vec![characters];
    };
    let headings = StoredHeadings::of(sections);
    let mut checks = vec![
        check_words(printed, sections),
        check_headings(printed, &headings),
        check_contents(printed, &headings),
    ];
    checks.extend(check_suspects(printed, sections));
    checks
}

/// The headings of the sections, folded.
struct StoredHeadings {
    /// Numbers and titles of those that have a number.
    whole: HashSet<String>,
    numbers: HashSet<String>,
    titles: HashSet<String>,
}

impl StoredHeadings {
    fn of(sections: &[StoredSection<'_>]) -> Self {
        Self {
            whole: sections
                .iter()
                .filter(|section| is_numbered(section))
                .map(fold_section)
                .collect(),
            numbers: sections.iter().map(|section| fold_line(section.number)).collect(),
            titles: sections.iter().map(|section| fold_title(section.title)).collect(),
        }
    }

    /// Whether a printed heading is that of a section. Of one with a formula only the number is compared.
    fn contain(&self, line: &str) -> bool {
        let [number, title] = fold_heading(line);
        if number.is_empty() {
            // `A.1 General` has its number in front; another title may be numbered by the section that contains it.
            return self.whole.contains(&title) || self.titles.contains(&title);
        }
        line.contains(OBJECT) && self.numbers.contains(&number)
            || self.whole.contains(&(number + &title))
    }
}

/// Whether a section has a number: that of an unnumbered one is its title, which may begin like a number.
fn is_numbered(section: &StoredSection<'_>) -> bool {
    section.number != section.title
}

/// Number and title of a section, folded as [`fold_heading`] folds a printed heading.
fn fold_section(section: &StoredSection<'_>) -> String {
    fold_line(section.number) + &fold_title(section.title)
}

/// A printed heading, folded: its number without a full stop or colon at the end, and its title.
fn fold_heading(line: &str) -> [String; 2] {
    let mut rest = line.trim_start();
    if let Some((first, after)) = rest.split_once(char::is_whitespace)
        && first.eq_ignore_ascii_case("annex")
    {
        rest = after.trim_start();
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ':' | '('));
    let (number, title) = rest.split_at(end.unwrap_or(rest.len()));
    if !begins_like_number(line) {
        return [String::new(), fold_title(line)];
    }
    // A draft's annex is `<X>`.
    let number = number.trim_end_matches(['.', ':']).trim_matches(['<', '>']);
    [fold_line(number), fold_title(title)]
}

/// A title, folded: without what an annex is, the dash before a title without a number, and the marks of subscripts and superscripts,
/// which are no part of what is printed.
fn fold_title(title: &str) -> String {
    let mut folded = fold_line(title);
    ANNEX_WORDS.iter().for_each(|word| folded = folded.replace(word, ""));
    let folded = folded.trim_start_matches(['-', '\u{2013}', '\u{2014}']);
    folded.chars().filter(|c| !matches!(c, '_' | '^' | '$')).collect()
}

/// Whether a line begins like a numbered heading: with digits that a stop, a letter or a blank follows, or with the word for an annex.
fn begins_like_number(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let after_digits = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_digits = after_digits.len() < first.len();
    has_digits && (after_digits.is_empty() || after_digits.starts_with('.'))
        || first.eq_ignore_ascii_case("annex")
}

fn check_headings(printed: &PrintedText, stored: &StoredHeadings) -> ReadingCheck {
    let mut check = ReadingCheck::new(ReadingCheckKind::Headings);
    for line in printed.headings.iter().filter(|line| begins_like_number(line)) {
        let is_stored = stored.contain(line);
        check.count_one(is_stored, || line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    check
}

/// Only entries that the text repeats as a heading, or as a line that begins like one, are checked: a table of contents may be older than
/// its document, and may list figures.
fn check_contents(printed: &PrintedText, stored: &StoredHeadings) -> ReadingCheck {
    let headings: HashSet<u64> = printed.headings.iter().map(|line| hash_folded(line)).collect();
    let is_repeated = |entry: &&String| {
        let hash = hash_folded(entry);
        headings.contains(&hash) || begins_like_number(entry) && printed.lines.contains_key(&hash)
    };
    let mut check = ReadingCheck::new(ReadingCheckKind::Contents);
    for entry in printed.contents.iter().filter(is_repeated) {
        let example = || entry.split_whitespace().collect::<Vec<_>>().join(" ");
        check.count_one(stored.contain(entry), example);
    }
    check
}

fn check_words(printed: &PrintedText, sections: &[StoredSection<'_>]) -> ReadingCheck {
    let mut stored: HashMap<String, u32> = HashMap::new();
    for section in sections {
        count_words(section.title, &mut stored);
        section.texts.iter().for_each(|text| count_words(text, &mut stored));
    }
    let mut lost: Vec<(&str, u32)> = Vec::new();
    let mut all = 0_u64;
    for (word, count) in &printed.words {
        all += u64::from(*count);
        let missing = count.saturating_sub(stored.get(word).copied().unwrap_or_default());
        if missing > 0 {
            lost.push((word, missing));
        }
    }
    // By count, so that the examples are the same in every run.
    lost.sort_by(|(a, more), (b, fewer)| fewer.cmp(more).then(a.cmp(b)));
    let mut check = ReadingCheck::new(ReadingCheckKind::Words);
    check.checked = all;
    for (word, count) in lost {
        check.add_failures(u64::from(count), word);
    }
    check
}

#[cfg(test)]
mod tests;
