//! What registers and calendars say of a meeting and its documents, in a pack.

use std::collections::{BTreeMap, BTreeSet};

use redb::{ReadableTable, WriteTransaction};
use register::ChangeRequestPackEntry;
use serde::{Deserialize, Serialize};

use super::{PACKED_VERSION, decode_packed, encode_packed};
use crate::{
    JournalEntry, MeetingRow, RegisterPosition, Snapshot, StoreError, TdocRow, Writer,
    journal::write_entry,
    tables::{
        codec::{Packed, StoredRow},
        definitions::{MEETINGS, TDOC_PACKS, TDOC_POSITIONS, TDOCS, TDOCS_UNLISTED},
    },
    tdocs::{bump_generation, inherit_missing_fields, is_fuller, is_guest_listing},
};
use domain::TdocId;

const WHAT: &str = "meeting";
/// The title of the pack of change requests that no register here lists.
const NO_MEETING: &str = "change requests";

/// A meeting with its documents in a pack.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PackedMeeting {
    /// What is said of it as a whole, without the date of the import. `None` in the pack of what TSGs say of change
    /// requests that no register here lists.
    row: Option<MeetingRow>,
    tdocs: Vec<PackedTdocRow>,
    /// What registers of TSGs say of change requests.
    change_requests: Vec<(TdocId, ChangeRequestPackEntry)>,
}

/// What registers say of a meeting document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PackedTdocRow {
    id: TdocId,
    row: TdocRow,
    position: Option<RegisterPosition>,
    is_unlisted: bool,
}

impl PackedMeeting {
    /// The content of a pack.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(PACKED_VERSION, self)
    }

    /// Reads the content of a pack.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        decode_packed(PACKED_VERSION, bytes, WHAT)
    }

    /// The id of the meeting.
    pub fn title(&self) -> String {
        self.row.as_ref().map_or(NO_MEETING.to_owned(), |row| row.id.to_string())
    }

    /// Number of its documents.
    pub fn tdoc_count(&self) -> usize {
        self.tdocs.len()
    }
}

/// A meeting that goes into a pack, with the numbers of its documents.
#[derive(Debug, Clone, Default)]
pub struct MeetingToPack {
    /// Empty for what TSGs say of change requests that no register here lists.
    id: String,
    tdocs: Vec<TdocId>,
    change_requests: Vec<TdocId>,
}

impl MeetingToPack {
    /// The id of the meeting.
    pub fn title(&self) -> &str {
        if self.id.is_empty() { NO_MEETING } else { &self.id }
    }
}

impl Snapshot {
    /// The meetings that go into packs, in the order of their ids as text. [`Self::pack_meeting`] reads each: never are
    /// the rows of all in memory.
    pub fn meetings_to_pack(&self) -> Result<Vec<MeetingToPack>, StoreError> {
        let mut meetings: BTreeMap<String, MeetingToPack> = BTreeMap::new();
        for row in self.metadata.open_table(MEETINGS)?.iter()? {
            meetings.entry(row?.0.value().to_owned()).or_default();
        }
        let tdocs = self.metadata.open_table(TDOCS)?;
        let meeting_of = |row: &StoredRow<'_, Packed<TdocRow>>| -> Result<String, StoreError> {
            let row = row.decode("TDoc")?;
            Ok(row.meeting.to_string())
        };
        for value in tdocs.iter()? {
            let (id, row) = value?;
            let meeting = meetings.entry(meeting_of(&row.value())?).or_default();
            meeting.tdocs.push(parse_id(id.value())?);
        }
        for value in self.metadata.open_table(TDOC_PACKS)?.iter()? {
            let (id, _) = value?;
            let row = tdocs.get(id.value())?;
            let meeting = row.map(|row| meeting_of(&row.value())).transpose()?.unwrap_or_default();
            meetings.entry(meeting).or_default().change_requests.push(parse_id(id.value())?);
        }
        Ok(meetings.into_iter().map(|(id, meeting)| MeetingToPack { id, ..meeting }).collect())
    }

    /// A meeting as it goes into a pack.
    pub fn pack_meeting(&self, listed: &MeetingToPack) -> Result<PackedMeeting, StoreError> {
        let row = self.metadata.open_table(MEETINGS)?.get(listed.id.as_str())?;
        let row = row.map(|row| row.value().decode("meeting")).transpose()?;
        let mut packed = PackedMeeting { row: row.map(without_date), ..PackedMeeting::default() };
        let rows = self.metadata.open_table(TDOCS)?;
        let positions = self.metadata.open_table(TDOC_POSITIONS)?;
        let unlisted = self.metadata.open_table(TDOCS_UNLISTED)?;
        for id in &listed.tdocs {
            let Some(row) = rows.get(id.as_str())? else { continue };
            let position = positions.get(id.as_str())?;
            let position = position.map(|value| value.value().decode("row of a register"));
            packed.tdocs.push(PackedTdocRow {
                id: id.clone(),
                row: row.value().decode("TDoc")?,
                position: position.transpose()?,
                is_unlisted: unlisted.get(id.as_str())?.is_some(),
            });
        }
        let change_requests = self.metadata.open_table(TDOC_PACKS)?;
        for id in &listed.change_requests {
            let Some(entry) = change_requests.get(id.as_str())? else { continue };
            packed.change_requests.push((id.clone(), entry.value().decode("CR pack")?));
        }
        Ok(packed)
    }
}

