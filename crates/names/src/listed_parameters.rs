//! Parameters, variables and timers that a procedure lists: `RRC configures the following parameters:` with an item for
//! each.

use document_model::Block;

use crate::name::{DefinedName, SectionNames};
use domain::DefinedNameKind;

/// Maximum length of a name.
const MAX_NAME_BYTES: usize = 80;
/// Maximum length of a lead, in bytes: it is repeated with each item, and a longer paragraph does not just announce a
/// list.
const MAX_LEAD_BYTES: usize = 400;
/// Kinds by the words of a lead after "following", in lower case.
const KINDS: [(&str, DefinedNameKind); 8] = [
    ("parameter", DefinedNameKind::Parameter),
    ("ue variable", DefinedNameKind::Variable),
    ("variable", DefinedNameKind::Variable),
    ("state variable", DefinedNameKind::Variable),
    ("counter", DefinedNameKind::Counter),
    ("constant", DefinedNameKind::Constant),
    ("timer", DefinedNameKind::Timer),
    ("configurable parameter", DefinedNameKind::Parameter),
];

/// Reads the lists of a section whose lead names what they list.
pub(crate) fn read_listed_parameters(blocks: &[Block], into: &mut SectionNames) {
    let mut open: Option<(&str, DefinedNameKind)> = None;
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => {
                let lead = paragraph.text.as_str();
                open = kind_of_list(lead).map(|kind| (lead, kind));
            }
            Block::ListItem(item) => {
                let Some((lead, kind)) = open else { continue };
                let text = item.text.as_str();
                let Some(name) = leading_name(text) else { continue };
                let kind = if name.contains("Timer") { DefinedNameKind::Timer } else { kind };
                let definition = format!("{lead}\n{text}");
                into.names.push(DefinedName::in_row(kind, name, definition));
            }
            Block::Table(_) | Block::Code(_) => open = None,
        }
    }
}

/// The kind of the list below a paragraph; `None` if the paragraph does not name it.
fn kind_of_list(lead: &str) -> Option<DefinedNameKind> {
    if lead.len() > MAX_LEAD_BYTES || !lead.trim_end().ends_with(':') {
        return None;
    }
    let lead = lead.to_lowercase();
    let (_, listed) = lead.split_once("following ")?;
    KINDS.into_iter().find(|(word, _)| listed.starts_with(word)).map(|(_, kind)| kind)
}

/// The name at the beginning of an item: `BFI_COUNTER (per cell): counter for ...`.
fn leading_name(text: &str) -> Option<&str> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let end = text.find(|c| !is_sign(c)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches('-');
    let inner = || name.bytes().skip(1);
    let has_small = name.bytes().any(|byte| byte.is_ascii_lowercase());
    let has_sign = name.contains('_') || has_small && inner().any(|byte| byte.is_ascii_uppercase());
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    (has_sign && is_name && (3..=MAX_NAME_BYTES).contains(&name.len())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::{ListItem, Paragraph};

    #[test]
    fn an_item_below_its_lead_defines_its_name() {
        let paragraph =
            |text: &str| Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() });
        let item = |text: &str| {
            let label = Some("-".to_owned());
            Block::ListItem(ListItem { depth: 1, label, text: text.into(), changed: false })
        };
        let blocks = [
            paragraph("RRC configures the following parameters for lamps:"),
            item("lampMaxCount for the lamp;"),
            item("lamp-BlinkTimer (per lamp);"),
            item("a lamp."),
            paragraph("The following UE variable is used:"),
            item("BLINK_COUNTER (per lamp): set to 0."),
            paragraph("The entity shall do the following:"),
            item("lampMaxCount is read."),
        ];
        let mut found = SectionNames::default();
        read_listed_parameters(&blocks, &mut found);
        let names: Vec<(DefinedNameKind, &str)> =
            found.names.iter().map(|name| (name.kind, name.name.as_str())).collect();
        assert_eq!(
            names,
            [
                (DefinedNameKind::Parameter, "lampMaxCount"),
                (DefinedNameKind::Timer, "lamp-BlinkTimer"),
                (DefinedNameKind::Variable, "BLINK_COUNTER"),
            ]
        );
        assert!(found.names[2].definition.ends_with("used:\nBLINK_COUNTER (per lamp): set to 0."));
    }
}
