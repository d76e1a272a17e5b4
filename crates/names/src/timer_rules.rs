//! Timers in running text: what starts and stops them, and what happens when they expire.
//!
//! `1> if the dataInactivityTimer expires:` with the items below it is the rule of a timer, as is a paragraph with the
//! list that follows it. Timers are recognised by their names: `drx-InactivityTimer`, `t-Reassembly`.
//!
//! The limits bound the definitions of a section: every line that names a timer may repeat the lines around it.

use document_model::{Block, ParagraphKind};

use crate::name::{DefinedName, SectionNames};
use domain::DefinedNameKind;

/// Maximum number of list items of a rule; five times as many lines above it are searched for its conditions.
const MAX_ITEMS: usize = 20;
/// Maximum length of the rules of one timer in a section, in bytes; the rest is cut.
const MAX_TEXT_BYTES: usize = 4000;
/// Maximum number of rules of one timer in a section: each new rule is compared with all of them.
const MAX_RULES: usize = 30;
/// Maximum number of timers of one line: each gets a copy of its rule.
const MAX_NAMES: usize = 8;
/// Maximum length of a line of a rule, in bytes; longer ones are cut.
const MAX_LINE_BYTES: usize = 1500;
/// Maximum number of formulas of a rule, and bytes of each. A longer paragraph with an equals sign is text.
const MAX_FORMULAS: usize = 3;
const MAX_FORMULA_BYTES: usize = 400;
/// Maximum number of timers of a section: each name is searched for among them.
const MAX_TIMERS: usize = 60;

/// Reads the rules of timers in the texts of a section.
pub(crate) fn read_timer_rules(blocks: &[Block], into: &mut SectionNames) {
    let lines: Vec<RuleLine<'_>> = blocks.iter().map(RuleLine::read).collect();
    let mut timers: Vec<(&str, Vec<String>)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(event) = event_in(line.text) else { continue };
        let names = timer_names(line.text);
        if names.is_empty() {
            continue;
        }
        let rule = match event {
            TimerEvent::Expiry => {
                let mut rule = rule_before(&lines, index);
                rule.extend(lines_below(&lines, index));
                rule.join("\n")
            }
            TimerEvent::StartOrStop => {
                let mut rule = rule_before(&lines, index);
                rule.extend(formulas_below(&lines, index));
                rule.join("\n")
            }
        };
        for timer in names {
            let known = timers.iter().position(|(known, _)| *known == timer);
            if known.is_none() && timers.len() == MAX_TIMERS {
                continue;
            }
            let place = known.unwrap_or(timers.len());
            if known.is_none() {
                timers.push((timer, Vec::new()));
            }
            let rules = &mut timers[place].1;
            if rules.len() < MAX_RULES && !rules.contains(&rule) {
                rules.push(rule.clone());
            }
        }
    }
    for (timer, rules) in timers {
        let mut text = String::new();
        for rule in rules {
            text.push_str(&rule);
            text.push('\n');
        }
        let end = text.floor_char_boundary(MAX_TEXT_BYTES);
        let text = text[..end].trim_end().to_owned();
        if !text.is_empty() {
            into.names.push(DefinedName::in_row(DefinedNameKind::Timer, timer, text));
        }
    }
}

enum TimerEvent {
    Expiry,
    StartOrStop,
}

/// The event of a timer in a text. The names of timers, which may begin with `start`, do not count.
fn event_in(text: &str) -> Option<TimerEvent> {
    let words = || text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
    let begins = |stems: &[&str]| {
        words().any(|word| stems.iter().any(|stem| word.starts_with(stem)) && !is_timer(word))
    };
    let acts = ["start", "restart", "re-start", "stop"];
    let first = words().next().unwrap_or_default();
    match () {
        // "Start the timer in the first slot after another one expires."
        () if acts.iter().any(|act| first.starts_with(act)) => Some(TimerEvent::StartOrStop),
        () if begins(&["expir"]) => Some(TimerEvent::Expiry),
        () if begins(&acts) => Some(TimerEvent::StartOrStop),
        () => None,
    }
}

/// A paragraph, or an item of a list with its depth; 0 for a paragraph.
struct RuleLine<'a> {
    depth: u8,
    label: &'a str,
    text: &'a str,
    is_note: bool,
}

