//! Sentences of real specifications are exact but for their formulas and pictures, if these are left out or retyped, and
//! none of them is with a word, number or negation altered beside them.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`). The quotes are made from the files by rule.

#[path = "support/random.rs"]
mod random;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::process::ExitCode;

use document::Limits;
use extract::{ExtractOptions, read_contribution};
use quotation::{Quotation, TokenizedText, find_exact_matches, find_wildcard_match};
use random::Random;
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        a_quote_without_its_formulas_is_exact_but_for_them_and_none_is_with_a_word_altered
    ]])
}

/// With many formulas and pictures, of two groups.
const SPECIFICATIONS: [&str; 3] =
    ["docx/38213-i10.docx", "docx/38300-g00.docx", "docx/24301-i90.docx"];
/// Quotes that are made of each kind.
const QUOTE_COUNT: usize = 60;
/// Minimum number of words beside the elements.
const MIN_WORDS: usize = 10;
const MODALS: [&str; 7] = ["shall", "may", "can", "is", "are", "should", "will"];

/// A paragraph of a text, in which its elements are cut out.
struct Sentence {
    /// The words between its elements; one more than these.
    words: Vec<String>,
    elements: Vec<String>,
}

impl Sentence {
    fn parse(line: &str) -> Option<Self> {
        let (mut words, mut elements, mut rest) = (vec![String::new()], Vec::new(), line);
        while let Some(c) = rest.chars().next() {
            let mark = ["[figure]", "[equation]"].into_iter().find(|mark| rest.starts_with(mark));
            let formula =
                if c == '$' { rest[1..].find('$').map(|end| &rest[..end + 2]) } else { None };
            if let Some(element) = mark.or(formula) {
                elements.push(element.to_owned());
                words.push(String::new());
                rest = &rest[element.len()..];
            } else {
                words.last_mut()?.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        let count: usize = words.iter().map(|words| words.split_whitespace().count()).sum();
        let begins_and_ends = [words.first()?, words.last()?];
        let is_framed = begins_and_ends.iter().all(|words| words.split_whitespace().count() >= 3);
        (!elements.is_empty() && count >= MIN_WORDS && is_framed)
            .then_some(Self { words, elements })
    }

    /// The sentence with its elements left out, retyped or named, as `way` says.
    fn quote(&self, way: usize) -> String {
        let retyped = |element: &str| match way {
            0 => String::new(),
            1 if element.starts_with('[') => "N_RB^DL".to_owned(),
            1 => retype(element),
            _ => "[formula]".to_owned(),
        };
        let pairs = self.words.iter().zip(self.elements.iter().map(String::as_str).chain([""]));
        pairs.fold(String::new(), |quote, (words, element)| {
            let element = if element.is_empty() { String::new() } else { retyped(element) };
            format!("{quote}{words}{element}")
        })
    }
}

/// A formula as it is typed in plain text: without commands for its form, and without braces.
fn retype(formula: &str) -> String {
    let shaping = ["\\mathrm", "\\mathit", "\\text", "\\left", "\\right", "\\,", "$", "{", "}"];
    let plain = shaping.iter().fold(formula.to_owned(), |text, mark| text.replace(mark, ""));
    plain.replace("\\cdot", "*").replace('\\', " ")
}

/// A sentence in which a word, number or negation beside its elements is altered.
fn alter(sentence: &Sentence, turn: usize, random: &mut Random) -> Option<Sentence> {
    let mut words = sentence.words.clone();
    let part = words.iter().position(|part| part.split_whitespace().count() >= 3)?;
    let changed = match turn % 3 {
        0 => MODALS.iter().find_map(|modal| {
            let (part, (before, after)) = words
                .iter()
                .enumerate()
                .find_map(|(part, words)| Some((part, words.split_once(&format!(" {modal} "))?)))?;
            let after = after.strip_prefix("not ").map_or(format!("not {after}"), str::to_owned);
            Some((part, format!("{before} {modal} {after}")))
        }),
        1 => words.iter().enumerate().find_map(|(part, words)| {
            let at = words.find(|c: char| c.is_ascii_digit())?;
            let other = (words.as_bytes()[at] - b'0' + 1 + random.below(8) as u8) % 10;
            Some((part, format!("{}{other}{}", &words[..at], &words[at + 1..])))
        }),
        _ => {
            let found: Vec<&str> = words[part].split(' ').collect();
            let long: Vec<usize> = (0..found.len())
                .filter(|index| found[*index].chars().filter(|c| c.is_alphabetic()).count() >= 4)
                .collect();
            let index = *long.get(random.below(long.len().max(1) as u64) as usize)?;
            let mut found: Vec<String> = found.into_iter().map(str::to_owned).collect();
            found[index] = "beams".to_owned();
            Some((part, found.join(" ")))
        }
    };
    let (part, text) = changed?;
    words[part] = text;
    Some(Sentence { words, elements: sentence.elements.clone() })
}

/// Whether a text has a quote: as it is, but for elements, or not.
fn verdict(quote: &str, text: &TokenizedText) -> &'static str {
    let Some(quotation) = Quotation::parse(quote) else { return "absent" };
    if !find_exact_matches(&quotation, text, 1).is_empty() {
        return "exact";
    }
    find_wildcard_match(&quotation, text).map_or("absent", |_| "exact_except")
}

fn a_quote_without_its_formulas_is_exact_but_for_them_and_none_is_with_a_word_altered() -> TestResult
{
    let folder = real_files("specs")?;
    let mut random = Random(9);
    let (mut right, mut altered, mut wrong) = (0, 0, Vec::new());
    for file in SPECIFICATIONS {
        let read = read_contribution(
            &folder.join(file),
            "",
            &Limits::default(),
            &ExtractOptions::default(),
        );
        let read = read.unwrap_or_else(|error| panic!("{file}: {error}"));
        let lines: Vec<&str> = read.blocks.iter().map(|block| block.text.as_str()).collect();
        let text = TokenizedText::new(lines.join("\n"));
        let sentences: Vec<Sentence> = lines
            .iter()
            .filter(|line| !line.starts_with('|'))
            .filter_map(|line| Sentence::parse(line))
            .collect();
        let Some(step) = sentences.len().checked_div(QUOTE_COUNT) else { continue };
        for (index, sentence) in sentences.iter().step_by(step.max(1)).enumerate() {
            let quote = sentence.quote(index % 3);
            match verdict(&quote, &text) {
                "exact_except" => right += 1,
                found => wrong.push(format!("{file}: {found}: {quote}")),
            }
            let Some(other) = alter(sentence, index, &mut random) else { continue };
            altered += 1;
            let quote = other.quote(index % 3);
            let found = verdict(&quote, &text);
            // Another sentence of the text may have the altered words.
            if found == "exact_except" {
                wrong.push(format!("{file}: altered and {found}: {quote}"));
            }
        }
    }
    println!(
        "{right} quotes are exact but for their elements, {altered} are altered: {} wrong",
        wrong.len()
    );
    assert!(right >= QUOTE_COUNT && altered >= QUOTE_COUNT, "{right} {altered}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
