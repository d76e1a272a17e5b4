//! Documents as texts name them: by number, by the label of the list of references, or both.

use std::sync::LazyLock;

use domain::ReferenceKind;
use regex::Regex;

use crate::{
    document_pattern::{BODY, DOCUMENT, FURTHER, document_name, join_blanks},
    keyword::cut_at_keyword,
    label::{Label, read_label},
    mention::{CitedNumber, DocumentEvidence, Mention},
    reference_list::ReferenceList,
    start::START,
};

/// The title that may separate the name of a document from its label.
static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("^\\s*(?:\\([^()\\[\\]]{1,160}\\)|:?\\s*[\"\u{201c}][^\"\u{201d}\\[\\]]{1,160}[\"\u{201d}]|[^\\[\\].,;:()]{1,100})\\s*(?:\\[|$)")
        .expect("the pattern is a constant")
});
/// Words after which a label is a reference, even if the list does not have it.
static CUE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s(])(?i:see|in|of|by|with|per|from)\s+(?:the\s+)?$")
        .expect("the pattern is a constant")
});
/// After such a label. A value in brackets, as drafts have, is followed by its unit.
static AFTER_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:$|[.,;:)]|(?:and|or|for|is|are|shall|apply|applies)\b)")
        .expect("the pattern is a constant")
});
/// The next part of a specification in several parts: `/2` after `TS 38.101-1`.
static FURTHER_PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\s*/\s*-?|,\s*-|\s+(?:and|or)\s+-)(?P<part>\d)\b")
        .expect("the pattern is a constant")
});
/// The number of a clause after a document, without a keyword: `TS 31.102 [4], 5.1.1.2`.
static CLAUSE_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^,\s+(?P<number>\d{1,2}(?:\.\d{1,3}[A-Za-z]{0,2}){2,8})(?:[\s,;)]|\.?$|\.\s)")
        .expect("the pattern is a constant")
});

/// Maximum distance of a label from the name of its document: a title has at most 160 characters of up to four bytes.
/// A label that is farther away belongs to something else, and searching the whole rest of a text for each document
/// would take the square of its length.
const MAX_TITLE_BYTES: usize = 700;
/// The tag of a component of an ASN.1 type: `servedParty [3] PartyInformation`. Line by line, before and after it.
static TAGGED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|\n)\s*(?P<name>[a-z][A-Za-z0-9-]*)\s+$").expect("the pattern is a constant")
});
/// The type after a tag.
static TAGGED_TYPE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s+(?:IMPLICIT\s+|EXPLICIT\s+)?[A-Z]").expect("the pattern is a constant")
});

/// Maximum length of the name of an ASN.1 component before its tag, with the blanks around it.
const MAX_COMPONENT_BYTES: usize = 120;
/// How much text before a label may contain the word that makes it a reference.
const MAX_CUE_BYTES: usize = 20;

/// The name of a document with the label behind it.
struct LabelledName {
    name: String,
    /// Bytes of the label and what separates it from the name; 0 if there is no label.
    length: usize,
    /// The same up to the end of the brackets, if they also contain numbers.
    inner_length: Option<usize>,
    /// Whether the list of references has the label.
    is_listed: bool,
}

/// The label behind a name, with the text between them, and the name that both give.
fn read_label_behind(
    rest: &str,
    name: String,
    evidence: DocumentEvidence,
    references: &ReferenceList,
) -> LabelledName {
    let near = &rest[..rest.floor_char_boundary(MAX_TITLE_BYTES)];
    let open = near.find('[');
    let label = open.and_then(|open| read_label(&rest[open..]));
    let (Some(open), Some(label)) = (open, label.filter(|label| label.rest.is_none())) else {
        return LabelledName { name, length: 0, inner_length: None, is_listed: false };
    };
    let between = &rest[..open];
    // Also if the list of references has no such label, or is in a part of the document that is missing.
    let is_behind = between.len() <= 2
        && between.trim().is_empty()
        && label.named.as_ref().is_none_or(|named| *named == name);
    let listed = references.find_document(label.text).unwrap_or_default();
    // "ISO 7637 Part 1 [6]" names a part in words.
    let is_part = listed.strip_prefix(&name).is_some_and(|part| part.starts_with('-'));
    let is_same = listed == name || is_part;
    let is_title = is_same
        && (between.trim() == ")" || TITLE.is_match(&rest[..=open]))
        && !START.is_match(between);
    let length = open + label.length;
    let inner_length = label.inner_length.map(|inner| open + inner);
    let is_listed = !listed.is_empty();
    let is_vague = evidence == DocumentEvidence::Weak && is_listed;
    match (is_behind || is_title, (is_title && is_part) || (is_behind && is_vague)) {
        (_, true) => LabelledName { name: listed.to_owned(), length, inner_length, is_listed },
        (true, false) => LabelledName { name, length, inner_length, is_listed },
        (false, false) => LabelledName { name, length: 0, inner_length: None, is_listed: false },
    }
}

