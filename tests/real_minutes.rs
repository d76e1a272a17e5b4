//! Decisions of real reports against a key of positions and types: `tests/fixtures/decisions.tsv`.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`). The keys have no text. `decisions.tsv` began as what the reader found and was
//! corrected by reading the reports; `decisions_read.tsv` and `decisions_sa2.tsv` were made apart from it, by reading
//! stretches of the reports whole.

#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use document::Limits;
use extract::{ExtractOptions, read_contribution};
use minutes::ExtractedDecision;
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        decisions_of_real_reports_are_found_with_their_types_ends_and_documents,
        decisions_that_were_read_apart_from_the_program_are_found,
        what_became_of_documents_in_a_report_of_sa2_is_found,
        questions_on_a_topic_find_the_decision_among_the_first_five,
        contributions_have_no_decisions_that_would_count,
    ]])
}

/// The least shares of the key that must be found, be right, and end where they end.
const RECALL: f64 = 0.98;
const PRECISION: f64 = 0.98;
const TYPE: f64 = 0.98;
const BOUNDARY: f64 = 0.95;
const UNDER: f64 = 0.98;

/// First and last paragraph, type, and the document it was recorded under.
type Told = (u32, u32, String, String);

/// A key: decisions of each report, and the stretches of paragraphs that it is whole for; all of a report that has none.
#[derive(Default)]
struct Key {
    decisions: BTreeMap<String, Vec<Told>>,
    stretches: BTreeMap<String, Vec<(u32, u32)>>,
}

impl Key {
    fn read(file: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
        let text = fs::read_to_string(path).expect("the key");
        let mut key = Self::default();
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let number = |at: usize| parts[at].parse().expect("a number");
            if parts[0] == "# stretch" {
                let stretches = key.stretches.entry(parts[1].to_owned()).or_default();
                stretches.push((number(2), number(3)));
            } else if !line.starts_with('#') {
                let told = (number(1), number(2), parts[3].to_owned(), parts[4].to_owned());
                key.decisions.entry(parts[0].to_owned()).or_default().push(told);
            }
        }
        key
    }

    fn is_for(&self, report: &str, told: &Told) -> bool {
        let is_in = |(first, last): &(u32, u32)| (*first..=*last).contains(&told.0);
        self.stretches.get(report).is_none_or(|stretches| stretches.iter().any(is_in))
    }
}

fn reports(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(reports(&path)) } else { found.push(path) }
    }
    found
}

fn decisions(path: &Path) -> Vec<ExtractedDecision> {
    let read = read_contribution(path, "", &Limits::default(), &ExtractOptions::default());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display())).decisions
}

fn told(decision: &ExtractedDecision) -> Told {
    let place = |anchor: &str| {
        let number = anchor.rsplit_once("#p").and_then(|(_, number)| number.parse().ok());
        number.unwrap_or_else(|| panic!("{anchor} is no paragraph"))
    };
    let under = decision.recorded_under.as_ref().map_or("-".to_owned(), ToString::to_string);
    let kind = decision.kind.as_str().to_owned();
    (place(&decision.anchor), place(&decision.last_anchor), kind, under)
}

fn decisions_of_real_reports_are_found_with_their_types_ends_and_documents() -> TestResult {
    let folder = real_files("notes")?;
    measure(&folder, "decisions.tsv");
    Ok(())
}

fn decisions_that_were_read_apart_from_the_program_are_found() -> TestResult {
    let folder = real_files("notes")?;
    measure(&folder, "decisions_read.tsv");
    Ok(())
}

fn measure(folder: &Path, key: &str) {
    let files = reports(folder);
    let all = Key::read(key);
    let (mut wanted, mut found, mut right) = (0, 0, 0);
    let (mut types, mut ends, mut under) = (0, 0, 0);
    for (name, key) in &all.decisions {
        let named = |path: &&PathBuf| {
            path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
        };
        let path = files.iter().find(named).unwrap_or_else(|| panic!("no file {name}"));
        let got: Vec<Told> = decisions(path).iter().map(told).collect();
        let got: Vec<Told> = got.into_iter().filter(|told| all.is_for(name, told)).collect();
        wanted += key.len();
        found += got.len();
        let mut left: Vec<&Told> = got.iter().collect();
        for one in key {
            // Two may begin in one paragraph: a decision and the first item in it.
            let same = |other: &&Told| other.0 == one.0 && other.2 == one.2;
            let at = left.iter().position(same);
            let Some(at) = at.or_else(|| left.iter().position(|other| other.0 == one.0)) else {
                println!("{name}: missed {one:?}");
                continue;
            };
            let other = left.remove(at);
            right += 1;
            types += usize::from(other.2 == one.2);
            ends += usize::from(other.1 == one.1);
            under += usize::from(other.3 == one.3);
            if other != one {
                println!("{name}: {one:?} is told as {other:?}");
            }
        }
        left.iter().for_each(|other| println!("{name}: not in the key: {other:?}"));
    }
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    let (recall, precision) = (share(right, wanted), share(right, found));
    let (types, ends, under) = (share(types, right), share(ends, right), share(under, right));
    println!(
        "{wanted} decisions: recall {recall:.4}, precision {precision:.4}, type {types:.4}, \
         end {ends:.4}, recorded under {under:.4}"
    );
    assert!(recall >= RECALL && precision >= PRECISION, "{recall} {precision}");
    assert!(types >= TYPE && ends >= BOUNDARY && under >= UNDER, "{types} {ends} {under}");
}

