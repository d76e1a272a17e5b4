//! Answers that fit what a client gives a model to read.
//!
//! Clients truncate a tool's answer, or reject it, near 25,000 tokens. What is too long is shortened here
//! instead, always in the same order. Results of a search lose the text of sections first, then other
//! texts and lists within results, then the last results. Of sections that were requested, the last ones
//! are left out first, so that the others come whole. The answer says what was left out and how to get it.

use serde_json::{Map, Value};

use super::section_window::cut_around_passage;

/// Fields with the text of a whole section, which are cut first: it can be requested separately.
const SECTION_TEXTS: [&str; 2] = ["full_text", "section_text"];
/// The section of a found passage, which is in the same result.
const FOUND_SECTION: &str = "section_text";
/// Minimum length of a cut section text, and of another cut text, in bytes of JSON: a shorter one would not show what
/// the result is about, so whole results are left out instead.
const MIN_SECTION_TEXT_BYTES: usize = 500;
const MIN_TEXT_BYTES: usize = 300;
/// Entries that remain of a list within a result when it is cut.
const MIN_NESTED_ITEMS: usize = 5;
/// Bytes reserved for the mark at the end of a cut text: 25 bytes and two numbers.
const MARK_BYTES: usize = 64;

/// What was left out of an answer; empty if it is whole.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OmissionNotes(Vec<String>);

impl OmissionNotes {
    /// The sentences that say what was left out.
    pub(super) fn sentences(&self) -> &[String] {
        &self.0
    }

    /// Adds a note about texts that were cut. For a single text that can be continued, it names the offset
    /// at which to continue.
    fn add_cut_note(&mut self, cuts: &[TextCut], can_continue: bool) {
        self.add_note(cuts.len(), || match cuts {
            [TextCut { offset, total }] if can_continue => format!(
                "The text was cut at character {offset} of {total}: continue with char_offset={offset}."
            ),
            [_] => "1 text was cut; [cut at ...] or [... left out] marks the position.".to_owned(),
            many => format!("{} texts were cut; [cut at ...] or [... left out] marks the positions.", many.len()),
        });
    }

    /// Adds a sentence if anything was left out.
    fn add_note(&mut self, count: usize, sentence: impl FnOnce() -> String) {
        if count > 0 {
            self.0.push(sentence());
        }
    }
}

/// Where a text was cut, counted in characters of the whole text.
#[derive(Debug, Clone, Copy)]
struct TextCut {
    offset: usize,
    total: usize,
}

/// What a client has read before, and skips now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReadOffsets {
    /// Results to skip at the beginning of each list.
    pub(super) result_offset: usize,
    /// The name of the texts that can be continued, and the characters to skip in each, perhaps none;
    /// only for a tool that has such texts.
    pub(super) char_offset: Option<(&'static str, usize)>,
}

impl ReadOffsets {
    /// Characters to skip in the texts of a name.
    fn characters_read(&self, key: &str) -> usize {
        self.char_offset.filter(|(name, _)| *name == key).map_or(0, |(_, characters)| characters)
    }
}

