//! What is in a made-up data folder, so that requests ask for what is there, each call for something else.

use document_model::Block;

use crate::{
    meetings::Meeting,
    random::Random,
    settings::ScaleSettings,
    special_sections::{is_protocol, message_name},
    specification::{Specification, VERSIONS, mix},
    words::Vocabulary,
};

/// Specifications that requests ask for.
const SPECIFICATIONS: u64 = 48;

/// Documents, meetings and words to ask for; `call` numbers the calls of a case.
pub(crate) struct RequestFacts {
    words: Vocabulary,
    specifications: Vec<Specification>,
    meetings: Vec<Meeting>,
    rows: Vec<u64>,
}

impl RequestFacts {
    pub(crate) fn new(settings: &ScaleSettings) -> Self {
        let words = Vocabulary::new();
        // All versions of these are there.
        let whole = settings.versions / VERSIONS.len() as u64;
        let step = (whole / SPECIFICATIONS).max(1);
        let indexes = (0..whole).step_by(step as usize).take(SPECIFICATIONS as usize);
        let specifications = indexes.map(|index| Specification::new(&words, index)).collect();
        let rows: Vec<u64> =
            (0..settings.meetings).map(|meeting| settings.rows_of_meeting(meeting)).collect();
        let meetings = (0u64..).zip(&rows).map(|(index, rows)| Meeting::new(index, *rows, whole));
        Self { meetings: meetings.collect(), words, specifications, rows }
    }

    fn specification(&self, call: usize) -> &Specification {
        &self.specifications[call * 7 % self.specifications.len()]
    }

    fn protocol(&self, call: usize) -> &Specification {
        let protocols: Vec<&Specification> =
            self.specifications.iter().filter(|spec| is_protocol(spec.index)).collect();
        protocols[call % protocols.len()]
    }

    /// The number of a document.
    pub(crate) fn document(&self, call: usize) -> &str {
        self.specification(call).number.as_str()
    }

    /// The number of a protocol's document.
    pub(crate) fn protocol_document(&self, call: usize) -> &str {
        self.protocol(call).number.as_str()
    }

    /// A message of that protocol.
    pub(crate) fn message(&self, call: usize) -> String {
        message_name(self.protocol(call), &self.words, 1 + call % 20)
    }

    /// A number and title of a clause of the document of the same call.
    pub(crate) fn clause(&self, call: usize) -> (&str, &str) {
        let clauses = &self.specification(call).clauses;
        let clause = &clauses[6 + call * 31 % (clauses.len() - 8)];
        (&clause.number, &clause.title)
    }

    /// A clause that other documents cite, and its document: those with low numbers are cited most.
    pub(crate) fn cited_clause(&self, call: usize) -> (&str, &str) {
        let spec = &self.specifications[0];
        let is_cited = |number: &str| {
            let (first, second) = number.split_once('.').unwrap_or((number, ""));
            ["4", "5", "6"].contains(&first) && ["1", "2", "3", "4"].contains(&second)
        };
        let cited: Vec<&str> =
            spec.clauses.iter().map(|c| c.number.as_str()).filter(|n| is_cited(n)).collect();
        (spec.number.as_str(), cited[call % cited.len()])
    }

    /// An abbreviation that a document defines.
    pub(crate) fn abbreviation(&self, call: usize) -> String {
        let document = self.specification(call).make_document(&self.words, 5);
        let clause = document.sections.iter().find(|section| section.number == "3.2");
        let texts = clause.into_iter().flat_map(|section| section.blocks.iter());
        let lines: Vec<String> = texts.filter_map(paragraph_text).collect();
        let line = &lines[call % lines.len()];
        line.split('\t').next().unwrap_or_default().to_owned()
    }

    /// A word that titles have.
    pub(crate) fn title_word(&self, call: usize) -> &str {
        self.words.title_word(call as u64 * 37)
    }

    /// A version.
    pub(crate) fn version(&self, call: usize) -> &'static str {
        VERSIONS[call % VERSIONS.len()]
    }

    /// A question of words as frequent as those of texts.
    pub(crate) fn question(&self, call: usize) -> String {
        let mut random = Random(mix(&[20, call as u64]));
        let (_, title) = self.clause(call);
        let word = self.words.draw_word(&mut random).to_owned();
        format!("when does the {word} start {}", title.to_lowercase())
    }

    /// A name that texts of one document have often.
    pub(crate) fn name(&self, call: usize) -> &str {
        self.words.name(self.specification(call).names[call % 100])
    }

    /// Some words of a block of a document, word by word.
    pub(crate) fn quote(&self, call: usize) -> String {
        let document = self.specification(call).make_document(&self.words, 5);
        let texts = document.sections.iter().flat_map(|section| &section.blocks);
        let texts = texts.filter_map(paragraph_text).filter(|text| text.len() > 200);
        let texts: Vec<String> = texts.collect();
        let text = &texts[call * 13 % texts.len()];
        text.split(' ').skip(2).take(16).collect::<Vec<_>>().join(" ")
    }

    /// The id of a meeting.
    pub(crate) fn meeting(&self, call: usize) -> String {
        self.meetings[call % self.meetings.len()].id.to_string()
    }

    /// The number of a document of a meeting.
    pub(crate) fn tdoc(&self, call: usize) -> String {
        let meeting = call % self.meetings.len();
        self.meetings[meeting].tdoc(call as u64 * 977 % self.rows[meeting]).to_string()
    }
}

fn paragraph_text(block: &Block) -> Option<String> {
    match block {
        Block::Paragraph(paragraph) => Some(paragraph.text.as_str().to_owned()),
        _ => None,
    }
}
