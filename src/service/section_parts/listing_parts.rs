//! Lines of listings as parts: with the lines that they are in and those that are in them, by their indentation.

use document_model::{CodeBlock, fence_code};

use super::{part_limit::MAX_PART_BYTES, part_rank::PartWords, word_match::count_of};

/// The words of a line; its name is the first word, before `::=`, a colon or a type.
pub(super) fn line_words(line: &str) -> PartWords {
    let content = line.trim().trim_start_matches(['-', '<', '"', '\'', ' ', '/']);
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '"' | '\'' | '>' | ',' | '(' | '{');
    let name = &content[..content.find(is_end).unwrap_or(content.len())];
    PartWords::of_text(None, &format!("{name}: {content}"))
}

/// Prints a line with the lines that it is in and those below it that are in it.
pub(super) fn print_line_part(code: &CodeBlock, index: usize) -> String {
    let lines: Vec<&str> = code.text.lines().collect();
    let Some(line) = lines.get(index) else { return String::new() };
    let mut above = Vec::new();
    let mut indent = indent_of(line);
    for (place, other) in lines[..index].iter().enumerate().rev() {
        let is_outer = indent_of(other) < indent && !other.trim().is_empty();
        if is_outer {
            indent = indent_of(other);
            above.push(place);
        }
    }
    let mut shown = String::new();
    let mut next = above.last().copied().unwrap_or(index);
    for place in above.into_iter().rev().chain([index]) {
        push_line(&mut shown, &gap_line(place.saturating_sub(next)));
        push_line(&mut shown, lines[place]);
        next = place + 1;
    }
    let own = indent_of(line);
    let below = lines[next..].iter().take_while(|other| {
        other.trim().is_empty()
            || indent_of(other) > own
            || (indent_of(other) == own && other.trim_start().starts_with(['}', ')', ']']))
    });
    let below: Vec<&str> = below.copied().collect();
    let count = below.len() - below.iter().rev().take_while(|line| line.trim().is_empty()).count();
    for (place, other) in below.iter().take(count).enumerate() {
        if shown.len() + other.len() > MAX_PART_BYTES {
            push_line(&mut shown, &gap_line(count - place));
            break;
        }
        push_line(&mut shown, other);
    }
    fence_code(&shown)
}

fn gap_line(count: usize) -> String {
    if count > 0 { format!("[{} left out]", count_of(count, "line")) } else { String::new() }
}

fn push_line(text: &mut String, line: &str) {
    if line.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
