//! The signer of a file: the parties in its "Source" lines. A role counts only as a whole phrase, "RAN1 Chair (Example
//! Radio)", never as a word in a name: "Chairsoft Inc." is a company.

use std::sync::LazyLock;

use domain::SourceRole;
use organizations::OrganizationDirectory;
use regex::Regex;
use register::parse_parties;

use domain::{Group, NotesKind, is_legal_form_word};

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

static MODERATOR: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:moderator|feature\s+lead)s?\b"));
static RAPPORTEUR: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:rapporteur|editor)s?\b"));
static STRUCK: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"~~.*?~~"));
/// Words that join two parties.
static JOINT: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\s+(?:and|on\s+behalf\s+of)\s+"));
/// Titles of chairs: `Chair`, `Convenor`.
static CHAIR: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^(?:co|vice)?(?:chair(?:man|men|woman|women|person)?|conven[eo]r)s?$")
});
/// Words beside a chair's title. Any other one, as in "Work item chair" or "Former RAN1 chair", makes the party a
/// company.
const CHAIR_QUALIFIERS: [&str; 28] = [
    "acting", "ad", "adhoc", "break", "breakout", "co", "e", "emtc", "hoc", "hspa", "iot", "laa",
    "lte", "main", "mimo", "nb", "notes", "nr", "out", "parallel", "session", "sessions",
    "sidelink", "umts", "utra", "v2x", "vice", "wcdma",
];
/// Words that each name the secretariat.
const SECRETARIES: [&str; 7] =
    ["competence", "etsi", "mcc", "secretariat", "secretaries", "secretary", "support"];
/// Words beside them: `3GPP Support Team`, `Mobile Competence Centre`, `MCC TF160`.
const SECRETARY_QUALIFIERS: [&str; 7] =
    ["acting", "center", "centre", "mobile", "team", "tf", "tf160"];
/// Words without meaning for a role.
const FILLERS: [&str; 7] = ["3gpp", "for", "meeting", "of", "s", "the", "wg"];
/// Words before a person's name.
const COURTESIES: [&str; 4] = ["dr", "mr", "mrs", "ms"];
/// Words of company names that no person's name has: "MCC (Example Radio)" is not signed by a secretary named Example
/// Radio.
const COMPANY_WORDS: [&str; 30] = [
    "alliance",
    "association",
    "bell",
    "communication",
    "communications",
    "devices",
    "electric",
    "electronics",
    "group",
    "institute",
    "international",
    "lab",
    "laboratories",
    "labs",
    "mobile",
    "network",
    "networks",
    "radio",
    "research",
    "semiconductor",
    "services",
    "software",
    "solutions",
    "systems",
    "technologies",
    "technology",
    "telecom",
    "telekom",
    "university",
    "wireless",
];
/// Number of words in a person's name. One word alone may be a company that is not on the list.
const PERSON_WORDS: std::ops::RangeInclusive<usize> = 2..=4;

/// The signer of a file, the weaker after the stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signer {
    /// The secretary of the meeting: MCC, ETSI.
    Secretary,
    /// A chair of the meeting or of a session.
    Chair,
    /// The group itself.
    Group,
    /// The moderator of a discussion.
    Moderator,
    /// The rapporteur of a work item or the editor of a document.
    Rapporteur,
    /// A company.
    Company,
}

impl Signer {
    /// Whether its notes of a kind record the decisions of a meeting. A report is signed by the secretary.
    pub(super) fn may_sign(self, kind: NotesKind) -> bool {
        match kind {
            NotesKind::MeetingReport => self == Self::Secretary,
            NotesKind::Summary => self != Self::Company,
            _ => self <= Self::Group,
        }
    }
}

/// The signature of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    /// Its signer; of several parties the weakest, so that a company cannot add an official to its own view.
    pub(super) signer: Signer,
    /// The groups whose officials sign it, as far as they are named.
    groups: Vec<Group>,
}

