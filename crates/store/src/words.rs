//! The three word indexes, of passages, of figures and of documents of meetings: written together, and brought to redb's state.

use redb::ReadTransaction;

use super::{
    Catalog, DataFolder, DocumentEntry, DocumentRow, NewDocument, PassageRow, SectionHead,
    Snapshot, StoreError, TdocTextEntry, TdocTextRow, codec, context_header,
    figures::FigureWords,
    tables::{
        BATCH, COUNTERS, FIGURE_WORDS, FIGURES, PASSAGES, SECTION_HEADS, SECTION_TEXTS, place_key,
        places_of,
    },
    tdoc_texts,
};
use database_file::DatabaseFile;
use lexical::{Committed, Lexical, LexicalPassage, LexicalWriter};

/// The indexes.
pub(super) struct Words {
    pub(super) passages: Lexical,
    pub(super) figures: Lexical,
    pub(super) tdocs: Lexical,
}

/// Their one writer.
pub(super) struct WordsWriter {
    passages: LexicalWriter,
    figures: LexicalWriter,
    tdocs: LexicalWriter,
}

/// Views of the last commit.
pub(super) struct WordsSearcher {
    pub(super) passages: tantivy::Searcher,
    pub(super) figures: tantivy::Searcher,
    pub(super) tdocs: tantivy::Searcher,
}

impl Words {
    pub(super) fn open(folder: &DataFolder) -> Result<Self, StoreError> {
        let (passages, figures) = (folder.lexical(), folder.figure_words());
        Ok(Self {
            passages: Lexical::open(&passages)?,
            figures: Lexical::open(&figures)?,
            tdocs: Lexical::open(&folder.tdoc_words())?,
        })
    }

    pub(super) fn writer(&self) -> Result<WordsWriter, StoreError> {
        Ok(WordsWriter {
            passages: self.passages.writer()?,
            figures: self.figures.writer()?,
            tdocs: self.tdocs.writer()?,
        })
    }

    pub(super) fn searcher(&self) -> Result<WordsSearcher, StoreError> {
        let (passages, figures) = (self.passages.searcher()?, self.figures.searcher()?);
        Ok(WordsSearcher { passages, figures, tdocs: self.tdocs.searcher()? })
    }

    /// How many files of all do not pass their own check.
    pub(super) fn damaged_files(&self) -> Result<usize, StoreError> {
        let damaged = self.passages.damaged_files()? + self.figures.damaged_files()?;
        Ok(damaged + self.tdocs.damaged_files()?)
    }
}

impl WordsWriter {
    /// Makes all that was added and deleted durable under the number of its batch.
    pub(super) fn commit(&mut self, committed: Committed) -> Result<(), StoreError> {
        self.passages.commit(committed)?;
        self.figures.commit(committed)?;
        Ok(self.tdocs.commit(committed)?)
    }

    /// Forgets what was added since the last commit.
    pub(super) fn rollback(&mut self) -> Result<(), StoreError> {
        let (passages, figures) = (self.passages.rollback(), self.figures.rollback());
        Ok(passages.and(figures).and(self.tdocs.rollback())?)
    }

    /// Marks everything a batch wrote as deleted; takes effect with the next commit.
    pub(super) fn delete_batch(&self, batch: u64) {
        self.passages.delete_batch(batch);
        self.figures.delete_batch(batch);
        self.tdocs.delete_batch(batch);
    }

    /// Adds the words of a document of a meeting.
    pub(super) fn add_tdoc(
        &self,
        entry: &TdocTextEntry,
        text: &TdocTextRow,
    ) -> Result<(), StoreError> {
        tdoc_texts::add_words(&self.tdocs, entry, text)
    }

