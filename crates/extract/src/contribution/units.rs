//! Numbered proposals and observations: their paragraphs, and their repetitions.

use domain::UnitType;
use word::{ParagraphPiece, Piece, PieceKind};

use super::label::{self, LabelCertainty, ParsedLabel};
use super::title::{is_title, parse_counter};

/// Maximum number of paragraphs of a unit. If the end of a list is not recognised, the unit would otherwise contain
/// the rest of the document.
const MAX_UNIT_PARAGRAPHS: usize = 40;
/// Maximum bytes of a unit's text: it is quoted whole in results.
const MAX_UNIT_BYTES: usize = 8_000;
/// Maximum number of empty paragraphs between a label in its own paragraph and its text; after more, the label is a
/// title of the next section.
const MAX_EMPTY_PARAGRAPHS: usize = 2;

/// A numbered proposal or observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberedUnit {
    /// Whether it is a proposal or an observation.
    pub(super) kind: UnitType,
    /// Its label as written: `Proposal 1`.
    pub(super) label: String,
    /// Its text, verbatim, without the label; each paragraph on a line, those of a list indented.
    pub(super) quote: String,
    /// Its first paragraph, as blocks are counted in its file.
    pub(super) ordinal: u32,
    /// Rendered page breaks before it.
    pub(super) breaks: u32,
    /// Its last paragraph.
    pub(super) last: u32,
    /// Its repetitions in conclusions and lists: the first and the last paragraph of each.
    pub(super) repeated_at: Vec<(u32, u32)>,
}

/// The units of a document in their order.
pub(super) fn find_units(pieces: &[Piece]) -> Vec<NumberedUnit> {
    let lines = collect_paragraphs(pieces);
    let mut candidates: Vec<UnitCandidate> = Vec::new();
    let mut index = 0;
    while let Some(entry) = lines.get(index) {
        index = match find_label(entry) {
            Some(labelled) => {
                let (unit, end) = collect_unit(&lines, index, &labelled);
                if !unit.quote.is_empty() {
                    let listed = entry.line.kind == PieceKind::ContentsLine;
                    candidates.push(UnitCandidate { unit, number: labelled.number, listed });
                }
                end
            }
            None => index + 1,
        };
    }
    merge_repeated_units(candidates)
}

/// A paragraph among all of a document's.
struct UnitParagraph<'a> {
    line: &'a ParagraphPiece,
    /// The index of its part of the document: a table, or the text between two tables.
    part: usize,
    /// Whether it is in a table.
    in_table: bool,
}

struct UnitCandidate {
    unit: NumberedUnit,
    number: String,
    /// Whether it is a line of a list that Word generated.
    listed: bool,
}

/// All paragraphs in their order, except those of tables with the views of companies.
fn collect_paragraphs(pieces: &[Piece]) -> Vec<UnitParagraph<'_>> {
    let mut lines = Vec::new();
    let mut part = 0;
    for piece in pieces {
        match piece {
            Piece::Paragraph(line) => lines.push(UnitParagraph { line, part, in_table: false }),
            Piece::Table(table) => {
                part += 1;
                if !is_company_table(&table.head) {
                    let of_table = |line| UnitParagraph { line, part, in_table: true };
                    lines.extend(table.lines.iter().map(of_table));
                }
                part += 1;
            }
        }
    }
    lines
}

/// Whether a table lists the views of companies: their proposals are not this document's.
fn is_company_table(head: &str) -> bool {
    let first = head.lines().next().unwrap_or_default().to_lowercase();
    let cells = first.split('|').map(str::trim);
    let mut cells = cells.filter(|cell| !cell.is_empty());
    cells.any(|cell| {
        let word = cell.trim_end_matches(['s', ':', '.']);
        matches!(
            word,
            "company"
                | "companie"
                | "company name"
                | "source"
                | "tdoc"
                | "t-doc"
                | "t-doc number"
                | "tdoc number"
                | "tdoc #"
                | "company/tdoc"
                | "delegate"
                | "company view"
                | "companies' view"
        )
    })
}

