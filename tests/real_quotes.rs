//! Sentences of real specifications and reports are exact, and none of them is once a token of it is changed.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`), `SPECBOX_QUOTES` how many sentences are
//! drawn.

#[path = "support/client.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod client;
#[path = "support/program.rs"]
#[expect(dead_code, reason = "this test does not read the sample corpus")]
mod program;
#[path = "support/random.rs"]
mod random;
#[path = "support/real_files.rs"]
mod real_files;
#[expect(dead_code, reason = "this test asks without TLS")]
#[path = "support/server.rs"]
mod server;
#[path = "support/trials.rs"]
mod trials;

use std::{env, path::Path, process::ExitCode, time::Instant};

use client::Client;
use memchr::memmem;
use program::{json, specbox};
use random::Random;
use real_files::real_files;
use serde_json::{Value, json};
use server::RunningServer;
use store::{DataFolder, SectionKey, Store};
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![a_sentence_is_exact_and_none_is_with_a_token_changed]])
}

/// Of many kinds, two of them in two versions.
const SPECIFICATIONS: [&str; 8] = [
    "docx/38213-i10.docx",
    "docx/38300-g00.docx",
    "docx/38300-fn0.docx",
    "docx/38331-i00.docx",
    "docx/23503-i20.docx",
    "docx/23503-i40.docx",
    "docx/24301-i90.docx",
    "docx/33512-i10.docx",
];
const REPORTS: [&str; 3] =
    ["Final_Report_RAN1-84.docx", "Final_Report_RAN1-118.docx", "Final_Report_RAN1-122.docx"];
/// Sentences that are drawn where `SPECBOX_QUOTES` says nothing.
const SENTENCE_COUNT: usize = 300;
/// Words of a sentence.
const WORDS: std::ops::RangeInclusive<usize> = 6..=70;
const MODALS: [&str; 8] = ["shall", "may", "can", "is", "are", "should", "will", "must"];
const NAMES: [&str; 6] = ["AMF", "gNB", "T399", "RRCResume", "PUSCH", "Example-IE"];

/// A text that is indexed.
struct StoredText {
    /// How `document` names it.
    document: String,
    text: String,
}

fn a_sentence_is_exact_and_none_is_with_a_token_changed() -> TestResult {
    let real = real_files("")?;
    let data = tempfile::tempdir().expect("temporary folder");
    let files = SPECIFICATIONS.map(|file| real.join("specs").join(file));
    json(specbox(data.path()).args(["ingest", "--no-vectors"]).args(&files));
    let reports = REPORTS.map(|file| real.join("notes/ran1_final_reports").join(file));
    let imported = json(specbox(data.path()).args(["meetings", "import"]).args(&reports));
    assert_eq!(imported["notes"].as_array().map(Vec::len), Some(3), "{imported:#}");
    let texts = read_stored_texts(data.path());
    let count = env::var("SPECBOX_QUOTES").ok().and_then(|count| count.parse().ok());
    let drawn = draw_sentences(&texts, count.unwrap_or(SENTENCE_COUNT));
    let made = json(specbox(data.path()).args(["key", "create", "--name", "tests"]));
    // Without TLS: the client opens a connection for each request.
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, made["key"].as_str(), None);
    let squashed: Vec<String> = texts.iter().map(|text| squash(&text.text)).collect();
    let squashed = squashed.join("\n");
    let mut wrong = Vec::new();
    let mut near = 0;
    let mut milliseconds = Vec::new();
    let mut random = Random(24);
    for (index, (document, sentence)) in drawn.iter().enumerate() {
        // Half of them in their own document, half anywhere.
        let document = (index % 2 == 0).then_some(document.as_str());
        let reply = verify(&client, sentence, document, &mut milliseconds);
        if reply["verdict"] != "exact" {
            wrong.push(format!("not exact: {sentence:?} of {document:?}: {reply:#}"));
        }
        let Some(changed) = change_token(sentence, index, &mut random) else { continue };
        if memmem::find(squashed.as_bytes(), without_frame(&changed).as_bytes()).is_some() {
            continue;
        }
        let reply = verify(&client, &changed, document, &mut milliseconds);
        let first = &reply["occurrences"][0]["differences"];
        let is_told = match reply["verdict"].as_str() {
            Some("near") => first.as_array().is_some_and(|list| !list.is_empty()),
            verdict => verdict == Some("absent"),
        };
        near += usize::from(reply["verdict"] == "near");
        if !is_told {
            wrong.push(format!("changed and not seen: {changed:?} of {document:?}: {reply:#}"));
        }
    }
    milliseconds.sort_by(f64::total_cmp);
    println!(
        "{} sentences, {near} near with a token changed, median {:.1} ms, 95 % within {:.1} ms",
        drawn.len(),
        milliseconds[milliseconds.len() / 2],
        milliseconds[milliseconds.len() * 95 / 100],
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(near * 10 >= drawn.len() * 8, "only {near} changed sentences are near");
    Ok(())
}

