//! The mentions of a text, found one by one.

use std::{ops::Range, sync::LazyLock};

use domain::ReferenceKind;
use regex::Regex;

use crate::{
    cited_document::{read_document, read_further},
    keyword::{KEYWORD_HERE, is_plural, kind_of},
    mention::{CitedNumber, Mention},
    number::{CLAUSE, read_number},
    reference_list::ReferenceList,
    start::START,
};

/// The separator of two numbers of a list.
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:\s*,\s*(?:and|or|and/or)\s+|\s+(?:and/or|and|or|as well as)\s+|\s*,\s+|\s*,|\s+&\s+|(?P<range>\s+(?:to|through|until)\s+|\s*[\u{2013}\u{2014}]\s*|\s+-\s+|\s*\.\.\.?\s*)|(?P<slash>\s?/\s?))",
    )
    .expect("the pattern is a constant")
});
/// The unit of a value: `25.104 MHz` is not a specification.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:[.]?[\w]|\s?(?:[kKMGT]?Hz|[kM]?bps|dBm?|[mnu]?s|k?m|%)\b)")
        .expect("the pattern is a constant")
});

/// Finds the mentions in a text, in order. `is_section` recognises the sections of the document itself.
pub(crate) fn find_mentions(
    text: &str,
    references: &ReferenceList,
    is_section: &dyn Fn(&str) -> bool,
) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut from = 0;
    while let Some(found) = START.captures_at(text, from) {
        let Some(whole) = found.get(0) else { break };
        let mention = if let Some(keyword) = found.name("keyword") {
            read_numbers(text, keyword.range())
        } else if let Some(bare) = found.name("bare").or_else(|| found.name("short")) {
            read_bare(text, bare.range(), is_section)
        } else if let Some(owned) = found.name("owned") {
            read_bare(text, owned.range(), &|_| true)
        } else if let Some(bare) = found.name("bare_spec") {
            let is_value = VALUE.is_match(&text[bare.end()..]) || is_section(bare.as_str());
            (!is_value).then(|| read_document(text, bare.start(), references)).flatten()
        } else {
            let start = found.name("document").or_else(|| found.name("label"));
            read_document(text, start.map_or(whole.start(), |start| start.start()), references)
        };
        from = match &mention {
            Some(mention) => mention.range().end,
            None => next_boundary(text, whole.start() + 1).max(whole.start() + 1),
        };
        let is_document = matches!(mention, Some(Mention::Document { .. }));
        mentions.extend(mention);
        if is_document {
            from = read_further(text, &mut mentions, references);
        }
    }
    join_repeated(text, &mut mentions);
    mentions
}

/// "TS 36.331 TS 36.331 [3]" names one document.
fn join_repeated(text: &str, mentions: &mut Vec<Mention>) {
    mentions.dedup_by(|next, first| {
        let (
            Mention::Document { range: next_range, name: next_name, inner_end: next_inner, .. },
            Mention::Document { range, name, inner_end, .. },
        ) = (next, first)
        else {
            return false;
        };
        let is_repeated = next_name == name
            && text.get(range.end..next_range.start).is_some_and(|gap| gap.trim().is_empty());
        if is_repeated {
            range.end = next_range.end;
            *inner_end = *next_inner;
        }
        is_repeated
    });
}

fn next_boundary(text: &str, from: usize) -> usize {
    (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn read_bare(
    text: &str,
    range: Range<usize>,
    is_section: &dyn Fn(&str) -> bool,
) -> Option<Mention> {
    let mut whole = range.start..range.start;
    let mut numbers = Vec::new();
    let mut next = CLAUSE.find(&text[range.start..]).map(|first| {
        let end = range.start + first.end();
        range.start..end
    });
    while let Some(range) = next.take() {
        let number = &text[range.clone()];
        if !number.contains('.') || !is_section(number) {
            break;
        }
        whole.end = range.end;
        numbers.push(CitedNumber {
            range,
            number: number.to_owned(),
            end: None,
            is_labelled: false,
        });
        let separator = SEPARATOR.captures(&text[whole.end..]);
        next = separator.filter(|found| found.name("range").is_none()).and_then(|found| {
            let start = whole.end + found[0].len();
            let number = CLAUSE.find(&text[start..])?;
            Some(start..start + number.end())
        });
    }
    let kind = ReferenceKind::Clause;
    (!numbers.is_empty()).then_some(Mention::Numbers { range: whole, kind, numbers })
}

/// A keyword and the numbers after it; `None` if no number follows.
fn read_numbers(text: &str, keyword: Range<usize>) -> Option<Mention> {
    let word = &text[keyword.clone()];
    let kind = kind_of(word);
    let has_comma = text[keyword.end..].starts_with(',');
    let mut at = skip_blanks(text, keyword.end + usize::from(has_comma));
    // "clauses from 5.2 to 5.4".
    if text[at..].starts_with("from ") {
        at = skip_blanks(text, at + "from ".len());
    }
    let mut numbers: Vec<CitedNumber> = Vec::new();
    let mut end = at;
    let mut separator: Option<(bool, bool)> = None;
    let mut is_labelled = true;
    loop {
        // After a keyword of its own, a number is no count: "Clause 11.2A, Clause 15 and Clause 17.2".
        let stands_alone =
            is_labelled && matches!(kind, ReferenceKind::Clause | ReferenceKind::Annex);
        let listed = if stands_alone { None } else { numbers.last() };
        let previous = listed.map(|cited| cited.number.as_str());
        let is_slash = separator.is_some_and(|(_, is_slash)| is_slash);
        let Some((number, range)) = read_number(text, at, kind, previous, is_slash) else { break };
        // "In this clause, 5 values": a number after a comma must look like a clause.
        if has_comma && !number.contains('.') {
            break;
        }
        end = range.end;
        match (separator, numbers.last_mut()) {
            (Some((true, _)), Some(last)) if last.end.is_none() => {
                last.end = Some(number);
                last.range.end = range.end;
            }
            _ => numbers.push(CitedNumber { range, number, end: None, is_labelled }),
        }
        let Some(found) = SEPARATOR.captures(&text[end..]) else { break };
        separator = Some((found.name("range").is_some(), found.name("slash").is_some()));
        at = end + found[0].len();
        at = match skip_same_keyword(text, at, kind) {
            // "clauses 9 and 9.2 or clause 6.1 of [6]": a list, and one of another document.
            (_, Some(repeated)) if is_plural(word) && numbers.len() > 1 && !is_plural(repeated) => {
                break;
            }
            (at, repeated) => {
                is_labelled = repeated.is_some();
                at
            }
        };
    }
    let first = numbers.first_mut()?;
    // The keyword belongs to the first number.
    first.range.start = keyword.start;
    Some(Mention::Numbers { range: keyword.start..end, kind, numbers })
}

/// "Table 5-1 and Table 5-2": the keyword is repeated. A different keyword begins a mention of its own.
fn skip_same_keyword(text: &str, at: usize, kind: ReferenceKind) -> (usize, Option<&str>) {
    // A blank or a comma precedes it, so the keyword begins a word.
    let found = KEYWORD_HERE.captures(&text[at..]);
    let repeated = found.and_then(|found| found.name("keyword"));
    match repeated.filter(|keyword| kind_of(keyword.as_str()) == kind) {
        Some(keyword) => (skip_blanks(text, at + keyword.end()), Some(keyword.as_str())),
        None => (at, None),
    }
}

fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches([' ', ':', '\n', '\t']).len())
}
