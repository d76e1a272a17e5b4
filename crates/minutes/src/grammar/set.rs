//! The grammars of all groups: those of the program, and those that an operator adds.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use regex::RegexSetBuilder;

use super::{
    builtin,
    file::{GrammarError, GrammarFile},
    rule::{FormRule, GroupGrammar, GroupHabits, LinePlace, RuleBasis},
};

/// The name of the file with the rules for all groups.
const COMMON_NAME: &str = "common.toml";
/// Bytes of all forms of a group, compiled together.
const MAX_GROUP_BYTES: usize = 16 << 20;

/// The grammars of all groups, each compiled when its first file is read.
#[derive(Debug, Default)]
pub struct GrammarSet {
    common: Option<GrammarFile>,
    /// The files about each group, by its label; those of an operator first.
    files: BTreeMap<String, Vec<NamedFile>>,
    compiled: Mutex<BTreeMap<String, Arc<GroupGrammar>>>,
}

/// A file and its name.
#[derive(Debug, Clone)]
struct NamedFile {
    name: String,
    file: GrammarFile,
}

impl GrammarSet {
    /// The grammars of the program.
    pub fn builtin() -> Arc<Self> {
        static BUILTIN: OnceLock<Arc<GrammarSet>> = OnceLock::new();
        // A test compiles every file of the program: none has an error.
        let load = || Arc::new(Self::load(&[]).unwrap_or_default());
        BUILTIN.get_or_init(load).clone()
    }

    /// The grammars of the program, with the files of an operator: pairs of name and text. Their rules come before
    /// those of the program.
    pub fn with_own_files(own: &[(String, String)]) -> Result<Arc<Self>, GrammarError> {
        if own.is_empty() {
            return Ok(Self::builtin());
        }
        let set = Self::load(own)?;
        set.check_own(own)?;
        Ok(Arc::new(set))
    }

    fn load(own: &[(String, String)]) -> Result<Self, GrammarError> {
        let mut set = Self {
            common: Some(GrammarFile::parse(COMMON_NAME, builtin::COMMON)?),
            ..Self::default()
        };
        for (name, text) in own {
            let file = GrammarFile::parse(name, text)?;
            if file.groups.is_empty() {
                let what = "`groups` names no group".to_owned();
                return Err(GrammarError::Form { file: name.clone(), what });
            }
            set.add_file(name, &file);
        }
        for (name, text) in builtin::GROUPS {
            set.add_file(name, &GrammarFile::parse(name, text)?);
        }
        Ok(set)
    }

    fn add_file(&mut self, name: &str, file: &GrammarFile) {
        for group in &file.groups {
            let files = self.files.entry(group_label(group)).or_default();
            files.push(NamedFile { name: name.to_owned(), file: file.clone() });
        }
    }

    /// Compiles the groups of an operator's files, and compares their examples.
    fn check_own(&self, own: &[(String, String)]) -> Result<(), GrammarError> {
        for (name, _) in own {
            let groups =
                self.files.iter().filter(|(_, files)| files.iter().any(|f| f.name == *name));
            for (group, _) in groups {
                self.check_examples(group, name)?;
            }
        }
        Ok(())
    }

    /// The groups that have rules of their own, as labels: `ran2`.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The grammar of a group, such as `RAN2`; `None` if it has no rules of its own.
    pub fn grammar_of(&self, group: &str) -> Option<Arc<GroupGrammar>> {
        let label = group_label(group);
        if !self.files.contains_key(&label) {
            return None;
        }
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(&label) {
            return Some(known.clone());
        }
        let built = Arc::new(self.compile(&label).ok()?);
        compiled.insert(label, built.clone());
        Some(built)
    }

    /// Whether rules for a group come from real files.
    pub fn is_measured(&self, group: &str) -> bool {
        let files = self.files.get(&group_label(group)).map_or(&[][..], Vec::as_slice);
        files.iter().any(|named| named.file.is_measured())
    }

