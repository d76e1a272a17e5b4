//! Questions whose answers are figures: `queries.jsonl` and `qrels/test.tsv` as for clauses, with
//! `38.300/18.0.0/12` (document, version, index) instead of a clause.

use std::collections::HashMap;

use serde::Deserialize;

use super::QuestionError;

/// A question with the figures that answer it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationFigureQuestion {
    /// Its id.
    pub id: String,
    /// The question.
    pub text: String,
    /// Its kind: `caption`, `label`, `paraphrase`.
    pub kind: String,
    /// The figures, each as document, version and index.
    pub golds: Vec<String>,
}

#[derive(Deserialize)]
struct FigureQueryLine {
    #[serde(rename = "_id")]
    id: String,
    pub text: String,
    metadata: FigureQueryMetadata,
}

#[derive(Deserialize)]
struct FigureQueryMetadata {
    kind: String,
}

impl EvaluationFigureQuestion {
    /// The rank, from 1, of the first result that answers; each result is a list of all its names.
    pub fn first_hit_rank(&self, results: &[Vec<String>]) -> Option<usize> {
        let answers = |names: &Vec<String>| names.iter().any(|name| self.golds.contains(name));
        results.iter().position(answers).map(|index| index + 1)
    }
}

/// Reads questions and the figures that answer them; one without a figure is an error.
pub fn parse_figure_questions(
    queries: &str,
    qrels: &str,
) -> Result<Vec<EvaluationFigureQuestion>, QuestionError> {
    let mut golds: HashMap<&str, Vec<String>> = HashMap::new();
    for (line, text) in (1..).zip(qrels.lines()).skip(1).filter(|(_, text)| !text.is_empty()) {
        let expected = "a question ID, a figure and an integer score, separated by tabs";
        let fields: Vec<&str> = text.split('\t').collect();
        let [id, figure, _] = fields[..] else {
            return Err(QuestionError::Line { line, expected });
        };
        if figure.split('/').count() != 3 {
            return Err(QuestionError::Line { line, expected });
        }
        golds.entry(id).or_default().push(figure.to_owned());
    }
    let mut questions = Vec::new();
    for (line, text) in (1..).zip(queries.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let error = |source| QuestionError::JsonLine { line, source };
        let FigureQueryLine { id, text, metadata } = serde_json::from_str(text).map_err(error)?;
        let expected = "a question with a figure in the qrels";
        let golds = golds.remove(id.as_str()).ok_or(QuestionError::Line { line, expected })?;
        questions.push(EvaluationFigureQuestion { id, text, kind: metadata.kind, golds });
    }
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QRELS: &str =
        "query-id\tcorpus-id\tscore\na\t38.300/18.0.0/3\t2\na\t38.300/18.0.0/4\t2\n";

    fn query(id: &str) -> String {
        format!("{{\"_id\": \"{id}\", \"text\": \"t\", \"metadata\": {{\"kind\": \"label\"}}}}\n")
    }

    #[test]
    fn the_first_result_with_a_gold_among_its_names_counts() {
        let questions = parse_figure_questions(&query("a"), QRELS).expect("valid");
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let results = [names(&["38.300/18.1.0/9"]), names(&["38.300/18.1.0/4", "38.300/18.0.0/4"])];
        assert_eq!(questions[0].first_hit_rank(&results), Some(2));
        assert_eq!(questions[0].first_hit_rank(&results[..1]), None);
    }

    #[test]
    fn incomplete_questions_and_lines_are_refused() {
        let error =
            |queries: &str| parse_figure_questions(queries, QRELS).expect_err(queries).to_string();
        assert_eq!(error(&query("b")), "line 1 is not a question with a figure in the qrels");
        assert_eq!(error("{}"), "line 1 is not valid");
        for bad in ["h\na 38.300/18.0.0/3 2", "h\na\t38.300#5\t2"] {
            let error = parse_figure_questions(&query("a"), bad).expect_err(bad);
            assert!(error.to_string().contains("line 2"), "{error}");
        }
    }
}
