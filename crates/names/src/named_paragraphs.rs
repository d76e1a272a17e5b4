//! Constants, timers and state variables that a section lists: a name alone on a line, and the paragraphs below it.

use document_model::Block;

use crate::name::{DefinedName, SectionNames};
use domain::DefinedNameKind;

/// Maximum length of a name.
const MAX_NAME_BYTES: usize = 60;
/// Maximum length of a label before a name, in bytes: `a) `. A line that is no longer than name and label has no
/// description.
const MAX_LABEL_BYTES: usize = 4;
/// Maximum length of a definition, in bytes. All paragraphs up to the next name belong to it, and the last name of a
/// section would have the whole rest.
const MAX_TEXT_BYTES: usize = 2000;
/// Kinds by a word of the title of the section, in lower case.
const KINDS: [(&str, DefinedNameKind); 5] = [
    ("constant", DefinedNameKind::Constant),
    ("timer", DefinedNameKind::Timer),
    ("counter", DefinedNameKind::Counter),
    ("variable", DefinedNameKind::Variable),
    ("parameter", DefinedNameKind::Parameter),
];

/// Reads the names that a section lists, if its title announces such names.
pub(crate) fn read_named_paragraphs(title: &str, blocks: &[Block], into: &mut SectionNames) {
    let title = title.to_lowercase();
    let Some((_, kind)) = KINDS.into_iter().find(|(word, _)| title.contains(word)) else { return };
    let mut open: Option<(&str, String)> = None;
    for block in blocks {
        let text = match block {
            Block::Paragraph(paragraph) => paragraph.text.as_str(),
            Block::ListItem(item) => item.text.as_str(),
            Block::Table(_) | Block::Code(_) => continue,
        };
        if let Some(name) = leading_name(text, kind) {
            close(kind, open.take(), into);
            open = Some((name, text.trim().to_owned()));
        } else if let Some((_, definition)) = &mut open
            && definition.len() + text.len() <= MAX_TEXT_BYTES
        {
            definition.push('\n');
            definition.push_str(text.trim());
        }
    }
    close(kind, open, into);
}

/// Adds a name that is described; one without any text is only mentioned.
fn close(kind: DefinedNameKind, open: Option<(&str, String)>, into: &mut SectionNames) {
    let Some((name, definition)) = open
        .filter(|(name, text)| text.contains('\n') || text.len() > name.len() + MAX_LABEL_BYTES)
    else {
        return;
    };
    into.names.push(DefinedName::in_row(kind, name, definition));
}

/// The name on a line, alone or before a dash or a colon: `TX_Next \u{2013} send state variable`.
fn leading_name(text: &str, kind: DefinedNameKind) -> Option<&str> {
    let text = without_label(text.trim());
    let (name, rest) = text.split_at(text.find([' ', ':', '\n']).unwrap_or(text.len()));
    let rest = rest.trim_start();
    let stands_alone = rest.is_empty() || rest.starts_with(['\u{2013}', '\u{2014}', '-', ':']);
    let has_name_sign = name.contains('_')
        || name.bytes().zip(name.bytes().skip(1)).any(|(one, next)| {
            one.is_ascii_lowercase() && next.is_ascii_uppercase()
                || one == b'-' && next.is_ascii_uppercase()
        });
    // `TRELOCprep`: timers of procedures between nodes have such names.
    let is_timer = kind == DefinedNameKind::Timer
        && name.strip_prefix('T').is_some_and(|rest| {
            rest.len() > 1
                && rest.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
        });
    let is_name = (has_name_sign || is_timer)
        && name.len() <= MAX_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    (stands_alone && is_name).then_some(name)
}

/// A line without its label: `a) TX_Next`.
fn without_label(text: &str) -> &str {
    match text.split_once(')') {
        Some((label, rest)) if label.len() <= 2 && !label.contains(' ') => rest.trim_start(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::Paragraph;

    #[test]
    fn a_name_that_stands_alone_is_defined_by_the_paragraphs_below_it() {
        let paragraph =
            |text: &str| Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() });
        let blocks = [
            paragraph("These are the constants:"),
            paragraph("a) Window_Size"),
            paragraph("The size of the window is 64."),
            paragraph("TX_Next \u{2013} send state variable"),
            paragraph("It holds a number."),
            paragraph("AM_Size"),
        ];
        let mut found = SectionNames::default();
        read_named_paragraphs("Constants", &blocks, &mut found);
        let names: Vec<(&str, &str)> =
            found.names.iter().map(|name| (name.name.as_str(), name.definition.as_str())).collect();
        assert_eq!(
            names,
            [
                ("Window_Size", "a) Window_Size\nThe size of the window is 64."),
                ("TX_Next", "TX_Next \u{2013} send state variable\nIt holds a number."),
            ]
        );
        let mut none = SectionNames::default();
        read_named_paragraphs("General", &blocks, &mut none);
        assert!(none.names.is_empty());
    }
}
