//! The text of a section as HTML: paragraphs, lists, tables, code.
//!
//! The text is that of `SectionResult`: blocks separated by empty lines; a table is lines that begin
//! with a bar, the second of them its rule; code is between fences; `[figure]` is where a picture was.

use maud::{Markup, html};

/// Marks the position of a picture in a text.
const FIGURE_MARKER: &str = "[figure]";

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SectionBlock<'a> {
    /// Running text.
    Paragraph(&'a str),
    /// Items, each without its dash.
    List(Vec<&'a str>),
    /// Steps of a procedure, each with its level: `2> enter state X` is (2, "enter state X").
    Steps(Vec<(u8, &'a str)>),
    /// Rows of cells; the first is the header.
    Table(Vec<Vec<String>>),
    /// Preformatted lines.
    Code(&'a str),
    /// The position of a picture.
    Figure,
}

/// The parts of a text, in their order.
pub(super) fn parse_blocks(text: &str) -> Vec<SectionBlock<'_>> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some((code, after)) = split_fenced_code(rest) {
            blocks.push(SectionBlock::Code(code));
            rest = after;
            continue;
        }
        let (block, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
        rest = after.trim_start_matches('\n');
        push_blocks(block.trim_matches('\n'), &mut blocks);
    }
    blocks
}

/// Code between fences at the beginning of a text, and what follows.
fn split_fenced_code(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix("```")?;
    let inside = inside.split_once('\n').map_or("", |(_language, inside)| inside);
    Some(match inside.split_once("\n```") {
        Some((code, after)) => (code, after.trim_start_matches('\n')),
        None => (inside, ""),
    })
}

/// The kind of block that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SectionLineKind {
    Text,
    Row,
    Item,
    Step,
}

impl SectionLineKind {
    fn from_line(line: &str) -> Self {
        let trimmed = line.trim_start();
        match () {
            () if line.starts_with('|') => Self::Row,
            () if trimmed.starts_with("- ") => Self::Item,
            () if parse_step(trimmed).is_some() => Self::Step,
            () => Self::Text,
        }
    }
}

/// The level and the text of a step.
fn parse_step(line: &str) -> Option<(u8, &str)> {
    let (level, words) = line.trim_start().split_once('>')?;
    let level: u8 = level.parse().ok().filter(|level| (1..=9).contains(level))?;
    Some((level, words.trim_start()))
}

/// Splits a block without empty lines into runs of one kind: a caption may be right above its table.
fn push_blocks<'a>(block: &'a str, blocks: &mut Vec<SectionBlock<'a>>) {
    let mut rest = block;
    while !rest.trim().is_empty() {
        let kind = SectionLineKind::from_line(rest.lines().next().unwrap_or_default());
        let mut end = 0;
        for line in
            rest.split_inclusive('\n').take_while(|line| SectionLineKind::from_line(line) == kind)
        {
            end += line.len();
        }
        let (run, after) = rest.split_at(end.max(1));
        blocks.push(block_from_run(kind, run.trim_end_matches('\n')));
        rest = after;
    }
}

fn block_from_run(kind: SectionLineKind, run: &str) -> SectionBlock<'_> {
    match kind {
        SectionLineKind::Row => SectionBlock::Table(parse_rows(run)),
        SectionLineKind::Item => {
            SectionBlock::List(run.lines().map(|line| &line.trim_start()[2..]).collect())
        }
        SectionLineKind::Step => SectionBlock::Steps(run.lines().filter_map(parse_step).collect()),
        SectionLineKind::Text if run.trim() == FIGURE_MARKER => SectionBlock::Figure,
        SectionLineKind::Text => SectionBlock::Paragraph(run),
    }
}

/// The rows of a table, without the rule below its head.
pub(crate) fn parse_rows(block: &str) -> Vec<Vec<String>> {
    let lines = block.lines().enumerate();
    let lines = lines.filter(|(index, line)| *index != 1 || !is_table_rule(line));
    lines.map(|(_, line)| parse_cells(line)).collect()
}