/// The label of a paragraph: typed, or printed by automatic numbering.
fn find_label<'a>(entry: &UnitParagraph<'a>) -> Option<ParsedLabel<'a>> {
    let line = entry.line;
    let numbered =
        line.label.as_deref().and_then(|label| label::parse_label(label, LabelCertainty::Certain));
    if let Some(numbered) = numbered.filter(|labelled| labelled.rest.is_empty()) {
        // The printed label may end before a colon that is typed.
        let rest = line.text.trim_start_matches([':', '\u{ff1a}', ' ']);
        return Some(ParsedLabel { rest, ..numbered });
    }
    let certainty = match line.kind {
        PieceKind::Heading(_) | PieceKind::ContentsLine => LabelCertainty::Certain,
        _ if line.bold => LabelCertainty::Bold,
        _ => LabelCertainty::Plain,
    };
    let typed = label::parse_label(&line.text, certainty)?;
    // Without a number, it is a label only in plain text: summaries list the proposals of others in tables and lists.
    let own = line.kind == PieceKind::Text && !entry.in_table;
    (own || !typed.number.is_empty()).then_some(typed)
}

/// The unit whose label is in the paragraph with the index `start`, and the index of the first paragraph
/// after it.
fn collect_unit(
    lines: &[UnitParagraph<'_>],
    start: usize,
    labelled: &ParsedLabel<'_>,
) -> (NumberedUnit, usize) {
    let first = &lines[start];
    let mut unit = NumberedUnit {
        kind: labelled.kind,
        label: one_line(labelled.label),
        quote: labelled.rest.to_owned(),
        ordinal: first.line.ordinal,
        breaks: first.line.breaks,
        last: first.line.ordinal,
        repeated_at: Vec::new(),
    };
    let printed = first.line.label.as_deref().is_some_and(|label| label != "-");
    let depth = match first.line.kind {
        PieceKind::Item(depth) if !printed => depth,
        _ => 0,
    };
    let stands_alone = unit.quote.is_empty();
    let mut next = start + 1;
    let mut empty_paragraphs = 0;
    while let Some(entry) = lines.get(next)
        && next - start < MAX_UNIT_PARAGRAPHS
    {
        let line = entry.line;
        let moved = entry.part != first.part || line.column != first.line.column;
        let ends = moved || is_end(entry) || unit.quote.len() + line.text.len() > MAX_UNIT_BYTES;
        if ends {
            break;
        }
        if line.text.is_empty() {
            empty_paragraphs += 1;
            // Empty paragraphs may separate a label from its text.
            if unit.quote.is_empty() && empty_paragraphs <= MAX_EMPTY_PARAGRAPHS {
                next += 1;
                continue;
            }
            break;
        }
        let belongs = match line.kind {
            PieceKind::Item(own) => own > depth && continues_list(&lines[start + 1..next], line),
            PieceKind::Text => {
                stands_alone && (unit.quote.is_empty() || unit.quote.ends_with(':'))
                    || reads_as_item(&line.text) && unit.quote.ends_with(':')
                    || reads_as_item(&line.text) && is_list_so_far(&lines[start + 1..next])
            }
            PieceKind::ContentsLine => {
                first.line.kind == PieceKind::ContentsLine && reads_as_item(&line.text)
            }
            PieceKind::Heading(_) => false,
        };
        if !belongs {
            break;
        }
        push_paragraph(&mut unit.quote, line, depth);
        unit.last = line.ordinal;
        next += 1;
    }
    unit.quote = strip_common_indent(&unit.quote);
    (unit, next.max(start + 1))
}

/// Whether a paragraph ends the unit before it: a heading, a title or another label.
fn is_end(entry: &UnitParagraph<'_>) -> bool {
    matches!(entry.line.kind, PieceKind::Heading(_))
        || is_title(entry.line)
        || find_label(entry).is_some()
}

/// Whether an automatically numbered item belongs to the list that began in `before`. If no item was numbered yet, a
/// number other than the first belongs to another list, or a section title.
fn continues_list(before: &[UnitParagraph<'_>], line: &ParagraphPiece) -> bool {
    let Some(number) = line.label.as_deref().and_then(parse_counter) else { return true };
    let begins = matches!(number.as_str(), "1" | "a" | "i");
    begins
        || before.iter().any(|entry| entry.line.label.as_deref().and_then(parse_counter).is_some())
}

/// Whether there are paragraphs, and all of them are items typed by hand.
fn is_list_so_far(paragraphs: &[UnitParagraph<'_>]) -> bool {
    !paragraphs.is_empty() && paragraphs.iter().all(|entry| reads_as_item(&entry.line.text))
}

/// Whether a paragraph reads like an item of a typed list: `- A`, `a) A`, `Option 1: A`, `FFS: A`.
fn reads_as_item(text: &str) -> bool {
    let mark = text.chars().next().unwrap_or(' ');
    if matches!(
        mark,
        '-' | '\u{2013}' | '\u{2022}' | '\u{b7}' | '*' | '\u{25cf}' | '\u{25aa}' | '\u{27a2}'
    ) {
        return true;
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    let bare = word.trim_start_matches('(');
    let counted = bare.len() <= 4
        && bare.ends_with([')', '.', '>'])
        && bare[..bare.len() - 1].bytes().all(|b| b.is_ascii_alphanumeric());
    let named = ["option", "alt", "alternative", "case", "step", "note", "ffs"];
    let first: String = word.chars().take_while(|c| c.is_alphabetic()).collect();
    let is_named = named.contains(&first.to_lowercase().as_str())
        && (text.contains(':') || text.contains('-') || first == "FFS");
    counted && !bare.is_empty() || is_named
}

fn push_paragraph(quote: &mut String, line: &ParagraphPiece, depth: u8) {
    if !quote.is_empty() {
        quote.push('\n');
    }
    let own = match line.kind {
        PieceKind::Item(own) => usize::from(own.saturating_sub(depth)),
        _ => 0,
    };
    let indent = "  ".repeat(own.min(9));
    for (index, text) in line.text.split('\n').enumerate() {
        if index > 0 {
            quote.push('\n');
        }
        quote.push_str(&indent);
        quote.push_str(text);
    }
}

/// A quote whose least indented line begins at the margin.
fn strip_common_indent(quote: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let min_indent = quote.lines().map(indent).min().unwrap_or(0);
    quote.lines().map(|line| &line[min_indent..]).collect::<Vec<_>>().join("\n")
}

/// Merges units that are repeated under one label into the first; lines of lists that Word generated come last. A
/// repetition with paragraphs that the first does not have becomes the unit.
fn merge_repeated_units(candidates: Vec<UnitCandidate>) -> Vec<NumberedUnit> {
    let mut merged: Vec<(UnitCandidate, Vec<String>)> = Vec::new();
    let (listed, own): (Vec<UnitCandidate>, Vec<UnitCandidate>) =
        candidates.into_iter().partition(|candidate| candidate.listed);
    for candidate in own.into_iter().chain(listed) {
        let text = comparable_lines(&candidate.unit.quote);
        let known = merged.iter_mut().find(|(known, known_text)| {
            known.unit.kind == candidate.unit.kind
                && known.number == candidate.number
                && (known_text.starts_with(&text) || text.starts_with(known_text))
        });
        match known {
            Some((known, known_text)) => {
                let mut copy = candidate.unit;
                if text.len() > known_text.len() && !candidate.listed {
                    std::mem::swap(&mut known.unit, &mut copy);
                    known.unit.repeated_at = std::mem::take(&mut copy.repeated_at);
                    *known_text = text;
                }
                known.unit.repeated_at.push((copy.ordinal, copy.last));
                known.unit.repeated_at.sort_unstable();
            }
            None => merged.push((candidate, text)),
        }
    }
    let mut units: Vec<NumberedUnit> = merged.into_iter().map(|(merged, _)| merged.unit).collect();
    units.sort_by_key(|unit| unit.ordinal);
    units
}

/// The paragraphs of a text without differences between repetitions: blanks, marks, case.
fn comparable_lines(text: &str) -> Vec<String> {
    let plain = |line: &str| -> String {
        line.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    text.lines().map(plain).filter(|line| !line.is_empty()).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