fn verify(
    client: &Client,
    quote: &str,
    document: Option<&str>,
    milliseconds: &mut Vec<f64>,
) -> Value {
    let began = Instant::now();
    let answer = client.post("/quotes/verify", &json!({"quote": quote, "document": document}));
    milliseconds.push(began.elapsed().as_secs_f64() * 1000.0);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// The text of every section and of every report.
fn read_stored_texts(data: &Path) -> Vec<StoredText> {
    let store = Store::open(DataFolder::new(data)).expect("opened");
    let snapshot = store.snapshot();
    let mut texts = Vec::new();
    for entry in snapshot.catalog().document_entries() {
        let heads = snapshot.documents().section_heads(entry.id).expect("read");
        for ordinal in 0..u32::try_from(heads.len()).expect("few") {
            let key = SectionKey { document: entry.id, ordinal };
            texts.push(StoredText {
                document: format!("{} {}", entry.row.number, entry.row.version),
                text: snapshot.documents().section_text(key).expect("read"),
            });
        }
    }
    for notes in snapshot.meetings().all_notes().expect("read") {
        let blocks = snapshot.meetings().notes_text(&notes).expect("read");
        let lines: Vec<String> = blocks.into_iter().map(|block| block.text).collect();
        texts.push(StoredText { document: notes.meeting.to_string(), text: lines.join("\n") });
    }
    texts
}

/// Sentences of running text: from specifications and reports alike, each from a text of its own where there are
/// enough.
fn draw_sentences(texts: &[StoredText], count: usize) -> Vec<(String, String)> {
    let mut random = Random(2024);
    let (reports, sections): (Vec<&StoredText>, Vec<&StoredText>) =
        texts.iter().partition(|text| !text.document.contains(' '));
    let mut drawn = Vec::new();
    for _ in 0..count * 50 {
        if drawn.len() >= count {
            break;
        }
        let kind = if random.below(3) == 0 { &reports } else { &sections };
        let source = kind[random.below(kind.len() as u64) as usize];
        let sentences: Vec<&str> = source
            .text
            .lines()
            .filter(|line| !line.starts_with(['|', '`', ' ', '\t']) && !line.contains("::="))
            .flat_map(|line| line.split_inclusive(". "))
            .map(str::trim)
            .filter(|sentence| WORDS.contains(&sentence.split_whitespace().count()))
            .collect();
        if sentences.is_empty() {
            continue;
        }
        let sentence = sentences[random.below(sentences.len() as u64) as usize];
        drawn.push((source.document.clone(), sentence.to_owned()));
    }
    drawn
}

/// A sentence with one token changed: a number, a negation or a name, in turn as far as it has one.
fn change_token(sentence: &str, turn: usize, random: &mut Random) -> Option<String> {
    let changes = [change_number, change_negation, change_name];
    (0..changes.len()).find_map(|offset| changes[(turn + offset) % changes.len()](sentence, random))
}

fn change_number(sentence: &str, random: &mut Random) -> Option<String> {
    let digits: Vec<(usize, char)> =
        sentence.char_indices().filter(|(_, c)| c.is_ascii_digit()).collect();
    let (at, digit) = *digits.get(random.below(digits.len().max(1) as u64) as usize)?;
    let other = (u32::from(digit) - u32::from('0') + 1 + random.below(8) as u32) % 10;
    Some(format!("{}{other}{}", &sentence[..at], &sentence[at + 1..]))
}

fn change_negation(sentence: &str, _: &mut Random) -> Option<String> {
    if let Some((before, after)) = sentence.split_once(" not ") {
        return Some(format!("{before} {after}"));
    }
    MODALS.iter().find_map(|modal| {
        let (before, after) = sentence.split_once(&format!(" {modal} "))?;
        Some(format!("{before} {modal} not {after}"))
    })
}

fn change_name(sentence: &str, random: &mut Random) -> Option<String> {
    let is_name = |word: &&str| {
        word.chars().skip(1).any(|c| c.is_ascii_uppercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let names: Vec<&str> = sentence.split_whitespace().filter(is_name).collect();
    let name = names.get(random.below(names.len().max(1) as u64) as usize)?;
    let other = NAMES[random.below(NAMES.len() as u64) as usize];
    (other != *name).then(|| sentence.replacen(name, other, 1))
}

/// A text with one blank for all white space.
fn squash(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A sentence without its bullet, its first letter and the punctuation at its end: where that stands, the sentence
/// stands too.
fn without_frame(sentence: &str) -> String {
    let words = squash(sentence);
    let mut chars = words.trim_start_matches("- ").trim_end_matches(['.', ',', ';', ':']).chars();
    chars.next();
    chars.as_str().to_owned()
}
