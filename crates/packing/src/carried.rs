//! Packs that are being imported into an index: read ahead of the commit, with their vectors and dates.

use std::{
    collections::HashMap,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::SyncSender,
    },
};

use definitions::DocumentDefinitions;
use jiff::Timestamp;
use pack::{
    Depot, ListedPack, ObjectKind, PackError, PackKind, VectorFile, VectorModel, VectorSubject,
};
use store::{
    ContentVectors, IndexState, ModelRow, NewDocument, NewTdocText, PackedDecisionVectors,
    PackedMeeting, PackedNotes, PackedOrigin,
};

use crate::{
    PackingError,
    reading::{PackContent, PackItem, PackedVersion, read_listed, read_listed_vectors},
};

/// A pack that was read and not committed yet, with its vectors.
pub(crate) type Carried = PackItem<CarriedDocument, Box<NewTdocText>, CarriedMeeting, CarriedNotes>;

/// A document version with its vectors.
pub(crate) struct CarriedDocument {
    pub(crate) new: NewDocument,
    pub(crate) origin: PackedOrigin,
    /// The id of its first passage in the index it comes from.
    pub(crate) first_passage: u64,
    /// Length of its text and pictures in bytes.
    pub(crate) bytes: usize,
}

/// A meeting, and when its registers were read.
pub(crate) struct CarriedMeeting {
    pub(crate) meeting: PackedMeeting,
    pub(crate) date: String,
}

/// Notes with the vectors of their decisions, and when they were read.
pub(crate) struct CarriedNotes {
    pub(crate) notes: PackedNotes,
    pub(crate) date: String,
    pub(crate) vectors: Option<PackedDecisionVectors>,
}

/// Ids and dates that packs had in the index they come from.
pub(crate) struct PackDates {
    now: String,
    documents: HashMap<String, (String, u64)>,
    tdocs: HashMap<String, String>,
    registers: HashMap<String, String>,
    notes: HashMap<String, String>,
}

impl PackDates {
    /// Those of a state; those of a delivery are now.
    pub(crate) fn of(state: Option<&IndexState>) -> Self {
        let now = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let empty = IndexState::default();
        let state = state.unwrap_or(&empty);
        let documents = state.documents().iter().map(|document| {
            (document.title(), (document.created_at.clone(), document.first_passage))
        });
        let tdocs = state.tdocs().iter();
        let registers = state.register_dates().into_iter();
        let notes = state.notes_dates().into_iter();
        Self {
            documents: documents.collect(),
            tdocs: tdocs.map(|(id, tdoc)| (id.to_string(), tdoc.read_at.clone())).collect(),
            registers: registers.map(|(id, date)| (id.to_owned(), date.to_owned())).collect(),
            notes: notes.map(|(title, date)| (title, date.to_owned())).collect(),
            now,
        }
    }

    fn date(&self, kind: PackKind, title: &str) -> String {
        let known = match kind {
            PackKind::Document => self.documents.get(title).map(|(date, _)| date),
            PackKind::Tdoc => self.tdocs.get(title),
            PackKind::Meeting => self.registers.get(title),
            PackKind::Notes => self.notes.get(title),
        };
        known.unwrap_or(&self.now).clone()
    }

    fn first_passage(&self, title: &str) -> u64 {
        self.documents.get(title).map_or(0, |(_, first)| *first)
    }
}

/// Documents in the order of their passages, then all others as listed.
pub(crate) fn order_packs<'a>(packs: &'a [ListedPack], dates: &PackDates) -> Vec<&'a ListedPack> {
    let mut ordered: Vec<&ListedPack> = packs.iter().collect();
    ordered.sort_by_key(|listed| match listed.kind {
        PackKind::Document => (0, dates.first_passage(&listed.title)),
        PackKind::Meeting => (1, 0),
        PackKind::Tdoc => (2, 0),
        PackKind::Notes => (3, 0),
    });
    ordered
}

/// Reads what documents define and record from their sections.
pub trait ReadDefinitions: Sync {
    /// Reads them for a document, or says why it cannot.
    fn read_definitions(&self, document: &NewDocument) -> Result<DocumentDefinitions, String>;
}

