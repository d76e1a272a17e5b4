//! Documents of meetings: from what was read of their files to searchable passages.
//!
//! A numbered proposal or observation is a passage of its own; other text is cut as that of specifications is,
//! between two units and under one heading. What a conclusion says again is no passage: it is found where it is
//! said first.

use std::{collections::HashSet, sync::Arc};

use document::{Block, BlockKind};
use domain::TdocId;
use extract::{Contribution, ContributionUnit, TextBlock, TextKind, UnitKind};
use neural::{TextEmbedder, Tokenizer};
use store::{
    ContentStatus, ContentVectors, ModelRow, NewTdocText, PassageKind, Store, TdocBlockRow,
    TdocContentRow, TdocPassageRow, TdocTextRow, TdocUnitRow, passage_hash,
};

use super::{IngestError, cut_section};

/// Revision of the reading of contributions: a higher one makes every file be read again when it is asked for.
pub const CONTRIBUTION_REVISION: u32 = 3;
/// Passages embedded at once.
const EMBED_AT_ONCE: usize = 32;
/// Passages of one document: more would keep the embedder from all others.
const MOST_PASSAGES: usize = 5_000;
/// Longer titles are cut in what stands before a passage.
const MAX_TITLE_CHARS: usize = 120;
/// Blocks among which the first lines of a document are.
const FRONT_BLOCKS: usize = 25;
/// Headings that stand before a passage.
const MAX_PATH: usize = 4;

/// What takes documents of meetings in.
pub struct TdocIngester<'a> {
    /// Where they go.
    pub store: &'a Store,
    /// Counts tokens.
    pub tokenizer: &'a Tokenizer,
    /// Makes vectors.
    pub embedder: Arc<dyn TextEmbedder>,
    /// The model that the vectors are of.
    pub model: ModelRow,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub struct TdocFile {
    /// The document.
    pub id: TdocId,
    /// Its title in the register; what its file says, where there is none.
    pub title: Option<String>,
    /// Name of the file.
    pub file: String,
    /// Where it came from.
    pub origin: String,
    /// Its revisions in the inbox of its meeting, as paths on the mirror.
    pub inbox: Vec<String>,
    /// Hash of its bytes.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
}

impl TdocIngester<'_> {
    /// Takes a document in, whole. With nothing read the reasons are remembered.
    pub fn take(&self, file: TdocFile, read: Contribution) -> Result<(), IngestError> {
        let new = self.prepare(file, read)?;
        let mut writer = self.store.writer();
        writer.commit_tdoc(&new, &self.model)?;
        writer.compact()?;
        Ok(())
    }

    fn prepare(&self, file: TdocFile, mut read: Contribution) -> Result<NewTdocText, IngestError> {
        let count = |text: &str| self.tokenizer.count(text);
        let title = file.title.clone().or_else(|| title_of(&read)).unwrap_or_default();
        let mut passages = passages(&read, &title, &count);
        if passages.len() > MOST_PASSAGES {
            passages.truncate(MOST_PASSAGES);
            read.faults.push(format!("only the first {MOST_PASSAGES} passages can be searched"));
        }
        let status = match (read.files.is_empty(), read.faults.is_empty()) {
            (true, _) => ContentStatus::Unavailable,
            (false, false) => ContentStatus::Partial,
            (false, true) => ContentStatus::Complete,
        };
        let mut readers: Vec<&str> = Vec::new();
        for reader in read.files.iter().map(|file| file.reader.as_str()) {
            if !readers.contains(&reader) {
                readers.push(reader);
            }
        }
        let row = TdocContentRow {
            id: file.id,
            status,
            extractor: readers.join(", "),
            revision: CONTRIBUTION_REVISION,
            faults: read.faults,
            file: file.file,
            origin: file.origin,
            inbox: file.inbox,
            hash: file.hash,
            read_at: file.read_at,
            units: u32::try_from(read.units.len()).unwrap_or(u32::MAX),
            wants_converter: read.wants_converter,
            passages: passages.iter().map(|(_, kind)| (0, *kind)).collect(),
            embedded: false,
            batch: 0,
        };
        let passages: Vec<TdocPassageRow> = passages.into_iter().map(|(row, _)| row).collect();
        let vectors = self.embed(&passages)?;
        let text = TdocTextRow {
            blocks: read.blocks.into_iter().map(block_row).collect(),
            units: read.units.into_iter().map(unit_row).collect(),
            passages,
            cover: read.cover.map(cover_rows).unwrap_or_default(),
        };
        Ok(NewTdocText { row, text, vectors })
    }

    /// Vectors of the contents that have none yet.
    fn embed(&self, passages: &[TdocPassageRow]) -> Result<Vec<ContentVectors>, IngestError> {
        let texts: Vec<String> = passages.iter().map(TdocPassageRow::text_with_header).collect();
        let hashes: Vec<[u8; 32]> = texts.iter().map(|text| passage_hash(text)).collect();
        let have = self.store.snapshot().have_vectors(&hashes)?;
        let mut chosen = HashSet::new();
        let missing: Vec<usize> = (0..hashes.len())
            .filter(|index| !have[*index] && chosen.insert(hashes[*index]))
            .collect();
        let mut vectors = Vec::with_capacity(missing.len());
        for batch in missing.chunks(EMBED_AT_ONCE) {
            let texts: Vec<&str> = batch.iter().map(|index| texts[*index].as_str()).collect();
            let windows = self.embedder.embed_documents(&texts)?;
            for (index, windows) in batch.iter().zip(windows) {
                vectors.push(ContentVectors { hash: hashes[*index], windows });
            }
        }
        Ok(vectors)
    }
}