    /// Adds the words of a document that is being taken in.
    pub(super) fn add(&self, entry: &DocumentEntry, new: &NewDocument) -> Result<(), StoreError> {
        let heads: Vec<SectionHead> = new.sections.iter().map(|s| s.head.clone()).collect();
        let mut adding = Adding::new(entry.id, &entry.row, &heads);
        let passages = new.passages.iter().zip(&entry.passages);
        for (id, (passage, (content, _))) in (entry.row.first_passage..).zip(passages) {
            let section = &new.sections[passage.section as usize];
            let text = passage.row(entry.id, *content).text(&section.text)?;
            let what = (id, *content, passage.section);
            adding.passage(&self.passages, what, &text)?;
        }
        for (index, (figure, content)) in (0u32..).zip(new.figures.iter().zip(&entry.figures)) {
            let what = (place_key(entry.id, index), *content, figure.section);
            adding.figure(&self.figures, what, figure.caption.as_deref(), &figure.words)?;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn delete_everything(&self) -> Result<(), StoreError> {
        self.passages.delete_everything()?;
        self.figures.delete_everything()?;
        Ok(self.tdocs.delete_everything()?)
    }

    #[cfg(test)]
    pub(super) fn add_passage(
        &self,
        batch: u64,
        passage: &LexicalPassage<'_>,
    ) -> Result<(), StoreError> {
        Ok(self.passages.add(batch, passage)?)
    }

    /// Brings the indexes to redb's state: batches redb does not know are taken out, documents they
    /// do not hold are added again.
    pub(super) fn recover(
        &mut self,
        metadata: &DatabaseFile,
        words: &Words,
        catalog: &Catalog,
    ) -> Result<(), StoreError> {
        let txn = metadata.begin_read()?;
        let truth = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
        recover(&words.passages, &mut self.passages, truth, |writer| {
            catalog.entries().try_for_each(|entry| add_passages_again(&txn, writer, entry))
        })?;
        recover(&words.figures, &mut self.figures, truth, |writer| {
            catalog.entries().try_for_each(|entry| add_figures_again(&txn, writer, entry))
        })?;
        recover(&words.tdocs, &mut self.tdocs, truth, |writer| {
            catalog.tdocs().try_for_each(|entry| {
                tdoc_texts::add_words(writer, entry, &tdoc_texts::text_in(&txn, entry.key)?)
            })
        })
    }
}

/// The same for one of them; `fill` adds everything that redb holds.
fn recover(
    index: &Lexical,
    writer: &mut LexicalWriter,
    truth: u64,
    fill: impl FnOnce(&LexicalWriter) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let settled = Committed { batch: truth, replaces: None };
    match index.committed()? {
        None if truth == 0 => return Ok(()),
        Some(found) if found == settled => return Ok(()),
        Some(Committed { batch, replaces: Some(old) }) if batch == truth => {
            writer.delete_batch(old);
        }
        // A batch replaces at most one older one, whose words it leaves until redb has it.
        Some(found) if found.batch == truth + 1 => {
            tracing::info!(batch = found.batch, "taking an unfinished batch out of the words");
            writer.delete_batch(found.batch);
        }
        _ => {
            tracing::info!("building the word index again");
            writer.delete_everything()?;
            fill(writer)?;
        }
    }
    Ok(writer.commit(settled)?)
}

/// Passages and figures of one document on their way to an index.
struct Adding<'a> {
    document: u32,
    row: &'a DocumentRow,
    sections: &'a [SectionHead],
    /// The context header of a section, which several things in a row share.
    header: Option<(u32, String)>,
}

impl<'a> Adding<'a> {
    fn new(document: u32, row: &'a DocumentRow, sections: &'a [SectionHead]) -> Self {
        Self { document, row, sections, header: None }
    }

    fn header(&mut self, section: u32) -> &str {
        if self.header.as_ref().is_none_or(|(place, _)| *place != section) {
            let header =
                context_header(self.row.doc_type, &self.row.number, self.sections, section);
            self.header = Some((section, header));
        }
        self.header.as_ref().map_or("", |(_, header)| header)
    }

