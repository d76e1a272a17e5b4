//! Words of made-up texts: a vocabulary of 60,000, drawn as often as Zipf's law says.
//!
//! The most frequent words are those of the sample corpus, in its order. Made-up words and names in the style of protocol
//! specifications (elements, messages, timers) follow.

use std::{
    collections::{HashMap, HashSet},
    fs,
    ops::Range,
    path::Path,
};

use crate::random::Random;

/// Words in the vocabulary.
const WORDS: usize = 60_000;
/// The exponent of Zipf's law. Technical English lies near one.
const EXPONENT: f64 = 1.02;
/// The first rank at which names stand, and how many words there are for one name after it.
const FIRST_NAME_RANK: usize = 1500;
const WORDS_PER_NAME: usize = 4;

/// The words of titles: the first of all are articles and prepositions.
const TITLE_RANKS: Range<u64> = 60..3060;

const SYLLABLES: [&str; 40] = [
    "ba", "cor", "den", "el", "fi", "gra", "hol", "in", "jor", "ka", "lum", "mer", "no", "or",
    "pil", "qua", "ren", "sta", "ti", "ul", "ver", "wen", "xi", "yor", "zan", "bri", "che", "dra",
    "fen", "gli", "mo", "pre", "sol", "tra", "vi", "con", "dis", "per", "sub", "tech",
];
const PARTS: [&str; 24] = [
    "Config",
    "Setup",
    "Release",
    "Measurement",
    "Resource",
    "Session",
    "Bearer",
    "Cell",
    "Beam",
    "Access",
    "Paging",
    "Slice",
    "Policy",
    "Timer",
    "Report",
    "Context",
    "Capability",
    "Mobility",
    "Identity",
    "Security",
    "Carrier",
    "Index",
    "List",
    "Info",
];

/// The vocabulary, the most frequent word first.
pub(crate) struct Vocabulary {
    words: Vec<String>,
    /// The share of each word and all before it.
    cumulative: Vec<f64>,
    /// Indexes of the names.
    names: Vec<usize>,
}

impl Vocabulary {
    /// The vocabulary over the words of the sample corpus.
    pub(crate) fn new() -> Self {
        let mut random = Random(20);
        let mut words = read_sample_words();
        let mut known: HashSet<String> = words.iter().cloned().collect();
        let mut names = Vec::new();
        while words.len() < WORDS {
            let is_name =
                words.len() > FIRST_NAME_RANK && words.len().is_multiple_of(WORDS_PER_NAME);
            let word = if is_name { make_name(&mut random) } else { make_word(&mut random) };
            if known.insert(word.clone()) {
                names.extend(is_name.then_some(words.len()));
                words.push(word);
            }
        }
        let mut total = 0.0;
        let weights = (1..=words.len()).map(|rank| (rank as f64).powf(-EXPONENT));
        let sums: Vec<f64> = weights
            .map(|weight| {
                total += weight;
                total
            })
            .collect();
        let cumulative = sums.into_iter().map(|sum| sum / total).collect();
        Self { words, cumulative, names }
    }

    /// A word, drawn by its frequency.
    pub(crate) fn draw_word(&self, random: &mut Random) -> &str {
        let share = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
        let rank = self.cumulative.partition_point(|sum| *sum <= share);
        &self.words[rank.min(self.words.len() - 1)]
    }

    /// One of all names.
    pub(crate) fn draw_name(&self, random: &mut Random) -> &str {
        self.name(random.next())
    }

    /// A name by any number.
    pub(crate) fn name(&self, number: u64) -> &str {
        &self.words[self.names[number as usize % self.names.len()]]
    }

    /// Writes sentences of so many words together; `own` are names of the document, of which some words are.
    pub(crate) fn write_sentences(
        &self,
        text: &mut String,
        random: &mut Random,
        words: usize,
        own: &[u64],
    ) {
        let mut left = words;
        while left > 0 {
            let length = (8 + random.below(14) as usize).min(left);
            for position in 0..length {
                let is_own = !own.is_empty() && random.below(14) == 0;
                let word = if is_own {
                    self.name(own[random.below(own.len() as u64) as usize])
                } else {
                    self.draw_word(random)
                };
                if position == 0 {
                    push_capitalized(text, word);
                } else {
                    text.push(' ');
                    text.push_str(word);
                }
            }
            left -= length;
            text.push_str(if left > 0 { ". " } else { "." });
        }
    }

    /// A word that titles have, by any number.
    pub(crate) fn title_word(&self, number: u64) -> &str {
        &self.words[(TITLE_RANKS.start + number % (TITLE_RANKS.end - TITLE_RANKS.start)) as usize]
    }

    /// A title of some words.
    pub(crate) fn write_title(&self, random: &mut Random) -> String {
        let mut title = String::new();
        for position in 0..2 + random.below(4) {
            let word = self.title_word(random.below(TITLE_RANKS.end - TITLE_RANKS.start));
            if position == 0 {
                push_capitalized(&mut title, word);
            } else {
                title.push(' ');
                title.push_str(word);
            }
        }
        title
    }
}

fn push_capitalized(text: &mut String, word: &str) {
    let mut characters = word.chars();
    text.extend(characters.next().map(|first| first.to_ascii_uppercase()));
    text.push_str(characters.as_str());
}

/// The words of the sample corpus, the most frequent first.
fn read_sample_words() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample/source");
    let mut counts: HashMap<String, usize> = HashMap::new();
    for entry in fs::read_dir(folder).expect("the sample corpus").flatten() {
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        let words = text.split(|letter: char| !letter.is_ascii_alphabetic());
        for word in words.filter(|word| (1..=20).contains(&word.len())) {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    let mut words: Vec<(String, usize)> = counts.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    words.into_iter().map(|(word, _)| word).collect()
}

fn make_word(random: &mut Random) -> String {
    let count = 2 + random.below(2);
    (0..count).map(|_| SYLLABLES[random.below(SYLLABLES.len() as u64) as usize]).collect()
}

fn make_name(random: &mut Random) -> String {
    let part = |random: &mut Random| PARTS[random.below(PARTS.len() as u64) as usize];
    let word = make_word(random);
    match random.below(10) {
        0 => format!("T{}", 300 + random.below(3700)),
        1 => format!("N{}", 300 + random.below(700)),
        2 => format!("RRC{}{}", part(random), part(random)),
        3 => word.to_uppercase(),
        4..=5 => format!("{word}-{}{}-r{}", part(random), part(random), 15 + random.below(5)),
        6..=7 => format!("{word}{}{}", part(random), part(random)),
        _ => {
            let mut name = String::new();
            push_capitalized(&mut name, &word);
            format!("{name}{}", part(random))
        }
    }
}
