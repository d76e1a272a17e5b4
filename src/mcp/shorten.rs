//! Answers that fit what a client gives a model to read.
//!
//! Clients cut a tool's answer off, or refuse it, near 25,000 tokens. What is too long is shortened here
//! instead, the same way each time: of results of a search the text of sections first, then other texts
//! and lists within results, then the last results; of sections that were asked for the last ones first,
//! so that the others come whole. The answer says what was left out, and how to get it.

use serde_json::{Map, Value};

/// Texts of whole sections, which are cut first: they can be had alone.
const SECTION_TEXTS: [&str; 2] = ["full_text", "section_text"];
/// The least that is left of the text of a section, and of another text, in bytes of JSON.
const MIN_SECTION_TEXT_BYTES: usize = 500;
const MIN_TEXT_BYTES: usize = 300;
/// What is left of a list within a result where it must be cut.
const MIN_NESTED_ITEMS: usize = 5;
/// Room for the mark at the end of a cut text.
const MARK_BYTES: usize = 64;

/// What was left out of an answer; empty where it is whole.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OmissionNotes(Vec<String>);

impl OmissionNotes {
    /// The sentences that say what was left out.
    pub(super) fn sentences(&self) -> &[String] {
        &self.0
    }

    /// Texts that were cut: where each was, and how long it was. One that a client may read on in is told
    /// with the number to go on with.
    fn add_cut_note(&mut self, cut: &[(usize, usize)], reads_on: bool) {
        self.add_note(cut.len(), || match cut {
            [(at, all)] if reads_on => {
                format!("The text is cut at character {at} of {all}: go on with text_offset={at}.")
            }
            [_] => "1 text is cut; [cut at ...] says where.".to_owned(),
            many => format!("{} texts are cut; [cut at ...] says where.", many.len()),
        });
    }

    fn add_note(&mut self, count: usize, what: impl FnOnce() -> String) {
        if count > 0 {
            self.0.push(what());
        }
    }
}

/// What a client has had before, and leaves out now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReadOffsets {
    /// The first results of each list.
    pub(super) result_offset: usize,
    /// The first characters of the texts of a name, perhaps none; only of a tool whose texts may be read
    /// on in.
    pub(super) text_offset: Option<(&'static str, usize)>,
}

impl ReadOffsets {
    /// Characters had of the texts of a name.
    fn characters_read(&self, key: &str) -> usize {
        self.text_offset.filter(|(name, _)| *name == key).map_or(0, |(_, characters)| characters)
    }
}

/// Shortens a payload to so many bytes of JSON, where it is longer; what a client has had already is
/// left out before.
pub(super) fn shorten_to_fit(payload: &mut Value, room: usize, had: ReadOffsets) -> OmissionNotes {
    let mut left_out = OmissionNotes::default();
    if let Some((key, characters @ 1..)) = had.text_offset {
        skip_characters(payload, key, characters);
    }
    if had.result_offset > 0 {
        visit_lists(payload, &mut |_, list| drop(list.drain(..had.result_offset.min(list.len()))));
    }
    if json_size(payload) <= room {
        return left_out;
    }
    // Sections that were asked for come whole, one after the other; within results of a search they are
    // cut before a result is left out.
    if had.text_offset.is_some() {
        drop_results(payload, room, had.result_offset, &mut left_out);
    }
    let is_section = |key: &str| SECTION_TEXTS.contains(&key);
    let cut = cut_texts(payload, room, MIN_SECTION_TEXT_BYTES, is_section, &had);
    left_out.add_cut_note(&cut, had.text_offset.is_some());
    if json_size(payload) <= room {
        return left_out;
    }
    let cut = cut_texts(payload, room, MIN_TEXT_BYTES, |key| !is_section(key), &had);
    left_out.add_cut_note(&cut, false);
    if json_size(payload) <= room {
        return left_out;
    }
    let cut = cut_nested(payload);
    left_out.add_note(cut, || {
        format!("{cut} lists within results hold their first {MIN_NESTED_ITEMS} entries alone.")
    });
    if had.text_offset.is_none() {
        drop_results(payload, room, had.result_offset, &mut left_out);
    }
    left_out
}

