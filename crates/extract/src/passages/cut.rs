//! Cutting a section into passages.
//!
//! A passage is part of one section, never of two, and has a size that fits a 512-token model together with its
//! context header. It is cut between blocks; a block that is too long is cut between rows of a table (whose heading
//! is repeated), definitions of code, or sentences.

use std::ops::Range;

use super::{CutPassage, TokenCount};
use document_model::{PrintedBlock, TextRange, join_printed_blocks};
use domain::{BlockKind, PassageContentType};

/// Tokens up to which a passage is filled, including its context header. A model with a window of 512 does not see the
/// rest of a longer one; the margin is for [`STRETCHED_TOKENS`] and special tokens.
const TARGET_TOKENS: usize = 430;
/// Maximum tokens of a passage that includes the rest of its section: otherwise the last sentence would be a passage
/// of its own, without the text that explains it.
const STRETCHED_TOKENS: usize = 480;
/// Maximum tokens of a piece; longer ones without a boundary are cut at blanks, or anywhere. With a header of 80
/// tokens, such a piece alone is a stretched passage.
const MAX_PIECE_TOKENS: usize = 400;
/// Maximum bytes of a text whose tokens are counted; longer ones are cut before. Counting takes about a hundred times
/// the memory of the text, so this is 3 MiB.
const MAX_COUNTED_BYTES: usize = 32 << 10;
/// Minimum tokens of text for which a passage has room, however long its header: a passage that is mostly titles
/// resembles all others of its section.
const MIN_BODY_TOKENS: usize = 200;

/// A section's text and the ranges of its passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CutSection {
    /// The blocks, joined.
    pub(crate) text: String,
    /// Passages in order.
    pub(crate) passages: Vec<CutPassage>,
    /// Tokens in the text.
    pub(crate) token_count: usize,
}

/// A piece of a block that is not cut further.
#[derive(Debug, Clone)]
struct PassagePiece {
    range: Range<usize>,
    tokens: usize,
    kind: BlockKind,
    /// Heading of the table that this piece continues, and its tokens.
    head: Option<(Range<usize>, usize)>,
    /// Whether it is a paragraph that introduces the list after it.
    introduces_list: bool,
}

/// Cuts a section. `header_tokens` is the length of its context header; `count` counts tokens.
pub(crate) fn cut_section(
    blocks: &[PrintedBlock],
    header_tokens: usize,
    count: &TokenCount<'_>,
) -> CutSection {
    let mut ranges = Vec::with_capacity(blocks.len());
    let text = join_printed_blocks(blocks, |range| ranges.push(range));
    let budget = TARGET_TOKENS.saturating_sub(header_tokens).max(MIN_BODY_TOKENS);
    let mut pieces = Vec::new();
    for (block, range) in blocks.iter().zip(ranges) {
        push_block_pieces(&mut pieces, &text, block, range, budget, count);
    }
    let token_count = pieces.iter().map(|piece| piece.tokens).sum();
    let stretched = budget + (STRETCHED_TOKENS - TARGET_TOKENS);
    let passages = pack_passages(&text, &pieces, budget, stretched);
    CutSection { text, passages, token_count }
}

fn push_block_pieces(
    pieces: &mut Vec<PassagePiece>,
    text: &str,
    block: &PrintedBlock,
    range: Range<usize>,
    budget: usize,
    count: &TokenCount<'_>,
) {
    let introduces_list =
        block.kind == BlockKind::Paragraph && block.text.trim_end().ends_with(':');
    // A block that is certainly too long is not counted as a whole: a tokenizer needs about a hundred times
    // the memory of its text.
    if range.len() <= MAX_COUNTED_BYTES {
        let tokens = count(&text[range.clone()]);
        if tokens <= budget {
            pieces.push(PassagePiece {
                range,
                tokens,
                kind: block.kind,
                head: None,
                introduces_list,
            });
            return;
        }
    }
    let head = table_head(text, block, &range, budget, count);
    let first = pieces.len();
    for part in split_block(text, block.kind, range) {
        push_piece(pieces, text, part, block.kind, count);
    }
    // A table's first piece contains the heading itself; the others continue it.
    if let Some(head) = head {
        for piece in pieces[first..].iter_mut().filter(|piece| piece.range.start >= head.0.end) {
            piece.head = Some(head.clone());
        }
    }
}

/// The heading that every part of a table repeats, unless it would fill half of each passage.
fn table_head(
    text: &str,
    block: &PrintedBlock,
    range: &Range<usize>,
    budget: usize,
    count: &TokenCount<'_>,
) -> Option<(Range<usize>, usize)> {
    let end = range.start + block.head_bytes as usize;
    let head = text.get(range.start..end)?.trim_end_matches('\n');
    if head.len() > MAX_COUNTED_BYTES {
        return None;
    }
    let tokens = count(head);
    let usable = !head.is_empty() && tokens <= budget / 2;
    usable.then(|| (range.start..range.start + head.len(), tokens))
}