/// Where the definitions of documents come from: names, terms and change histories.
#[derive(Clone, Copy)]
pub struct DefinitionsSource<'a> {
    /// What reads them.
    pub reader: &'a dyn ReadDefinitions,
    /// Whether they are read for all documents; otherwise only for those whose packs have none.
    pub anew: bool,
}

/// Reads packs ahead of the commit.
pub(crate) struct PackReader<'a> {
    pub(crate) depot: &'a Depot,
    /// The model whose vectors are wanted.
    pub(crate) model: &'a ModelRow,
    pub(crate) dates: &'a PackDates,
    /// Where definitions come from.
    pub(crate) definitions: DefinitionsSource<'a>,
}

impl PackReader<'_> {
    /// Sends every pack, in order, until the receiver is gone.
    pub(crate) fn read_all(
        &self,
        packs: &[&ListedPack],
        cancel: &AtomicBool,
        sender: &SyncSender<Result<Carried, PackingError>>,
    ) {
        for listed in packs {
            if cancel.load(Ordering::Acquire) {
                return;
            }
            let carried = self.read(listed).map_err(|error| error.of_pack(&listed.title));
            if sender.send(carried).is_err() {
                return;
            }
        }
    }

    fn read(&self, listed: &ListedPack) -> Result<Carried, PackingError> {
        let date = self.dates.date(listed.kind, &listed.title);
        Ok(match read_listed(self.depot, listed)? {
            PackContent::Document(PackedVersion { document, pictures }) => {
                let mut new = document.to_new_document(date, &pictures)?;
                new.vectors = self.read_text_vectors(listed)?;
                if self.definitions.anew || !document.has_definitions() {
                    let read = self.definitions.reader.read_definitions(&new);
                    new.definitions = read.map_err(PackingError::Definitions)?;
                }
                let first_passage = self.dates.first_passage(&listed.title);
                let text: usize = new.sections.iter().map(|section| section.text.len()).sum();
                let bytes =
                    text + pictures.values().map(|picture| picture.png.len()).sum::<usize>();
                let origin = document.origin().clone();
                Carried::Document(CarriedDocument { new, origin, first_passage, bytes })
            }
            PackContent::Tdoc(tdoc) => {
                let mut new = tdoc.to_new_text(date);
                new.vectors = self.read_text_vectors(listed)?;
                Carried::Tdoc(Box::new(new))
            }
            PackContent::Meeting(meeting) => Carried::Meeting(CarriedMeeting { meeting, date }),
            PackContent::Notes(notes) => {
                let vectors = self.read_decision_vectors(listed)?;
                Carried::Notes(CarriedNotes { notes, date, vectors })
            }
        })
    }

    fn read_decision_vectors(
        &self,
        listed: &ListedPack,
    ) -> Result<Option<PackedDecisionVectors>, PackingError> {
        let of_decisions = listed.vectors.iter().find(|vectors| {
            vectors.subject == VectorSubject::Decisions && is_model(&vectors.model, self.model)
        });
        let Some(vectors) = of_decisions else { return Ok(None) };
        let bytes = self.depot.read_hashed(ObjectKind::Vectors, &vectors.file)?;
        let vectors = PackedDecisionVectors::decode(&bytes)?;
        if vectors.model == self.model.identity {
            Ok(Some(vectors))
        } else {
            Err(PackError::Invalid { what: "model of vectors" }.into())
        }
    }

    fn read_text_vectors(&self, listed: &ListedPack) -> Result<Vec<ContentVectors>, PackingError> {
        let of_texts = listed.vectors.iter().find(|vectors| {
            vectors.subject == VectorSubject::Texts && is_model(&vectors.model, self.model)
        });
        let Some(vectors) = of_texts else { return Ok(Vec::new()) };
        let VectorFile { contents, .. } = read_listed_vectors(self.depot, vectors)?;
        let to_vectors = |(hash, windows)| ContentVectors { hash, windows };
        Ok(contents.into_iter().map(to_vectors).collect())
    }
}

/// A model as the store has it.
pub(crate) fn to_row(model: &VectorModel) -> ModelRow {
    let VectorModel { name, identity, dimension } = model.clone();
    ModelRow { name, identity: *identity.as_bytes(), dimension }
}

/// Whether a model is that of the store.
pub(crate) fn is_model(model: &VectorModel, row: &ModelRow) -> bool {
    to_row(model) == *row
}
