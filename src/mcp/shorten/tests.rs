//! What is cut first, and that nothing is lost.

use serde_json::json;

use super::*;

/// Of replies that are whole.
const NO_PAGES: NextPage<'_> = &|_, _| None;

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
    assert_eq!(
        shorten_to_fit(&mut payload, 60_000, ReadOffsets::default(), NO_PAGES),
        OmissionNotes::default()
    );
    assert_eq!(payload, whole);
}

#[test]
fn texts_of_sections_go_first_then_other_texts_then_results() {
    let mut payload = reply(10, 20_000, 1_000);
    let omissions = shorten_to_fit(&mut payload, 60_000, ReadOffsets::default(), NO_PAGES);
    assert_eq!(omissions.sentences().len(), 1, "{omissions:?}");
    assert!(
        json_size(&payload) <= 60_000 && json_size(&payload) > 50_000,
        "{}",
        json_size(&payload)
    );
    assert_eq!(payload["results"].as_array().map(Vec::len), Some(10));
    assert_eq!(payload["results"][9]["content"].as_str().map(str::len), Some(1000));

    let mut payload = reply(50, 20_000, 2_000);
    let omissions = shorten_to_fit(&mut payload, 60_000, ReadOffsets::default(), NO_PAGES);
    assert_eq!(omissions.sentences().len(), 2, "{omissions:?}");
    assert!(json_size(&payload) <= 60_000);

    let mut payload = reply(200, 20_000, 2_000);
    let omissions = shorten_to_fit(&mut payload, 60_000, ReadOffsets::default(), NO_PAGES);
    assert_eq!(omissions.sentences().len(), 4, "{omissions:?}");
    assert!(json_size(&payload) <= 60_000);
    let kept = payload["results"].as_array().map_or(0, Vec::len);
    assert!((20..200).contains(&kept), "{kept}");
    assert_eq!(payload["results"][0]["id"], 0, "the best are kept");
}

#[test]
fn short_texts_stay_whole_beside_long_ones() {
    let mut payload = json!([{"full_text": "a".repeat(900)}, {"full_text": "b".repeat(90_000)}]);
    shorten_to_fit(&mut payload, 10_000, ReadOffsets::default(), NO_PAGES);
    assert_eq!(payload[0]["full_text"].as_str().map(str::len), Some(900));
    let long = payload[1]["full_text"].as_str().expect("a text");
    assert!(long.ends_with(" of 90000]"), "{}", &long[long.len() - 60..]);
    assert!((8_000..=9_200).contains(&long.len()), "{}", long.len());
}

#[test]
fn requested_sections_come_whole_one_after_the_other() {
    let list: Vec<Value> =
        (0..20).map(|n| json!({"full_text": format!("{n} {}", "a".repeat(1000))})).collect();
    let offsets = ReadOffsets { char_offset: Some(("full_text", 0)), result_offset: 0 };
    let mut payload = Value::Array(list.clone());
    let omissions = shorten_to_fit(&mut payload, 8_000, offsets, NO_PAGES);
    assert_eq!(payload.as_array().map(Vec::as_slice), Some(&list[..7]));
    assert!(
        omissions.sentences()[0].contains("1 to 7 of 20: continue with result_offset=7"),
        "{omissions:?}"
    );
    let mut payload = json!([{"full_text": "b".repeat(90_000)}, {"full_text": "c"}]);
    let omissions = shorten_to_fit(&mut payload, 8_000, offsets, NO_PAGES);
    let [first, second] = omissions.sentences() else { panic!("{omissions:?}") };
    assert!(
        first.contains("1 to 1 of 2") && second.contains("continue with char_offset="),
        "{omissions:?}"
    );
}