    /// Where the forms of a group come from that the program itself reads. Nothing that could be read shows those of a
    /// group without rules.
    pub(crate) fn machine_basis(&self, group: &str) -> RuleBasis {
        let files = self.files.get(&group_label(group)).map_or(&[][..], Vec::as_slice);
        let machine = files.iter().find_map(|named| named.file.machine.as_ref());
        machine.map_or(RuleBasis::OwnKnowledge, |machine| machine.basis)
    }

    fn compile(&self, label: &str) -> Result<GroupGrammar, GrammarError> {
        let files = self.files.get(label).map_or(&[][..], Vec::as_slice);
        let Some(common) = &self.common else {
            let what = "the rules for all groups are missing".to_owned();
            return Err(GrammarError::Form { file: COMMON_NAME.to_owned(), what });
        };
        let mut rules: Vec<FormRule> = Vec::new();
        let (mut marks, mut mark_bases) = (Vec::new(), Vec::new());
        let mut habits = GroupHabits::default();
        for NamedFile { name, file } in files {
            rules.extend(file.compile(name, common)?);
            marks.extend(file.marks.iter().copied().filter(|mark| mark.is_mark()));
            mark_bases.extend(file.mark_origins.bases());
            habits.entries_are_minutes |= file.habits.entries_are_minutes;
            habits.agrees_below_proposals |= file.habits.agrees_below_proposals;
            habits.agrees_below_options |= file.habits.agrees_below_options;
            habits.concludes_before_decision |= file.habits.concludes_before_decision;
        }
        rules.extend(common.compile(COMMON_NAME, common)?);
        rules.sort_by_key(|rule| rule.is_weak);
        let forms = rules.iter().map(|rule| rule.pattern.as_str());
        let mut patterns = RegexSetBuilder::new(forms);
        patterns.case_insensitive(true).size_limit(MAX_GROUP_BYTES);
        let patterns = patterns.build().map_err(|error| GrammarError::Form {
            file: files.first().map_or(COMMON_NAME, |named| &named.name).to_owned(),
            what: error.to_string(),
        })?;
        Ok(GroupGrammar { rules, patterns, marks, mark_bases, habits })
    }

    /// Checks that each example of a file is read by its rule, and no counterexample is.
    fn check_examples(&self, label: &str, name: &str) -> Result<(), GrammarError> {
        let grammar = self.compile(label)?;
        let own = self.files.get(label).map_or(&[][..], Vec::as_slice);
        let common = if name == COMMON_NAME { self.common.as_ref() } else { None };
        let own = own.iter().filter(|named| named.name == name).map(|named| &named.file);
        for rule in own.chain(common).flat_map(GrammarFile::rule_texts) {
            let wrong = |what: String| {
                let (file, rule) = (name.to_owned(), rule.name.clone());
                GrammarError::Rule { file, rule, what }
            };
            let reads = |text: &str, place: LinePlace| {
                let found = grammar.find_rule(text, place);
                found.map(|rule| rule.name.clone()).unwrap_or_default()
            };
            for place in &rule.places {
                for text in &rule.examples {
                    let found = reads(text, *place);
                    if found != rule.name {
                        let by = if found.is_empty() {
                            "no rule".to_owned()
                        } else {
                            format!("\"{found}\"")
                        };
                        return Err(wrong(format!(
                            "{by} reads its example \"{text}\" ({})",
                            place.as_str()
                        )));
                    }
                }
                if let Some(text) = rule.others.iter().find(|text| reads(text, *place) == rule.name)
                {
                    return Err(wrong(format!(
                        "it reads \"{text}\", which it lists under `others`"
                    )));
                }
            }
        }
        Ok(())
    }
}

impl GrammarFile {
    /// Whether something in it comes from real files.
    fn is_measured(&self) -> bool {
        self.machine.as_ref().is_some_and(|machine| machine.basis == RuleBasis::RealFile)
            || self.rule_texts().iter().any(|rule| rule.basis() == RuleBasis::RealFile)
    }
}

