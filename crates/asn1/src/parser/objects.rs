//! Information objects and their sets (ITU-T X.681), as the application protocols write them.

use super::{Parser, plain_name};
use crate::{
    notation::{ItemBody, SetEntry, Setting},
    token::TokenKind,
};

/// The words before the settings of all classes of the application protocols. Labels of several words come first, so
/// that `PROCEDURE CODE` is not read as `CODE`.
const LABELS: [&[&str]; 14] = [
    &["INITIATING", "MESSAGE"],
    &["SUCCESSFUL", "OUTCOME"],
    &["UNSUCCESSFUL", "OUTCOME"],
    &["PROCEDURE", "CODE"],
    &["FIRST", "CRITICALITY"],
    &["FIRST", "TYPE"],
    &["SECOND", "CRITICALITY"],
    &["SECOND", "TYPE"],
    &["ID"],
    &["CRITICALITY"],
    &["TYPE"],
    &["EXTENSION"],
    &["PRESENCE"],
    &["CODE"],
];

impl Parser<'_> {
    /// The settings between two tokens.
    pub(super) fn read_settings(&self, start: usize, end: usize) -> Vec<Setting> {
        let label_at = |at: usize| {
            LABELS.iter().find(|label| {
                (0..label.len()).all(|i| at + i < end && self.word_at(at + i) == label[i])
            })
        };
        let mut settings = Vec::new();
        let mut at = start;
        while at < end {
            let Some(label) = label_at(at) else {
                at += 1;
                continue;
            };
            let from = at + label.len();
            // A type may have the name of a label: in `TYPE TYPE` the second word is the value.
            let next = (from + 1..end).find(|at| label_at(*at).is_some()).unwrap_or(end);
            let value = self.text[self.span_of(from..next.max(from))].trim();
            settings.push(Setting { label: label.join(" "), value: plain_name(value) });
            at = next;
        }
        settings
    }

    /// A set of objects: `{ {ID ... } | {ID ...}, ... }`; `None` for a set of values of a type.
    pub(super) fn read_object_set(&mut self, class: String) -> Option<ItemBody> {
        let start = self.at;
        if self.kind() != Some(TokenKind::Sign(b'{')) {
            return None;
        }
        self.skip_brackets()?;
        let end = self.at - 1;
        self.at = start + 1;
        let mut entries = Vec::new();
        let mut is_extension = false;
        while self.at < end {
            let from = self.at;
            match self.kind()? {
                TokenKind::Ellipsis => {
                    is_extension = true;
                    self.at += 1;
                    continue;
                }
                TokenKind::Sign(b'{') => {
                    self.skip_brackets()?;
                    let settings = self.read_settings(from + 1, self.at - 1);
                    let span = self.span_of(from..self.at);
                    entries.push(SetEntry { span, reference: None, settings, is_extension });
                }
                TokenKind::Upper | TokenKind::Lower => {
                    let reference = Some(plain_name(self.word()));
                    self.at += 1;
                    let span = self.span_of(from..self.at);
                    entries.push(SetEntry { span, reference, settings: Vec::new(), is_extension });
                }
                _ => self.at += 1,
            }
        }
        self.at = end + 1;
        Some(ItemBody::ObjectSet { class, entries })
    }
}
