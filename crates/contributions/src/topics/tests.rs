//! Ranking of decisions, on invented texts.

use super::*;
use domain::{DecisionType, RecordedDecision};
use store::DecisionVector;

fn row(quote: &str, heading: &str, item: &str) -> RecordedDecision {
    RecordedDecision {
        kind: DecisionType::Agreement,
        outcome: None,
        marker: String::new(),
        quote: quote.to_owned(),
        is_cut: false,
        anchor: String::new(),
        last_anchor: String::new(),
        page: None,
        agenda_item: Some(item.to_owned()),
        heading: Some(heading.to_owned()),
        recorded_under: None,
        references: Vec::new(),
        session: None,
        part_of: None,
    }
}

fn rank(indexes: &[&TopicIndex], question: &str) -> Vec<(usize, usize)> {
    let tables: Vec<&Abbreviations> = indexes.iter().map(|index| &index.abbreviations).collect();
    let equivalents = |phrase: &str| -> Vec<Equivalent> {
        merged_equivalents(&tables, phrase).into_iter().map(Equivalent::same).collect()
    };
    let query = TopicQuery::new(question, &equivalents);
    let hits = rank_decisions(indexes, &query, |_, _| DecisionType::Agreement);
    hits.into_iter().map(|hit| (hit.index, hit.decision)).collect()
}

#[test]
fn decisions_about_a_topic_are_ranked_best_first() {
    let rows = [
        row("Support wide beams in all cells", "Antennas", "1"),
        row("Support narrow waves", "Beams and waves", "1"),
        row("Support seven users", "Users", "1"),
        row("The wake-up signal has two symbols", "Low power", "1"),
    ];
    let topics = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
    let about = |question: &str| -> Vec<usize> {
        rank(&[&topics], question).into_iter().map(|(_, decision)| decision).collect()
    };
    // Poor matches follow if there are few good ones.
    assert_eq!(about("What was agreed on wide beam?"), [0, 1]);
    assert_eq!(about("waves"), [1]);
    assert_eq!(about("wake-up signal"), [3]);
    assert_eq!(about("What was decided at the meeting?"), Vec::<usize>::new());
    assert_eq!(about("colours"), Vec::<usize>::new());
}

#[test]
fn an_abbreviation_and_its_long_form_find_the_same_in_all_meetings() {
    let mut titles = AgendaTitles::default();
    titles.add_title("9", "Low-power wake-up signal (LP-WUS)");
    let one =
        [row("The signal has two symbols", "Design", "9.1"), row("Support power", "Power", "8")];
    let other = [row("LP-WUS is repeated", "Repetition", "7"), row("Support users", "Users", "7")];
    let one = TopicIndex::from_rows(one.iter(), &titles);
    let other = TopicIndex::from_rows(other.iter(), &AgendaTitles::default());
    for question in ["LP-WUS", "What was agreed on low-power wake-up signals?"] {
        let mut found = rank(&[&one, &other], question);
        found.truncate(2);
        found.sort_unstable();
        assert_eq!(found, [(0, 0), (1, 0)], "{question}");
    }
}

#[test]
fn a_decision_that_says_the_same_in_other_words_is_found_by_its_vector() {
    let rows = [
        row("Support narrow waves", "Waves", "1"),
        row("The terminal sleeps between two pages", "Power", "1"),
        row("Support seven users", "Users", "1"),
    ];
    let mut topics = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
    let mut vectors: Vec<DecisionVector> =
        (0..3).map(|decision| DecisionVector::from_vector(decision, &[0.0, 1.0])).collect();
    vectors[1] = DecisionVector::from_vector(1, &[1.0, 0.1]);
    topics.meaning.add_vectors([7; 32], vectors);
    let ranked = |model: [u8; 32], question: &str| -> Vec<usize> {
        let mut query = TopicQuery::new(question, &|_| Vec::new());
        query.meaning = Some(QuestionVector { model, vector: vec![1.0, 0.0] });
        let hits = rank_decisions(&[&topics], &query, |_, _| DecisionType::Agreement);
        hits.into_iter().map(|hit| hit.decision).collect()
    };
    assert_eq!(ranked([7; 32], "saving battery"), [1]);
    assert_eq!(ranked([8; 32], "saving battery"), Vec::<usize>::new(), "another model");
    assert_eq!(ranked([7; 32], "What was agreed?"), Vec::<usize>::new(), "about nothing");
}

#[test]
fn all_good_matches_count_however_many_there_are() {
    let rows: Vec<RecordedDecision> =
        (0..40).map(|index| row(&format!("Beam number {index}"), "Beams", "1")).collect();
    let topics = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
    assert_eq!(rank(&[&topics], "beams").len(), 40);
}

#[test]
fn of_equal_decisions_the_newest_is_first() {
    let rows = [row("Support wide beams", "Beams", "1"), row("Support wide beams", "Beams", "1")];
    let older = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
    let newer = TopicIndex::from_rows(rows[..1].iter(), &AgendaTitles::default());
    assert_eq!(rank(&[&older, &newer], "wide beams"), [(1, 0), (0, 0), (0, 1)]);
}

#[test]
fn an_abbreviation_in_capitals_is_not_the_word_with_its_letters() {
    let rows = [
        row("The reader repeats what tags send", "Tags", "1"),
        row("Support two timing advance groups", "Timing", "2"),
        row("The TAG of the first message is indicated", "Messages", "3"),
    ];
    let mut titles = AgendaTitles::default();
    titles.add_title("9", "Two timing advance groups (TAG)");
    let topics = TopicIndex::from_rows(rows.iter(), &titles);
    let about = |question: &str| -> Vec<usize> {
        let mut found: Vec<usize> =
            rank(&[&topics], question).into_iter().map(|hit| hit.1).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(about("What was agreed on TAGs?"), [1, 2]);
    assert_eq!(about("timing advance group"), [1, 2]);
    assert_eq!(about("tag"), [0, 1, 2], "in small letters it may be either");
}

#[test]
fn several_matches_under_one_title_outweigh_one_by_chance() {
    let rows = [
        row("Support narrow waves in wide cells", "Users", "1"),
        row("Support narrow waves in wide cells", "Waves", "2"),
        row("Narrow cells have waves", "Waves", "2"),
    ];
    let topics = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
    let found = rank(&[&topics], "narrow cells");
    assert_eq!(found.first(), Some(&(0, 2)));
    let place = |decision| found.iter().position(|hit| hit.1 == decision);
    assert!(place(1) < place(0), "{found:?}");
}

#[test]
fn a_term_of_the_field_for_an_everyday_word_weighs_less_than_the_word() {
    let rows = [row("The terminal sleeps", "Power", "1"), row("The phone sleeps", "Power", "1")];
    let topics = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
    let equivalents = |phrase: &str| -> Vec<Equivalent> {
        let term = Equivalent { text: "terminal".to_owned(), weight: 0.6 };
        if phrase == "phone" { vec![term] } else { Vec::new() }
    };
    let query = TopicQuery::new("phone sleeps", &equivalents);
    let hits = rank_decisions(&[&topics], &query, |_, _| DecisionType::Agreement);
    assert_eq!(hits.iter().map(|hit| hit.decision).collect::<Vec<_>>(), [1, 0]);
}
