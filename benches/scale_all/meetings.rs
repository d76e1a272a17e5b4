//! Made-up meetings: registers of their documents, decisions, texts of some of the documents.

use std::collections::BTreeMap;

use document_model::{TdocPassageRow, TdocUnitRow};
use domain::UnitType;
use domain::{DecisionType, MeetingId, NotesKind, RecordedDecision, TdocId};
use jiff::civil::{Date, DateTime, date};
use register::{AgendaItem, Column, RegisterEntry};
use store::{
    CalendarNote, ContentStatus, NewRegister, NewTdocText, NotesRow, RegisterNote, TdocBlockRow,
    TdocContentRow, TdocTextEnds, TdocTextRow,
};

use crate::{
    random::Random,
    specification::{Specification, mix},
    words::Vocabulary,
};

const GROUPS: [&str; 6] = ["R1", "R2", "R3", "S2", "C1", "S5"];
/// Meetings of a group in a year, so that their documents have numbers of their own.
const MEETINGS_IN_A_YEAR: u64 = 1;
const AGENDA_ITEMS: u64 = 40;
/// Decisions in the report of a meeting, and paragraphs of it for each.
const DECISIONS: u32 = 400;
const PARAGRAPHS_PER_DECISION: u32 = 5;
const SOURCES: [&str; 24] = [
    "Ericsson",
    "Huawei",
    "HiSilicon",
    "Nokia",
    "Samsung",
    "Qualcomm Incorporated",
    "ZTE",
    "vivo",
    "OPPO",
    "Xiaomi",
    "CATT",
    "LG Electronics",
    "Intel Corporation",
    "Apple",
    "MediaTek Inc.",
    "NTT DOCOMO",
    "Sony",
    "Lenovo",
    "InterDigital",
    "Panasonic",
    "CMCC",
    "AT&T",
    "Vodafone",
    "Orange",
];
const KINDS: [&str; 8] =
    ["discussion", "discussion", "discussion", "CR", "draftCR", "LS in", "LS out", "other"];
const STATUSES: [&str; 8] =
    ["available", "noted", "agreed", "approved", "revised", "not treated", "withdrawn", "noted"];
const MARKERS: [(DecisionType, &str); 4] = [
    (DecisionType::Agreement, "Agreement"),
    (DecisionType::WorkingAssumption, "Working Assumption"),
    (DecisionType::Conclusion, "Conclusion"),
    (DecisionType::OpenItem, "FFS"),
];

/// A meeting of so many documents.
pub(crate) struct Meeting {
    index: u64,
    /// Its id, such as `R1-101`.
    pub(crate) id: MeetingId,
    rows: u64,
    /// Specifications that there are.
    specifications: u64,
}

impl Meeting {
    /// The meeting of an index.
    pub(crate) fn new(index: u64, rows: u64, specifications: u64) -> Self {
        let id = format!("{}-{}", Self::group(index), 101 + index / GROUPS.len() as u64);
        Self { index, id: id.parse().expect("a meeting"), rows, specifications }
    }

