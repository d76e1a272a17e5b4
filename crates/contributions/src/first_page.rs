//! What a document says of itself on its first page, for documents that no register lists.

use std::collections::BTreeMap;

use register::{Column, RegisterEntry};

use extract::Contribution;

/// The first page ends within so many pieces of text.
const FIRST_PIECES: usize = 40;
/// A value is cut after so many characters.
const MAX_CHARS: usize = 1_000;

/// What a register would say of a document, as far as the document says it itself: `Title:`, `Source:`,
/// `Agenda Item:`, `Document for:`, and the cover of a change request.
pub fn entry_from_first_page(id: &str, read: &Contribution) -> RegisterEntry {
    let mut texts: BTreeMap<Column, String> = BTreeMap::new();
    for block in read.blocks.iter().take(FIRST_PIECES) {
        for line in block.text.split('\n') {
            let line = line.trim_matches(|c: char| matches!(c, '|' | ' '));
            let Some((name, value)) = line.split_once([':', '|']) else { continue };
            let value = value.trim_matches(|c: char| matches!(c, '|' | ' ' | ':' | '\t'));
            if let Some(column) = parse_column(name).filter(|_| !value.is_empty()) {
                texts.entry(column).or_insert_with(|| value.chars().take(MAX_CHARS).collect());
            }
        }
    }
    if let Some(cover) = &read.cover {
        let mut say = |column, value: &Option<String>| {
            if let Some(value) = value {
                texts.insert(column, value.clone());
            }
        };
        say(Column::Title, &cover.title);
        say(Column::Spec, &cover.spec);
        say(Column::Version, &cover.version);
        say(Column::Cr, &cover.number);
        say(Column::CrRevision, &cover.revision);
        say(Column::CrCategory, &cover.category);
        say(Column::Release, &cover.release);
        say(Column::WorkItems, &cover.work_item);
        say(Column::Clauses, &cover.clauses);
        texts.insert(Column::Type, "CR".to_owned());
    }
    // Liaison statements name whom they are to.
    let is_liaison = texts.get(&Column::Title).is_some_and(|title| {
        let mut words = title.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word == "LS" || word.eq_ignore_ascii_case("liaison"))
    });
    if is_liaison && is_addressed(read) {
        texts.entry(Column::Type).or_insert_with(|| "LS out".to_owned());
    }
    let tdoc = id.to_owned();
    RegisterEntry { line: 0, tdoc, url: None, reserved: None, uploaded: None, texts }
}

fn is_addressed(read: &Contribution) -> bool {
    let first = read.blocks.iter().take(FIRST_PIECES);
    first.flat_map(|block| block.text.split('\n')).any(|line| {
        line.split_once(':').is_some_and(|(name, _)| name.trim().eq_ignore_ascii_case("to"))
    })
}

fn parse_column(name: &str) -> Option<Column> {
    let name = name.trim().trim_matches('*').to_lowercase();
    match name.as_str() {
        "title" => Some(Column::Title),
        "source" | "source to wg" => Some(Column::Source),
        "agenda item" | "agenda" => Some(Column::AgendaItem),
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
}