#[test]
fn continuing_a_text_loses_and_repeats_nothing() {
    let text: String = (0..9000).map(|n| format!("wörd{n} ")).collect();
    let (mut offset, mut read) = (0, String::new());
    for _ in 0..100 {
        let mut payload = json!([{"full_text": text}]);
        shorten_to_fit(
            &mut payload,
            8_000,
            ReadOffsets { char_offset: Some(("full_text", offset)), result_offset: 0 },
            NO_PAGES,
        );
        let page = payload[0]["full_text"].as_str().expect("a text");
        let Some((part, mark)) = page.rsplit_once("\n[cut at character ") else {
            read.push_str(page);
            break;
        };
        read.push_str(part);
        offset = mark.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    }
    assert_eq!(read, text);
}

#[test]
fn a_long_list_is_read_in_parts_without_loss() {
    let list: Vec<Value> =
        (0..500).map(|n| json!({"number": n, "title": "t".repeat(40)})).collect();
    let (mut results, mut all) = (0, Vec::new());
    while results < list.len() {
        let mut payload = Value::Array(list.clone());
        let omissions = shorten_to_fit(
            &mut payload,
            3_000,
            ReadOffsets { result_offset: results, char_offset: None },
            NO_PAGES,
        );
        let part = payload.as_array().expect("a list");
        let last = results + part.len();
        let expected_note =
            format!("the list contains entries {} to {last} of 500: continue", results + 1);
        assert!(
            last == 500 || omissions.sentences()[0].starts_with(&expected_note),
            "{omissions:?}"
        );
        all.extend(part.iter().cloned());
        results = last;
    }
    assert_eq!(all, list);
}

#[test]
fn unknown_terms_are_not_results() {
    let mut payload = reply(3, 10, 10);
    payload["unknown_terms"] = json!(["T399x", "quantum"]);
    let offsets = ReadOffsets { result_offset: 2, char_offset: None };
    shorten_to_fit(&mut payload, 100, offsets, NO_PAGES);
    assert_eq!(payload["unknown_terms"], json!(["T399x", "quantum"]));
    assert_eq!(payload["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn shortening_is_deterministic_and_never_fails() {
    for room in [0, 1, 100, 5_000] {
        let [mut one, mut two] = [reply(30, 5_000, 500), reply(30, 5_000, 500)];
        assert_eq!(
            shorten_to_fit(&mut one, room, ReadOffsets::default(), NO_PAGES),
            shorten_to_fit(&mut two, room, ReadOffsets::default(), NO_PAGES)
        );
        assert_eq!(one, two);
        assert_eq!(one["results"][0]["id"], 0);
    }
    for odd in [json!(null), json!([]), json!("x".repeat(100)), json!([[["x"]], 1])] {
        shorten_to_fit(&mut odd.clone(), 1, ReadOffsets::default(), NO_PAGES);
    }
}

#[test]
fn pages_that_are_shortened_continue_with_the_first_row_that_is_left_out() {
    let all: Vec<Value> =
        (0..100).map(|id| json!({"id": id, "title": "a title ".repeat(id % 17)})).collect();
    for (budget, limit) in [(600, 100), (600, 7), (900, 40), (3_000, 100), (100_000, 30)] {
        let (mut offset, mut read) = (0, Vec::new());
        for _ in 0..=all.len() {
            let page = &all[offset..all.len().min(offset + limit)];
            let next = offset + page.len();
            let mut payload = json!({
                "items": page, "next_offset": (next < all.len()).then_some(next), "total": all.len(),
            });
            let next_page =
                |rows: usize, _: &Value| Some(("next_offset", Value::from(offset + rows)));
            shorten_to_fit(&mut payload, budget, ReadOffsets::default(), &next_page);
            let items = payload["items"].as_array().expect("a list");
            read.extend(items.iter().map(|row| row["id"].as_u64().expect("an id")));
            let Some(next) = payload["next_offset"].as_u64() else { break };
            offset = usize::try_from(next).expect("small");
        }
        assert_eq!(read, (0..100).collect::<Vec<_>>(), "{budget} bytes, pages of {limit}");
    }
}
