//! Errors of files of questions or answers.

/// A file that evaluation cannot use.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// A clause id cannot be parsed.
    #[error("'{text}' is not a clause; write it as 38.331#5.3.5")]
    InvalidClause {
        /// The id as written.
        text: String,
    },
    /// A line is not in the format of its file.
    #[error("line {line} is not {expected}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it should be.
        expected: &'static str,
    },
    /// A line of JSON cannot be parsed.
    #[error("line {line} is not valid")]
    JsonLine {
        /// Its number, from 1.
        line: usize,
        /// What the parser says.
        #[source]
        source: serde_json::Error,
    },
    /// The whole file does not parse.
    #[error("the file is not valid JSON")]
    Json(#[from] serde_json::Error),
    /// The whole file does not parse.
    #[error("the file is not valid YAML")]
    Yaml(#[source] Box<serde_saphyr::Error>),
    /// Two questions have the same id.
    #[error("duplicate ID '{id}'; every question needs its own ID")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// A question's kind says that there is an answer and no clause is named, or the reverse.
    #[error(
        "question '{id}' in group '{group}' has {golds} clauses; questions in group 'nothing' have \
         none, and all others have at least one"
    )]
    Contradiction {
        /// The question.
        id: String,
        /// Its group.
        group: String,
        /// How many clauses are named.
        golds: usize,
    },
    /// A file of questions in a form that is not known.
    #[error("unknown question format; docs/evaluation.md lists the supported formats")]
    UnknownForm,
}