/// A group in one form: `RAN WG2`, `RAN2` and `ran2` are one.
fn group_label(group: &str) -> String {
    let plain = group.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    plain.replace("wg", "").replace("tsg", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_program_reads_its_examples_and_no_others() {
        let set = GrammarSet::load(&[]).expect("valid files");
        for (group, files) in &set.files {
            for named in files {
                set.check_examples(group, &named.name)
                    .unwrap_or_else(|error| panic!("{group}: {error}"));
            }
        }
        set.check_examples("", COMMON_NAME).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn every_file_of_the_program_says_where_its_marks_and_the_other_forms_come_from() {
        for (name, text) in builtin::GROUPS {
            let file = GrammarFile::parse(name, text).expect("valid");
            let with_origin: Vec<LinePlace> =
                file.mark_origins.bases().map(|(place, _)| place).collect();
            assert!(file.machine.is_some(), "{name}");
            assert!(file.marks.iter().all(|mark| with_origin.contains(mark)), "{name}");
            assert_eq!(file.marks.len(), with_origin.len(), "{name}");
        }
    }

    #[test]
    fn wrong_files_are_reported_with_the_rule_and_the_reason() {
        let rule = |rest: &str| {
            format!("groups = [\"CT9\"]\n[[rule]]\nname = \"a\"\nreads = \"agreement\"\n{rest}")
        };
        let good = "where = [\"plain\"]\nform = \"^beams\"\nbasis = \"own knowledge\"\n";
        for (text, expected) in [
            ("groups = [".to_owned(), "own.toml: "),
            ("groups = [\"CT9\"]\ncolour = 1".to_owned(), "unknown field `colour`"),
            (rule("basis = \"hearsay\""), "unknown variant `hearsay`"),
            (rule(&format!("{good}examples = []")), "rule \"a\": it has no example"),
            (rule(&format!("{good}examples = [\"rays\"]")), "no rule reads its example \"rays\""),
            (
                rule(&format!("{good}examples = [\"beams\"]\nothers = [\"beams are\"]")),
                "it reads \"beams are\"",
            ),
            (
                rule(
                    "where = [\"plain\"]\nform = \"^(\"\nbasis = \"own knowledge\"\nexamples = [\"x\"]",
                ),
                "`form`: ",
            ),
            (
                rule(
                    "where = [\"plain\"]\nform = \"{nobody}\"\nbasis = \"own knowledge\"\nexamples = [\"x\"]",
                ),
                "[words] has no \"nobody\"",
            ),
            (
                rule(
                    "where = [\"plain\"]\nform = \"^x\"\nbasis = \"real file\"\nexamples = [\"x\"]",
                ),
                "`from` does not say",
            ),
            ("[words]".to_owned(), "`groups` names no group"),
        ] {
            let error = GrammarSet::with_own_files(&[("own.toml".to_owned(), text.clone())]);
            let error = error.expect_err(&text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn rules_of_an_operator_come_before_those_of_the_program() {
        let text = "groups = [\"RAN2\"]\n[[rule]]\nname = \"ours\"\nreads = \"process\"\nwhere = [\"plain\"]\n\
            form = '^P1 is agreed'\nbasis = \"own knowledge\"\nexamples = [\"P1 is agreed\"]";
        let own =
            GrammarSet::with_own_files(&[("own.toml".to_owned(), text.to_owned())]).expect("valid");
        let read = |set: &GrammarSet| {
            let grammar = set.grammar_of("RAN WG2").expect("a grammar");
            grammar.find_rule("P1 is agreed", LinePlace::Plain).map(|rule| rule.reading)
        };
        use super::super::rule::LineReading::{Adoption, Process};
        assert_eq!(read(&own), Some(Process));
        assert_eq!(read(&GrammarSet::builtin()), Some(Adoption));
        assert!(own.grammar_of("CT9").is_none());
    }
}