/// Document and part of its entry -> outcome and type.
type Outcomes<'a> = BTreeMap<(&'a str, &'a str), (&'a str, &'a str)>;

fn what_became_of_documents_in_a_report_of_sa2_is_found() -> TestResult {
    let folder = real_files("notes")?;
    let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decisions_sa2.tsv");
    let key = fs::read_to_string(key).expect("the key");
    let found = decisions(&folder.join("other/S2_132_Draft_Rep_v002.doc"));
    let (mut wanted, mut told, mut known, mut right) = (0, 0, 0, 0);
    for stretch in key.split("# next stretch") {
        let rows = stretch.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let rows = rows.map(|line| line.split('\t').collect::<Vec<&str>>());
        let stretch: Outcomes<'_> = rows.map(|r| ((r[0], r[1]), (r[2], r[3]))).collect();
        let is_in = |decision: &ExtractedDecision| {
            let under = decision.recorded_under.as_ref().map(ToString::to_string);
            under.is_some_and(|id| stretch.keys().any(|(document, _)| *document == id))
        };
        let first = found.iter().position(is_in).expect("some of the key are found");
        let last = found.iter().rposition(is_in).expect("some of the key are found");
        wanted += stretch.len();
        told += last + 1 - first;
        for decision in &found[first..=last] {
            let under = decision.recorded_under.as_ref().map_or(String::new(), ToString::to_string);
            let part = decision.session.as_deref().unwrap_or_default();
            let outcome = decision.outcome.map_or("", |outcome| outcome.as_str());
            let outcome = (outcome, decision.kind.as_str());
            match stretch.get(&(under.as_str(), part)) {
                Some(wanted) => {
                    known += 1;
                    right += usize::from(*wanted == outcome);
                    if *wanted != outcome {
                        println!("{under}, {part}: {wanted:?} is told as {outcome:?}");
                    }
                }
                None => println!("{under}, {part}: not in the key: {outcome:?}"),
            }
        }
    }
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    let (recall, precision) = (share(known, wanted), share(known, told));
    let right = share(right, known);
    println!("{wanted} outcomes: recall {recall:.4}, precision {precision:.4}, right {right:.4}");
    assert!(recall >= RECALL && precision >= PRECISION && right >= TYPE, "{recall} {precision}");
    Ok(())
}

fn questions_on_a_topic_find_the_decision_among_the_first_five() -> TestResult {
    use contributions::{TopicIndex, to_decision_rows};
    use domain::NotesKind;
    let folder = real_files("notes")?;
    let files = reports(&folder);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decision_questions.tsv");
    let text = fs::read_to_string(path).expect("the questions");
    let mut questions: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let place = parts[2].parse().expect("a number");
        questions.entry(parts[0]).or_default().push((place, parts[3]));
    }
    let (mut asked, mut found) = (0, 0);
    for (name, questions) in questions {
        let named = |path: &&PathBuf| {
            path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
        };
        let path = files.iter().find(named).unwrap_or_else(|| panic!("no file {name}"));
        let recorded = decisions(path);
        let rows = to_decision_rows(NotesKind::MeetingReport, &recorded);
        let topics = TopicIndex::from_rows(rows.iter());
        for (place, question) in questions {
            let about = topics.rank_decisions(question, |at| rows[at].kind);
            let first = about.iter().take(5).map(|(at, _)| told(&recorded[*at]).0);
            asked += 1;
            if first.into_iter().any(|first| first == place) {
                found += 1;
            } else {
                println!("{name}: {question} does not find {place}");
            }
        }
    }
    println!("{found} of {asked} questions find their decision among the first five");
    assert!(asked >= 40 && found as f64 >= 0.9 * f64::from(asked), "{found} of {asked}");
    Ok(())
}

fn contributions_have_no_decisions_that_would_count() -> TestResult {
    use contributions::notes_kind_of_entry;
    let folder = real_files("tdocs")?;
    let mut sources = 0;
    for path in reports(&folder) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let id = name.split(['_', ' ', '.']).next().expect("a number");
        let read = read_contribution(&path, id, &Limits::default(), &ExtractOptions::default());
        let Ok(read) = read else { continue };
        let entry = contributions::entry_from_first_page(id, &read);
        let of_company = ["Moderator", "Chair", "chair", "Rapporteur", "rapporteur", "Feature"];
        let source = entry.column_text(register::Column::Source).unwrap_or_default();
        if notes_kind_of_entry(&entry).is_some() {
            sources += 1;
            let is_official = of_company.iter().any(|word| source.contains(word));
            assert!(is_official, "{name}, from {source}, passes as notes");
        }
    }
    println!("{sources} documents are notes or summaries");
    Ok(())
}