    /// `what`: the id of the passage, its content and the place of its section.
    fn passage(
        &mut self,
        writer: &LexicalWriter,
        what: (u64, u64, u32),
        text: &str,
    ) -> Result<(), StoreError> {
        let text = format!("{}\n{text}", self.header(what.2));
        let (number, title) =
            self.sections.get(what.2 as usize).map_or(("", ""), |head| (&head.number, &head.title));
        self.add(writer, what, &format!("{number} {title}"), &text)
    }

    /// `what`: the key of the figure, its content and the place of its section.
    fn figure(
        &mut self,
        writer: &LexicalWriter,
        what: (u64, u64, u32),
        caption: Option<&str>,
        words: &FigureWords,
    ) -> Result<(), StoreError> {
        let text = words.text(self.header(what.2), caption);
        self.add(writer, what, caption.unwrap_or_default(), &text)
    }

    fn add(
        &self,
        writer: &LexicalWriter,
        (passage, content, section): (u64, u64, u32),
        title: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let section = self.sections.get(section as usize).map_or("", |head| &head.number);
        let (document, number) = (self.document, self.row.number.as_str());
        let passage = LexicalPassage { passage, content, document, number, section, title, text };
        Ok(writer.add(self.row.batch, &passage)?)
    }
}

fn sections_of(txn: &ReadTransaction, document: u32) -> Result<Vec<SectionHead>, StoreError> {
    let heads = txn.open_table(SECTION_HEADS)?;
    let mut sections = Vec::new();
    for head in heads.range(places_of(document))? {
        sections.push(codec::decode(head?.1.value(), "section")?);
    }
    Ok(sections)
}

fn add_passages_again(
    txn: &ReadTransaction,
    writer: &LexicalWriter,
    entry: &DocumentEntry,
) -> Result<(), StoreError> {
    let texts = txn.open_table(SECTION_TEXTS)?;
    let passages = txn.open_table(PASSAGES)?;
    let sections = sections_of(txn, entry.id)?;
    let mut adding = Adding::new(entry.id, &entry.row, &sections);
    let ids = entry.row.first_passage..entry.row.first_passage + u64::from(entry.row.passage_count);
    let mut section: Option<(u32, String)> = None;
    for passage in passages.range(ids)? {
        let (id, row) = passage?;
        let row: PassageRow = codec::decode(row.value(), "passage")?;
        if section.as_ref().is_none_or(|(place, _)| *place != row.section) {
            let value = texts.get(place_key(entry.id, row.section))?;
            let text = value.map_or(Ok(String::new()), |v| codec::decompress(v.value()))?;
            section = Some((row.section, text));
        }
        let (_, text) = section.as_ref().expect("set just above");
        adding.passage(writer, (id.value(), row.content, row.section), &row.text(text)?)?;
    }
    Ok(())
}

fn add_figures_again(
    txn: &ReadTransaction,
    writer: &LexicalWriter,
    entry: &DocumentEntry,
) -> Result<(), StoreError> {
    if entry.figures.is_empty() {
        return Ok(());
    }
    let rows = txn.open_table(FIGURES)?;
    let words = txn.open_table(FIGURE_WORDS)?;
    let sections = sections_of(txn, entry.id)?;
    let mut adding = Adding::new(entry.id, &entry.row, &sections);
    for row in rows.range(places_of(entry.id))? {
        let (key, row) = row?;
        let row: super::FigureRow = codec::decode(row.value(), "figure")?;
        let stored = words.get(key.value())?.ok_or(StoreError::Decode { what: "figure" })?;
        let stored: FigureWords = codec::unpack(stored.value(), "figure")?;
        let what = (key.value(), row.content, row.section);
        adding.figure(writer, what, row.caption.as_deref(), &stored)?;
    }
    Ok(())
}

impl Snapshot {
    /// How many passages, figures, and passages of documents of meetings the indexes hold.
    pub(super) fn words_held(&self) -> [u64; 3] {
        let WordsSearcher { passages, figures, tdocs } = &self.searcher;
        [passages, figures, tdocs].map(tantivy::Searcher::num_docs)
    }
}
