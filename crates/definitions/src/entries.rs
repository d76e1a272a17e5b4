//! Parses the text of a definitions clause into its entries.
//!
//! There are three layouts: `ABC<tab>Meaning` on a line (older extractions lost the tab), rows of a
//! table, and `term: text`. Lines that fit none of them are introductory text and are skipped.

use super::clauses::DefinitionKinds;
use domain::TermKind;

/// Longest defined form, in bytes; a longer first cell or first half of a line is a sentence.
const MAX_TERM_BYTES: usize = 120;
/// Maximum number of words of a defined term; a longer piece before a colon is a sentence.
const MAX_TERM_WORDS: usize = 12;
/// Maximum number of words of an abbreviation: `L2R BOP`, `5G DDNMF`.
const MAX_ABBREVIATION_WORDS: usize = 3;
/// Longer meanings are cut: every list item below a term is added to its meaning, without another limit.
const MAX_MEANING_BYTES: usize = 4000;
/// Beginnings of lines that are not entries.
const ASIDES: [&str; 9] = [
    "note",
    "example",
    "editor's note",
    "editor\u{2019}s note",
    "for the purposes of",
    "table ",
    "figure ",
    "<",
    "[",
];

/// A parsed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DefinitionEntry {
    pub(super) kind: TermKind,
    pub(super) term: String,
    pub(super) meaning: String,
}

/// The entries of a section that lists certain things, in the order of the text.
pub(super) fn parse_entries(text: &str, lists: DefinitionKinds) -> Vec<DefinitionEntry> {
    let mut entries: Vec<DefinitionEntry> = Vec::new();
    let mut follows_row = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(row) = line.strip_prefix('|') {
            if row.starts_with("---") {
                // The row before the rule was the table's header.
                entries.truncate(entries.len() - usize::from(follows_row));
                follows_row = false;
            } else {
                let entry = parse_table_row(row, lists);
                follows_row = entry.is_some();
                entries.extend(entry);
            }
            continue;
        }
        let continues = is_item(line) && entries.last().is_some_and(|e| e.kind == TermKind::Term);
        if continues {
            let last = entries.last_mut().expect("just seen");
            last.meaning.push('\n');
            last.meaning.push_str(line.trim_end());
        } else if let Some(entry) = parse_line(line, lists, entries.last()) {
            entries.push(entry);
        }
    }
    entries.retain(|entry| !entry.meaning.trim().is_empty());
    entries.iter_mut().for_each(|entry| truncate_meaning(&mut entry.meaning));
    entries
}

fn is_item(line: &str) -> bool {
    let text = line.trim_start();
    let mark = text.split(' ').next().unwrap_or_default();
    let numbered = mark.len() <= 4 && mark.ends_with([')', '>']);
    text.starts_with("- ") || text.starts_with('\u{2022}') || numbered
}

fn parse_line(
    line: &str,
    lists: DefinitionKinds,
    above: Option<&DefinitionEntry>,
) -> Option<DefinitionEntry> {
    if let Some((term, meaning)) = line.split_once('\t') {
        return parse_tabbed_line(term, meaning, lists, above);
    }
    let line = line.trim();
    if is_aside(line) {
        return None;
    }
    let short_forms = lists.abbreviations || lists.symbols;
    let listed = || lists.terms.then(|| parse_definition(line)).flatten();
    let spelled = || lists.abbreviations.then(|| parse_abbreviation(line, lists.terms)).flatten();
    let symbol = || lists.symbols.then(|| parse_symbol(line)).flatten();
    if lists.terms && short_forms {
        return spelled().or_else(listed).or_else(symbol);
    }
    listed().or_else(spelled).or_else(symbol)
}

fn is_aside(text: &str) -> bool {
    // Enough for the longest of `ASIDES`; a line may be a whole paragraph.
    let start: String = text.chars().take(24).collect::<String>().to_lowercase();
    ASIDES.iter().any(|aside| start.starts_with(aside))
}

/// `ABC<tab>Meaning`; a line without a short form is a second meaning of the short form above it.
fn parse_tabbed_line(
    term: &str,
    meaning: &str,
    lists: DefinitionKinds,
    above: Option<&DefinitionEntry>,
) -> Option<DefinitionEntry> {
    let (term, meaning) = (term.trim(), meaning.trim());
    if term.is_empty() {
        let above = above.filter(|entry| entry.kind != TermKind::Term)?;
        return Some(DefinitionEntry { meaning: meaning.to_owned(), ..above.clone() });
    }
    let short_form = lists.abbreviations && !is_symbolic(term) && is_abbreviation_of(term, meaning);
    let kind = if lists.symbols && !short_form { TermKind::Symbol } else { TermKind::Abbreviation };
    build_entry(kind, term, meaning)
}