/// What a document calls itself: the title on its cover, or on its first page.
fn title_of(read: &Contribution) -> Option<String> {
    let cover = read.cover.as_ref().and_then(|cover| cover.title.clone());
    let named = |block: &TextBlock| {
        let (name, title) = block.text.split_once(':')?;
        let title = title.trim();
        (name.trim().eq_ignore_ascii_case("title") && !title.is_empty()).then(|| title.to_owned())
    };
    cover.or_else(|| read.blocks.iter().take(30).find_map(named))
}

fn passages(
    read: &Contribution,
    title: &str,
    count: &dyn Fn(&str) -> usize,
) -> Vec<(TdocPassageRow, PassageKind)> {
    let mut cutter =
        Cutter { title: plain_title(title), path: Vec::new(), passages: Vec::new(), count };
    let mut open: Vec<&TextBlock> = Vec::new();
    let mut told = HashSet::new();
    let mut file = None;
    for block in &read.blocks[front_matter(&read.blocks)..] {
        let of = block.anchor.rsplit_once('#').map(|(of, _)| of);
        if of != file {
            // A passage is of one file, and so are the headings above it.
            cutter.body(&std::mem::take(&mut open));
            cutter.path.clear();
            file = of;
        }
        let unit = block.unit.and_then(|unit| Some((unit, read.units.get(unit as usize)?)));
        if unit.is_some()
            || block.rest.is_some()
            || block.repeats
            || block.kind == TextKind::Listed
            || block.heading.is_some()
        {
            cutter.body(&std::mem::take(&mut open));
        }
        for at in &block.units {
            if let Some(unit) = read.units.get(*at as usize).filter(|_| told.insert(*at)) {
                cutter.unit(unit);
            }
        }
        if let Some((text, head_bytes)) = &block.rest {
            // What a table says beside its units; not its head alone.
            if text.len() > *head_bytes as usize {
                let rest = TextBlock {
                    text: text.trim_start().to_owned(),
                    head_bytes: *head_bytes,
                    ..block.clone()
                };
                cutter.body(&[&rest]);
            }
            continue;
        }
        match unit {
            Some((at, unit)) if told.insert(at) => cutter.unit(unit),
            Some(_) => {}
            None if block.repeats || block.kind == TextKind::Listed => {}
            None => match block.heading {
                Some(level) => cutter.heading(level, &block.text),
                None => open.push(block),
            },
        }
    }
    cutter.body(&open);
    cutter.passages
}

/// How many blocks at the beginning say what the register says too: meeting, title, source, whom to ask.
fn front_matter(blocks: &[TextBlock]) -> usize {
    const NAMES: [&str; 16] = [
        "title",
        "source",
        "agenda item",
        "agenda",
        "document for",
        "response to",
        "release",
        "work item",
        "to",
        "cc",
        "contact person",
        "contact",
        "name",
        "e-mail address",
        "attachments",
        "send any reply ls to",
    ];
    let is_named = |block: &TextBlock| {
        block
            .text
            .split_once(':')
            .is_some_and(|(name, _)| NAMES.contains(&name.trim().to_lowercase().as_str()))
    };
    let first = blocks
        .iter()
        .take(FRONT_BLOCKS)
        .take_while(|block| block.heading.is_none() || is_named(block));
    let first: Vec<bool> = first.map(|block| is_named(block) && block.unit.is_none()).collect();
    first.iter().rposition(|named| *named).map_or(0, |last| last + 1)
}