/// When registers were imported is not a property of the meeting, so the date would make a new pack of an unchanged
/// one.
fn without_date(mut row: MeetingRow) -> MeetingRow {
    if let Some(register) = &mut row.register {
        register.imported_at.clear();
    }
    row
}

fn parse_id(text: &str) -> Result<TdocId, StoreError> {
    text.parse().map_err(|_| StoreError::Decode { what: "TDoc number" })
}

impl Writer<'_> {
    /// Stores a meeting from a pack, by the rules for imported registers: a row replaces what was known, except
    /// columns that it leaves out, and what the pack does not mention stays. Returns whether that changed anything.
    pub fn store_packed_meeting(
        &mut self,
        packed: &PackedMeeting,
        imported_at: String,
    ) -> Result<bool, StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let (mut is_changed, changed) = insert_tdoc_rows(&txn, packed)?;
            if let Some(row) = &packed.row {
                let mut row = row.clone();
                if let Some(register) = &mut row.register {
                    register.imported_at = imported_at;
                }
                is_changed |= merge_meeting_row(&txn, row)?;
            }
            if !is_changed {
                return Ok(false);
            }
            if !changed.is_empty() {
                write_entry(&txn, &JournalEntry::Tdocs { ids: changed })?;
            }
            bump_generation(&txn)?;
            writer.commit_metadata(txn)?;
            Ok(true)
        })
    }
}

/// Writes what is said of a meeting; returns whether that changed anything. What the row leaves out stays, and so
/// does a register that lists much more.
fn merge_meeting_row(txn: &WriteTransaction, row: MeetingRow) -> Result<bool, StoreError> {
    let mut table = txn.open_table(MEETINGS)?;
    let key = row.id.to_string();
    let known = table.get(key.as_str())?.map(|value| value.value().decode("meeting"));
    let known: Option<MeetingRow> = known.transpose()?;
    let mut merged = row;
    if let Some(known) = &known {
        merged.calendar = merged.calendar.or_else(|| known.calendar.clone());
        merged.register = match (merged.register, &known.register) {
            (Some(new), Some(known)) if is_fuller(known, &new) => Some(known.clone()),
            (Some(new), _) => Some(new),
            (None, known) => known.clone(),
        };
        if without_date(known.clone()) == without_date(merged.clone()) {
            return Ok(false);
        }
    }
    table.insert(key.as_str(), Packed::of(&merged))?;
    Ok(true)
}

/// Writes the rows of documents. Returns whether anything changed, and the documents whose rows changed.
fn insert_tdoc_rows(
    txn: &WriteTransaction,
    packed: &PackedMeeting,
) -> Result<(bool, Vec<TdocId>), StoreError> {
    let mut changed = BTreeSet::new();
    let mut is_changed = false;
    let mut rows = txn.open_table(TDOCS)?;
    let mut positions = txn.open_table(TDOC_POSITIONS)?;
    let mut unlisted = txn.open_table(TDOCS_UNLISTED)?;
    for PackedTdocRow { id, row, position, is_unlisted } in &packed.tdocs {
        let known = rows.get(id.as_str())?.map(|value| value.value().decode("TDoc"));
        let known: Option<TdocRow> = known.transpose()?;
        let was_unlisted = unlisted.get(id.as_str())?.is_some();
        let mut row = row.clone();
        if let Some(known) = &known {
            // The register of the document's own meeting says more than its file, and than registers of other groups.
            if *is_unlisted && !was_unlisted || is_guest_listing(id, known, &row) {
                continue;
            }
            inherit_missing_fields(&mut row.entry, &known.entry);
        }
        if known.as_ref() != Some(&row) {
            rows.insert(id.as_str(), Packed::of(&row))?;
            changed.insert(id.clone());
        }
        if let Some(position) = position {
            let position = Packed::of(position);
            let before = positions.insert(id.as_str(), &position)?;
            is_changed |= before.is_none_or(|before| before.value() != position);
        }
        if *is_unlisted != was_unlisted || known.is_none() {
            is_changed = true;
            if *is_unlisted {
                unlisted.insert(id.as_str(), ())?
            } else {
                unlisted.remove(id.as_str())?
            };
        }
    }
    let mut change_requests = txn.open_table(TDOC_PACKS)?;
    for (id, entry) in &packed.change_requests {
        let entry = Packed::of(entry);
        let known = change_requests.insert(id.as_str(), &entry)?;
        if known.is_none_or(|known| known.value() != entry) {
            changed.insert(id.clone());
        }
    }
    Ok((is_changed || !changed.is_empty(), changed.into_iter().collect()))
}
