//! Tests of the pairing of sections.

use std::convert::Infallible;

use super::*;

/// Sections as `number|title|text`; the level is the number of parts of the number.
fn parse(lines: &[&str]) -> (Vec<OutlineHeading>, Vec<String>) {
    let parse = |line: &&str| {
        let mut parts = line.splitn(3, '|').map(str::to_owned);
        let (number, title) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let level = number.split('.').count() as u8;
        (OutlineHeading { number, title, level }, parts.next().unwrap_or_default())
    };
    lines.iter().map(parse).unzip()
}

/// The pairs that changed, in words.
fn differences(old: &[&str], new: &[&str]) -> Vec<String> {
    let ((old, old_texts), (new, new_texts)) = (parse(old), parse(new));
    let text = |side, index: usize| -> Result<String, Infallible> {
        Ok(match side {
            Side::Old => old_texts[index].clone(),
            Side::New => new_texts[index].clone(),
        })
    };
    let Ok(pairs) = align_sections(&old, &new, text);
    let number = |list: &[OutlineHeading], index: Option<usize>| {
        index.map_or("-".to_owned(), |index| list[index].number.clone())
    };
    let describe = |pair: &SectionPair| {
        let mut words = format!("{} {}", number(&old, pair.old), number(&new, pair.new));
        for (is, word) in [
            (pair.is_renamed, " renamed"),
            (pair.is_renumbered, " renumbered"),
            (pair.is_moved, " moved"),
            (pair.is_voided, " voided"),
        ] {
            words.push_str(if is { word } else { "" });
        }
        if pair.split_from.is_some() {
            words.push_str(&format!(" split from {}", number(&old, pair.split_from)));
        }
        if pair.merged_into.is_some() {
            words.push_str(&format!(" merged into {}", number(&new, pair.merged_into)));
        }
        words
    };
    let all: Vec<String> = pairs.iter().map(describe).collect();
    let same = |words: &&String| words.split_once(' ').is_some_and(|(old, new)| old == new);
    all.iter().filter(|words| !same(words)).cloned().collect()
}

const LONG: &str =
    "the terminal starts the timer when it sends the request and stops it when the answer comes";
const OTHER: &str =
    "a cell that is barred is not chosen unless the network says that emergency calls are served";

#[test]
fn sections_are_followed_when_they_are_renumbered_with_what_is_below() {
    let old = ["5|Procedures|", "5.1|General|x", "5.2|Access|", "5.2.1|General|y", "5.3|Exit|z"];
    let new = [
        "5|Procedures|",
        "5.1|General|x",
        "5.2|Entry|new words here",
        "5.3|Access|",
        "5.3.1|General|y",
        "5.4|Exit|z",
    ];
    assert_eq!(
        differences(&old, &new),
        ["- 5.2", "5.2 5.3 renumbered", "5.2.1 5.3.1 renumbered", "5.3 5.4 renumbered"]
    );
}

#[test]
fn renamed_voided_and_removed_sections_are_told_apart() {
    let a = format!("5.1|Barring of cells|{LONG}");
    let b = format!("5.1|Handling of barred cells|{LONG}");
    let c = format!("5.1|Selection|{LONG}");
    let far = format!("5.1|Selection|{OTHER}");
    assert_eq!(differences(&["5|P|", &a], &["5|P|", &b]), ["5.1 5.1 renamed"]);
    assert_eq!(differences(&["5|P|", &a], &["5|P|", &c]), ["5.1 5.1 renamed"]);
    assert_eq!(differences(&["5|P|", &a], &["5|P|", &far]), ["5.1 -", "- 5.1"]);
    assert_eq!(differences(&["5|P|", &a], &["5|P|", "5.1|Void|"]), ["5.1 5.1 renamed voided"]);
    assert_eq!(differences(&["5|P|", "5.1|Void|"], &["5|P|", &a]), ["5.1 5.1 renamed"]);
    assert_eq!(differences(&["5|P|", &a], &["5|P|"]), ["5.1 -"]);
}

#[test]
fn a_section_that_moved_is_found_by_its_text_and_void_placeholders_are_not_taken_for_it() {
    let old = ["5|P|", &format!("5.1|Barring|{LONG}"), "6|Q|", "6.1|General|x"];
    let new = ["5|P|", "5.1|Void|", "6|Q|", "6.1|General|x", &format!("6.2|Barred cells|{LONG}")];
    assert_eq!(differences(&old, &new), ["- 5.1", "5.1 6.2 renamed renumbered moved"]);
}

#[test]
fn parts_of_a_section_that_stand_apart_are_split_off_and_the_other_way_round() {
    let whole = format!("5.1|Access|{LONG} {OTHER}");
    let (rest, part) = (format!("5.1|Access|{LONG}"), format!("5.2|Barring|{OTHER}"));
    let (one, two) = (["5|P|", &whole], ["5|P|", &rest, &part]);
    assert_eq!(differences(&one, &two), ["- 5.2 split from 5.1"]);
    assert_eq!(differences(&two, &one), ["5.2 - merged into 5.1"]);
}
