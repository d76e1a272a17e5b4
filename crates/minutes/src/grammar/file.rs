//! A data file of a grammar: as it is written, and its checks.

use std::{collections::BTreeMap, sync::LazyLock};

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use domain::DocumentOutcome;

use super::rule::{FormRule, GroupHabits, LinePlace, LineReading, RuleBasis};

/// Bytes of a compiled form: a longer one is a mistake, and would slow down every line.
const MAX_FORM_BYTES: usize = 1 << 20;
/// Rules of one file; each line is compared with all of them.
const MAX_RULES: usize = 500;
/// How often the words of a form may consist of words again.
const MAX_WORD_DEPTH: usize = 3;

/// The name of words in a form: `{speaker}`.
static WORDS_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{([a-z_]{2,40})\}").expect("a constant pattern; a test uses it")
});

/// What is wrong with a file of rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// It is not TOML, or a value is none of those allowed.
    #[error("{file}: {what}")]
    Form {
        /// The file.
        file: String,
        /// The line and the reason.
        what: String,
    },
    /// A rule is wrong.
    #[error("{file}: rule \"{rule}\": {what}")]
    Rule {
        /// The file.
        file: String,
        /// The name of the rule.
        rule: String,
        /// What is wrong with it.
        what: String,
    },
}

/// A file as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GrammarFile {
    /// The groups that it is about: `RAN2`. Empty in the file for all groups.
    #[serde(default)]
    pub(super) groups: Vec<String>,
    /// The forms that mark the group's own words.
    #[serde(default)]
    pub(super) marks: Vec<LinePlace>,
    /// Where the forms come from that the program itself reads: markers in colour, entries of documents.
    #[serde(default)]
    pub(super) machine: Option<FormOrigin>,
    /// Where it comes from that the marks are the group's.
    #[serde(default)]
    pub(super) mark_origins: MarkOrigins,
    /// What the state machine has to know.
    #[serde(default)]
    pub(super) habits: GroupHabits,
    /// Words that forms share.
    #[serde(default)]
    words: BTreeMap<String, String>,
    /// The rules; the first that matches counts.
    #[serde(default)]
    rule: Vec<RuleText>,
}

/// Where forms come from that are no rules.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormOrigin {
    pub(super) basis: RuleBasis,
    /// The files or descriptions, for readers.
    #[serde(rename = "from")]
    _from: String,
}

/// Where it comes from that a mark is the group's own. A mark without an origin has that of the rules that use it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MarkOrigins {
    styled: Option<FormOrigin>,
    arrow: Option<FormOrigin>,
    green: Option<FormOrigin>,
}

impl MarkOrigins {
    /// The marks with an origin.
    pub(super) fn bases(&self) -> impl Iterator<Item = (LinePlace, RuleBasis)> {
        let origins = [
            (LinePlace::Styled, &self.styled),
            (LinePlace::Arrow, &self.arrow),
            (LinePlace::Green, &self.green),
        ];
        origins.into_iter().filter_map(|(place, origin)| Some((place, origin.as_ref()?.basis)))
    }
}

/// A rule as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    pub(super) name: String,
    reads: LineReading,
    #[serde(rename = "where")]
    pub(super) places: Vec<LinePlace>,
    form: String,
    basis: RuleBasis,
    /// Whether the rules for all groups come before it.
    #[serde(default)]
    weak: bool,
    #[serde(default)]
    outcome: Option<DocumentOutcome>,
    /// The files or descriptions that show it, for readers.
    #[serde(rename = "from")]
    from: Option<String>,
    /// Lines of this form.
    pub(super) examples: Vec<String>,
    /// Lines that look like it and are not.
    #[serde(default)]
    pub(super) others: Vec<String>,
}

impl RuleText {
    pub(super) fn basis(&self) -> RuleBasis {
        self.basis
    }
}

impl GrammarFile {
    /// Reads a file; `name` is for errors.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, GrammarError> {
        let file: Self = toml::from_str(text).map_err(|error| GrammarError::Form {
            file: name.to_owned(),
            what: error.to_string().trim().to_owned(),
        })?;
        if file.rule.len() > MAX_RULES {
            let what = format!("{} rules; {MAX_RULES} are allowed", file.rule.len());
            return Err(GrammarError::Form { file: name.to_owned(), what });
        }
        Ok(file)
    }

    /// The rules as written.
    pub(super) fn rule_texts(&self) -> &[RuleText] {
        &self.rule
    }

    /// Compiles the rules; `shared` are the words of the file for all groups.
    pub(super) fn compile(&self, name: &str, shared: &Self) -> Result<Vec<FormRule>, GrammarError> {
        let mut rules: Vec<FormRule> = Vec::with_capacity(self.rule.len());
        for rule in &self.rule {
            let wrong = |what: String| GrammarError::Rule {
                file: name.to_owned(),
                rule: rule.name.clone(),
                what,
            };
            if rules.iter().any(|known| known.name == rule.name) {
                return Err(wrong("another rule has this name".to_owned()));
            }
            if rule.places.is_empty() {
                return Err(wrong("`where` names no place".to_owned()));
            }
            if rule.examples.is_empty() {
                return Err(wrong("it has no example".to_owned()));
            }
            if rule.basis != RuleBasis::OwnKnowledge && rule.from.is_none() {
                return Err(wrong("`from` does not say which file or description".to_owned()));
            }
            let form = self.expand_words(&rule.form, shared).map_err(wrong)?;
            let mut pattern = RegexBuilder::new(&form);
            pattern.case_insensitive(true).size_limit(MAX_FORM_BYTES);
            let pattern = pattern.build().map_err(|error| wrong(format!("`form`: {error}")))?;
            rules.push(FormRule {
                name: rule.name.clone(),
                reading: rule.reads,
                places: rule.places.clone(),
                basis: rule.basis,
                outcome: rule.outcome,
                is_weak: rule.weak,
                is_common: self.groups.is_empty(),
                pattern,
            });
        }
        Ok(rules)
    }

    /// A form with its words in place of their names.
    fn expand_words(&self, form: &str, shared: &Self) -> Result<String, String> {
        let mut form = form.to_owned();
        for _ in 0..MAX_WORD_DEPTH {
            let mut unknown = None;
            let expanded = WORDS_NAME.replace_all(&form, |found: &Captures<'_>| {
                let words = self.words.get(&found[1]).or_else(|| shared.words.get(&found[1]));
                unknown = unknown.take().or(words.is_none().then(|| found[1].to_owned()));
                words.map_or(String::new(), |words| format!("(?:{words})"))
            });
            if let Some(unknown) = unknown {
                return Err(format!("`form`: [words] has no \"{unknown}\""));
            }
            form = expanded.into_owned();
        }
        Ok(form)
    }
}
