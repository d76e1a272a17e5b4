//! Answers that fit what a client gives a model to read.
//!
//! Clients cut a tool's answer off, or refuse it, near 25,000 tokens. What is too long is shortened here
//! instead, the same way each time: of results of a search the text of sections first, then other texts
//! and lists within results, then the last results; of sections that were asked for the last ones first,
//! so that the others come whole. What was left out is told, and how to get it.

use serde_json::{Map, Value};

/// Texts of whole sections, which are cut first: they can be had alone.
const SECTION_TEXTS: [&str; 2] = ["full_text", "section_text"];
/// The least that is left of the text of a section, and of another text, in bytes of JSON.
const LEAST_SECTION_TEXT: usize = 500;
const LEAST_TEXT: usize = 300;
/// What is left of a list within a result where it must be cut.
const LEAST_NESTED: usize = 5;
/// Room for the mark at the end of a cut text.
const MARK_BYTES: usize = 64;

/// What was left out of an answer; empty where it is whole.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut(Vec<String>);

impl LeftOut {
    /// The sentences that say what was left out.
    pub(super) fn sentences(&self) -> &[String] {
        &self.0
    }

    /// Texts that were cut: where each was, and how long it was. One that a client may read on in is told
    /// with the number to go on with.
    fn note_cut(&mut self, cut: &[(usize, usize)], reads_on: bool) {
        self.note(cut.len(), || match cut {
            [(at, all)] if reads_on => {
                format!("The text is cut at character {at} of {all}: go on with text_offset={at}.")
            }
            [_] => "1 text is cut; [cut at ...] says where.".to_owned(),
            many => format!("{} texts are cut; [cut at ...] says where.", many.len()),
        });
    }

    fn note(&mut self, count: usize, what: impl FnOnce() -> String) {
        if count > 0 {
            self.0.push(what());
        }
    }
}

/// What a client has had before, and leaves out now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Had {
    /// The first results of each list.
    pub(super) results: usize,
    /// The first characters of the texts of a name, perhaps none; only of a tool whose texts may be read
    /// on in.
    pub(super) text: Option<(&'static str, usize)>,
}

impl Had {
    /// Characters had of the texts of a name.
    fn characters(&self, key: &str) -> usize {
        self.text.filter(|(name, _)| *name == key).map_or(0, |(_, characters)| characters)
    }
}

/// Shortens a payload to so many bytes of JSON, where it is longer; what a client has had already is
/// left out before.
pub(super) fn fit(payload: &mut Value, room: usize, had: Had) -> LeftOut {
    let mut left_out = LeftOut::default();
    if let Some((key, characters @ 1..)) = had.text {
        skip(payload, key, characters);
    }
    if had.results > 0 {
        each_list(payload, &mut |_, list| drop(list.drain(..had.results.min(list.len()))));
    }
    if size(payload) <= room {
        return left_out;
    }
    // Sections that were asked for come whole, one after the other; within results of a search they are
    // cut before a result is left out.
    if had.text.is_some() {
        drop_results(payload, room, had.results, &mut left_out);
    }
    let is_section = |key: &str| SECTION_TEXTS.contains(&key);
    let cut = cut_texts(payload, room, LEAST_SECTION_TEXT, is_section, &had);
    left_out.note_cut(&cut, had.text.is_some());
    if size(payload) <= room {
        return left_out;
    }
    let cut = cut_texts(payload, room, LEAST_TEXT, |key| !is_section(key), &had);
    left_out.note_cut(&cut, false);
    if size(payload) <= room {
        return left_out;
    }
    let cut = cut_nested(payload);
    left_out.note(cut, || {
        format!("{cut} lists within results hold their first {LEAST_NESTED} entries alone.")
    });
    if had.text.is_none() {
        drop_results(payload, room, had.results, &mut left_out);
    }
    left_out
}

/// Leaves the first `offset` characters of the texts of a name out.
fn skip(payload: &mut Value, key: &str, offset: usize) {
    each_text(payload, &mut |name, text| {
        if name == key {
            *text = text.chars().skip(offset).collect();
        }
    });
}

