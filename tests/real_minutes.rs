//! Decisions of real reports against a key of positions and types: `tests/fixtures/decisions.tsv`.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`). The keys have no text. `decisions.tsv` began as what the reader found and was
//! corrected by reading the reports; `decisions_read.tsv` and `decisions_sa2.tsv` were made apart from it, by reading
//! stretches of the reports whole.

#[path = "support/more_real_files.rs"]
mod more_real_files;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use document::Limits;
use domain::RecordedDecision;
use extract::{ExtractOptions, read_contribution};
use minutes::Minutes;
use more_real_files::more_real_files;
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        decisions_of_real_reports_are_found_with_their_types_ends_and_documents,
        decisions_that_were_read_apart_from_the_program_are_found,
        whole_reports_have_no_agreement_that_is_not_theirs_and_lack_none,
        what_became_of_documents_in_a_report_of_sa2_is_found,
        questions_on_a_topic_find_the_decision_among_the_first_five,
        contributions_have_no_decisions_that_would_count,
    ]])
}

/// The minimum recall, precision, and shares with the right type, last paragraph and document.
const RECALL: f64 = 0.98;
const PRECISION: f64 = 0.98;
const TYPE: f64 = 0.98;
const BOUNDARY: f64 = 0.95;
const UNDER: f64 = 0.98;

/// A decision as a key names it.
#[derive(Debug, PartialEq, Eq)]
struct KeyedDecision {
    first_paragraph: u32,
    last_paragraph: u32,
    kind: String,
    /// The document it was recorded under; `-` where there is none.
    recorded_under: String,
}

/// A key: decisions of each report, and the stretches of paragraphs that it is whole for; all of a report that has none.
#[derive(Default)]
struct Key {
    decisions: BTreeMap<String, Vec<KeyedDecision>>,
    stretches: BTreeMap<String, Vec<(u32, u32)>>,
}

impl Key {
    fn read(file: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
        let text = fs::read_to_string(path).expect("the key");
        let mut key = Self::default();
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let number = |column: usize| parts[column].parse().expect("a number");
            if parts[0] == "# stretch" {
                let stretches = key.stretches.entry(parts[1].to_owned()).or_default();
                stretches.push((number(2), number(3)));
            } else if !line.starts_with('#') {
                let decision = KeyedDecision {
                    first_paragraph: number(1),
                    last_paragraph: number(2),
                    kind: parts[3].to_owned(),
                    recorded_under: parts[4].to_owned(),
                };
                key.decisions.entry(parts[0].to_owned()).or_default().push(decision);
            }
        }
        key
    }

    /// Whether the key would have this decision of a report.
    fn covers(&self, report: &str, decision: &KeyedDecision) -> bool {
        let holds =
            |(first, last): &(u32, u32)| (*first..=*last).contains(&decision.first_paragraph);
        self.stretches.get(report).is_none_or(|stretches| stretches.iter().any(holds))
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

fn read_minutes_of(path: &Path) -> Minutes {
    let read = read_contribution(path, "", &Limits::default(), &ExtractOptions::default());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display())).minutes
}

fn decisions(path: &Path) -> Vec<RecordedDecision> {
    read_minutes_of(path).decisions.into_iter().map(|read| read.decision).collect()
}