    fn group(index: u64) -> &'static str {
        GROUPS[index as usize % GROUPS.len()]
    }

    fn year(&self) -> u64 {
        10 + self.index / GROUPS.len() as u64 / MEETINGS_IN_A_YEAR % 80
    }

    fn start(&self) -> Date {
        let month = 1 + (self.index % 12) as i8;
        date(2000 + self.year() as i16, month, 10)
    }

    /// The number of its document `row`, from 0.
    pub(crate) fn tdoc(&self, row: u64) -> TdocId {
        let text = format!("{}-{:02}{:05}", Self::group(self.index), self.year(), row + 1);
        text.parse().expect("a number of a document")
    }

    fn agenda_item(random: &mut Random) -> u64 {
        random.below(AGENDA_ITEMS)
    }

    /// What a calendar says of it.
    pub(crate) fn make_calendar(&self) -> CalendarNote {
        let start = self.start();
        let end = start.checked_add(jiff::Span::new().days(4)).expect("a day");
        CalendarNote {
            location: Some("Springfield".to_owned()),
            start: Some(start),
            end: Some(end),
            ..CalendarNote::default()
        }
    }

    /// Its register.
    pub(crate) fn make_register(&self, words: &Vocabulary) -> NewRegister {
        let entries = (0..self.rows).map(|row| (self.tdoc(row), self.make_entry(words, row)));
        let agenda = (0..AGENDA_ITEMS).map(|item| AgendaItem {
            number: format!("{}.{}", 1 + item / 8, 1 + item % 8),
            title: words.write_title(&mut Random(mix(&[10, item]))),
        });
        NewRegister {
            meeting: self.id.clone(),
            note: RegisterNote {
                file: format!("TDoc_List_Meeting_{}.xlsx", self.id),
                imported_at: "2026-01-01T00:00:00Z".to_owned(),
                rows: self.rows as u32,
                range: Some((self.tdoc(0), self.tdoc(self.rows - 1))),
                is_full: true,
                estimated_start: Some(self.start()),
                folder: None,
                agenda: agenda.collect(),
            },
            sheet: "TDoc_List".to_owned(),
            entries: entries.collect(),
            packs: Vec::new(),
        }
    }

    fn make_entry(&self, words: &Vocabulary, row: u64) -> RegisterEntry {
        let mut random = Random(mix(&[11, self.index, row]));
        let item = Self::agenda_item(&mut random);
        let kind = KINDS[random.below(KINDS.len() as u64) as usize];
        let mut title = words.write_title(&mut random);
        title.push_str(" of ");
        title.push_str(words.draw_name(&mut random));
        let mut source = SOURCES[random.below(24) as usize].to_owned();
        for _ in 0..random.below(3) {
            source.push_str(", ");
            source.push_str(SOURCES[random.below(24) as usize]);
        }
        let mut texts = BTreeMap::from([
            (Column::Title, title),
            (Column::Source, source),
            (Column::Type, kind.to_owned()),
            (Column::For, "Decision".to_owned()),
            (Column::AgendaOrder, item.to_string()),
            (Column::AgendaItem, format!("{}.{}", 1 + item / 8, 1 + item % 8)),
            (Column::AgendaTitle, words.write_title(&mut Random(mix(&[10, item])))),
            (Column::Status, STATUSES[random.below(8) as usize].to_owned()),
            (Column::Release, format!("Rel-{}", 15 + random.below(5))),
            (Column::WorkItems, format!("{}-Core", words.name(random.below(300)))),
        ]);
        if kind == "CR" {
            let spec = Specification::number_of(random.below(self.specifications));
            texts.insert(Column::Spec, spec);
            texts.insert(Column::Version, "18.2.0".to_owned());
            texts.insert(Column::Cr, format!("{:04}", random.below(9999)));
            texts.insert(Column::CrCategory, "F".to_owned());
        }
        let reserved: DateTime =
            self.start().at(8, (row % 60) as i8, 0, 0).saturating_sub(jiff::Span::new().days(9));
        let number = self.tdoc(row);
        RegisterEntry {
            line: row as u32 + 2,
            url: Some(format!("https://example.org/ftp/{}/Docs/{number}.zip", self.id)),
            tdoc: number.to_string(),
            reserved: Some(reserved),
            uploaded: Some(reserved),
            texts,
        }
    }

    /// Its report, as stored: the record, the decisions, the paragraphs.
    pub(crate) fn make_report(
        &self,
        words: &Vocabulary,
    ) -> (NotesRow, Vec<RecordedDecision>, Vec<TdocBlockRow>) {
        let file = format!("Final_Report_{}.docx", self.id);
        let decisions = (0..DECISIONS).map(|at| self.make_decision(words, &file, at));
        let decisions: Vec<RecordedDecision> = decisions.collect();
        let blocks = (0..DECISIONS * PARAGRAPHS_PER_DECISION).map(|at| {
            let decided = at.is_multiple_of(PARAGRAPHS_PER_DECISION);
            let mut text = String::new();
            if decided {
                text.clone_from(&decisions[(at / PARAGRAPHS_PER_DECISION) as usize].quote);
            } else {
                let mut random = Random(mix(&[12, self.index, u64::from(at)]));
                words.write_sentences(&mut text, &mut random, 40, &[]);
            }
            make_block(format!("{file}#p{}", at + 1), text)
        });
        let blocks = blocks.collect();
        let notes = NotesRow {
            meeting: self.id.clone(),
            key: "report".to_owned(),
            kind: NotesKind::MeetingReport,
            title: format!("Final report of {}", self.id),
            file,
            tdoc: None,
            version: None,
            rank: 1,
            is_final: true,
            hash: *blake3::hash(self.id.to_string().as_bytes()).as_bytes(),
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            faults: Vec::new(),
            decisions: DECISIONS,
        };
        (notes, decisions, blocks)
    }

    fn make_decision(&self, words: &Vocabulary, file: &str, at: u32) -> RecordedDecision {
        let mut random = Random(mix(&[13, self.index, u64::from(at)]));
        let (kind, marker) = MARKERS[random.below(4) as usize];
        let mut quote = String::new();
        let count = 15 + random.below(40) as usize;
        words.write_sentences(&mut quote, &mut random, count, &[]);
        let item = Self::agenda_item(&mut random);
        let document = self.tdoc(random.below(self.rows));
        RecordedDecision {
            kind,
            outcome: None,
            marker: marker.to_owned(),
            quote,
            is_cut: false,
            anchor: format!("{file}#p{}", at * PARAGRAPHS_PER_DECISION + 1),
            last_anchor: format!("{file}#p{}", at * PARAGRAPHS_PER_DECISION + 1),
            page: Some(1 + at / 4),
            agenda_item: Some(format!("{}.{}", 1 + item / 8, 1 + item % 8)),
            heading: Some(words.write_title(&mut Random(mix(&[10, item])))),
            recorded_under: Some(document.clone()),
            references: vec![document],
            session: None,
            part_of: None,
        }
    }

    /// The text of a document of it, as a fetched file gives it.
    pub(crate) fn make_text(&self, words: &Vocabulary, row: u64) -> NewTdocText {
        let id = self.tdoc(row);
        let file = format!("{id}.docx");
        let mut random = Random(mix(&[14, self.index, row]));
        let mut text = TdocTextRow::default();
        let mut ends = TdocTextEnds::default();
        for at in 0..12 {
            let mut passage = String::new();
            words.write_sentences(&mut passage, &mut random, 100, &[]);
            let anchor = format!("{file}#p{}", at + 1);
            let labels = vec![format!("Proposal {}", at + 1)];
            let is_unit = at % 4 == 3;
            if is_unit {
                text.units.push(TdocUnitRow {
                    kind: UnitType::Proposal,
                    label: labels[0].clone(),
                    quote: passage.clone(),
                    anchor: anchor.clone(),
                    page: Some(1),
                    repeated_at: Vec::new(),
                });
                ends.units.push(anchor.clone());
            }
            text.blocks.push(make_block(anchor.clone(), passage.clone()));
            text.passages.push(TdocPassageRow {
                header: format!("Discussion of {}", words.draw_name(&mut random)),
                text: passage,
                labels: if is_unit { labels } else { Vec::new() },
                anchor: anchor.clone(),
                page: Some(1),
            });
            ends.passages.push(anchor);
        }
        let kind = |passage: &TdocPassageRow| {
            if passage.labels.is_empty() { UnitType::Body } else { UnitType::Proposal }
        };
        let row = TdocContentRow {
            status: ContentStatus::Complete,
            extractor: "docx".to_owned(),
            revision: ingest::CONTRIBUTION_REVISION,
            faults: Vec::new(),
            origin: format!("https://example.org/ftp/{}/Docs/{id}.zip", self.id),
            inbox: Vec::new(),
            hash: *blake3::hash(file.as_bytes()).as_bytes(),
            file,
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            units: text.units.len() as u32,
            wants_converter: false,
            passages: text.passages.iter().map(|passage| (0, kind(passage))).collect(),
            embedded: true,
            batch: 0,
            id,
        };
        NewTdocText { row, text, ends, revised: Vec::new(), vectors: Vec::new() }
    }
}

fn make_block(anchor: String, text: String) -> TdocBlockRow {
    TdocBlockRow { anchor, page: Some(1), heading: None, text, changed: false }
}
