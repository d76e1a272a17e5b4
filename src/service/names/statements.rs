//! What the text of a clause says about a name: lines that have it, each with the lines that it depends on.
//!
//! A list item says little without the items above it, and `c) T3430 timeout` says little without the lines below it.

use std::ops::Range;

use cost_meter::spend;

/// Steps of a cost meter for one line.
const STEPS_PER_LINE: usize = 8;

/// Maximum number of lines that belong to a statement, before it and after it.
const MAX_LINES: usize = 12;
/// Longest line that is a heading of what follows it, such as `c) T3430 timeout`; a longer one is a statement itself.
const MAX_HEADING_CHARS: usize = 80;

/// A line of a text: how deep it is in lists, and where it is.
struct ClauseLine<'a> {
    depth: usize,
    is_item: bool,
    /// Whether its label is that of a procedure: `1>`.
    is_step: bool,
    text: &'a str,
}

/// The statements of a text about a name, in order; none overlaps another.
pub(super) fn find_statements(text: &str, name: &str, max_chars: usize) -> Vec<String> {
    let lines: Vec<ClauseLine<'_>> =
        text.lines().filter(|line| !line.trim().is_empty()).map(ClauseLine::read).collect();
    let above = LinesAbove::find(&lines);
    let name = name.trim().to_lowercase();
    let mut statements: Vec<String> = Vec::new();
    let mut covered = 0;
    for index in 0..lines.len() {
        spend(STEPS_PER_LINE);
        if index < covered || !has_name(&lines[index].text.to_lowercase(), &name) {
            continue;
        }
        let after = lines_after(&lines, index);
        covered = after.end;
        let mut parts = lines_before(&lines, &above, index);
        parts.extend(after);
        let printed: Vec<&str> =
            parts.into_iter().map(|line| lines[line].text.trim_end()).collect();
        statements.push(shorten_around(&printed.join("\n"), &name, max_chars));
    }
    statements
}

/// Whether a text has a name, and not only a longer one.
fn has_name(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| is_whole(text, at, name))
}

/// Whether the name at a byte of a text is not a part of a longer one.
pub(super) fn is_whole(text: &str, at: usize, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !text[..at].ends_with(joins) && !text[at + name.len()..].starts_with(joins)
}

/// A text that is cut, with a mark, at its beginning if its name would otherwise be cut off.
fn shorten_around(text: &str, name: &str, max_chars: usize) -> String {
    let at = text.to_lowercase().find(name).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    if before.chars().count() + name.len() < max_chars {
        return shorten(text.to_owned(), max_chars);
    }
    let start = before.rfind(['.', ';', '\n', '|']).map_or(at, |end| end + 1);
    shorten(format!("\u{2026}{}", text[start..].trim_start()), max_chars)
}

/// A text that ends with a mark if it is cut.
pub(super) fn shorten(mut text: String, max_chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(max_chars) {
        text.truncate(end);
        text.push('\u{2026}');
    }
    text
}

impl<'a> ClauseLine<'a> {
    fn read(text: &'a str) -> Self {
        let label = text.split_whitespace().next().unwrap_or_default();
        let level = label.strip_suffix('>').and_then(|digits| digits.parse::<usize>().ok());
        let is_item = level.is_some() || is_label(label);
        let indent = (text.len() - text.trim_start().len()) / 2;
        let depth = level.unwrap_or(indent + usize::from(is_item));
        Self { depth, is_item, is_step: level.is_some(), text }
    }

    /// Whether it announces what follows.
    fn is_lead(&self) -> bool {
        self.text.trim_end().ends_with(':')
    }

    fn goes_on(&self) -> bool {
        let text = self.text.trim_end().trim_end_matches([':', ',', ';']);
        text.ends_with(" or") || text.ends_with(" and")
    }
}

/// Whether a word is the label of an item: `-`, `a)`, `iv)`, `12.`.
fn is_label(word: &str) -> bool {
    let count = |text: &str| {
        (1..=4).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric())
    };
    matches!(word, "-" | "*" | "\u{2022}" | "\u{2013}") || word.strip_suffix(')').is_some_and(count)
}

/// Whether a line is a row of a table.
fn is_row(line: &ClauseLine<'_>) -> bool {
    line.text.starts_with('|')
}

/// For each line the lines above it that matter, so that a text is not read once for each of its lines.
struct LinesAbove {
    /// The nearest line that is less deep.
    less_deep: Vec<Option<usize>>,
    /// The first of the rows that the line is one of.
    first_row: Vec<Option<usize>>,
}

impl LinesAbove {
    fn find(lines: &[ClauseLine<'_>]) -> Self {
        let mut less_deep = Vec::with_capacity(lines.len());
        let mut first_row: Vec<Option<usize>> = Vec::with_capacity(lines.len());
        // Lines that may be the nearest less deep one of those to come, each deeper than the one before.
        let mut open: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            while open.pop_if(|last| lines[*last].depth >= line.depth).is_some() {}
            less_deep.push(open.last().copied());
            open.push(index);
            let of_row_above = first_row.last().copied().flatten();
            first_row.push(is_row(line).then(|| of_row_above.unwrap_or(index)));
        }
        Self { less_deep, first_row }
    }
}

