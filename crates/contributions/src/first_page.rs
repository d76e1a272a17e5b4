//! Title, source and other fields from the first page of a document that no register lists.

use std::{collections::BTreeMap, sync::LazyLock};

use regex::Regex;
use register::{Column, RegisterEntry};

use super::entry::split_agenda_item;
use extract::Contribution;

/// Blocks of text that count as the first page. A label further down, such as `Source:`, may be from a document that
/// this one quotes.
pub(super) const FIRST_PAGE_BLOCKS: usize = 40;
/// Longest value, in characters; longer ones are cut. A whole paragraph after a label would otherwise become a title
/// or an organization.
const MAX_CHARS: usize = 1_000;

/// The head of an entry in a report: `R3-9900001  Title`, `TD S2-9900001 (CR) Title`. Its own title and source follow.
static ENTRY_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\s*(?:TD\s+[A-Z][A-Z0-9]{1,3}[-\u{2010}\u{2011}\u{2013}]\d{5,8}\b|[A-Z][A-Z0-9]{1,3}[-\u{2010}\u{2011}\u{2013}]\d{5,8}\s+\S)",
    )
    .expect("a constant pattern; a test uses it")
});

/// The lines of the first `blocks` blocks that describe the file itself, without struck text: in a report with a short
/// cover, documents follow, each with a source of its own. They follow a cover only if that names a source: before it,
/// every source counts, so that a company cannot hide its own below a number.
fn cover_lines(read: &Contribution, blocks: usize) -> impl Iterator<Item = &str> {
    let first = read.blocks.iter().take(blocks);
    let lines = first.flat_map(|block| block.unstruck.as_ref().unwrap_or(&block.text).split('\n'));
    let mut is_signed = false;
    lines.take_while(move |line| {
        is_signed |= split_label(line).is_some_and(|(name, value)| {
            parse_column(name) == Some(Column::Source) && !value.is_empty()
        });
        !is_signed || !ENTRY_HEAD.is_match(line)
    })
}

/// The register row of a document, as far as its own first page gives it: `Title:`, `Source:`, `Agenda Item:`,
/// `Document for:`, and the cover of a change request.
pub fn entry_from_first_page(id: &str, read: &Contribution) -> RegisterEntry {
    let mut texts: BTreeMap<Column, String> = BTreeMap::new();
    for block in read.blocks.iter().take(FIRST_PAGE_BLOCKS) {
        for line in block.text.split('\n') {
            let Some((name, value)) = split_label(line) else {
                add_unlabelled_agenda_item(line, &mut texts);
                continue;
            };
            if is_agenda_label(name) {
                add_agenda_item(value, &mut texts);
            } else if let Some(column) = parse_column(name)
                && !value.is_empty()
            {
                texts.entry(column).or_insert_with(|| value.chars().take(MAX_CHARS).collect());
            }
        }
    }
    if let Some(cover) = &read.cover {
        let mut set_column = |column, value: &Option<String>| {
            if let Some(value) = value {
                texts.insert(column, value.clone());
            }
        };
        set_column(Column::Title, &cover.title);
        set_column(Column::Spec, &cover.spec);
        set_column(Column::Version, &cover.version);
        set_column(Column::Cr, &cover.number);
        set_column(Column::CrRevision, &cover.revision);
        set_column(Column::CrCategory, &cover.category);
        set_column(Column::Release, &cover.release);
        set_column(Column::WorkItems, &cover.work_item);
        set_column(Column::Clauses, &cover.clauses);
        texts.insert(Column::Type, "CR".to_owned());
    }
    // Liaison statements name their addressees; a contribution about one has the same words in its title.
    let is_liaison = texts.get(&Column::Title).is_some_and(|title| {
        let mut words = title.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word == "LS" || word.eq_ignore_ascii_case("liaison"))
    });
    if is_liaison && has_addressee(read) {
        texts.entry(Column::Type).or_insert_with(|| "LS out".to_owned());
    }
    let tdoc = id.to_owned();
    RegisterEntry { line: 0, tdoc, url: None, reserved: None, uploaded: None, texts }
}

/// Whether a label is that of the agenda item.
fn is_agenda_label(name: &str) -> bool {
    let name: String = name.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
    matches!(
        name.as_str(),
        "agenda" | "agendaitem" | "agendaitems" | "agendaitemno" | "agendaitemnumber" | "ai"
    )
}

/// Adds number and title of an agenda item: `10.8.3 - Waveform`. A text without a number is nothing that a document can
/// be found by, and no title of an item that is known.
fn add_agenda_item(text: &str, texts: &mut BTreeMap<Column, String>) {
    if texts.contains_key(&Column::AgendaItem) {
        return;
    }
    let Some((number, title)) = split_agenda_item(text) else { return };
    texts.insert(Column::AgendaItem, number.chars().take(MAX_CHARS).collect());
    if let Some(title) = title {
        texts.insert(Column::AgendaTitle, title.chars().take(MAX_CHARS).collect());
    }
}