/// Where the next page of a list begins if only this many of its rows are shown, and this one is the last: the field
/// of the payload that says so, and its value.
pub(super) type NextPage<'a> = &'a dyn Fn(usize, &Value) -> Option<(&'static str, Value)>;

/// The list of a reply that has pages.
const PAGED_LIST: &str = "items";

/// Shortens a payload that is longer than `budget_bytes` of JSON; what the client has read before is
/// left out first.
pub(super) fn shorten_to_fit(
    payload: &mut Value,
    budget_bytes: usize,
    offsets: ReadOffsets,
    next_page: NextPage<'_>,
) -> OmissionNotes {
    let mut omissions = OmissionNotes::default();
    if let Some((key, characters @ 1..)) = offsets.char_offset {
        skip_characters(payload, key, characters);
    }
    if offsets.result_offset > 0 {
        visit_lists(payload, &mut |_, list| {
            drop(list.drain(..offsets.result_offset.min(list.len())));
        });
    }
    if json_size(payload) <= budget_bytes {
        return omissions;
    }
    // Requested sections come whole, one after the other; within results of a search they are cut before
    // a result is left out.
    if offsets.char_offset.is_some() {
        drop_results(payload, budget_bytes, offsets.result_offset, next_page, &mut omissions);
    }
    let is_section = |key: &str| SECTION_TEXTS.contains(&key);
    let cuts = cut_texts(payload, budget_bytes, MIN_SECTION_TEXT_BYTES, is_section, &offsets);
    omissions.add_cut_note(&cuts, offsets.char_offset.is_some());
    if json_size(payload) <= budget_bytes {
        return omissions;
    }
    let cuts = cut_texts(payload, budget_bytes, MIN_TEXT_BYTES, |key| !is_section(key), &offsets);
    omissions.add_cut_note(&cuts, false);
    if json_size(payload) <= budget_bytes {
        return omissions;
    }
    let cut_count = cut_nested(payload);
    omissions.add_note(cut_count, || {
        format!(
            "{cut_count} lists within results contain only their first {MIN_NESTED_ITEMS} entries."
        )
    });
    if offsets.char_offset.is_none() {
        drop_results(payload, budget_bytes, offsets.result_offset, next_page, &mut omissions);
    }
    omissions
}

/// Removes the first `offset` characters of the texts of a name.
fn skip_characters(payload: &mut Value, key: &str, offset: usize) {
    visit_texts(payload, &mut |name, text| {
        if name == key {
            *text = text.chars().skip(offset).collect();
        }
    });
}

fn json_size(payload: &Value) -> usize {
    // Serializing a JSON value cannot fail.
    serde_json::to_vec(payload).map_or(0, |bytes| bytes.len())
}

/// Cuts the longest of the selected texts to one length, so that the payload fits if that is possible
/// without cutting below `min_bytes`.
fn cut_texts(
    payload: &mut Value,
    budget_bytes: usize,
    min_bytes: usize,
    is_selected: impl Fn(&str) -> bool,
    offsets: &ReadOffsets,
) -> Vec<TextCut> {
    let mut lengths = Vec::new();
    visit_texts(payload, &mut |key, text| {
        if is_selected(key) && text.len() > min_bytes {
            lengths.push(json_text_size(text));
        }
    });
    let others = json_size(payload).saturating_sub(lengths.iter().sum());
    let marks = lengths.len() * MARK_BYTES;
    let longest =
        common_length(lengths, budget_bytes.saturating_sub(others + marks)).max(min_bytes);
    let mut cuts = Vec::new();
    if is_selected(FOUND_SECTION) {
        cuts.extend(cut_found_sections(payload, longest));
    }
    visit_texts(payload, &mut |key, text| {
        if is_selected(key) && json_text_size(text) > longest + MARK_BYTES {
            cuts.push(cut_text(text, longest, offsets.characters_read(key)));
        }
    });
    cuts
}

/// Cuts the sections of found passages to the part around the passage, where that is possible.
fn cut_found_sections(payload: &mut Value, longest: usize) -> Vec<TextCut> {
    let mut cuts = Vec::new();
    visit_lists(payload, &mut |_, list| {
        for result in list {
            let passage = result.get("content").and_then(Value::as_str).map(str::to_owned);
            let section = result.get_mut(FOUND_SECTION);
            let (Some(passage), Some(Value::String(text))) = (passage, section) else { continue };
            if json_text_size(text) <= longest + MARK_BYTES {
                continue;
            }
            let kept = longest.saturating_sub(MARK_BYTES);
            if let Some(window) = cut_around_passage(text, &passage, kept, json_text_size) {
                let total = text.chars().count();
                cuts.push(TextCut { offset: window.chars().count(), total });
                *text = window;
            }
        }
    });
    cuts
}

/// The length to which longer texts are cut so that all together take at most `budget_bytes`.
fn common_length(mut lengths: Vec<usize>, mut budget_bytes: usize) -> usize {
    lengths.sort_unstable();
    let count = lengths.len();
    for (index, length) in lengths.into_iter().enumerate() {
        let share = budget_bytes / (count - index);
        if length > share {
            return share;
        }
        budget_bytes -= length;
    }
    usize::MAX - MARK_BYTES
}

/// Cuts a text where it is `longest` bytes of JSON long, at the end of a line or word near there. The
/// mark counts the `skipped` characters too, which the client has read before.
fn cut_text(text: &mut String, longest: usize, skipped: usize) -> TextCut {
    let mut bytes = 0;
    let fits = |c: &(usize, char)| {
        bytes += json_char_size(c.1);
        bytes <= longest
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(i, c)| i + c.len_utf8());
    let earliest_end = end - end / 5;
    let head = &text[..end];
    let gap = head.rfind('\n').filter(|gap| *gap >= earliest_end).or_else(|| head.rfind(' '));
    let end = gap.filter(|gap| *gap >= earliest_end).unwrap_or(end);
    let (offset, total) = (skipped + text[..end].chars().count(), skipped + text.chars().count());
    text.truncate(end);
    text.push_str(&format!("\n[cut at character {offset} of {total}]"));
    TextCut { offset, total }
}

/// Bytes of a text in JSON.
fn json_text_size(text: &str) -> usize {
    text.chars().map(json_char_size).sum()
}

fn json_char_size(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

/// Visits the texts within the results of a payload, with the names they have.
fn visit_texts(payload: &mut Value, visit: &mut impl FnMut(&str, &mut String)) {
    visit_lists(payload, &mut |_, list| {
        for result in list {
            visit_nested_texts(result, "", visit);
        }
    });
}

fn visit_nested_texts(value: &mut Value, key: &str, visit: &mut impl FnMut(&str, &mut String)) {
    match value {
        Value::String(text) => visit(key, text),
        Value::Array(values) => {
            values.iter_mut().for_each(|value| visit_nested_texts(value, key, visit))
        }
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(key, value)| visit_nested_texts(value, key, visit));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Visits the lists of results of a payload: the payload itself, or the lists of records that it contains;
/// lists of words, such as the unknown terms, do not count.
fn visit_lists(payload: &mut Value, visit: &mut impl FnMut(&str, &mut Vec<Value>)) {
    match payload {
        Value::Array(list) => visit("the list", list),
        Value::Object(fields) => {
            for (name, value) in fields {
                if let Value::Array(list) = value
                    && list.first().is_some_and(Value::is_object)
                {
                    visit(name, list);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Cuts the lists within results; returns how many were cut.
fn cut_nested(payload: &mut Value) -> usize {
    let mut cut = 0;
    visit_lists(payload, &mut |_, list| {
        for result in list.iter_mut().filter_map(Value::as_object_mut) {
            cut += cut_lists(result);
        }
    });
    cut
}

fn cut_lists(result: &mut Map<String, Value>) -> usize {
    let long = |value: &&mut Vec<Value>| value.len() > MIN_NESTED_ITEMS;
    let lists = result.values_mut().filter_map(Value::as_array_mut).filter(long);
    lists.map(|list| list.truncate(MIN_NESTED_ITEMS)).count()
}

/// Leaves out the last results of the longest list, one by one, until the payload fits or one result of
/// each list is left.
fn drop_results(
    payload: &mut Value,
    budget_bytes: usize,
    result_offset: usize,
    next_page: NextPage<'_>,
    omissions: &mut OmissionNotes,
) {
    let mut excess_bytes = json_size(payload).saturating_sub(budget_bytes);
    let mut lists: Vec<Vec<usize>> = Vec::new();
    visit_lists(payload, &mut |_, list| {
        lists.push(list.iter().map(|result| json_size(result) + 1).collect());
    });
    while excess_bytes > 0 {
        let longest = lists.iter_mut().filter(|list| list.len() > 1);
        let Some(longest) = longest.max_by_key(|list| list.iter().sum::<usize>()) else { break };
        excess_bytes = excess_bytes.saturating_sub(longest.pop().unwrap_or_default());
    }
    let mut remaining_counts = lists.iter().map(Vec::len);
    let mut continuation = None;
    visit_lists(payload, &mut |name, list| {
        let (total, remaining) = (list.len(), remaining_counts.next().unwrap_or_default());
        list.truncate(remaining);
        if remaining == total {
            return;
        }
        let (first, last) = (result_offset + 1, result_offset + remaining);
        let whole = result_offset + total;
        // The page ends where the rows that are shown end, so that the next one begins with the first that is left out.
        let page_end = if name == PAGED_LIST { list.last() } else { None };
        let next = page_end.and_then(|row| next_page(last, row));
        let how = match &next {
            Some((field, _)) => format!("continue from {field}"),
            None => format!("continue with result_offset={last}"),
        };
        omissions.add_note(1, || {
            format!("{name} contains entries {first} to {last} of {whole}: {how}.")
        });
        continuation = continuation.take().or(next);
    });
    if let (Some((field, value)), Some(fields)) = (continuation, payload.as_object_mut()) {
        fields.insert(field.to_owned(), value);
    }
}

#[cfg(test)]
mod tests;