/// A document's name with the label after it, or a label alone.
pub(crate) fn read_document(
    text: &str,
    start: usize,
    references: &ReferenceList,
) -> Option<Mention> {
    let rest = &text[start..];
    if rest.starts_with('[') {
        return read_label_alone(text, start, references);
    }
    let named = DOCUMENT.captures(rest);
    if let Some(found) = &named {
        // "RFC 75191" and "TS 38.2139" are something else.
        let end = start + found[0].len();
        if text[end..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        return Some(join_label(
            text,
            start,
            end,
            document_name(found)?,
            DocumentEvidence::Named,
            references,
        ));
    }
    let words = cut_at_keyword(BODY.find(rest)?.as_str());
    let words = words.trim_end_matches(|c: char| !c.is_alphanumeric());
    let name: String =
        join_blanks(words).chars().take(crate::reference_list::MAX_NAME_CHARS).collect();
    let end = start + words.len();
    Some(join_label(text, start, end, name, DocumentEvidence::Weak, references))
}

fn join_label(
    text: &str,
    start: usize,
    end: usize,
    name: String,
    evidence: DocumentEvidence,
    references: &ReferenceList,
) -> Mention {
    let behind = read_label_behind(&text[end..], name, evidence, references);
    let inner_end = behind.inner_length.map(|inner| end + inner);
    let range = start..end + behind.length;
    let evidence = if behind.is_listed { DocumentEvidence::Named } else { evidence };
    Mention::Document { range, name: behind.name, evidence, inner_end }
}

/// A label without a name before it: `[6]`, `[5, TS 38.213]`, `[2, clause 8.1]`.
fn read_label_alone(text: &str, start: usize, references: &ReferenceList) -> Option<Mention> {
    let label = read_label(&text[start..])?;
    if is_tag(text, start, start + label.length) {
        return None;
    }
    let listed = references.find_document(label.text);
    // "[5, 38.213]" repeats the number of the entry; "[1, 2]" is an interval.
    let repeats = label.rest.is_none_or(|rest| listed == Some(rest));
    if !repeats && (label.named.is_none() || label.rest.is_some()) {
        return None;
    }
    let range = start..start + label.length;
    let inner_end = label.inner_length.map(|inner| start + inner);
    let known = label.named.clone().or_else(|| listed.map(str::to_owned));
    if let Some(name) = known {
        return Some(Mention::Document {
            range,
            name,
            evidence: DocumentEvidence::Named,
            inner_end,
        });
    }
    let evidence = judge_unlisted(text, start, &label, references)?;
    Some(Mention::Document { range, name: format!("[{}]", label.text), evidence, inner_end })
}

/// Whether brackets are the tag of an ASN.1 component, and no label.
fn is_tag(text: &str, start: usize, end: usize) -> bool {
    let before = &text[text.ceil_char_boundary(start.saturating_sub(MAX_COMPONENT_BYTES))..start];
    let name = TAGGED.captures(before);
    let is_word = |name: &str| matches!(name, "see" | "in" | "of" | "per" | "by" | "to" | "from");
    name.is_some_and(|name| !is_word(&name["name"])) && TAGGED_TYPE.is_match(&text[end..])
}

/// Whether a label that is not in the list may be a reference all the same.
fn judge_unlisted(
    text: &str,
    start: usize,
    label: &Label<'_>,
    references: &ReferenceList,
) -> Option<DocumentEvidence> {
    if !label.text.bytes().any(|byte| byte.is_ascii_digit()) && label.text.len() > 2 {
        return None;
    }
    let before = &text[text.ceil_char_boundary(start.saturating_sub(MAX_CUE_BYTES))..start];
    let is_number = label.text.bytes().all(|byte| byte.is_ascii_digit()) && label.text != "0";
    let is_cited = is_number
        && !references.is_empty()
        && CUE.is_match(before)
        && AFTER_LABEL.is_match(&text[start + label.length..]);
    Some(if is_cited { DocumentEvidence::Unlisted } else { DocumentEvidence::Weak })
}

/// Reads what follows the last mention, a document, in its list: `, 38.212`, `/2`, and the number of a clause without
/// a keyword. Returns the byte at which the search continues.
pub(crate) fn read_further(
    text: &str,
    mentions: &mut Vec<Mention>,
    references: &ReferenceList,
) -> usize {
    loop {
        let Some(Mention::Document { range, name, evidence, inner_end }) = mentions.last() else {
            return text.len();
        };
        let end = range.end;
        if *evidence != DocumentEvidence::Named || inner_end.is_some() {
            return end;
        }
        let rest = &text[end..];
        if let Some(found) = CLAUSE_ALONE.captures(rest)
            && let Some(number) = found.name("number")
        {
            let range = end + number.start()..end + number.end();
            let cited = CitedNumber {
                range: range.clone(),
                number: number.as_str().to_owned(),
                end: None,
                is_labelled: false,
            };
            mentions.push(Mention::Numbers {
                range: range.clone(),
                kind: ReferenceKind::Clause,
                numbers: vec![cited],
            });
            return range.end;
        }
        if !is_specification(name) {
            return end;
        }
        let next = match (FURTHER.captures(rest), FURTHER_PART.captures(rest)) {
            (Some(found), _) => {
                found.name("bare_spec").map(|number| (number.range(), number.as_str().to_owned()))
            }
            (None, Some(found)) => found
                .name("part")
                .zip(name.rsplit_once('-'))
                .map(|(part, (stem, _))| (part.range(), format!("{stem}-{}", part.as_str()))),
            (None, None) => None,
        };
        let Some((number, name)) = next else { return end };
        let after = &rest[number.end..];
        let goes_on = after.strip_prefix('.').unwrap_or(after);
        if goes_on.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return end;
        }
        let (start, end) = (end + number.start, end + number.end);
        mentions.push(join_label(text, start, end, name, DocumentEvidence::Named, references));
    }
}

/// Whether a name is the number of a 3GPP specification.
fn is_specification(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() > 4 && bytes[..2].iter().all(u8::is_ascii_digit) && bytes[2] == b'.'
}