impl Signature {
    /// The signature in the "Source" lines of a first page. They must agree: if one names a company, the file is the
    /// company's. `None` if they name nobody.
    pub(super) fn from_lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        lines.into_iter().filter_map(Self::from_source).reduce(Self::join)
    }

    /// The signer that a cell or a line names; `None` if it names nobody.
    pub(super) fn from_source(source: &str) -> Option<Self> {
        let source = STRUCK.replace_all(source, " ");
        let source = source.trim();
        if !source.chars().any(char::is_alphanumeric) {
            return None;
        }
        if MODERATOR.is_match(source) {
            return Some(Self { signer: Signer::Moderator, groups: Vec::new() });
        }
        let of_others = || {
            let is_rapporteur = RAPPORTEUR.is_match(source)
                || parse_parties(source).iter().any(|party| party.role == SourceRole::Editor);
            // A company that claims an office which is not one, as in "Former RAN1 chair", is not a rapporteur either.
            let claims_office = source.split(|c: char| !c.is_alphanumeric()).any(is_office_word);
            let is_rapporteur = is_rapporteur && !claims_office;
            let signer = if is_rapporteur { Signer::Rapporteur } else { Signer::Company };
            Self { signer, groups: Vec::new() }
        };
        let parties = split_parties(source);
        let officials =
            parties.iter().map(|party| parse_official(party)).collect::<Option<Vec<_>>>();
        let officials = officials.and_then(|all| all.into_iter().reduce(Self::join));
        Some(officials.unwrap_or_else(of_others))
    }

    fn join(mut self, other: Self) -> Self {
        self.signer = self.signer.max(other.signer);
        self.groups.extend(other.groups);
        self
    }

    /// Whether officials of other groups sign it, and none of this group.
    pub(super) fn is_of_other_group(&self, group: Group) -> bool {
        !self.groups.is_empty() && !self.groups.contains(&group)
    }
}

fn is_office_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    CHAIR.is_match(&lower) || SECRETARIES.contains(&lower.as_str())
}

/// Splits a source into its parties: at commas, semicolons and lines outside brackets, at "and" and "on behalf of".
fn split_parties(source: &str) -> Vec<String> {
    let joined = JOINT.replace_all(source, ",");
    let (mut parties, mut party, mut depth) = (Vec::new(), String::new(), 0_usize);
    for c in joined.chars() {
        match c {
            '(' | '\u{ff08}' | '[' => depth += 1,
            ')' | '\u{ff09}' | ']' => depth = depth.saturating_sub(1),
            ',' | ';' | '|' | '&' | '\n' | '\t' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}'
                if depth == 0 =>
            {
                parties.push(std::mem::take(&mut party));
                continue;
            }
            _ => {}
        }
        party.push(c);
    }
    parties.push(party);
    parties.retain(|party| party.chars().any(char::is_alphanumeric));
    parties
}

/// The official in a party: a role with a person or company in brackets, or a person with the role in brackets.
fn parse_official(party: &str) -> Option<Signature> {
    let (head, inside) = split_brackets(party);
    if head.is_empty() {
        let parts = split_parties(&inside.join(","));
        let parts: Option<Vec<_>> = parts.iter().map(|part| parse_role(part)).collect();
        return parts?.into_iter().reduce(Signature::join);
    }
    let inner = split_parties(&inside.join(","));
    match parse_role(&head) {
        // A chair comes from a company, which may be in brackets; the secretary does not.
        Some(role) if role.signer == Signer::Chair => Some(role),
        Some(role) => inner.iter().try_fold(role, |role, part| match parse_role(part) {
            Some(more) => Some(role.join(more)),
            None => is_person(part).then_some(role),
        }),
        None => {
            let roles: Option<Vec<_>> = inner.iter().map(|part| parse_role(part)).collect();
            let role = roles?.into_iter().reduce(Signature::join)?;
            let names_holder = role.signer == Signer::Chair || is_person(&head);
            (names_holder && !is_unclear_holder(&head)).then_some(role)
        }
    }
}

/// Whether words before a role in brackets also name an office, which makes it unclear who signs.
fn is_unclear_holder(head: &str) -> bool {
    head.split(|c: char| !c.is_alphanumeric()).any(is_office_word)
}