/// Lines of tables and code, sentences of paragraphs; together they are the whole range.
fn split_block(text: &str, kind: BlockKind, range: Range<usize>) -> Vec<Range<usize>> {
    let cut_after: fn(&str, usize) -> bool = match kind.content_type() {
        PassageContentType::Table | PassageContentType::Code => {
            |text, at| text.as_bytes()[at] == b'\n'
        }
        PassageContentType::Text => |text, at| {
            let bytes = text.as_bytes();
            let blank = bytes[at] == b'\n' || bytes[at] == b' ';
            blank && at > 0 && matches!(bytes[at - 1], b'.' | b';' | b'?' | b'!' | b'\n')
        },
    };
    let mut out = Vec::new();
    let mut start = range.start;
    for at in range.clone() {
        if at + 1 < range.end && cut_after(text, at) {
            out.push(start..at + 1);
            start = at + 1;
        }
    }
    out.push(start..range.end);
    out
}

/// Adds a piece, cut at blanks if it is too long for the model's window by itself.
fn push_piece(
    pieces: &mut Vec<PassagePiece>,
    text: &str,
    range: Range<usize>,
    kind: BlockKind,
    count: &TokenCount<'_>,
) {
    let piece =
        |range, tokens| PassagePiece { range, tokens, kind, head: None, introduces_list: false };
    let target_bytes = if range.len() <= MAX_COUNTED_BYTES {
        let tokens = count(&text[range.clone()]);
        if tokens <= MAX_PIECE_TOKENS {
            pieces.push(piece(range, tokens));
            return;
        }
        range.len().div_ceil(tokens.div_ceil(MAX_PIECE_TOKENS))
    } else {
        // No token is shorter than a byte.
        MAX_PIECE_TOKENS
    };
    let mut start = range.start;
    while start < range.end {
        let end = cut_near(text, start, (start + target_bytes).min(range.end), range.end);
        pieces.push(piece(start..end, count(&text[start..end])));
        start = end;
    }
}

/// The end of the last blank-separated word before `target`, or a character boundary near it.
fn cut_near(text: &str, start: usize, target: usize, end: usize) -> usize {
    if target >= end {
        return end;
    }
    let boundary = (target..end).find(|index| text.is_char_boundary(*index)).unwrap_or(end);
    match text[start..boundary].rfind([' ', '\n', '>']) {
        Some(blank) if blank > 0 => start + blank + 1,
        _ => boundary,
    }
}

/// Packs pieces into passages, in order.
fn pack_passages(
    text: &str,
    pieces: &[PassagePiece],
    budget: usize,
    stretched: usize,
) -> Vec<CutPassage> {
    let mut passages = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let end = find_passage_end(pieces, start, budget, stretched);
        passages.push(build_passage(text, &pieces[start..end]));
        start = end;
    }
    passages
}

/// The index after the last piece of a passage that begins with the piece `start`.
fn find_passage_end(
    pieces: &[PassagePiece],
    start: usize,
    budget: usize,
    stretched: usize,
) -> usize {
    let mut tokens = pieces[start].head.as_ref().map_or(0, |(_, tokens)| *tokens);
    let mut tokens_to_end = tokens;
    let fits = |piece: &PassagePiece| {
        tokens_to_end += piece.tokens;
        tokens_to_end <= stretched
    };
    // Stops at the first piece that does not fit: summing up the rest for each passage would take the square of a
    // section.
    if pieces[start..].iter().all(fits) {
        return pieces.len();
    }
    let mut end = start;
    while end < pieces.len() && (end == start || tokens + pieces[end].tokens <= budget) {
        tokens += pieces[end].tokens;
        end += 1;
    }
    // The paragraph that introduces a list stays with the list.
    let splits_list = pieces.get(end).is_some_and(|piece| piece.kind == BlockKind::ListItem);
    if splits_list && end - start > 1 && pieces[end - 1].introduces_list { end - 1 } else { end }
}

fn build_passage(text: &str, pieces: &[PassagePiece]) -> CutPassage {
    let (first, last) = (&pieces[0], &pieces[pieces.len() - 1]);
    let tokens_of = |content_type: PassageContentType| -> usize {
        let of_type = pieces.iter().filter(|piece| piece.kind.content_type() == content_type);
        of_type.map(|piece| piece.tokens).sum()
    };
    let content_type =
        [PassageContentType::Text, PassageContentType::Table, PassageContentType::Code]
            .into_iter()
            .rev()
            .max_by_key(|content_type| tokens_of(*content_type))
            .unwrap_or(PassageContentType::Text);
    CutPassage {
        head: first.head.as_ref().map_or(TextRange::default(), |(range, _)| text_range(range)),
        body: text_range(&trim_range(text, first.range.start..last.range.end)),
        content_type,
    }
}