/// The first two cells of a row.
fn parse_table_row(row: &str, lists: DefinitionKinds) -> Option<DefinitionEntry> {
    let row = row.replace("\\|", "\u{1}");
    let mut cells = row.split('|').map(|cell| cell.trim().replace('\u{1}', "|"));
    let (term, meaning) = (cells.next()?, cells.next()?);
    let spelled = lists.abbreviations && is_abbreviation_of(&term, &meaning);
    let kind = match lists {
        _ if spelled => TermKind::Abbreviation,
        DefinitionKinds { terms: true, .. } => TermKind::Term,
        DefinitionKinds { symbols: true, .. } => TermKind::Symbol,
        _ => TermKind::Abbreviation,
    };
    build_entry(kind, &term, &meaning)
}

fn build_entry(kind: TermKind, term: &str, meaning: &str) -> Option<DefinitionEntry> {
    let quoted = |c: char| c.is_whitespace() || matches!(c, '*' | '"' | '\u{201c}' | '\u{201d}');
    let term = term.trim_matches(quoted).trim_end_matches([':', '=', '.']).trim_end();
    let meaning = meaning.trim_start_matches([':', '=', '-', '\u{2013}', '.', ' ']).trim_end();
    let fits = term.len() <= MAX_TERM_BYTES && term.contains(char::is_alphanumeric);
    let is_entry = fits && !is_aside(term) && !term.eq_ignore_ascii_case("void");
    is_entry.then(|| DefinitionEntry { kind, term: term.to_owned(), meaning: meaning.to_owned() })
}

/// `term: text`; the text may follow as a list.
fn parse_definition(line: &str) -> Option<DefinitionEntry> {
    let is_inside_word =
        |colon: usize| line[colon + 1..].chars().next().is_some_and(|c| !c.is_whitespace());
    let (colon, _) = line.match_indices(':').find(|(colon, _)| !is_inside_word(*colon))?;
    let (term, meaning) = (&line[..colon], &line[colon + 1..]);
    let sentence = term.split_whitespace().count() > MAX_TERM_WORDS || term.contains(". ");
    if sentence { None } else { build_entry(TermKind::Term, term, meaning) }
}

/// `ABC Meaning`: only the spelling shows where the meaning begins. `strictly` is for a section that also defines
/// terms, in which a sentence may begin with an abbreviation: the meaning must spell it.
fn parse_abbreviation(line: &str, strictly: bool) -> Option<DefinitionEntry> {
    let spaces: Vec<usize> = line.match_indices(' ').map(|(space, _)| space).collect();
    let split = |space: usize| (&line[..space], &line[space + 1..]);
    let spelled = spaces.iter().copied().take(MAX_ABBREVIATION_WORDS).rev().map(split).find(
        |(term, meaning)| {
            term.split(' ').all(looks_abbreviated) && is_abbreviation_of(term, meaning)
        },
    );
    let first = spaces.first().copied().map(split);
    let listed = first.filter(|(term, meaning)| {
        let sentence = meaning.ends_with('.') && meaning.split(' ').count() > MAX_TERM_WORDS;
        !strictly && looks_abbreviated(term) && !sentence
    });
    let (term, meaning) = spelled.or(listed)?;
    build_entry(TermKind::Abbreviation, term, meaning)
}

/// `N_RB Meaning`, `$N_{RB}$ Meaning`: a first word that prose would not have.
fn parse_symbol(line: &str) -> Option<DefinitionEntry> {
    let end = match line.strip_prefix('$') {
        Some(inner) => inner.find('$')? + 2,
        None => line.find(' ')?,
    };
    let (term, meaning) = (&line[..end], &line[end..]);
    let is_unusual = term.len() <= 2 || looks_abbreviated(term) || is_symbolic(term);
    if is_unusual { build_entry(TermKind::Symbol, term, meaning) } else { None }
}

/// Whether a form is written as symbols are and words are not.
fn is_symbolic(term: &str) -> bool {
    term.contains(['_', '$', ',']) || !term.is_ascii()
}

/// Whether a word has capitals or digits where prose has none.
fn looks_abbreviated(word: &str) -> bool {
    let inner = word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit());
    let single = word.chars().count() <= 2 && word.chars().all(char::is_uppercase);
    inner || single || word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a meaning has the letters of a short form in their order, the first at the start of a
/// word: `MBMS` and `Multimedia Broadcast/Multicast Service`.
pub(super) fn is_abbreviation_of(short: &str, meaning: &str) -> bool {
    let mut letters = short.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let Some(first) = letters.next() else { return false };
    let rest: Vec<char> = letters.collect();
    let lower = meaning.to_lowercase();
    let mut before = ' ';
    for (start, c) in lower.char_indices() {
        let starts_word = !before.is_alphanumeric();
        before = c;
        if c == first && starts_word {
            let mut remaining = lower[start + c.len_utf8()..].chars();
            if rest.iter().all(|letter| remaining.any(|c| c == *letter)) {
                return true;
            }
        }
    }
    false
}

