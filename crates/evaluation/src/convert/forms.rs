//! The forms of question files, each recognised by its beginning.
//!
//! | form | file | fields |
//! |---|---|---|
//! | passages | JSON lines | `qid`, `query`, `relevant: ["38.331#5.3.5#0"]`, `clause` |
//! | golden | YAML | `items:` of `id`, `category`, `language`, `question`, `expected_specs` |
//! | sources | JSON list | `id`, `question`, `answerable`, `expected_sources` |
//! | choices | JSON object | by name: `question`, `option 1`, `answer` |

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{ClauseId, NOTHING, QuestionError};

/// The kind and group of questions in everyday words.
const PLAIN: &str = "plain";
/// The kind of questions that are the title of their clause.
const TITLE: &str = "title";
/// The kind of questions whose file names none.
const QUESTION: &str = "question";

/// A question of any form.
pub(super) struct ImportedQuestion {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) kind: String,
    /// `None` if the kind decides.
    pub(super) group: Option<String>,
    pub(super) answer: GivenAnswer,
}

/// What a file says of the answer to a question.
pub(super) enum GivenAnswer {
    /// There is none.
    Nothing,
    /// It is in these clauses; an empty list if the file names no clause.
    Clauses(Vec<ClauseId>),
}

/// A line of the passages form.
#[derive(Deserialize)]
struct PassageLine {
    qid: String,
    query: String,
    relevant: Vec<String>,
    /// Present if the question is the title of this clause.
    clause: Option<String>,
}

/// A file of the golden form.
#[derive(Deserialize)]
struct GoldenFile {
    items: Vec<GoldenItem>,
}

#[derive(Deserialize)]
struct GoldenItem {
    id: String,
    category: String,
    #[serde(default)]
    language: String,
    question: String,
    #[serde(default)]
    expected_specs: Vec<GoldenSpec>,
}

#[derive(Deserialize)]
struct GoldenSpec {
    spec_id: String,
    #[serde(default)]
    sections: Vec<String>,
}

/// A record of the sources form.
#[derive(Deserialize)]
struct SourcedQuestion {
    id: String,
    question: String,
    answerable: bool,
    #[serde(default)]
    expected_sources: Vec<ExpectedSource>,
}

#[derive(Deserialize)]
struct ExpectedSource {
    spec: String,
    clause: String,
}

/// A record of the choices form, which names no clause.
#[derive(Deserialize)]
struct MultipleChoiceQuestion {
    question: String,
    #[serde(rename = "option 1")]
    _first_option: String,
}

/// The questions of a file in any of the forms.
pub(super) fn parse_question_file(text: &str) -> Result<Vec<ImportedQuestion>, QuestionError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first_line = text.lines().next().unwrap_or_default();
    if serde_json::from_str::<PassageLine>(first_line).is_ok() {
        return parse_passage_lines(text);
    }
    if text.starts_with('[') {
        return parse_sourced_questions(text);
    }
    if text.starts_with('{') {
        return parse_multiple_choice(text);
    }
    parse_golden_file(text)
}

fn parse_passage_lines(text: &str) -> Result<Vec<ImportedQuestion>, QuestionError> {
    let mut items = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let error = |source| QuestionError::JsonLine { line, source };
        let given: PassageLine = serde_json::from_str(text).map_err(error)?;
        items.push(ImportedQuestion {
            id: given.qid,
            text: given.query,
            kind: if given.clause.is_some() { TITLE } else { PLAIN }.to_owned(),
            group: None,
            answer: GivenAnswer::Clauses(
                given.relevant.iter().map(|p| p.parse()).collect::<Result<_, _>>()?,
            ),
        });
    }
    Ok(items)
}

fn parse_golden_file(text: &str) -> Result<Vec<ImportedQuestion>, QuestionError> {
    let unusable = |error| QuestionError::Yaml(Box::new(error));
    let file: GoldenFile = serde_saphyr::from_str(text).map_err(unusable)?;
    file.items.into_iter().map(convert_golden_item).collect()
}

fn convert_golden_item(item: GoldenItem) -> Result<ImportedQuestion, QuestionError> {
    let mut golds = Vec::new();
    for spec in &item.expected_specs {
        for section in &spec.sections {
            golds.push(format!("{}#{section}", spec.spec_id).parse()?);
        }
    }
    let unanswerable = item.expected_specs.is_empty() && item.category == "negative";
    let kind = match item.category.as_str() {
        _ if unanswerable => NOTHING,
        "table_lookup" => "table",
        category => category,
    };
    // The models are trained on English: other languages are kinds of their own, so that their lower
    // scores do not hide changes of the others.
    let is_other_language = !matches!(item.language.as_str(), "" | "en");
    let (kind, group) = match (is_other_language, &item.language) {
        (false, _) => (kind.to_owned(), None),
        (true, language) if unanswerable => {
            (format!("{kind} {language}"), Some(NOTHING.to_owned()))
        }
        (true, language) => (format!("{kind} {language}"), Some(format!("language {language}"))),
    };
    let answer = if unanswerable { GivenAnswer::Nothing } else { GivenAnswer::Clauses(golds) };
    Ok(ImportedQuestion { id: item.id, text: item.question, kind, group, answer })
}

fn parse_sourced_questions(text: &str) -> Result<Vec<ImportedQuestion>, QuestionError> {
    let records: Vec<SourcedQuestion> = serde_json::from_str(text)?;
    let mut items = Vec::new();
    for record in records {
        let mut golds = Vec::new();
        for ExpectedSource { spec, clause } in &record.expected_sources {
            golds.push(format!("{spec}#{clause}").parse()?);
        }
        items.push(ImportedQuestion {
            id: record.id,
            text: record.question,
            kind: if record.answerable { QUESTION } else { NOTHING }.to_owned(),
            group: None,
            answer: if record.answerable {
                GivenAnswer::Clauses(golds)
            } else {
                GivenAnswer::Nothing
            },
        });
    }
    Ok(items)
}

fn parse_multiple_choice(text: &str) -> Result<Vec<ImportedQuestion>, QuestionError> {
    let records: BTreeMap<String, MultipleChoiceQuestion> =
        serde_json::from_str(text).map_err(|_| QuestionError::UnknownForm)?;
    let item = |(name, choice): (String, MultipleChoiceQuestion)| ImportedQuestion {
        id: name,
        text: choice.question,
        kind: QUESTION.to_owned(),
        group: None,
        answer: GivenAnswer::Clauses(Vec::new()),
    };
    Ok(records.into_iter().map(item).collect())
}
