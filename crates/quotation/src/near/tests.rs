//! Tests of near matches.

use super::*;
use QuoteDifferenceKind::{Inserted, Missing, Replaced};
use domain::QuoteDifferenceKind;

const TEXT: &str = "4.2 Timers\nThe UE shall start timer T310 when 10 consecutive indications are received.\n\
    - The network may not configure more than 8 beams for non-zero power CSI-RS.\n\
    Nothing else is said in this clause about the behaviour of relays and their children.";

/// The text of a match, and its differences as kind, quoted words and actual words.
type ListedMatch = (String, Vec<(QuoteDifferenceKind, String, String)>);

fn near(quotation: &str, text: &str) -> Option<ListedMatch> {
    let quotation = Quotation::parse(quotation).expect("words");
    let text = TokenizedText::new(text.to_owned());
    let found = find_near_match(&quotation, &text)?;
    let differences = found.differences.into_iter().map(|d| (d.kind, d.quoted, d.actual));
    Some((text.text()[found.range].to_owned(), differences.collect()))
}

#[test]
fn each_difference_is_shown() {
    let sentence = "The UE shall start timer T310 when 10 consecutive indications are received";
    for (quotation, expected) in [
        (
            "the UE shall start timer T310 when 11 consecutive indications are received",
            (Replaced, "11", "10"),
        ),
        (
            "the UE shall not start timer T310 when 10 consecutive indications are received",
            (Inserted, "not", ""),
        ),
        (
            "the UE shall start T310 when 10 consecutive indications are received",
            (Missing, "", "timer"),
        ),
        (
            "the gNB shall start timer T310 when 10 consecutive indications are received",
            (Replaced, "gNB", "UE"),
        ),
        (
            "the UE shall start timer T310, when 10 consecutive indications are received",
            (Inserted, ",", ""),
        ),
        (
            "the UE shall start timer t310 when 10 consecutive indications are received",
            (Replaced, "t310", "T310"),
        ),
    ] {
        let (text, differences) = near(quotation, TEXT).expect("near");
        assert_eq!(text, sentence, "{quotation}");
        let (kind, quoted, actual) = expected;
        assert_eq!(differences, [(kind, quoted.to_owned(), actual.to_owned())], "{quotation}");
    }
}

#[test]
fn a_cut_word_is_shown_as_missing() {
    let (text, differences) = near("zero power CSI-RS", TEXT).expect("near");
    assert_eq!(text, "non-zero power CSI-RS");
    assert_eq!(differences, [(Missing, String::new(), "non-".to_owned())]);
}

#[test]
fn neighbouring_differences_are_one() {
    let quotation = "The network may not set up more than eight beams for non-zero power CSI-RS";
    let (_, differences) = near(quotation, TEXT).expect("near");
    assert_eq!(
        differences,
        [
            (Replaced, "set up".to_owned(), "configure".to_owned()),
            (Replaced, "eight".to_owned(), "8".to_owned()),
        ]
    );
}

#[test]
fn other_sentences_are_not_near() {
    for quotation in [
        "A relay forwards packets of its children to the donor",
        "The UE shall stop all timers and go to idle mode",
        "timer T311",
        "the of and in is are",
    ] {
        assert_eq!(near(quotation, TEXT), None, "{quotation}");
    }
}

#[test]
fn the_most_similar_of_several_stretches_is_taken() {
    let text = (1..200)
        .map(|n| format!("Beam {n} of cell {} is reported with value {}.", n % 7, n % 11))
        .collect::<Vec<_>>()
        .join("\n");
    let (found, differences) =
        near("Beam 77 of cell 0 is reported with value 1", &text).expect("near");
    assert_eq!(found, "Beam 77 of cell 0 is reported with value 0");
    assert_eq!(differences, [(Replaced, "1".to_owned(), "0".to_owned())]);
}

#[test]
fn what_stands_there_as_it_is_has_no_differences() {
    let (_, differences) =
        near("the network may not configure more than 8 beams", TEXT).expect("near");
    assert!(differences.is_empty());
    let (_, scripts) =
        near("with $x_{2}$ for the first beam", "with $x^{2}$ for the first beam").expect("near");
    assert_eq!(scripts.len(), 1);
}

#[test]
fn a_long_quotation_within_a_long_text_stays_cheap() {
    let sentence =
        |n: usize| format!("Step {n} of procedure {} sets field {} to {}. ", n % 5, n % 13, n % 3);
    let text: String = (0..5_000).map(sentence).collect();
    let quotation: String = (2_000..2_060).map(sentence).collect();
    let changed = quotation.replacen("Step 2030", "Step 9030", 1);
    let (_, differences) = near(&changed, &text).expect("near");
    assert_eq!(differences, [(Replaced, "9030".to_owned(), "2030".to_owned())]);
}