/// The parts outside and inside brackets.
fn split_brackets(party: &str) -> (String, Vec<String>) {
    let (mut head, mut inside, mut part, mut depth) =
        (String::new(), Vec::new(), String::new(), 0_usize);
    for c in party.chars() {
        match c {
            '(' | '\u{ff08}' | '[' if depth == 0 => depth = 1,
            '(' | '\u{ff08}' | '[' => depth += 1,
            ')' | '\u{ff09}' | ']' if depth == 1 => {
                inside.push(std::mem::take(&mut part));
                depth = 0;
            }
            ')' | '\u{ff09}' | ']' => depth = depth.saturating_sub(1),
            c if depth > 0 => part.push(c),
            c => head.push(c),
        }
    }
    inside.push(part);
    (head.trim_matches(|c: char| !c.is_alphanumeric()).to_owned(), inside)
}

/// The role in a phrase; `None` if it has other words.
fn parse_role(phrase: &str) -> Option<Signature> {
    let lower = phrase.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let (groups, rest) = take_groups(&words)?;
    let has = |list: &[&str], word: &str| list.contains(&word);
    let is_chair = rest.iter().any(|word| CHAIR.is_match(word));
    let is_secretary = rest.iter().any(|word| has(&SECRETARIES, word));
    // "Support" alone may be the team of a company.
    let is_support_of_another = !lower.contains("3gpp")
        && rest.iter().all(|word| *word == "support" || !has(&SECRETARIES, word));
    // Sessions are numbered: "Ad-hoc 2 chair".
    let is_qualifier = |word: &str| {
        let plain = word.trim_end_matches(|c: char| c.is_ascii_digit());
        plain.is_empty() || [word, plain].iter().any(|word| has(&CHAIR_QUALIFIERS, word))
    };
    let is_known = |word: &&str| {
        has(&FILLERS, word)
            || is_chair && (CHAIR.is_match(word) || is_qualifier(word))
            || is_secretary && (has(&SECRETARIES, word) || has(&SECRETARY_QUALIFIERS, word))
    };
    let signer = match (is_chair, is_secretary) {
        (true, _) => Signer::Chair,
        (false, true) if !is_support_of_another => Signer::Secretary,
        _ if !groups.is_empty() => Signer::Group,
        _ => return None,
    };
    rest.iter().all(is_known).then_some(Signature { signer, groups })
}

/// The groups that words name, `RAN1`, `TSG RAN WG1`, and the other words. `None` if a group does not exist: "RAN9
/// Secretary" is not an official.
fn take_groups<'a>(words: &[&'a str]) -> Option<(Vec<Group>, Vec<&'a str>)> {
    let (mut groups, mut rest) = (Vec::new(), Vec::new());
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let tsg = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if !matches!(tsg, "ran" | "sa" | "ct" | "geran") {
            if word != "tsg" {
                rest.push(word);
            }
            continue;
        }
        let mut name = word.to_owned();
        if tsg == word {
            let is_number =
                |word: &&str| word.len() == 1 && word.bytes().all(|b| b.is_ascii_digit());
            if let Some(number) = words.next_if(|word| {
                word.strip_prefix("wg").is_some_and(|number| is_number(&number)) || is_number(word)
            }) {
                name.push_str(number.trim_start_matches("wg"));
            } else if words.next_if(|word| *word == "wg").is_some() {
                name.push_str(words.next_if(is_number).unwrap_or_default());
            }
        }
        groups.push(name.to_uppercase().parse().ok()?);
    }
    Some((groups, rest))
}

/// Whether a text has the form of a person's name, and is not a known company.
fn is_person(text: &str) -> bool {
    static KNOWN: LazyLock<OrganizationDirectory> =
        LazyLock::new(|| OrganizationDirectory::from_shipped_list(std::iter::empty()));
    let text = text.trim();
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !COURTESIES.contains(&word.to_lowercase().as_str()))
        .collect();
    let is_name = |word: &&str| {
        let lower = word.to_lowercase();
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '.' | '\'' | '\u{2019}'))
            && !is_legal_form_word(&lower)
            && !COMPANY_WORDS.contains(&lower.as_str())
            && !CHAIR.is_match(&lower)
    };
    PERSON_WORDS.contains(&words.len())
        && words.iter().all(is_name)
        && text.chars().any(char::is_lowercase)
        && KNOWN.index_of_name(text).is_none()
}

#[cfg(test)]
mod tests;
