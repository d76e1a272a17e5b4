//! Questions in the layout of BEIR (Thakur et al. 2021): `queries.jsonl` and `qrels/test.tsv`.

use std::{collections::HashMap, fmt::Write};

use serde::Deserialize;
use serde_json::json;

use super::{ClauseId, EvaluationQuestion, QuestionError, question::check_unique_ids};

/// First line of a file of qrels.
const QRELS_HEADER: &str = "query-id\tcorpus-id\tscore";

/// Clauses by the id of their question.
type Qrels = HashMap<String, Vec<ClauseId>>;

/// A line of `queries.jsonl`.
#[derive(Deserialize)]
struct QueryLine {
    #[serde(rename = "_id")]
    id: String,
    text: String,
    #[serde(default)]
    metadata: QueryMetadata,
}

/// The metadata of a question.
#[derive(Default, Deserialize)]
struct QueryMetadata {
    kind: Option<String>,
    group: Option<String>,
    /// Clauses that answer, for sets in one file.
    #[serde(default)]
    golds: Vec<ClauseId>,
}

/// Reads questions; their clauses are in `qrels`, or in the lines themselves.
pub fn parse_questions(
    queries: &str,
    qrels: Option<&str>,
) -> Result<Vec<EvaluationQuestion>, QuestionError> {
    let mut qrels = qrels.map(parse_qrels).transpose()?.unwrap_or_default();
    let mut questions = Vec::new();
    for (line, text) in (1..).zip(queries.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let error = |source| QuestionError::JsonLine { line, source };
        let query: QueryLine = serde_json::from_str(text).map_err(error)?;
        let QueryMetadata { kind, group, mut golds } = query.metadata;
        golds.extend(qrels.remove(&query.id).unwrap_or_default());
        questions.push(EvaluationQuestion::new(
            &query.id,
            &query.text,
            kind.as_deref(),
            group.as_deref(),
            golds,
        )?);
    }
    check_unique_ids(&questions)?;
    Ok(questions)
}

/// Reads qrels, those of BEIR (three fields separated by tabs, a header) or of TREC (four fields
/// separated by blanks). Every positive score makes a gold.
pub fn parse_qrels(text: &str) -> Result<Qrels, QuestionError> {
    let mut qrels = Qrels::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.trim_end() == QRELS_HEADER {
            continue;
        }
        let expected = "a question ID, a clause and an integer score, separated by tabs";
        let error = || QuestionError::Line { line, expected };
        let tabbed: Vec<&str> = text.split('\t').map(str::trim).collect();
        let fields: Vec<&str> = match tabbed.len() {
            3 => tabbed,
            _ => text.split_whitespace().collect(),
        };
        let (id, clause, score) = match fields[..] {
            [id, clause, score] => (id, clause.parse()?, score),
            [id, _, clause, score] => (id, ClauseId::from_word(clause)?, score),
            _ => return Err(error()),
        };
        let score: i64 = score.parse().map_err(|_| error())?;
        if score > 0 {
            qrels.entry(id.to_owned()).or_default().push(clause);
        }
    }
    Ok(qrels)
}

/// The questions as `queries.jsonl`.
pub fn write_queries(questions: &[EvaluationQuestion]) -> String {
    let line = |question: &EvaluationQuestion| {
        let metadata = json!({ "kind": question.kind, "group": question.group });
        json!({ "_id": question.id, "text": question.text, "metadata": metadata }).to_string()
    };
    questions.iter().map(|question| line(question) + "\n").collect()
}

/// Their clauses as `qrels/test.tsv`.
pub fn write_qrels(questions: &[EvaluationQuestion]) -> String {
    let mut text = format!("{QRELS_HEADER}\n");
    for question in questions {
        for gold in &question.golds {
            writeln!(text, "{}\t{gold}\t2", question.id).expect("a text takes every line");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NOTHING;

    const QUERIES: &str = r#"
{"_id":"a","text":"how long does T393 run","metadata":{"kind":"identifier"}}
{"_id":"b","text":"a beacon that is too busy","metadata":{"kind":"plain"}}
{"_id":"c","text":"what is timer T9999","metadata":{"kind":"invented","group":"nothing"}}
{"_id":"d","text":"one file","metadata":{"golds":["38.990#7.1.1"]}}
{"_id":"e","text":"said nowhere"}
"#;
    const QRELS: &str = "query-id\tcorpus-id\tscore\na\t38.990#7.1.1\t2\n\
        a\t38.990#Annex B (normative): Timers\t1\na\t38.990#9\t0\nb\t38.990#5.3.1.4a\t2\n";

    #[test]
    fn a_folder_of_questions_is_read_and_written_again() {
        let questions = parse_questions(QUERIES, Some(QRELS)).expect("valid");
        let seen: Vec<(&str, &str, &str, usize)> = questions
            .iter()
            .map(|q| (q.id.as_str(), q.kind.as_str(), q.group.as_str(), q.golds.len()))
            .collect();
        assert_eq!(
            seen,
            [
                ("a", "identifier", "technical", 2),
                ("b", "plain", "plain", 1),
                ("c", "invented", NOTHING, 0),
                ("d", "question", "technical", 1),
                ("e", NOTHING, NOTHING, 0),
            ]
        );
        let (queries, qrels) = (write_queries(&questions), write_qrels(&questions));
        assert_eq!(parse_questions(&queries, Some(&qrels)).expect("valid"), questions);
    }

    #[test]
    fn qrels_of_trec_are_read_too() {
        let qrels = parse_qrels("q1 0 38.990#Annex%20B 2\nq1 0 38.990#5 0\n").expect("valid");
        assert_eq!(qrels["q1"], ["38.990#Annex B".parse().expect("a clause")]);
    }

    #[test]
    fn golds_inside_another_are_one() {
        let qrels = "q\t38.990#5.3.2\t2\nq\t38.990#5.3\t2\nq\t38.990#5.3\t2\n";
        let questions = parse_questions(r#"{"_id":"q","text":"t"}"#, Some(qrels)).expect("valid");
        assert_eq!(questions[0].golds, ["38.990#5.3".parse().expect("a clause")]);
    }

    #[test]
    fn errors_name_their_line() {
        let message = |queries: &str, qrels: &str| {
            parse_questions(queries, Some(qrels)).expect_err("refused").to_string()
        };
        let query = r#"{"_id":"q","text":"t","metadata":{"kind":"table"}}"#;
        assert_eq!(message("{}", ""), "line 1 is not valid");
        assert!(message(query, "q\t38.990\t2").contains("38.331#5.3.5"));
        assert!(message(query, "\nq\t38.990#5\tmany").starts_with("line 2"));
        assert!(message(query, "").contains("in group 'technical' has 0 clauses"));
        assert!(message(&format!("{query}\n{query}"), "q\t38.990#5\t2").contains("0 clauses"));
        let same = r#"{"_id":"q","text":"t","metadata":{"golds":["38.990#5"]}}"#;
        assert!(message(&format!("{same}\n{same}"), "").contains("duplicate ID"));
    }
}