fn size(payload: &Value) -> usize {
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
    had: &Had,
) -> Vec<(usize, usize)> {
    let mut lengths = Vec::new();
    each_text(payload, &mut |key, text| {
        if wanted(key) && text.len() > least {
            lengths.push(printed(text));
        }
    });
    let others = size(payload).saturating_sub(lengths.iter().sum());
    let marks = lengths.len() * MARK_BYTES;
    let longest = common_length(lengths, room.saturating_sub(others + marks)).max(least);
    let mut cut = Vec::new();
    each_text(payload, &mut |key, text| {
        if wanted(key) && printed(text) > longest + MARK_BYTES {
            cut.push(cut_text(text, longest, had.characters(key)));
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
        bytes += printed_char(c.1);
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
fn printed(text: &str) -> usize {
    text.chars().map(printed_char).sum()
}

fn printed_char(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

/// Visits the texts within the results of a payload, with the names they have.
fn each_text(payload: &mut Value, visit: &mut impl FnMut(&str, &mut String)) {
    each_list(payload, &mut |_, list| {
        for result in list {
            texts_of(result, "", visit);
        }
    });
}

fn texts_of(value: &mut Value, key: &str, visit: &mut impl FnMut(&str, &mut String)) {
    match value {
        Value::String(text) => visit(key, text),
        Value::Array(values) => values.iter_mut().for_each(|value| texts_of(value, key, visit)),
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(key, value)| texts_of(value, key, visit));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Visits the lists of results of a payload: the payload itself, or the lists of records that it holds;
/// lists of words, such as those that were not found, are none.
fn each_list(payload: &mut Value, visit: &mut impl FnMut(&str, &mut Vec<Value>)) {
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
    each_list(payload, &mut |_, list| {
        for result in list.iter_mut().filter_map(Value::as_object_mut) {
            cut += cut_lists(result);
        }
    });
    cut
}

fn cut_lists(result: &mut Map<String, Value>) -> usize {
    let long = |value: &&mut Vec<Value>| value.len() > LEAST_NESTED;
    let lists = result.values_mut().filter_map(Value::as_array_mut).filter(long);
    lists.map(|list| list.truncate(LEAST_NESTED)).count()
}

/// Leaves out the last results of the longest list, one by one, until the payload fits or one result of
/// each list is left.
fn drop_results(payload: &mut Value, room: usize, had: usize, left_out: &mut LeftOut) {
    let mut over = size(payload).saturating_sub(room);
    let mut lists: Vec<Vec<usize>> = Vec::new();
    each_list(payload, &mut |_, list| {
        lists.push(list.iter().map(|result| size(result) + 1).collect());
    });
    while over > 0 {
        let longest = lists.iter_mut().filter(|list| list.len() > 1);
        let Some(longest) = longest.max_by_key(|list| list.iter().sum::<usize>()) else { break };
        over = over.saturating_sub(longest.pop().unwrap_or_default());
    }
    let mut kept = lists.iter().map(Vec::len);
    each_list(payload, &mut |name, list| {
        let (all, kept) = (list.len(), kept.next().unwrap_or_default());
        list.truncate(kept);
        left_out.note(all - kept, || {
            let (first, last) = (had + 1, had + kept);
            format!(
                "{name} holds entries {first} to {last} of {}: go on with result_offset={last}.",
                had + all
            )
        });
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reply(results: usize, section: usize, content: usize) -> Value {
        let result = |n: usize| {
            json!({
                "id": n,
                "content": "c ".repeat(content / 2),
                "section_text": "line one \"quoted\"\n".repeat(section / 18),
                "also_in": (0..20).map(|n| json!({"version": n})).collect::<Vec<_>>(),
            })
        };
        json!({"query": "q", "results": (0..results).map(result).collect::<Vec<_>>(), "total": results})
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let whole = reply(3, 100, 100);
        let mut payload = whole.clone();
        assert_eq!(fit(&mut payload, 60_000, Had::default()), LeftOut::default());
        assert_eq!(payload, whole);
    }

    #[test]
    fn texts_of_sections_go_first_then_other_texts_then_results() {
        let mut payload = reply(10, 20_000, 1_000);
        let left_out = fit(&mut payload, 60_000, Had::default());
        assert_eq!(left_out.sentences().len(), 1, "{left_out:?}");
        assert!(size(&payload) <= 60_000 && size(&payload) > 50_000, "{}", size(&payload));
        assert_eq!(payload["results"].as_array().map(Vec::len), Some(10));
        assert_eq!(payload["results"][9]["content"].as_str().map(str::len), Some(1000));

        let mut payload = reply(50, 20_000, 2_000);
        let left_out = fit(&mut payload, 60_000, Had::default());
        assert_eq!(left_out.sentences().len(), 2, "{left_out:?}");
        assert!(size(&payload) <= 60_000);

        let mut payload = reply(200, 20_000, 2_000);
        let left_out = fit(&mut payload, 60_000, Had::default());
        assert_eq!(left_out.sentences().len(), 4, "{left_out:?}");
        assert!(size(&payload) <= 60_000);
        let kept = payload["results"].as_array().map_or(0, Vec::len);
        assert!((20..200).contains(&kept), "{kept}");
        assert_eq!(payload["results"][0]["id"], 0, "the best are kept");
    }

    #[test]
    fn short_texts_stay_whole_beside_long_ones() {
        let mut payload =
            json!([{"full_text": "a".repeat(900)}, {"full_text": "b".repeat(90_000)}]);
        fit(&mut payload, 10_000, Had::default());
        assert_eq!(payload[0]["full_text"].as_str().map(str::len), Some(900));
        let long = payload[1]["full_text"].as_str().expect("a text");
        assert!(long.ends_with(" of 90000]"), "{}", &long[long.len() - 60..]);
        assert!((8_000..=9_200).contains(&long.len()), "{}", long.len());
    }

    #[test]
    fn sections_that_were_asked_for_come_whole_one_after_the_other() {
        let list: Vec<Value> =
            (0..20).map(|n| json!({"full_text": format!("{n} {}", "a".repeat(1000))})).collect();
        let had = Had { text: Some(("full_text", 0)), results: 0 };
        let mut payload = Value::Array(list.clone());
        let left_out = fit(&mut payload, 8_000, had);
        assert_eq!(payload.as_array().map(Vec::as_slice), Some(&list[..7]));
        assert!(
            left_out.sentences()[0].contains("1 to 7 of 20: go on with result_offset=7"),
            "{left_out:?}"
        );
        let mut payload = json!([{"full_text": "b".repeat(90_000)}, {"full_text": "c"}]);
        let left_out = fit(&mut payload, 8_000, had);
        let [first, second] = left_out.sentences() else { panic!("{left_out:?}") };
        assert!(
            first.contains("1 to 1 of 2") && second.contains("go on with text_offset="),
            "{left_out:?}"
        );
    }

    #[test]
    fn reading_on_loses_and_repeats_nothing() {
        let text: String = (0..9000).map(|n| format!("wörd{n} ")).collect();
        let (mut offset, mut read) = (0, String::new());
        for _ in 0..100 {
            let mut payload = json!([{"full_text": text}]);
            fit(&mut payload, 8_000, Had { text: Some(("full_text", offset)), results: 0 });
            let page = payload[0]["full_text"].as_str().expect("a text");
            let Some((shown, mark)) = page.rsplit_once("\n[cut at character ") else {
                read.push_str(page);
                break;
            };
            read.push_str(shown);
            offset = mark.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        }
        assert_eq!(read, text);
    }

    #[test]
    fn a_long_list_is_had_in_parts_without_loss() {
        let list: Vec<Value> =
            (0..500).map(|n| json!({"number": n, "title": "t".repeat(40)})).collect();
        let (mut results, mut all) = (0, Vec::new());
        while results < list.len() {
            let mut payload = Value::Array(list.clone());
            let left_out = fit(&mut payload, 3_000, Had { results, text: None });
            let part = payload.as_array().expect("a list");
            let last = results + part.len();
            let said = format!("the list holds entries {} to {last} of 500: go on", results + 1);
            assert!(last == 500 || left_out.sentences()[0].starts_with(&said), "{left_out:?}");
            all.extend(part.iter().cloned());
            results = last;
        }
        assert_eq!(all, list);
    }

    #[test]
    fn words_that_were_not_found_are_no_results() {
        let mut payload = reply(3, 10, 10);
        payload["unknown_terms"] = json!(["T399x", "quantum"]);
        fit(&mut payload, 100, Had { results: 2, text: None });
        assert_eq!(payload["unknown_terms"], json!(["T399x", "quantum"]));
        assert_eq!(payload["results"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn it_is_the_same_each_time_and_never_fails() {
        for room in [0, 1, 100, 5_000] {
            let [mut one, mut two] = [reply(30, 5_000, 500), reply(30, 5_000, 500)];
            assert_eq!(fit(&mut one, room, Had::default()), fit(&mut two, room, Had::default()));
            assert_eq!(one, two);
            assert_eq!(one["results"][0]["id"], 0);
        }
        for odd in [json!(null), json!([]), json!("x".repeat(100)), json!([[["x"]], 1])] {
            fit(&mut odd.clone(), 1, Had::default());
        }
    }
}