/// Adds the agenda item of a line without a colon: `Agenda item 8.1.2 Beams`, `AI 8.1.2`.
fn add_unlabelled_agenda_item(line: &str, texts: &mut BTreeMap<Column, String>) {
    let line = line.trim();
    let Some(digit) = line.find(|c: char| c.is_ascii_digit()) else { return };
    if is_agenda_label(line[..digit].trim()) {
        add_agenda_item(&line[digit..], texts);
    }
}

/// The values of all "Source" lines of the file itself in its first `blocks` blocks, without struck text: a struck
/// source does not sign.
pub(super) fn source_lines(read: &Contribution, blocks: usize) -> Vec<&str> {
    let labelled = cover_lines(read, blocks).filter_map(split_label);
    let sources = labelled.filter(|(name, _)| parse_column(name) == Some(Column::Source));
    sources.map(|(_, value)| value).filter(|value| !value.is_empty()).collect()
}

/// Label and value of a line: `Source: MCC`, also with a wide colon or in two table cells.
fn split_label(line: &str) -> Option<(&str, &str)> {
    const COLONS: [char; 3] = [':', '\u{ff1a}', '|'];
    let line = line.trim_matches(|c: char| matches!(c, '|' | ' '));
    let (name, value) = line.split_once(COLONS)?;
    Some((name, value.trim_matches(|c: char| matches!(c, ' ' | '\t') || COLONS.contains(&c))))
}

fn has_addressee(read: &Contribution) -> bool {
    let first = read.blocks.iter().take(FIRST_PAGE_BLOCKS);
    first.flat_map(|block| block.text.split('\n')).any(|line| {
        line.split_once(':').is_some_and(|(name, _)| name.trim().eq_ignore_ascii_case("to"))
    })
}

fn parse_column(name: &str) -> Option<Column> {
    let name = name.trim().trim_matches('*').to_lowercase();
    match name.as_str() {
        "title" => Some(Column::Title),
        "source" | "sources" | "source(s)" | "source to wg" | "submitted by" => {
            Some(Column::Source)
        }
        "document for" => Some(Column::For),
        "release" => Some(Column::Release),
        "work item" | "work item code" => Some(Column::WorkItems),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use extract::TextBlock;

    #[test]
    fn the_first_page_says_what_a_register_would() {
        let block = |text: &str| TextBlock { text: text.to_owned(), ..TextBlock::default() };
        let read = Contribution {
            blocks: vec![
                block("3GPP TSG RAN WG1 #118"),
                block("Agenda Item:\t8.1"),
                block("Source: Nokia, Ericsson"),
                block("Title: On beams: a study"),
                block("Document for: Discussion"),
                block("Title: another"),
            ],
            ..Contribution::default()
        };
        let entry = entry_from_first_page("R1-2405790", &read);
        assert_eq!(entry.column_text(Column::Title), Some("On beams: a study"));
        assert_eq!(entry.column_text(Column::Source), Some("Nokia, Ericsson"));
        assert_eq!(entry.column_text(Column::AgendaItem), Some("8.1"));
        assert_eq!(entry.column_text(Column::For), Some("Discussion"));
    }

    #[test]
    fn the_agenda_item_is_its_number_and_the_title_is_apart() {
        for (line, number, title) in [
            (
                "Agenda item: 10.8.3 - Waveform for sensing",
                Some("10.8.3"),
                Some("Waveform for sensing"),
            ),
            ("Agenda Item\t:\t8.1.2.3/8.1.2.4", Some("8.1.2.3/8.1.2.4"), None),
            ("AI: 8.1.2.3 (Beams)", Some("8.1.2.3"), Some("Beams")),
            ("AI 8.1.2.3 (Beams)", Some("8.1.2.3"), Some("Beams")),
            ("Agenda item 10.8.3.", Some("10.8.3"), None),
            ("Agenda Item No.: 7", Some("7"), None),
            ("Agenda: Beams", None, None),
            ("AI: models of 5 companies", None, None),
            ("Agenda items of 8.1 and others", None, None),
        ] {
            let block = TextBlock { text: line.to_owned(), ..TextBlock::default() };
            let read = Contribution { blocks: vec![block], ..Contribution::default() };
            let entry = entry_from_first_page("R1-2405790", &read);
            let columns = [Column::AgendaItem, Column::AgendaTitle];
            assert_eq!(columns.map(|column| entry.column_text(column)), [number, title], "{line}");
        }
    }
}
