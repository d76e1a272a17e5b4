//! Test cases of security assurance specifications: `Test Name: TC_...`, with purpose, steps and expected results
//! below.

use document_model::{Block, SectionBody};

use crate::name::{DefinedName, SectionNames};
use domain::DefinedNameKind;

/// Words before the name of a test, in lower case.
const LABELS: [&str; 2] = ["test name", "test case name"];
/// The beginning of the requirement that tests check, in lower case.
const REQUIREMENT: &str = "requirement description";
/// Maximum length of a requirement and of a test, in bytes; the rest is cut. Each test of a section repeats the
/// requirement.
const MAX_REQUIREMENT_BYTES: usize = 1200;
const MAX_TEST_BYTES: usize = 2500;
/// Maximum length of a name.
const MAX_NAME_BYTES: usize = 100;

/// Reads the test cases of a section, each with the requirement that it checks.
pub(crate) fn read_test_cases(blocks: &[Block], into: &mut SectionNames) {
    let lines: Vec<String> = blocks.iter().map(print_block).collect();
    let starts: Vec<(usize, &str)> = lines
        .iter()
        .enumerate()
        .filter_map(|(index, line)| Some((index, test_name(line)?)))
        .collect();
    let requirement = lines.iter().find(|line| line.to_lowercase().starts_with(REQUIREMENT));
    for (place, (start, name)) in starts.iter().enumerate() {
        let end = starts.get(place + 1).map_or(lines.len(), |(next, _)| *next);
        let mut text = cut(&lines[*start..end].join("\n"), MAX_TEST_BYTES).to_owned();
        if let Some(requirement) = requirement {
            text.push('\n');
            text.push_str(cut(requirement, MAX_REQUIREMENT_BYTES));
        }
        into.names.push(DefinedName::in_row(DefinedNameKind::Procedure, *name, text));
    }
}

/// The name of a test in a line with a label.
fn test_name(line: &str) -> Option<&str> {
    let (label, name) = line.split_once(':')?;
    let name = name.trim();
    let is_name = (3..=MAX_NAME_BYTES).contains(&name.len())
        && name.contains('_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    (is_name && LABELS.contains(&label.trim().to_lowercase().as_str())).then_some(name)
}

fn print_block(block: &Block) -> String {
    let body = SectionBody { blocks: vec![block.clone()], ..SectionBody::default() };
    body.print_text().trim().to_owned()
}

fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::Paragraph;

    #[test]
    fn a_test_case_has_what_follows_it_and_the_requirement() {
        let paragraph =
            |text: &str| Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() });
        let blocks = [
            paragraph("Requirement Description: Lamps shall burn."),
            paragraph("Test Name: TC_LAMP_BURNS"),
            paragraph("Purpose: to see it burn."),
            paragraph("Test name: TC_LAMP_OUT"),
            paragraph("Blow."),
            paragraph("Test Name: see below"),
        ];
        let mut found = SectionNames::default();
        read_test_cases(&blocks, &mut found);
        let names: Vec<(&str, &str)> =
            found.names.iter().map(|name| (name.name.as_str(), name.definition.as_str())).collect();
        assert_eq!(
            names[0],
            (
                "TC_LAMP_BURNS",
                "Test Name: TC_LAMP_BURNS\nPurpose: to see it burn.\nRequirement Description: Lamps shall burn."
            )
        );
        assert_eq!((names.len(), names[1].0), (2, "TC_LAMP_OUT"));
    }
}
