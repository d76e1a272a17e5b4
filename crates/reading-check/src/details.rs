//! What was lost that is no word: results of fields, and symbols.

use std::collections::{HashMap, HashSet};

use domain::{ReadingCheck, ReadingCheckKind};

use crate::{
    fold::hash_folded, printed::PrintedText, stored_section::StoredSection, suspect::SuspectKind,
};

/// Checks the fields and the characters of a document.
pub(crate) fn check_suspects(
    printed: &PrintedText,
    sections: &[StoredSection<'_>],
) -> [ReadingCheck; 2] {
    let mut fields = ReadingCheck::new(ReadingCheckKind::Fields);
    let mut characters = ReadingCheck::new(ReadingCheckKind::Characters);
    (fields.checked, characters.checked) = (printed.fields, printed.symbols);
    let mut room = count_unexplained(printed, sections);
    for suspect in &printed.suspects {
        let Some(left) = room.get_mut(&suspect.line).filter(|left| **left > 0) else { continue };
        *left -= 1;
        match &suspect.kind {
            SuspectKind::Field(kind) => {
                fields.add_failures(1, &format!("{kind} in \"{}\"", suspect.example));
            }
            SuspectKind::Symbol => {
                let count = u64::from(suspect.count);
                characters.add_failures(count, &format!("in \"{}\"", suspect.example));
            }
        }
    }
    for section in sections {
        let texts = || section.texts.iter().copied().chain([section.title]);
        let unknown: usize = texts().map(|text| text.chars().filter(is_unknown).count()).sum();
        if unknown > 0 {
            let example = format!("{unknown} in {}", section.number);
            characters.add_failures(unknown as u64, &example);
        }
    }
    fields.checked = fields.checked.max(fields.missing);
    characters.checked = characters.checked.max(characters.missing);
    [fields, characters]
}

/// How often the stored text has the paragraph of a suspect without what may be lost, beyond the paragraphs that never had it.
fn count_unexplained(printed: &PrintedText, sections: &[StoredSection<'_>]) -> HashMap<u64, u32> {
    let lines: HashSet<u64> = printed.suspects.iter().map(|suspect| suspect.line).collect();
    let mut stored: HashMap<u64, u32> = HashMap::new();
    if lines.is_empty() {
        return stored;
    }
    for section in sections {
        let heading = format!("{}{}", section.number, section.title);
        for text in section.texts.iter().copied().chain([section.title, heading.as_str()]) {
            let line = hash_folded(text);
            if lines.contains(&line) {
                *stored.entry(line).or_default() += 1;
            }
        }
    }
    for (line, count) in &mut stored {
        *count = count.saturating_sub(printed.lines.get(line).copied().unwrap_or_default());
    }
    stored
}

/// Whether nobody can say what a character means: it stands for one that could not be read, or is one of a font's own.
fn is_unknown(character: &char) -> bool {
    matches!(character, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}')
}