fn to_keyed_decision(decision: &RecordedDecision) -> KeyedDecision {
    let paragraph = |anchor: &str| {
        let number = anchor.rsplit_once("#p").and_then(|(_, number)| number.parse().ok());
        number.unwrap_or_else(|| panic!("{anchor} is no paragraph"))
    };
    KeyedDecision {
        first_paragraph: paragraph(&decision.anchor),
        last_paragraph: paragraph(&decision.last_anchor),
        kind: decision.kind.as_str().to_owned(),
        recorded_under: decision
            .recorded_under
            .as_ref()
            .map_or("-".to_owned(), ToString::to_string),
    }
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
    let (mut expected_count, mut found_count, mut matched) = (0, 0, 0);
    let (mut types, mut ends, mut under) = (0, 0, 0);
    for (name, key) in &all.decisions {
        let named = |path: &&PathBuf| {
            path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
        };
        let path = files.iter().find(named).unwrap_or_else(|| panic!("no file {name}"));
        let mut found: Vec<KeyedDecision> = decisions(path).iter().map(to_keyed_decision).collect();
        found.retain(|decision| all.covers(name, decision));
        expected_count += key.len();
        found_count += found.len();
        for expected in key {
            // Two may begin in one paragraph: a decision and the first item in it.
            let begins_there =
                |other: &KeyedDecision| other.first_paragraph == expected.first_paragraph;
            let is_same =
                |other: &KeyedDecision| begins_there(other) && other.kind == expected.kind;
            let index = found.iter().position(is_same);
            let Some(index) = index.or_else(|| found.iter().position(begins_there)) else {
                println!("{name}: missed {expected:?}");
                continue;
            };
            let other = found.remove(index);
            matched += 1;
            types += usize::from(other.kind == expected.kind);
            ends += usize::from(other.last_paragraph == expected.last_paragraph);
            under += usize::from(other.recorded_under == expected.recorded_under);
            if other != *expected {
                println!("{name}: {expected:?} is read as {other:?}");
            }
        }
        found.iter().for_each(|other| println!("{name}: not in the key: {other:?}"));
    }
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    let (recall, precision) = (share(matched, expected_count), share(matched, found_count));
    let (types, ends, under) = (share(types, matched), share(ends, matched), share(under, matched));
    println!(
        "{expected_count} decisions: recall {recall:.4}, precision {precision:.4}, type {types:.4}, \
         end {ends:.4}, recorded under {under:.4}"
    );
    assert!(recall >= RECALL && precision >= PRECISION, "{recall} {precision}");
    assert!(types >= TYPE && ends >= BOUNDARY && under >= UNDER, "{types} {ends} {under}");
}

/// A row of `decisions_whole_reports.tsv`: the decision, and whether a careful reader is sure of it.
struct JudgedDecision {
    decision: KeyedDecision,
    is_sure: bool,
}

fn read_judged_decisions() -> BTreeMap<String, Vec<JudgedDecision>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decisions_whole_reports.tsv");
    let text = fs::read_to_string(path).expect("the key");
    let mut reports: BTreeMap<String, Vec<JudgedDecision>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |index: usize| fields[index].parse().expect("a number");
        let decision = KeyedDecision {
            first_paragraph: number(1),
            last_paragraph: number(2),
            kind: fields[3].to_owned(),
            recorded_under: fields[4].to_owned(),
        };
        let judged = JudgedDecision { decision, is_sure: fields[5] == "sure" };
        reports.entry(fields[0].to_owned()).or_default().push(judged);
    }
    reports
}

/// Agreements, working assumptions and conclusions that are no part of another.
fn text_decisions(decisions: &[RecordedDecision]) -> Vec<KeyedDecision> {
    let is_text = |decision: &&RecordedDecision| {
        decision.part_of.is_none()
            && ["agreement", "working_assumption", "conclusion"].contains(&decision.kind.as_str())
    };
    decisions.iter().filter(is_text).map(to_keyed_decision).collect()
}

fn whole_reports_have_no_agreement_that_is_not_theirs_and_lack_none() -> TestResult {
    const MAX_DISTANCE: u32 = 2;
    let mut files = reports(&more_real_files("notes")?);
    files.extend(reports(&real_files("notes")?));
    let (mut sure, mut right, mut ends, mut false_ones) = (0, 0, 0, 0);
    for (name, key) in read_judged_decisions() {
        let is_named = |path: &&PathBuf| {
            path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&name))
        };
        let path = files.iter().find(is_named).unwrap_or_else(|| panic!("no file {name}"));
        let mut left = text_decisions(&decisions(path));
        let firsts: BTreeSet<u32> =
            key.iter().map(|judged| judged.decision.first_paragraph).collect();
        for judged in &key {
            let expected = &judged.decision;
            let is_same = |found: &KeyedDecision| {
                found.first_paragraph.abs_diff(expected.first_paragraph) <= MAX_DISTANCE
                    && found.kind == expected.kind
                    && !firsts.contains(&found.first_paragraph)
            };
            let exact =
                left.iter().position(|found| found.first_paragraph == expected.first_paragraph);
            let found = exact.or_else(|| left.iter().position(is_same)).map(|at| left.remove(at));
            if !judged.is_sure {
                continue;
            }
            sure += 1;
            match found {
                Some(found) => {
                    right += 1;
                    ends += usize::from(found.last_paragraph == expected.last_paragraph);
                }
                None => println!("{name}: missed {expected:?}"),
            }
        }
        false_ones += left.len();
        left.iter().for_each(|found| println!("{name}: not in the key: {found:?}"));
    }
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    let (recall, precision) = (share(right, sure), share(right, right + false_ones));
    println!(
        "{sure} decisions: recall {recall:.4}, precision {precision:.4}, end {:.4}",
        share(ends, right)
    );
    assert!(sure >= 2_300 && recall >= 0.995 && precision >= 0.995, "{recall} {precision}");
    assert!(share(ends, right) >= 0.975, "{}", share(ends, right));
    Ok(())
}