/// Whether a line is the rule below the head of a table: `|---|---|`.
pub(super) fn is_table_rule(line: &str) -> bool {
    line.contains("---") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The cells of a row; a bar within a cell is written with a backslash, and a backslash as it is.
fn parse_cells(line: &str) -> Vec<String> {
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.trim_end();
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(cell) = cells.last_mut() else { break };
        match c {
            '|' => cells.push(String::new()),
            '\\' => cell.push(chars.next_if_eq(&'|').unwrap_or(c)),
            c => cell.push(c),
        }
    }
    for cell in &mut cells {
        *cell = cell.trim().to_owned();
    }
    cells
}

/// A block as HTML. `inline` renders the text within lines, with links or highlights.
pub(super) fn render_block(block: &SectionBlock<'_>, inline: &dyn Fn(&str) -> Markup) -> Markup {
    match block {
        SectionBlock::Paragraph(text) => html! { p { (render_lines(text, "\n", inline)) } },
        SectionBlock::List(items) => html! { ul { @for item in items { li { (inline(item)) } } } },
        SectionBlock::Steps(steps) => html! {
            ul.steps {
                @for (level, step) in steps {
                    li class={ "level-" (level) } { (level) "> " (inline(step)) }
                }
            }
        },
        SectionBlock::Code(code) => html! { pre tabindex="0" { code { (code) } } },
        SectionBlock::Figure => html! {},
        SectionBlock::Table(rows) => render_table(rows, true, inline),
    }
}

/// The rows of a table; the first is its head if it has one.
pub(super) fn render_table(
    rows: &[Vec<String>],
    has_head: bool,
    inline: &dyn Fn(&str) -> Markup,
) -> Markup {
    html! {
        div.table role="region" aria-label="Table" tabindex="0" {
            table {
                @for (n, row) in rows.iter().enumerate() {
                    tr {
                        @for cell in row {
                            @if n == 0 && has_head {
                                th scope="col" { (render_lines(cell, "<br>", inline)) }
                            } @else { td { (render_lines(cell, "<br>", inline)) } }
                        }
                    }
                }
            }
        }
    }
}

fn render_lines(text: &str, separator: &str, inline: &dyn Fn(&str) -> Markup) -> Markup {
    let parts: Vec<Markup> = text.split(separator).map(inline).collect();
    html! { @for (n, part) in parts.iter().enumerate() { @if n > 0 { br; } (part) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_into_blocks() {
        let text = "One line\nand another.\n\n1> stop T1;\n2> if so:\n\n- a;\n- b.\n\n[figure]\n\nTable 1: N\n| N | T |\n|---|---|\n\
            | 1 | x \\| \\\\y<br>z |\n\n```\nA ::= SEQUENCE {\n\n}\n```\n\nEnd.";
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            parse_blocks(text),
            [
                SectionBlock::Paragraph("One line\nand another."),
                SectionBlock::Steps(vec![(1, "stop T1;"), (2, "if so:")]),
                SectionBlock::List(vec!["a;", "b."]),
                SectionBlock::Figure,
                SectionBlock::Paragraph("Table 1: N"),
                SectionBlock::Table(vec![row(["N", "T"]), row(["1", "x | \\\\y<br>z"])]),
                SectionBlock::Code("A ::= SEQUENCE {\n\n}"),
                SectionBlock::Paragraph("End."),
            ]
        );
    }

    #[test]
    fn no_text_breaks_it() {
        for text in ["", "\n\n\n", "```", "```\n", "|", "||\n|", "- ", "\\", "| \\|", "```x\n\n```"]
        {
            let blocks = parse_blocks(text);
            blocks.iter().for_each(|block| drop(render_block(block, &|text| html! { (text) })));
        }
    }

    #[test]
    fn what_a_document_says_is_text_and_never_markup() {
        let blocks = parse_blocks("<script>alert(1)</script>\n\n| <b> |\n|---|");
        let html: String = blocks
            .iter()
            .map(|block| render_block(block, &|text| html! { (text) }).into_string())
            .collect();
        assert!(!html.contains("<script>") && !html.contains("<b>"), "{html}");
    }
}
