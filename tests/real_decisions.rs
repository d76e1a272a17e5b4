//! Decisions of real reports found by topic, and what real summaries of feature leads quote.
//!
//! The keys have no text of the files: agenda items of reports (`tests/fixtures/decision_topics.tsv`), and positions
//! (`tests/fixtures/decision_search.tsv`).

#[path = "support/more_real_files.rs"]
mod more_real_files;
#[path = "support/newest_real_files.rs"]
mod newest_real_files;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use contributions::{
    Abbreviations, AgendaTitles, Equivalent, TopicIndex, TopicQuery, is_within_agenda_item,
    merged_equivalents, rank_decisions, to_decision_rows,
};
use document::Limits;
use domain::{DecisionType, NotesKind, RecordedDecision};
use extract::{Contribution, ExtractOptions, read_contribution};
use more_real_files::more_real_files;
use newest_real_files::newest_real_files;
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        a_topic_is_found_in_both_its_spellings_over_all_reports,
        questions_find_their_decision_among_those_of_thirteen_meetings,
        summaries_give_only_what_they_show_to_be_of_their_meeting,
    ]])
}

/// The minimum mean recall of the decisions under a topic's agenda items, and share of them among the first five.
const RECALL: f64 = 0.95;
const FIRST_FIVE: f64 = 0.95;

/// The decisions of a report, and the index of their topics.
struct Report {
    rows: Vec<RecordedDecision>,
    topics: TopicIndex,
}

fn read(path: &Path) -> Contribution {
    let read = read_contribution(path, "", &Limits::default(), &ExtractOptions::default());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn report(path: &Path) -> Report {
    let read = read(path);
    let mut titles = AgendaTitles::default();
    let headings = read.blocks.iter().filter(|block| block.heading.is_some());
    headings.for_each(|block| titles.add_heading(&block.text));
    let rows = to_decision_rows(NotesKind::MeetingReport, &read.minutes);
    let topics = TopicIndex::from_rows(rows.iter(), &titles);
    Report { rows, topics }
}

/// The files of a folder, by the part of their names after the last hyphen: `118`.
fn final_reports(folder: &Path) -> BTreeMap<String, PathBuf> {
    let files = fs::read_dir(folder).expect("readable").flatten().map(|entry| entry.path());
    files
        .filter_map(|path| {
            let stem = path.file_stem()?.to_string_lossy().into_owned();
            Some((stem.rsplit_once('-')?.1.to_owned(), path))
        })
        .collect()
}

fn is_decided_text(row: &RecordedDecision) -> bool {
    matches!(
        row.kind,
        DecisionType::Agreement | DecisionType::WorkingAssumption | DecisionType::Conclusion
    )
}

/// Reports in the order of their meetings, searched together by words alone.
struct SearchedReports(BTreeMap<MeetingNumber, Report>);

/// `107b` as 107 and `b`.
type MeetingNumber = (u32, String);

fn meeting_number(name: &str) -> MeetingNumber {
    let digits = name.trim_end_matches(char::is_alphabetic);
    (digits.parse().expect("a number"), name[digits.len()..].to_owned())
}

impl SearchedReports {
    fn read_from(folders: &[PathBuf]) -> Self {
        let files = folders.iter().flat_map(|folder| final_reports(folder));
        Self(files.map(|(name, path)| (meeting_number(&name), report(&path))).collect())
    }

    /// The meetings and rows of the decisions of a question, best first.
    fn search(&self, question: &str) -> Vec<(&MeetingNumber, &RecordedDecision)> {
        let topics: Vec<&TopicIndex> = self.0.values().map(|report| &report.topics).collect();
        let tables: Vec<&Abbreviations> = topics.iter().map(|one| &one.abbreviations).collect();
        let equivalents = |phrase: &str| -> Vec<Equivalent> {
            let shipped = merged_equivalents(&[Abbreviations::shipped()], phrase);
            let learned = merged_equivalents(&tables, phrase);
            learned.into_iter().chain(shipped).map(Equivalent::same).collect()
        };
        let query = TopicQuery::new(question, &equivalents);
        let reports: Vec<(&MeetingNumber, &Report)> = self.0.iter().collect();
        let kind = |index: usize, row: usize| reports[index].1.rows[row].kind;
        let hits = rank_decisions(&topics, &query, kind).into_iter();
        let found =
            hits.map(|hit| (reports[hit.index].0, &reports[hit.index].1.rows[hit.decision]));
        found.filter(|(_, row)| row.kind != DecisionType::Noted).collect()
    }
}

fn a_topic_is_found_in_both_its_spellings_over_all_reports() -> TestResult {
    let reports = SearchedReports::read_from(&[
        real_files("notes")?.join("ran1_final_reports"),
        more_real_files("notes")?.join("ran1_final_reports"),
    ]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decision_topics.tsv");
    let key = fs::read_to_string(path).expect("the key");
    let (mut recalls, mut first_five) = (Vec::new(), Vec::new());
    for line in key.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let mut expected = HashSet::new();
        for (name, items) in parts[2].split(' ').filter_map(|part| part.split_once(':')) {
            let (meeting, report) =
                reports.0.get_key_value(&meeting_number(name)).expect("a report");
            for decision in &report.rows {
                let item = decision.agenda_item.as_deref().unwrap_or_default();
                if is_decided_text(decision)
                    && items.split(',').any(|outer| is_within_agenda_item(item, outer))
                {
                    expected.insert((meeting, &decision.anchor));
                }
            }
        }
        for question in &parts[..2] {
            let hits: Vec<_> = reports
                .search(question)
                .into_iter()
                .filter(|(_, row)| is_decided_text(row))
                .map(|(meeting, row)| (meeting, &row.anchor))
                .collect();
            let found = hits.iter().filter(|hit| expected.contains(hit)).count();
            let first: Vec<bool> = hits.iter().take(5).map(|hit| expected.contains(hit)).collect();
            let right = first.iter().filter(|right| **right).count();
            let recall = found as f64 / expected.len() as f64;
            println!("{question}: recall {recall:.3} of {}, first five {right}", expected.len());
            recalls.push(recall);
            first_five.extend(first);
        }
    }
    let recall = recalls.iter().sum::<f64>() / recalls.len() as f64;
    let right = first_five.iter().filter(|right| **right).count() as f64 / first_five.len() as f64;
    println!("{} questions: recall {recall:.4}, first five {right:.4}", recalls.len());
    assert!(recalls.len() >= 40 && recall >= RECALL && right >= FIRST_FIVE, "{recall} {right}");
    Ok(())
}

/// By number, how many decisions of its own meeting a summary has, and the first paragraphs of texts that it quotes
/// from earlier meetings: read in the files.
const SUMMARIES: [(&str, usize, &[u32]); 7] = [
    ("R1-2603925", 0, &[180]),
    ("R1-2604763", 0, &[2764, 2768, 2775, 2778]),
    ("R1-2605102", 16, &[2753]),
    ("R1-2603994", 0, &[500]),
    ("R1-2603995", 4, &[798]),
    ("R1-2603996", 5, &[838]),
    ("R1-2603997", 15, &[863]),
];

fn summaries_give_only_what_they_show_to_be_of_their_meeting() -> TestResult {
    let folders =
        [real_files("tdocs")?.join("ran1_125"), more_real_files("tdocs")?.join("ran1_125")];
    let files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("readable").flatten())
        .map(|entry| entry.path())
        .collect();
    for (number, count, quoted) in SUMMARIES {
        let is_named = |path: &&PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number))
        };
        let path = files.iter().find(is_named).unwrap_or_else(|| panic!("no file {number}"));
        let minutes = read(path).minutes;
        let rows = to_decision_rows(NotesKind::Summary, &minutes);
        let own = rows.iter().filter(|row| is_decided_text(row) && row.part_of.is_none());
        assert_eq!(own.clone().count(), count, "{number}");
        let is_quoted = |row: &RecordedDecision| {
            quoted.iter().any(|paragraph| row.anchor.ends_with(&format!("#p{paragraph}")))
        };
        assert!(!own.clone().any(is_quoted), "{number} has what an earlier meeting agreed");
        assert!(
            minutes.cover_agenda_item.is_some_and(|item| item.starts_with("10.8.")),
            "{number}"
        );
    }
    Ok(())
}