/// The lines that a line depends on: the items above it, and what announces them.
fn lines_before(lines: &[ClauseLine<'_>], above: &LinesAbove, index: usize) -> Vec<usize> {
    if let Some(first) = above.first_row[index] {
        // The head of its table, and what that is called.
        let caption = first.checked_sub(1);
        let caption = caption.filter(|caption| lines[*caption].text.starts_with("Table "));
        return caption.into_iter().chain((first < index).then_some(first)).collect();
    }
    let mut found = Vec::new();
    let mut at = index;
    while lines[at].depth > 0 && found.len() < MAX_LINES {
        let Some(less_deep) = above.less_deep[at] else { break };
        let line = &lines[less_deep];
        // A paragraph before a list that does not announce it says something else.
        if line.depth > 0 || line.is_lead() {
            found.push(less_deep);
        }
        // Items that are joined to it by "and" or "or".
        let joined = (0..less_deep).rev().take_while(|joined| {
            line.depth > 0 && lines[*joined].depth == line.depth && lines[*joined].goes_on()
        });
        found.extend(joined.take(MAX_LINES - found.len()));
        at = less_deep;
    }
    found.reverse();
    found
}

/// A line with those that it announces.
fn lines_after(lines: &[ClauseLine<'_>], index: usize) -> Range<usize> {
    let first = &lines[index];
    let text = first.text.trim_end();
    let is_heading = first.is_item
        && text.chars().count() <= MAX_HEADING_CHARS
        && !text.ends_with(['.', ';', ','])
        && !first.goes_on();
    let mut end = index + 1;
    let mut goes_on = first.goes_on();
    while end < lines.len() && end - index < MAX_LINES {
        let line = &lines[end];
        let is_below = line.depth > first.depth;
        // Paragraphs below `c) T3430 timeout` are not indented.
        let is_under_heading = is_heading && !line.is_item;
        // "While the timer is running, the UE" and a list.
        let is_open = first.is_lead() || !text.ends_with(['.', ';']);
        let is_announced = is_open && first.depth == 0 && line.is_item && !is_row(first);
        let is_condition = first.is_step && line.depth == first.depth && line.is_item && goes_on;
        // "The value is calculated as follows:" and the formula.
        let is_formula = first.is_item && first.is_lead() && end == index + 1 && !line.is_item;
        if !(is_below || is_under_heading || is_announced || is_condition || is_formula) {
            break;
        }
        goes_on = is_condition && line.goes_on();
        end += 1;
    }
    index..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_comes_with_what_it_depends_on() {
        let text = "General words.\n\nThe UE shall delete the priorities when:\n- another lamp is lit; or\n\
            - the validity time (T323) expires; or\n- the moon shines.\n\nOther words of T3230.";
        assert_eq!(
            find_statements(text, "T323", 500),
            ["The UE shall delete the priorities when:\n- the validity time (T323) expires; or"]
        );
        let nested = "The UE shall:\n\n1> if lit; or\n1> if warm:\n  2> start timer T390.\n1> else:\n  2> sleep.";
        assert_eq!(
            find_statements(nested, "t390", 500),
            ["The UE shall:\n1> if lit; or\n1> if warm:\n  2> start timer T390."]
        );
    }

    #[test]
    fn a_heading_comes_with_what_follows_it() {
        let text = "a) Lower layer failure\nIt aborts.\n\nc) T3430 timeout\nThe UE aborts the procedure.\n\
            It releases the connection.\n\nd) Other\nNothing.";
        assert_eq!(
            find_statements(text, "T3430", 500),
            ["c) T3430 timeout\nThe UE aborts the procedure.\nIt releases the connection."]
        );
        let expiry = "1> if T346g expires:\n  2> go to idle.\n1> if lit:\n  2> stay.";
        assert_eq!(
            find_statements(expiry, "T346g", 500),
            ["1> if T346g expires:\n  2> go to idle."]
        );
        assert!(find_statements(expiry, "T346", 500).is_empty());
        assert!(find_statements("T346g-expiry", "T346g", 500).is_empty());
        let long = format!("{}. Then T310 expires. It ends.", "word ".repeat(50));
        assert_eq!(
            find_statements(&long, "T310", 25),
            ["\u{2026}Then T310 expires. It en\u{2026}"]
        );
        let open = "While T5 is running, the UE\n- sleeps.\nOther.";
        assert_eq!(find_statements(open, "T5", 500), ["While T5 is running, the UE\n- sleeps."]);
        let table = "Words.\n\nTable 5-1: Codes\n| Code | Meaning |\n|---|---|\n| 1 | other |\n| 2 | Lamp |";
        assert_eq!(
            find_statements(table, "lamp", 500),
            ["Table 5-1: Codes\n| Code | Meaning |\n| 2 | Lamp |"]
        );
    }
}