/// Document and part of its entry -> outcome and type.
type Outcomes<'a> = BTreeMap<(&'a str, &'a str), (&'a str, &'a str)>;

fn what_became_of_documents_in_a_report_of_sa2_is_found() -> TestResult {
    let folder = real_files("notes")?;
    let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decisions_sa2.tsv");
    let key = fs::read_to_string(key).expect("the key");
    let found = decisions(&folder.join("other/S2_132_Draft_Rep_v002.doc"));
    let (mut expected_count, mut found_count, mut known, mut right) = (0, 0, 0, 0);
    for stretch in key.split("# next stretch") {
        let rows = stretch.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let rows = rows.map(|line| line.split('\t').collect::<Vec<&str>>());
        let stretch: Outcomes<'_> = rows.map(|r| ((r[0], r[1]), (r[2], r[3]))).collect();
        let is_in = |decision: &RecordedDecision| {
            let under = decision.recorded_under.as_ref().map(ToString::to_string);
            under.is_some_and(|id| stretch.keys().any(|(document, _)| *document == id))
        };
        let first = found.iter().position(is_in).expect("some of the key are found");
        let last = found.iter().rposition(is_in).expect("some of the key are found");
        expected_count += stretch.len();
        found_count += last + 1 - first;
        for decision in &found[first..=last] {
            let under = decision.recorded_under.as_ref().map_or(String::new(), ToString::to_string);
            let part = decision.session.as_deref().unwrap_or_default();
            let outcome = decision.outcome.map_or("", |outcome| outcome.as_str());
            let outcome = (outcome, decision.kind.as_str());
            match stretch.get(&(under.as_str(), part)) {
                Some(expected) => {
                    known += 1;
                    right += usize::from(*expected == outcome);
                    if *expected != outcome {
                        println!("{under}, {part}: {expected:?} is read as {outcome:?}");
                    }
                }
                None => println!("{under}, {part}: not in the key: {outcome:?}"),
            }
        }
    }
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    let (recall, precision) = (share(known, expected_count), share(known, found_count));
    let right = share(right, known);
    println!(
        "{expected_count} outcomes: recall {recall:.4}, precision {precision:.4}, right {right:.4}"
    );
    assert!(recall >= RECALL && precision >= PRECISION && right >= TYPE, "{recall} {precision}");
    Ok(())
}

fn questions_on_a_topic_find_the_decision_among_the_first_five() -> TestResult {
    use contributions::{AgendaTitles, TopicIndex, TopicQuery, rank_decisions, to_decision_rows};
    use domain::NotesKind;
    let folder = real_files("notes")?;
    let files = reports(&folder);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decision_questions.tsv");
    let text = fs::read_to_string(path).expect("the questions");
    let mut questions: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let paragraph = parts[2].parse().expect("a number");
        questions.entry(parts[0]).or_default().push((paragraph, parts[3]));
    }
    let (mut asked, mut found) = (0, 0);
    for (name, questions) in questions {
        let named = |path: &&PathBuf| {
            path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
        };
        let path = files.iter().find(named).unwrap_or_else(|| panic!("no file {name}"));
        let minutes = read_minutes_of(path);
        let recorded: Vec<_> = minutes.decisions.iter().map(|read| &read.decision).collect();
        let rows = to_decision_rows(NotesKind::MeetingReport, &minutes);
        let topics = TopicIndex::from_rows(rows.iter(), &AgendaTitles::default());
        for (paragraph, question) in questions {
            let query = TopicQuery::new(question, &|_| Vec::new());
            let ranked = rank_decisions(&[&topics], &query, |_, row| rows[row].kind);
            let mut first_five = ranked
                .iter()
                .take(5)
                .map(|hit| to_keyed_decision(recorded[hit.decision]).first_paragraph);
            asked += 1;
            if first_five.any(|first_paragraph| first_paragraph == paragraph) {
                found += 1;
            } else {
                println!("{name}: {question} does not find {paragraph}");
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