/// The range without blanks at its ends.
fn trim_range(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..start.max(range.start + slice.trim_end().len())
}

fn text_range(range: &Range<usize>) -> TextRange {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    TextRange { start: narrow(range.start), end: narrow(range.end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    fn block(kind: BlockKind, text: &str) -> PrintedBlock {
        PrintedBlock { kind, text: text.to_owned(), head_bytes: 0 }
    }

    fn bodies(cut: &CutSection) -> Vec<&str> {
        let body = |p: &CutPassage| &cut.text[p.body.start as usize..p.body.end as usize];
        cut.passages.iter().map(body).collect()
    }

    #[test]
    fn a_short_section_stays_whole() {
        let blocks =
            [block(BlockKind::Paragraph, "The UE shall:"), block(BlockKind::ListItem, "- stop")];
        let cut = cut_section(&blocks, 10, &words);
        assert_eq!(bodies(&cut), ["The UE shall:\n\n- stop"]);
        assert_eq!(cut.token_count, 5);
    }

    #[test]
    fn nothing_is_lost_and_no_passage_is_too_long() {
        let sentence = "one two three four five six seven eight nine ten. ";
        let blocks = [
            block(BlockKind::Paragraph, &sentence.repeat(70)),
            block(BlockKind::Paragraph, &"word ".repeat(2000)),
            block(BlockKind::Code, &"line of code\n".repeat(300)),
        ];
        let cut = cut_section(&blocks, 30, &words);
        assert_eq!(bodies(&cut).iter().map(|b| words(b)).sum::<usize>(), words(&cut.text));
        assert!(bodies(&cut).iter().all(|body| words(body) <= STRETCHED_TOKENS), "too long");
        assert!(cut.passages.len() < 15, "cut into too many: {}", cut.passages.len());
    }

    #[test]
    fn every_part_of_a_table_repeats_its_head() {
        let head = "Table 1: Timers\n| Timer | Value |\n|---|---|";
        let text = format!("{head}{}", "\n| T310 | one two three four five six |".repeat(120));
        let table = PrintedBlock { kind: BlockKind::Table, head_bytes: head.len() as u32, text };
        let cut = cut_section(&[table], 20, &words);
        assert!(cut.passages.len() > 2);
        assert_eq!(cut.passages[0].head, TextRange::default());
        for part in &cut.passages[1..] {
            assert_eq!((part.head.start, part.head.end), (0, head.len() as u32));
            assert_eq!(part.content_type, PassageContentType::Table);
        }
        assert!(
            bodies(&cut)
                .iter()
                .all(|body| body.trim().starts_with('|') || body.starts_with("Table"))
        );
    }

    #[test]
    fn a_paragraph_that_introduces_a_list_stays_with_it() {
        let long = "word ".repeat(395);
        let item = "- item ".repeat(40);
        let blocks = [
            block(BlockKind::Paragraph, &long),
            block(BlockKind::Paragraph, "The UE shall:"),
            block(BlockKind::ListItem, &item),
        ];
        let cut = cut_section(&blocks, 20, &words);
        assert!(bodies(&cut)[1].starts_with("The UE shall:"), "{:?}", bodies(&cut)[1]);
    }

    #[test]
    fn text_without_blanks_is_cut_at_characters() {
        let glyphs = |text: &str| text.chars().count();
        let cut = cut_section(&[block(BlockKind::Paragraph, &"\u{e9}".repeat(3000))], 0, &glyphs);
        assert!(cut.passages.len() >= 6);
        assert_eq!(bodies(&cut).concat().chars().count(), 3000);
    }

    #[test]
    fn a_block_of_megabytes_is_counted_in_pieces_and_cut_in_time() {
        let longest = std::cell::Cell::new(0);
        let counted = std::cell::Cell::new(0);
        let count = |text: &str| {
            longest.set(longest.get().max(text.len()));
            counted.set(counted.get() + text.len());
            words(text)
        };
        let text = "one two three. ".repeat(200_000);
        let cut = cut_section(&[block(BlockKind::Paragraph, &text)], 20, &count);
        assert!(longest.get() <= MAX_COUNTED_BYTES);
        assert!(counted.get() <= 2 * text.len(), "counted again and again");
        assert_eq!(cut.token_count, 600_000);
        let unbroken = "x".repeat(1 << 20);
        let cut = cut_section(&[block(BlockKind::Paragraph, &unbroken)], 20, &count);
        assert_eq!(bodies(&cut).concat().len(), unbroken.len());
    }

    #[test]
    fn an_empty_section_has_no_passage() {
        let cut = cut_section(&[], 10, &words);
        assert_eq!((cut.text.as_str(), cut.passages.len()), ("", 0));
    }
}
