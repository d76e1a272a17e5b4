//! Names of the protocol in texts and listings as links to what defines them.

use std::{cell::RefCell, collections::HashMap, ops::Range};

use cost_meter::spend;
use document_model::{RichText, SectionBody, SpanKind};
use names::name_key;
use store::{DocumentEntry, Snapshot};

use super::{
    inline::{InlineLink, LinkKind},
    range_set::RangeSet,
};

/// Steps of a cost meter for one word.
const STEPS_PER_WORD: usize = 4;
/// Shortest word in plain text that counts as a name because of its capitals: `eNB` is not one.
const MIN_WORD_BYTES: usize = 5;
/// Longest name of a message in words, in plain text; every shorter end of it is looked up, too.
const MAX_MESSAGE_WORDS: usize = 6;

/// The names that a document defines, looked up once each.
pub(super) struct DocumentNames<'a> {
    snapshot: &'a Snapshot,
    entry: &'a DocumentEntry,
    known: RefCell<HashMap<String, bool>>,
}

impl<'a> DocumentNames<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, entry: &'a DocumentEntry) -> Self {
        Self { snapshot, entry, known: RefCell::default() }
    }

    /// Whether the document defines a name. A name that cannot be looked up does not become a link.
    pub(super) fn defines(&self, name: &str) -> bool {
        let key = name_key(name);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let sections = self.snapshot.names().defining_sections_in(&key, self.entry.id);
        let is_defined = !key.is_empty() && sections.is_ok_and(|sections| !sections.is_empty());
        self.known.borrow_mut().insert(key, is_defined);
        is_defined
    }

    /// Adds links of names to those that the texts of a section have. `path_of` gives the page of a name.
    pub(super) fn add_links(
        &self,
        body: &SectionBody,
        links: &mut HashMap<(usize, usize), Vec<InlineLink>>,
        path_of: &dyn Fn(&str) -> String,
    ) {
        for (block, content) in body.blocks.iter().enumerate() {
            for (index, text) in content.texts().iter().enumerate() {
                let found = find_names(text, &|name| self.defines(name));
                if found.is_empty() {
                    continue;
                }
                let of_text = links.entry((block, index)).or_default();
                let taken = RangeSet::new(of_text.iter().map(|link| link.range.clone()));
                let free: Vec<InlineLink> = found
                    .into_iter()
                    .filter(|range| !taken.touches(range))
                    .map(|range| InlineLink {
                        href: Some(path_of(&text.as_str()[range.clone()])),
                        range,
                        title: None,
                        preview: None,
                        kind: LinkKind::Name,
                    })
                    .collect();
                of_text.extend(free);
                of_text.sort_by_key(|link| link.range.start);
            }
        }
    }
}

/// The places of names in a text: words in italics, words with capitals within them, timers and constants, and
/// messages in capitals (`ATTACH ACCEPT message`).
fn find_names(text: &RichText, is_defined: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
    let whole = text.as_str();
    let words = split_words(whole);
    let spans_of = |is_wanted: fn(SpanKind) -> bool| {
        let wanted = text.spans().iter().filter(|span| is_wanted(span.kind));
        RangeSet::new(wanted.map(|span| span.start as usize..span.end as usize))
    };
    let italics = spans_of(|kind| kind == SpanKind::Italic);
    let formulas = spans_of(|kind| {
        matches!(kind, SpanKind::Formula | SpanKind::Subscript | SpanKind::Superscript)
    });
    let mut found: Vec<Range<usize>> = Vec::new();
    for (index, range) in words.iter().enumerate() {
        let word = &whole[range.clone()];
        spend(STEPS_PER_WORD);
        if word == "message" {
            found.extend(message_before(whole, &words[..index], is_defined));
            continue;
        }
        let has_capital = has_inner_capital(word);
        if !(is_timer(word) || has_capital || word.contains('-')) {
            continue;
        }
        let is_italic = italics.covers(range);
        let looks_like_name = is_timer(word)
            || has_capital && (is_italic || word.len() >= MIN_WORD_BYTES)
            || is_italic && word.contains('-');
        if looks_like_name && !formulas.touches(range) && is_defined(word) {
            found.push(range.clone());
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// The words of a text: letters and digits, with hyphens and low lines between them.
fn split_words(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_word(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = text[from..at].trim_end_matches('-');
                words.push(from..from + word.len());
                start = None;
            }
            _ => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word is the name of a timer, a counter or a constant: `T310`, `N311`, `T3412a`.
fn is_timer(word: &str) -> bool {
    let Some(number) = word.strip_prefix(['T', 'N', 'C']) else { return false };
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &number[digits..];
    (3..=5).contains(&digits)
        && rest.len() <= 1
        && rest.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Whether a capital follows a small letter: `sps-Config`, `RrcSetup`.
fn has_inner_capital(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        || word.split('-').skip(1).any(|part| {
            let mut letters = part.bytes();
            let starts_large = letters.next().is_some_and(|first| first.is_ascii_uppercase());
            starts_large && letters.any(|byte| byte.is_ascii_lowercase())
        })
}

/// The name of the message in capitals that ends with the last of some words.
fn message_before(
    text: &str,
    words: &[Range<usize>],
    is_defined: &dyn Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let is_capital = |range: &&Range<usize>| {
        let word = &text[(*range).clone()];
        word.len() > 1 && !word.bytes().any(|byte| byte.is_ascii_lowercase())
    };
    let capitals = words.iter().rev().take(MAX_MESSAGE_WORDS).take_while(is_capital).count();
    let last = words.last()?;
    let names = words[words.len() - capitals..].iter().map(|first| first.start..last.end);
    names.into_iter().find(|range| is_defined(&text[range.clone()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::RichTextBuilder;

    #[test]
    fn names_are_found_by_their_form_and_only_where_they_are_defined() {
        let defined = ["T310", "sps-Config", "RrcSetup", "BWP-Id", "ATTACHACCEPT", "measid", "eNB"];
        let is_defined = |name: &str| defined.iter().any(|known| name_key(known) == name_key(name));
        for (text, expected) in [
            ("start timer T310; stop T311.", vec!["T310"]),
            ("if sps-Config, or RrcSetup- is in the eNB", vec!["sps-Config", "RrcSetup"]),
            ("the BWP-Id of measId", vec!["BWP-Id", "measId"]),
            ("the UE sends an ATTACH ACCEPT message", vec!["ATTACH ACCEPT"]),
            ("the network accepts this message", vec![]),
            ("\u{e9}T310\u{e9} T3100000 rrcsetup", vec!["T310"]),
            ("", vec![]),
        ] {
            let found = find_names(&text.into(), &is_defined);
            let words: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
            assert_eq!(words, expected, "{text}");
        }
    }

    #[test]
    fn words_in_formulas_are_no_names() {
        let mut builder = RichTextBuilder::default();
        builder.push_str("$T310$");
        builder.add_span(0, 6, SpanKind::Formula);
        assert!(find_names(&builder.finish(), &|_| true).is_empty());
    }
}