impl<'a> RuleLine<'a> {
    fn read(block: &'a Block) -> Self {
        match block {
            Block::Paragraph(paragraph) => {
                let is_note = paragraph.kind == ParagraphKind::Note;
                let (label, text) = split_label(paragraph.text.as_str());
                Self { depth: depth_of(label).unwrap_or(0), label, text, is_note }
            }
            Block::ListItem(item) => {
                let label = item.label.as_deref().unwrap_or_default();
                // The style of an item may belong to another depth.
                let depth = depth_of(label).unwrap_or(item.depth.max(1));
                Self { depth, label, text: item.text.as_str(), is_note: false }
            }
            Block::Table(_) | Block::Code(_) => {
                Self { depth: 0, label: "", text: "", is_note: false }
            }
        }
    }

    fn print(&self) -> String {
        let indent = "  ".repeat(usize::from(self.depth.saturating_sub(1)));
        let text = &self.text[..self.text.floor_char_boundary(MAX_LINE_BYTES)];
        match self.label {
            "" => format!("{indent}{text}"),
            label => format!("{indent}{label} {text}"),
        }
    }
}

/// The depth of a label: 2 for `2>`.
fn depth_of(label: &str) -> Option<u8> {
    match label.as_bytes() {
        [digit @ b'1'..=b'9', b'>'] => Some(digit - b'0'),
        _ => None,
    }
}

/// The label of an item that is a paragraph: `2> if the timer expires`.
fn split_label(text: &str) -> (&str, &str) {
    match text.as_bytes() {
        [b'1'..=b'9', b'>', ..] => (&text[..2], text[2..].trim_start()),
        _ => ("", text),
    }
}

