//! The parts of a citation, found one by one: keywords with numbers, names of documents, labels in brackets.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use crate::{
    document_pattern::{DOCUMENT, document_name},
    number::{CLAUSE, read_number},
    reference_list::ReferenceList,
};
use domain::ReferenceKind;

/// A number and, in a range, the number of its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CitedNumber {
    pub(crate) range: Range<usize>,
    pub(crate) number: String,
    pub(crate) end: Option<String>,
    /// Whether the keyword precedes it: "clause 5.2 and clause 5.3".
    pub(crate) is_labelled: bool,
}

/// A part of a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mention {
    /// A keyword with its numbers: `clauses 5.2 and 5.3`.
    Numbers { range: Range<usize>, kind: ReferenceKind, numbers: Vec<CitedNumber> },
    /// A document, with the label after it: `TS 38.213 [6]`, `[6]`, `[5, TS 38.213]`.
    Document { range: Range<usize>, name: String },
}

impl Mention {
    pub(crate) fn range(&self) -> &Range<usize> {
        match self {
            Self::Numbers { range, .. } | Self::Document { range, .. } => range,
        }
    }
}

/// The words before numbers, and the separator after them.
const KEYWORDS: &str = r"(?P<keyword>sub-?\s?clauses?|clauses?|sub-?sections?|sections?|annex(?:e?s)?|appendix|appendices|tables?|figures?|fig\.|equations?|eq\.)(?:[\s:]|,\s)";
/// A keyword at the start of a text.
static KEYWORD_HERE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("^(?i:{KEYWORDS})")).expect("the pattern is a constant"));

/// The beginning of a citation.
static START: LazyLock<Regex> = LazyLock::new(|| {
    const DOCUMENT: &str = r"\b(?P<document>(?:3GPP|ETSI)\s+T[SR]|T[SR]\s?\d{2}\.|(?:IETF\s+)?RFC|ITU[-_][TR]|IEEE\s|ISO(?:/IEC)?\s|IEC\s|CISPR\s)";
    const LABEL: &str = r"(?P<label>\[)";
    const BARE: &str = r"\b(?:(?:in|to|see|with|per|under)\s+(?P<bare>(?:[A-Z]|\d{1,2})(?:\.\d{1,3}[A-Za-z]{0,2}){2,})|(?i:specified|defined|described|given)\s+in\s+(?P<short>\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2})+))";
    const OWNED: &str = r"\b(?P<owned>\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2}){1,8}(?:(?:,\s+|\s+(?:and|or)\s+)\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2}){1,8})*)\s+(?:of|in)\s+(?:3GPP\s+)?T[SR]\s";
    let keyword = format!(r"(?i:(?:\b|\bin){KEYWORDS})");
    Regex::new(&format!("{keyword}|{DOCUMENT}|{LABEL}|{BARE}|{OWNED}"))
        .expect("the pattern is a constant")
});

/// The separator of two numbers of a list.
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:\s*,\s*(?:and|or|and/or)\s+|\s+(?:and/or|and|or|as well as)\s+|\s*,\s+|\s*,|\s+&\s+|(?P<range>\s+(?:to|through|until)\s+|\s*[\u{2013}\u{2014}]\s*|\s+-\s+|\s*\.\.\.?\s*)|(?P<slash>\s?/\s?))",
    )
    .expect("the pattern is a constant")
});
/// A label in brackets, and what may follow a comma in it. Labels are short; longer words in brackets are text.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\[\s*(?P<label>[0-9A-Za-z][0-9A-Za-z.-]{0,11})(?:\s*,\s*(?P<more>[^\]\[]{3,40})|\s+(?P<beside>T[SR]\s[^\]\[]{3,20}))?\s*\]",
    )
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
        } else {
            let start = found.name("document").or_else(|| found.name("label"));
            read_document(text, start.map_or(whole.start(), |start| start.start()), references)
        };
        from = match &mention {
            Some(mention) => mention.range().end,
            None => next_boundary(text, whole.start() + 1).max(whole.start() + 1),
        };
        mentions.extend(mention);
    }
    join_repeated(text, &mut mentions);
    mentions
}

