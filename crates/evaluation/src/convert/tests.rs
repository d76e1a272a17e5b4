//! Every form, with a sample written for this test.

use super::*;

const PASSAGES: &str = r#"{"qid":"q1","query":"a phone that lost its beacon","relevant":["TS 38.990#5.6.1","TS 24.990#5.1"]}
{"qid":"r1","query":"Beacon re-selection","relevant":["38.990#5.3.5a#0","38.990#5.3.5a#1"],"spec":"38.990","clause":"5.3.5a"}
"#;

const GOLDEN: &str = r#"
version: 1
items:
- id: d-1
  category: definition
  language: en
  question: What is a wake-up
    window?
  expected_specs:
  - spec_id: '38.990'
    sections:
    - 5.10
    - A
- id: d-2
  category: definition
  language: en
  question: What is a beacon?
  expected_specs:
  - spec_id: '38.990'
    sections: []
- id: t-1
  category: table_lookup
  language: de
  question: |
    Wie lange laeuft T393?
  expected_specs:
  - {spec_id: '38.990', sections: ['7.1.1']}
- id: n-1
  category: negative
  language: de
  question: Was macht die BAF?
  expected_specs: []
- id: n-2
  category: negative
  language: en
  question: Which field is missing?
  expected_specs:
  - spec_id: '38.990'
    sections: ['10']
"#;

const SOURCES: &str = r#"[
{"id":"Q1","question":"What does a beacon do?","answerable":true,
 "expected_sources":[{"spec":"TS 38.990","clause":"4.1"}]},
{"id":"Q2","question":"What is a cell?","answerable":true,"expected_sources":[]},
{"id":"Q3","question":"Which hardware does the operator use?","answerable":false,"expected_sources":[]},
{"id":"Q4","question":"How long is T3991 in TS 24.990?","answerable":false,"expected_sources":[]}
]"#;

const CHOICES: &str =
    r#"{"question 1":{"question":"Which one?","option 1":"this","answer":"option 1: this"}}"#;

fn accepted_lines(converted: &ConvertedQuestions) -> Vec<String> {
    let golds = |q: &EvaluationQuestion| {
        q.golds.iter().map(ClauseId::to_string).collect::<Vec<_>>().join(" ")
    };
    let line = |q: &EvaluationQuestion| format!("{} {} {}: {}", q.id, q.kind, q.group, golds(q));
    converted.questions.iter().map(line).collect()
}

fn rejections(converted: &ConvertedQuestions) -> Vec<(&str, RejectionReason)> {
    converted
        .rejected
        .iter()
        .map(|rejected| (rejected.question.as_str(), rejected.reason))
        .collect()
}

#[test]
fn passages_make_plain_questions_or_titles() {
    let converted = convert_questions("p", PASSAGES).expect("valid");
    let expected =
        ["p-q1 plain plain: 38.990#5.6.1 24.990#5.1", "p-r1 title technical: 38.990#5.3.5a"];
    assert_eq!(accepted_lines(&converted), expected);
    assert!(converted.rejected.is_empty());
}

#[test]
fn golden_sets_keep_their_categories_and_other_languages_apart() {
    let converted = convert_questions("g", GOLDEN).expect("valid");
    let expected = [
        "g-d-1 definition technical: 38.990#5.10 38.990#A",
        "g-t-1 table de language de: 38.990#7.1.1",
        "g-n-1 nothing de nothing: ",
        "g-n-2 negative technical: 38.990#10",
    ];
    assert_eq!(accepted_lines(&converted), expected);
    assert_eq!(rejections(&converted), [("g-d-2", RejectionReason::NoClause)]);
    assert_eq!(converted.questions[0].text, "What is a wake-up window?");
}

#[test]
fn sourced_questions_without_an_answer_must_not_name_a_document() {
    let converted = convert_questions("s", SOURCES).expect("valid");
    let expected = ["s-Q1 question technical: 38.990#4.1", "s-Q3 nothing nothing: "];
    assert_eq!(accepted_lines(&converted), expected);
    assert_eq!(
        rejections(&converted),
        [("s-Q2", RejectionReason::NoClause), ("s-Q4", RejectionReason::OtherDocuments)]
    );
}

#[test]
fn choices_name_no_clause_and_other_files_are_refused() {
    let converted = convert_questions("c", CHOICES).expect("valid");
    assert_eq!(rejections(&converted), [("c-question-1", RejectionReason::NoClause)]);
    assert!(matches!(convert_questions("x", r#"{"a": 1}"#), Err(QuestionError::UnknownForm)));
    assert!(matches!(convert_questions("x", "no: items"), Err(QuestionError::Yaml(_))));
    assert!(matches!(convert_questions("x", "[1]"), Err(QuestionError::Json(_))));
    let broken = PASSAGES.replace("\"r1\"", "1");
    assert!(matches!(
        convert_questions("x", &broken),
        Err(QuestionError::JsonLine { line: 2, .. })
    ));
}

#[test]
fn only_questions_that_the_index_can_answer_are_kept_once() {
    let mut converted = ConvertedQuestions::default();
    converted.merge_questions(convert_questions("p", PASSAGES).expect("valid"));
    converted.merge_questions(convert_questions("again", PASSAGES).expect("valid"));
    converted.merge_questions(convert_questions("s", SOURCES).expect("valid"));
    let in_38_990 = |clause: &ClauseId| clause.document.as_str() == "38.990";
    converted.keep_indexed(in_38_990, |clause| clause.section.as_str() != "4.1");
    let expected = [
        "p-q1 plain plain: 38.990#5.6.1",
        "p-r1 title technical: 38.990#5.3.5a",
        "s-Q3 nothing nothing: ",
    ];
    assert_eq!(accepted_lines(&converted), expected);
    let reasons: Vec<RejectionReason> =
        converted.rejected.iter().map(|rejected| rejected.reason).collect();
    assert_eq!(
        reasons,
        [
            RejectionReason::Repeated,
            RejectionReason::Repeated,
            RejectionReason::NoClause,
            RejectionReason::OtherDocuments,
            RejectionReason::NoSection
        ]
    );
    converted.keep_indexed(|_| false, |_| true);
    assert_eq!(converted.questions.len(), 1, "a question about nothing needs no document");
}