fn truncate_meaning(meaning: &mut String) {
    if meaning.len() > MAX_MEANING_BYTES {
        let end = (0..=MAX_MEANING_BYTES).rev().find(|end| meaning.is_char_boundary(*end));
        meaning.truncate(end.unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABBREVIATIONS: DefinitionKinds =
        DefinitionKinds { abbreviations: true, terms: false, symbols: false };
    const TERMS: DefinitionKinds =
        DefinitionKinds { abbreviations: false, terms: true, symbols: false };
    const SYMBOLS: DefinitionKinds =
        DefinitionKinds { abbreviations: false, terms: false, symbols: true };
    const ALL: DefinitionKinds =
        DefinitionKinds { abbreviations: true, terms: true, symbols: true };

    fn read(text: &str, lists: DefinitionKinds) -> Vec<String> {
        let show = |e: &DefinitionEntry| {
            let kind = &e.kind.as_str()[..1];
            format!("{kind} {} = {}", e.term, e.meaning.replace('\n', " / "))
        };
        parse_entries(text, lists).iter().map(show).collect()
    }

    #[test]
    fn every_layout_of_a_list_is_parsed() {
        let cases: &[(DefinitionKinds, &str, &[&str])] = &[
            (
                ABBREVIATIONS,
                "For the purposes of the present document, the abbreviations apply:\n\n\
                 BU\tBeacon Unit\n\n\tBattery Unit\n\nC-\tControl-\n\n<void>",
                &["a BU = Beacon Unit", "a BU = Battery Unit", "a C- = Control-"],
            ),
            (
                ABBREVIATIONS,
                "BU Beacon Unit\n\n5G BCF 5G Beacon Control Function\n\ngLN Heron Node\n\n\
                 An abbreviation of another document is not repeated here.\n\nEN-BC E-Beacon Cell",
                &[
                    "a BU = Beacon Unit",
                    "a 5G BCF = 5G Beacon Control Function",
                    "a gLN = Heron Node",
                    "a EN-BC = E-Beacon Cell",
                ],
            ),
            (
                ABBREVIATIONS,
                "Table 3.2-1: Abbreviations\n| Abbreviation | Meaning |\n|---|---|\n\
                 | BU | Beacon Unit |\n| N\\|A | None at all |",
                &["a BU = Beacon Unit", "a N|A = None at all"],
            ),
            (
                ABBREVIATIONS,
                "BU: Beacon Unit\n\nDL = Dormant Link",
                &["a BU = Beacon Unit", "a DL = Dormant Link"],
            ),
            (
                TERMS,
                "The following apply:\n\nDormant link: a link that sleeps.\n\n\
                 Lantern area (LA): a set of units:\n\n- units of one owner; or\n- all units.\n\n\
                 NOTE 1: Units may overlap.\n\nBU mode 1:2: one to two.\n\nAs said elsewhere.",
                &[
                    "t Dormant link = a link that sleeps.",
                    "t Lantern area (LA) = a set of units: / - units of one owner; or / - all units.",
                    "t BU mode 1:2 = one to two.",
                ],
            ),
            (
                SYMBOLS,
                "<symbol>\t<Explanation>\n\nP_rated\tRated power\n\n$N_{\\mathrm{RB}}$ Blocks in all\n\n\
                 \u{394}f Spacing\n\nResource element at an index",
                &[
                    "s P_rated = Rated power",
                    "s $N_{\\mathrm{RB}}$ = Blocks in all",
                    "s \u{394}f = Spacing",
                ],
            ),
            (
                ALL,
                "Dormant link: a link that sleeps.\n\nBU Beacon Unit\n\nGLN\tGround Lamp Node\n\n\
                 P_r\tRated power\n\nThe UE of this document is a lamp.",
                &[
                    "t Dormant link = a link that sleeps.",
                    "a BU = Beacon Unit",
                    "a GLN = Ground Lamp Node",
                    "s P_r = Rated power",
                ],
            ),
        ];
        for (lists, text, expected) in cases {
            assert_eq!(read(text, *lists), *expected, "{text}");
        }
    }

    #[test]
    fn a_meaning_spells_its_abbreviation() {
        assert!(is_abbreviation_of("MBMS", "Multimedia Broadcast/Multicast Service"));
        assert!(is_abbreviation_of("5GC", "5G Core Network"));
        assert!(!is_abbreviation_of("EN-DC E-UTRA-NR", "Dual Connectivity"));
        assert!(!is_abbreviation_of("--", "anything"));
    }

    #[test]
    fn entries_of_hostile_texts_are_bounded() {
        let long = format!("term: {}", "\u{e9}x".repeat(5000));
        let read = parse_entries(&long, TERMS);
        assert!(read[0].meaning.len() <= MAX_MEANING_BYTES);
        for text in ["|", "|---|", "|---", "\t", ":", ": :", "$", "$x", "| |", "|a|", "- ", "x\t"] {
            for lists in [ABBREVIATIONS, TERMS, SYMBOLS, ALL] {
                assert!(parse_entries(text, lists).len() <= 1, "{text:?}");
            }
        }
    }
}