/// The minimum share of questions in the words of the field that find their decision among the first five of all reports,
/// by words alone. Those in everyday words need the vocabulary and the vectors, and are only counted here.
const OWN_WORDS_FIRST_FIVE: f64 = 0.85;

fn questions_find_their_decision_among_those_of_thirteen_meetings() -> TestResult {
    let reports = SearchedReports::read_from(&[
        real_files("notes")?.join("ran1_final_reports"),
        more_real_files("notes")?.join("ran1_final_reports"),
        newest_real_files("notes")?.join("ran1_final_reports"),
    ]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decision_search.tsv");
    let key = fs::read_to_string(path).expect("the key");
    let mut places: BTreeMap<&str, Vec<Option<usize>>> = BTreeMap::new();
    for line in key.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let expected: Vec<(MeetingNumber, String)> = parts[2]
            .split(' ')
            .filter_map(|part| part.split_once(':'))
            .map(|(meeting, paragraph)| (meeting_number(meeting), format!("#p{paragraph}")))
            .collect();
        let is_expected = |(meeting, row): &(&MeetingNumber, &RecordedDecision)| {
            let is_it =
                |(of, end): &(MeetingNumber, String)| of == *meeting && row.anchor.ends_with(end);
            expected.iter().any(is_it)
        };
        let place = reports.search(parts[1]).iter().position(is_expected);
        println!("{}: {}: {place:?}", parts[0], parts[1]);
        places.entry(parts[0]).or_default().push(place);
    }
    for (wording, places) in &places {
        let share = |depth: usize| {
            let found = places.iter().flatten().filter(|place| **place < depth).count();
            found as f64 / places.len() as f64
        };
        let (first, first_five) = (share(1), share(5));
        println!(
            "{} {wording} questions: first {first:.3}, first five {first_five:.3}",
            places.len()
        );
        let is_enough = *wording == "plain" || first_five >= OWN_WORDS_FIRST_FIVE;
        assert!(places.len() >= 20 && is_enough, "{wording}: {first_five}");
    }
    assert_eq!(places.len(), 3);
    Ok(())
}