struct Cutter<'a> {
    title: String,
    /// Headings above the text in hand, with their levels.
    path: Vec<(u8, String)>,
    passages: Vec<(TdocPassageRow, PassageKind)>,
    count: &'a dyn Fn(&str) -> usize,
}

impl Cutter<'_> {
    fn heading(&mut self, level: u8, text: &str) {
        self.path.retain(|(above, _)| *above < level);
        let bare =
            text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '\t'));
        let title: String = bare.chars().take(MAX_TITLE_CHARS).collect();
        self.path.push((level, title));
    }

    /// Title of the document and of the sections, without what differs between versions of one document:
    /// numbers of sections and of summaries.
    fn header(&self) -> String {
        let skipped = self.path.len().saturating_sub(MAX_PATH);
        let titles = self.path[skipped..].iter().map(|(_, title)| title.as_str());
        let parts = std::iter::once(self.title.as_str()).chain(titles);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" > ")
    }

    fn unit(&mut self, unit: &ContributionUnit) {
        let header = self.header();
        let text = format!("{}: {}", unit.label, unit.quote);
        let block = Block { kind: BlockKind::Paragraph, text, head_bytes: 0 };
        let cut = cut_section(&[block], (self.count)(&header), self.count);
        for passage in cut.passages {
            let body = &cut.text[passage.body.start as usize..passage.body.end as usize];
            let row = TdocPassageRow {
                header: header.clone(),
                text: body.to_owned(),
                labels: vec![unit.label.clone()],
                anchor: unit.anchor.clone(),
                page: unit.page,
            };
            self.passages.push((row, kind_of(unit.kind)));
        }
    }

    fn body(&mut self, blocks: &[&TextBlock]) {
        if blocks.is_empty() {
            return;
        }
        let header = self.header();
        let taken: Vec<Block> = blocks.iter().map(|block| block_of(block)).collect();
        let cut = cut_section(&taken, (self.count)(&header), self.count);
        // Where each block begins in the joined text.
        let mut starts = Vec::with_capacity(taken.len());
        let mut from = 0;
        for block in &taken {
            let at = cut.text[from..].find(block.text.as_str()).map_or(from, |at| from + at);
            starts.push(at);
            from = at + block.text.len();
        }
        for passage in cut.passages {
            let slice =
                |range: store::TextRange| &cut.text[range.start as usize..range.end as usize];
            let (head, body) = (slice(passage.head), slice(passage.body));
            let first = starts.partition_point(|start| *start <= passage.body.start as usize);
            let Some(block) = blocks.get(first.saturating_sub(1)) else { continue };
            let text = if head.is_empty() { body.to_owned() } else { format!("{head}\n{body}") };
            let row = TdocPassageRow {
                header: header.clone(),
                text,
                labels: Vec::new(),
                anchor: block.anchor.clone(),
                page: block.page,
            };
            self.passages.push((row, PassageKind::Body));
        }
    }
}

fn block_of(block: &TextBlock) -> Block {
    let kind = match block.kind {
        TextKind::Item => BlockKind::ListItem,
        TextKind::Table => BlockKind::Table,
        TextKind::Paragraph | TextKind::Listed => BlockKind::Paragraph,
    };
    let head_bytes = if block.head_bytes == 0 { 0 } else { block.head_bytes + 1 };
    Block { kind, text: block.text.clone(), head_bytes: head_bytes.min(block.text.len() as u32) }
}

/// A title without what tells versions of one document apart: `#3`, `v02`, `rev1`.
fn plain_title(title: &str) -> String {
    let is_version = |word: &str| {
        let bare = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '#')).to_lowercase();
        let number =
            ["#", "v", "rev", "r", "version"].iter().find_map(|mark| bare.strip_prefix(mark));
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let words = title.split_whitespace().filter(|word| !is_version(word));
    let plain = words.collect::<Vec<_>>().join(" ");
    plain.chars().take(MAX_TITLE_CHARS).collect()
}

fn kind_of(kind: UnitKind) -> PassageKind {
    match kind {
        UnitKind::Proposal => PassageKind::Proposal,
        UnitKind::Observation => PassageKind::Observation,
    }
}

fn block_row(block: TextBlock) -> TdocBlockRow {
    let TextBlock { anchor, page, heading, text, changed, .. } = block;
    TdocBlockRow { anchor, page, heading, text, changed }
}

