//! Commands, grouped attribute-value pairs (AVPs) and result codes of Diameter: the first two in the grammar of RFC 6733, clauses 3.2
//! and 4.4, a line for each AVP, and the result codes as titles of clauses.

use document_model::Block;

use crate::name::{DefinedName, NamePresence, SectionNames};
use domain::DefinedNameKind;

/// Maximum length of a name; the longest of 29.272 has 56 bytes.
const MAX_NAME_BYTES: usize = 80;
/// Maximum number of AVPs of a command or a group; the longest of 29.272 has some 60.
const MAX_MEMBERS: usize = 300;
/// What divides a name from its definition.
const DEFINES: &str = "::=";

/// A command or a group while its lines are read.
struct OpenGrammar {
    kind: DefinedNameKind,
    name: String,
    lines: Vec<String>,
    members: Vec<GrammarMember>,
}

/// An AVP in a command or a group.
struct GrammarMember {
    name: String,
    line: String,
    presence: NamePresence,
}

/// Reads the commands, groups and result codes of a section.
pub(crate) fn read_diameter(title: &str, blocks: &[Block], into: &mut SectionNames) {
    read_result_code(title, blocks, into);
    let mut open: Option<OpenGrammar> = None;
    for line in blocks.iter().flat_map(lines_of) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(next) = begin_grammar(line) {
            close_grammar(title, open.replace(next), into);
            continue;
        }
        match (read_member(line), open.as_mut()) {
            (Some(member), Some(grammar)) if grammar.members.len() < MAX_MEMBERS => {
                grammar.lines.push(line.to_owned());
                grammar.members.push(member);
            }
            (None, Some(_)) => close_grammar(title, open.take(), into),
            _ => {}
        }
    }
    close_grammar(title, open, into);
}

/// The lines of a block that may be of the grammar.
fn lines_of(block: &Block) -> Vec<&str> {
    match block {
        Block::Paragraph(paragraph) => paragraph.text.as_str().lines().collect(),
        Block::ListItem(item) => item.text.as_str().lines().collect(),
        Block::Code(code) => code.text.lines().collect(),
        Block::Table(_) => Vec::new(),
    }
}

/// The command or the group that a line begins: `< Update-Location-Request > ::= < Diameter Header: 316, REQ, PXY, 16777251 >`,
/// `Subscription-Data ::= < AVP header: 1400 10415 >`.
fn begin_grammar(line: &str) -> Option<OpenGrammar> {
    let (name, header) = line.split_once(DEFINES)?;
    let name = name.trim().trim_matches(['<', '>']).trim();
    let header = header.trim().trim_start_matches('<').trim_start().to_lowercase();
    let kind = match () {
        () if header.starts_with("diameter header") || header.starts_with("diameter-header") => {
            DefinedNameKind::Message
        }
        () if header.starts_with("avp header") || header.starts_with("avp-header") => {
            DefinedNameKind::Element
        }
        () => return None,
    };
    let (name, lines) = (name.to_owned(), vec![line.to_owned()]);
    is_avp_name(&name).then(|| OpenGrammar { kind, name, lines, members: Vec::new() })
}

/// The AVP of a line: `[ DRMP ]`, `{ Origin-Host }`, `< Session-Id >`, `*[ Supported-Features ]`, `1*10{ Zone }`.
fn read_member(line: &str) -> Option<GrammarMember> {
    let text = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '*' || c == ' ');
    let (opening, rest) = (text.chars().next()?, text.get(1..)?);
    let (closing, presence) = match opening {
        '[' => (']', NamePresence::Optional),
        '{' => ('}', NamePresence::Mandatory),
        '<' => ('>', NamePresence::Mandatory),
        _ => return None,
    };
    let name = rest.split(closing).next()?.trim();
    let is_whole = rest.contains(closing);
    (is_whole && (is_avp_name(name) || name == "AVP")).then(|| GrammarMember {
        name: name.to_owned(),
        line: line.to_owned(),
        presence,
    })
}

/// Whether a text is the name of an AVP or a command: letters, digits and hyphens, beginning with a letter or a digit.
fn is_avp_name(name: &str) -> bool {
    (2..=MAX_NAME_BYTES).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        && name.chars().any(|c| c.is_ascii_alphabetic())
}