/// The items below a line that say what happens then. Further conditions may be between.
fn lines_below(lines: &[RuleLine<'_>], start: usize) -> Vec<String> {
    let first = &lines[start];
    let mut rule = Vec::new();
    let mut has_more_conditions = ends_with_conjunction(first.text);
    let following = lines[start + 1..].iter().filter(|line| !line.is_note);
    for line in following.take(MAX_ITEMS) {
        let is_below = line.depth > first.depth;
        let is_condition = line.depth == first.depth && line.depth > 0 && has_more_conditions;
        if !is_below && !is_condition {
            break;
        }
        has_more_conditions = is_condition && ends_with_conjunction(line.text);
        rule.push(line.print());
    }
    rule
}

/// The formulas below a line that says when something happens: `[SFN x 10 + subframe] modulo cycle = offset`.
fn formulas_below(lines: &[RuleLine<'_>], index: usize) -> Vec<String> {
    let is_formula = |line: &&RuleLine<'_>| {
        line.depth == 0
            && line.text.len() <= MAX_FORMULA_BYTES
            && (line.text.contains('=') || line.text.starts_with("where "))
    };
    let below = lines[index + 1..].iter().take_while(is_formula).take(MAX_FORMULAS);
    below.map(RuleLine::print).collect()
}

/// A line with the conditions above it that it depends on.
fn rule_before(lines: &[RuleLine<'_>], end: usize) -> Vec<String> {
    let mut rule = vec![lines[end].print()];
    let mut depth = lines[end].depth;
    // Whether all lines since the last condition are conditions that continue in it.
    let mut is_joined = false;
    let before = lines[..end].iter().rev().take(MAX_ITEMS * 5);
    for line in before.filter(|line| !line.is_note) {
        if depth == 0 {
            break;
        }
        if line.depth < depth && !line.text.is_empty() {
            // A paragraph that does not announce the list is about something else.
            if line.depth > 0 || line.text.trim_end().ends_with(':') {
                rule.push(line.print());
            }
            depth = line.depth;
            is_joined = true;
        } else if is_joined && line.depth == depth && ends_with_conjunction(line.text) {
            rule.push(line.print());
        } else {
            is_joined = false;
        }
    }
    rule.reverse();
    rule
}

fn ends_with_conjunction(text: &str) -> bool {
    let text = text.trim_end_matches([' ', ':', ',']);
    text.ends_with(" or") || text.ends_with(" and")
}

/// The timers that a text names, each once.
fn timer_names(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
    let mut found: Vec<&str> = Vec::new();
    for word in words.map(|word| word.trim_matches('-')) {
        let is_new = !found.contains(&word);
        if is_new && is_timer(word) {
            found.push(word);
        }
        if found.len() == MAX_NAMES {
            break;
        }
    }
    found
}

/// Whether a word is the name of a timer: it begins with a lower-case letter, and contains `Timer` or begins with
/// `t-`.
fn is_timer(word: &str) -> bool {
    let is_small = word.starts_with(|c: char| c.is_ascii_lowercase());
    let has_timer = word.find("Timer").is_some_and(|at| at > 0);
    let short = word.strip_prefix("t-").and_then(|rest| rest.chars().next());
    is_small && (has_timer || short.is_some_and(|c| c.is_ascii_uppercase())) && word.len() <= 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::{ListItem, Paragraph};

    fn item(depth: u8, label: &str, text: &str) -> Block {
        let label = Some(label.to_owned());
        Block::ListItem(ListItem { depth, label, text: text.into(), changed: false })
    }

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() })
    }

    fn note(text: &str) -> Block {
        let kind = ParagraphKind::Note;
        Block::Paragraph(Paragraph { kind, text: text.into(), ..Paragraph::default() })
    }

    #[test]
    fn what_happens_at_expiry_and_what_starts_a_timer_is_read_with_its_conditions() {
        let blocks = [
            paragraph("When wakeTimer is configured, the UE shall:"),
            item(1, "1>", "if a unit is received; or"),
            item(1, "1>", "if a unit is sent:"),
            item(2, "2>", "start or restart wakeTimer."),
            item(1, "1>", "if the wakeTimer expires; or"),
            item(1, "1>", "if the beacon is lost:"),
            item(2, "2>", "sleep;"),
            note("NOTE: It may dream."),
            item(2, "2>", "tell upper layers."),
            item(1, "1>", "else if asked:"),
        ];
        let mut found = SectionNames::default();
        read_timer_rules(&blocks, &mut found);
        assert_eq!(found.names.len(), 1);
        let timer = &found.names[0];
        assert_eq!((timer.kind, timer.name.as_str()), (DefinedNameKind::Timer, "wakeTimer"));
        assert_eq!(
            timer.definition,
            "When wakeTimer is configured, the UE shall:\n1> if a unit is received; or\n1> if a unit is sent:\n  \
             2> start or restart wakeTimer.\nWhen wakeTimer is configured, the UE shall:\n1> if the wakeTimer expires; \
             or\n1> if the beacon is lost:\n  2> sleep;\n  2> tell upper layers."
        );
    }

    #[test]
    fn conditions_of_other_branches_and_notes_are_no_part_of_a_rule() {
        let blocks = [
            paragraph("The entity shall:"),
            item(1, "1>", "if the lamp is lost; or"),
            item(1, "1>", "if the lamp is broken:"),
            item(2, "2>", "set the count to 0."),
            paragraph("1> if the lamp is new; or"),
            note("NOTE: Lamps age."),
            item(1, "1>", "if the lamp is found:"),
            item(2, "2>", "set the count to 1;"),
            item(2, "2>", "stop the lampTimer."),
        ];
        let mut found = SectionNames::default();
        read_timer_rules(&blocks, &mut found);
        assert_eq!(
            found.names[0].definition,
            "The entity shall:\n1> if the lamp is new; or\n1> if the lamp is found:\n  2> stop the lampTimer."
        );
    }

    #[test]
    fn the_label_of_an_item_tells_its_depth() {
        let blocks = [
            paragraph("The entity shall:"),
            item(1, "1>", "if the lamp is lit:"),
            item(2, "2>", "if oil is left:"),
            item(1, "3>", "start the lampTimer."),
        ];
        let mut found = SectionNames::default();
        read_timer_rules(&blocks, &mut found);
        assert_eq!(
            found.names[0].definition,
            "The entity shall:\n1> if the lamp is lit:\n  2> if oil is left:\n    3> start the lampTimer."
        );
    }

    #[test]
    fn a_paragraph_has_the_list_that_follows_it_and_words_are_no_timers() {
        let blocks = [
            paragraph("When t-Assembly expires, the entity shall:"),
            item(1, "-", "discard all units."),
            paragraph("The Timer expires. A timer is started. T310 expires."),
        ];
        let mut found = SectionNames::default();
        read_timer_rules(&blocks, &mut found);
        let names: Vec<&str> = found.names.iter().map(|name| name.name.as_str()).collect();
        assert_eq!(names, ["t-Assembly"]);
        assert!(found.names[0].definition.ends_with("- discard all units."));
    }
}