fn unit_row(unit: ContributionUnit) -> TdocUnitRow {
    TdocUnitRow {
        kind: kind_of(unit.kind),
        label: unit.label,
        quote: unit.quote,
        anchor: unit.anchor,
        page: unit.page,
        repeated_at: unit.repeated_at,
    }
}

fn cover_rows(cover: extract::ChangeCover) -> Vec<(String, String)> {
    let rows = [
        ("spec", cover.spec),
        ("number", cover.number),
        ("revision", cover.revision),
        ("version", cover.version),
        ("title", cover.title),
        ("work_item", cover.work_item),
        ("category", cover.category),
        ("release", cover.release),
        ("clauses", cover.clauses),
        ("reason", cover.reason),
        ("summary", cover.summary),
        ("consequences", cover.consequences),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    fn block(at: u32, text: &str) -> TextBlock {
        TextBlock { anchor: format!("x.docx#p{at}"), text: text.to_owned(), ..TextBlock::default() }
    }

    #[test]
    fn units_and_the_text_between_them_are_passages_of_their_own() {
        let unit = |label: &str, at: u32| ContributionUnit {
            kind: UnitKind::Proposal,
            label: label.to_owned(),
            quote: "Study beams.".to_owned(),
            anchor: format!("x.docx#p{at}"),
            page: None,
            repeated_at: Vec::new(),
        };
        let read = Contribution {
            blocks: vec![
                TextBlock { heading: Some(1), ..block(1, "2 Beams") },
                block(2, "Beams are narrow."),
                block(3, "They move."),
                TextBlock { unit: Some(0), ..block(4, "Proposal 1: Study beams.") },
                TextBlock { unit: Some(0), ..block(5, "- all of them") },
                block(6, "More text."),
                TextBlock { heading: Some(1), ..block(7, "3 Conclusion") },
                TextBlock { repeats: true, ..block(8, "Proposal 1: Study beams.") },
                block(9, "We thank all."),
                TextBlock { anchor: "annex.pdf#page1-p1".to_owned(), ..block(1, "Results") },
            ],
            units: vec![unit("Proposal 1", 4)],
            ..Contribution::default()
        };
        let cut = passages(&read, "Summary #3 of beams", &words);
        let told: Vec<_> =
            cut.iter().map(|(p, k)| (*k, p.anchor.as_str(), p.text.as_str())).collect();
        assert_eq!(
            told,
            [
                (PassageKind::Body, "x.docx#p2", "Beams are narrow.\n\nThey move."),
                (PassageKind::Proposal, "x.docx#p4", "Proposal 1: Study beams."),
                (PassageKind::Body, "x.docx#p6", "More text."),
                (PassageKind::Body, "x.docx#p9", "We thank all."),
                (PassageKind::Body, "annex.pdf#page1-p1", "Results"),
            ]
        );
        assert_eq!(cut[4].0.header, "Summary of beams", "no heading of the other file");
        assert_eq!(cut[0].0.header, "Summary of beams > Beams");
        assert_eq!(cut[1].0.labels, ["Proposal 1"]);
    }

    #[test]
    fn units_of_a_table_are_passages_and_so_is_the_rest_of_it() {
        let unit = |label: &str| ContributionUnit {
            kind: UnitKind::Proposal,
            label: label.to_owned(),
            quote: "Study beams.".to_owned(),
            anchor: format!("x.docx#{label}"),
            page: None,
            repeated_at: Vec::new(),
        };
        let table = TextBlock {
            kind: TextKind::Table,
            units: vec![0, 1],
            rest: Some(("| What |\n|---|\n| Beams are wide. |".to_owned(), 14)),
            ..block(1, "| What |\n|---|\n| Proposal 1: Study beams. |")
        };
        let read = Contribution {
            blocks: vec![table],
            units: vec![unit("Proposal 1"), unit("Proposal 2")],
            ..Contribution::default()
        };
        let cut = passages(&read, "Beams", &words);
        let kinds: Vec<_> = cut.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(kinds, [PassageKind::Proposal, PassageKind::Proposal, PassageKind::Body]);
        assert!(cut[2].0.text.ends_with("| Beams are wide. |"), "{}", cut[2].0.text);
    }

    #[test]
    fn titles_of_versions_are_the_same() {
        assert_eq!(plain_title("Summary #3 on beams (v02)"), "Summary on beams");
        assert_eq!(plain_title("Views on V2X r1"), "Views on V2X");
    }
}