/// Adds a command or a group with its members. One without members may be a remark on the grammar.
fn close_grammar(title: &str, grammar: Option<OpenGrammar>, into: &mut SectionNames) {
    let Some(OpenGrammar { kind, name, lines, members }) = grammar else { return };
    if members.is_empty() {
        return;
    }
    let text = lines.join("\n");
    let is_command = kind == DefinedNameKind::Message;
    let names_command = is_command && title.starts_with(&name);
    let short = if names_command { abbreviation_in(title) } else { None };
    for name in std::iter::once(name.as_str()).chain(short) {
        into.names.push(DefinedName::in_row(kind, name, text.clone()));
    }
    for member in members {
        // Any other AVP may follow: that is no name.
        if member.name == "AVP" {
            continue;
        }
        let mut element = DefinedName::in_row(DefinedNameKind::Element, member.name, member.line);
        element.within = Some(name.clone());
        element.presence = Some(member.presence);
        into.names.push(element);
    }
}

/// The abbreviation of a command in the title of its clause: `Update-Location-Request (ULR) Command`.
fn abbreviation_in(title: &str) -> Option<&str> {
    let (_, rest) = title.split_once('(')?;
    let (short, _) = rest.split_once(')')?;
    let is_short = (2..=5).contains(&short.len()) && short.bytes().all(|b| b.is_ascii_uppercase());
    is_short.then_some(short)
}

/// Reads a result code from the title of its clause, with the paragraphs below it: `DIAMETER_ERROR_USER_UNKNOWN (5001)`.
fn read_result_code(title: &str, blocks: &[Block], into: &mut SectionNames) {
    let Some((name, rest)) = title.split_once('(') else { return };
    let (name, number) = (name.trim(), rest.trim_end().trim_end_matches(')').trim());
    let is_code = name.starts_with("DIAMETER_")
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && name.len() <= MAX_NAME_BYTES
        && number.parse::<u32>().is_ok();
    if !is_code {
        return;
    }
    let text: Vec<&str> = blocks.iter().flat_map(lines_of).collect();
    let text = format!("{name} ({number})\n{}", text.join("\n"));
    for name in [name.to_owned(), format!("Result code {number}")] {
        into.names.push(DefinedName::in_row(DefinedNameKind::Cause, name, text.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::paragraph;

    fn read(title: &str, lines: &[&str]) -> Vec<String> {
        let blocks: Vec<Block> = lines.iter().map(|line| paragraph(line)).collect();
        let mut names = SectionNames::default();
        read_diameter(title, &blocks, &mut names);
        let line = |name: DefinedName| {
            let presence = match name.presence {
                Some(NamePresence::Mandatory) => "M",
                Some(_) => "O",
                None => "-",
            };
            format!("{} {} {presence} in {}", name.kind, name.name, name.within.unwrap_or_default())
        };
        names.names.into_iter().map(line).collect()
    }

    #[test]
    fn a_command_has_its_pairs_and_its_abbreviation() {
        let found = read(
            "Light-Lamp-Request (LLR) Command",
            &[
                "The command is sent by a switch.",
                "< Light-Lamp-Request> ::= < Diameter Header: 9, REQ, PXY, 16777999 >",
                "< Session-Id >",
                "{ Origin-Host }",
                "*[ Wick ]",
                "*[ AVP ]",
                "It has an answer.",
                "[ Not-Of-It ]",
            ],
        );
        assert_eq!(
            found,
            [
                "message Light-Lamp-Request - in ",
                "message LLR - in ",
                "element Session-Id M in Light-Lamp-Request",
                "element Origin-Host M in Light-Lamp-Request",
                "element Wick O in Light-Lamp-Request",
            ]
        );
    }

    #[test]
    fn a_group_is_an_element_and_other_grammars_are_not_read() {
        let group = ["Lamp-Data ::= <AVP header: 7 10999>", "[ OIL ]", "*10{ Wick-Id }"];
        assert_eq!(
            read("Lamp-Data", &group),
            [
                "element Lamp-Data - in ",
                "element OIL O in Lamp-Data",
                "element Wick-Id M in Lamp-Data"
            ]
        );
        for lines in [
            &["Lamp-Data ::= <AVP header: 7 10999>", "No pair follows."][..],
            &["Lamp ::= SEQUENCE {", "[ OIL ]", "}"],
            &["two words ::= < AVP Header: 7 >", "[ OIL ]"],
            &["[ OIL ]", "{ Wick }"],
        ] {
            assert_eq!(read("Lamps", lines), Vec::<String>::new(), "{lines:?}");
        }
    }

    #[test]
    fn a_title_with_a_number_is_a_result_code() {
        let found = read("DIAMETER_ERROR_NO_OIL (5999)", &["The lamp is empty."]);
        assert_eq!(found, ["cause DIAMETER_ERROR_NO_OIL - in ", "cause Result code 5999 - in "]);
        for title in
            ["DIAMETER_ERROR_NO_OIL", "Diameter errors (5999)", "DIAMETER_NO_OIL (see below)"]
        {
            assert_eq!(read(title, &[]), Vec::<String>::new(), "{title}");
        }
    }
}