/// Leaves the first `offset` characters of the texts of a name out.
fn skip_characters(payload: &mut Value, key: &str, offset: usize) {
    visit_texts(payload, &mut |name, text| {
        if name == key {
            *text = text.chars().skip(offset).collect();
        }
    });
}

fn json_size(payload: &Value) -> usize {
    // A value of JSON always prints.
    serde_json::to_vec(payload).map_or(0, |bytes| bytes.len())
}

/// Cuts the longest of the wanted texts to one length, so that the payload fits where that is possible
/// without cutting below `least`; where each was cut, and how long it was.
fn cut_texts(
    payload: &mut Value,
    room: usize,
    least: usize,
    wanted: impl Fn(&str) -> bool,
    had: &ReadOffsets,
) -> Vec<(usize, usize)> {
    let mut lengths = Vec::new();
    visit_texts(payload, &mut |key, text| {
        if wanted(key) && text.len() > least {
            lengths.push(json_text_size(text));
        }
    });
    let others = json_size(payload).saturating_sub(lengths.iter().sum());
    let marks = lengths.len() * MARK_BYTES;
    let longest = common_length(lengths, room.saturating_sub(others + marks)).max(least);
    let mut cut = Vec::new();
    visit_texts(payload, &mut |key, text| {
        if wanted(key) && json_text_size(text) > longest + MARK_BYTES {
            cut.push(cut_text(text, longest, had.characters_read(key)));
        }
    });
    cut
}

/// The length to which the longer ones are cut so that all together take no more than `room`.
fn common_length(mut lengths: Vec<usize>, mut room: usize) -> usize {
    lengths.sort_unstable();
    let count = lengths.len();
    for (at, length) in lengths.into_iter().enumerate() {
        let share = room / (count - at);
        if length > share {
            return share;
        }
        room -= length;
    }
    usize::MAX - MARK_BYTES
}

/// Cuts a text where it is `longest` bytes of JSON long, at the end of a line or word near there. The
/// mark counts the characters before it too, that a client has had.
fn cut_text(text: &mut String, longest: usize, had: usize) -> (usize, usize) {
    let mut bytes = 0;
    let fits = |c: &(usize, char)| {
        bytes += json_char_size(c.1);
        bytes <= longest
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8());
    let near = end - end / 5;
    let head = &text[..end];
    let at = head.rfind('\n').filter(|at| *at >= near).or_else(|| head.rfind(' '));
    let end = at.filter(|at| *at >= near).unwrap_or(end);
    let (shown, all) = (text[..end].chars().count(), text.chars().count());
    text.truncate(end);
    let (at, all) = (had + shown, had + all);
    text.push_str(&format!("\n[cut at character {at} of {all}]"));
    (at, all)
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

/// Visits the lists of results of a payload: the payload itself, or the lists of records that it holds;
/// lists of words, such as those that were not found, are none.
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

/// Cuts the lists within results; how many were cut.
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
fn drop_results(payload: &mut Value, room: usize, had: usize, left_out: &mut OmissionNotes) {
    let mut over = json_size(payload).saturating_sub(room);
    let mut lists: Vec<Vec<usize>> = Vec::new();
    visit_lists(payload, &mut |_, list| {
        lists.push(list.iter().map(|result| json_size(result) + 1).collect());
    });
    while over > 0 {
        let longest = lists.iter_mut().filter(|list| list.len() > 1);
        let Some(longest) = longest.max_by_key(|list| list.iter().sum::<usize>()) else { break };
        over = over.saturating_sub(longest.pop().unwrap_or_default());
    }
    let mut kept = lists.iter().map(Vec::len);
    visit_lists(payload, &mut |name, list| {
        let (all, kept) = (list.len(), kept.next().unwrap_or_default());
        list.truncate(kept);
        left_out.add_note(all - kept, || {
            let (first, last) = (had + 1, had + kept);
            format!(
                "{name} holds entries {first} to {last} of {}: go on with result_offset={last}.",
                had + all
            )
        });
    });
}

#[cfg(test)]
mod tests;