/// "TS 36.331 TS 36.331 [3]" names one document.
fn join_repeated(text: &str, mentions: &mut Vec<Mention>) {
    mentions.dedup_by(|next, first| {
        let (
            Mention::Document { range: next_range, name: next_name },
            Mention::Document { range, name },
        ) = (next, first)
        else {
            return false;
        };
        let is_repeated = next_name == name
            && text.get(range.end..next_range.start).is_some_and(|gap| gap.trim().is_empty());
        if is_repeated {
            range.end = next_range.end;
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

fn kind_of(keyword: &str) -> ReferenceKind {
    match keyword.as_bytes()[0].to_ascii_lowercase() {
        b'a' => ReferenceKind::Annex,
        b't' => ReferenceKind::Table,
        b'f' => ReferenceKind::Figure,
        b'e' => ReferenceKind::Equation,
        _ => ReferenceKind::Clause,
    }
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
        let previous = numbers.last().map(|cited| cited.number.as_str());
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

fn is_plural(keyword: &str) -> bool {
    keyword.ends_with(['s', 'S'])
}

fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches([' ', ':', '\n', '\t']).len())
}

/// The title that may separate the name of a document from its label.
static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:\([^()\[\]]{1,160}\)|[^\[\].,;:()]{1,100})\s*(?:\[|$)")
        .expect("the pattern is a constant")
});

/// Maximum distance of a label from the name of its document: a title has at most 160 characters of up to four bytes.
/// A label that is farther away belongs to something else, and searching the whole rest of a text for each document
/// would take the square of its length.
const MAX_TITLE_BYTES: usize = 700;

/// Bytes of the label after the name of a document, with the text between them, and the name that both give; 0 if
/// there is no label.
fn read_label_behind(rest: &str, name: String, references: &ReferenceList) -> (usize, String) {
    let near = (0..=MAX_TITLE_BYTES.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at));
    let near = &rest[..near.unwrap_or(0)];
    let Some(open) = near.find('[') else { return (0, name) };
    let Some(label) = LABEL.captures(&rest[open..]).filter(|label| label.name("more").is_none())
    else {
        return (0, name);
    };
    let between = &rest[..open];
    // Also if the list of references has no such label, or is in a part of the document that is missing.
    let is_behind = between.len() <= 2 && between.trim().is_empty();
    let listed = references.find_document(&label["label"]).unwrap_or_default();
    // "ISO 7637 Part 1 [6]" names a part in words.
    let is_part = listed.strip_prefix(&name).is_some_and(|part| part.starts_with('-'));
    let is_same = listed == name || is_part;
    let is_title = is_same
        && (between.trim() == ")" || TITLE.is_match(&rest[..=open]))
        && !START.is_match(between);
    let length = open + label[0].len();
    match (is_behind || is_title, is_title && is_part) {
        (_, true) => (length, listed.to_owned()),
        (true, false) => (length, name),
        (false, false) => (0, name),
    }
}

/// A document's name with the label after it, or a label alone.
fn read_document(text: &str, start: usize, references: &ReferenceList) -> Option<Mention> {
    let rest = &text[start..];
    if let Some(found) = DOCUMENT.captures(rest) {
        let mut end = start + found[0].len();
        // "RFC 75191" and "TS 38.2139" are something else.
        if text[end..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        let name = document_name(&found)?;
        let (length, name) = read_label_behind(&text[end..], name, references);
        end += length;
        return Some(Mention::Document { range: start..end, name });
    }
    let found = LABEL.captures(rest)?;
    let range = start..start + found[0].len();
    let listed = || references.find_document(&found["label"]).map(str::to_owned);
    let more = found.name("more").or_else(|| found.name("beside"));
    let name = more.and_then(|more| {
        let more = more.as_str().trim();
        let named = DOCUMENT.captures(more).as_ref().and_then(document_name);
        // "[5, 38.213]" repeats the number of the entry.
        named.or_else(|| listed().filter(|name| name == more))
    });
    let name = match (name, more) {
        (Some(name), _) => name,
        // "[1, 2]" is an interval as well.
        (None, Some(_)) => return None,
        (None, None) => listed()?,
    };
    Some(Mention::Document { range, name })
}
