//! One pack as bytes: a header, a table of parts, the content. `docs/pack-format.md` describes it byte by byte.
//!
//! Pictures are separate objects, named by their hashes in the table, because versions of a document share most of
//! them. The name of a pack is the hash of its content, not of its compressed bytes: programs with different
//! compressors give one content the same name.

use crate::{ObjectHash, PackError, StoredObject, bytes::ByteReader};

const MAGIC: &[u8; 8] = b"SPECPACK";
const FORMAT: u16 = 1;
const WHAT: &str = "pack";
/// Bytes of a row in the table of parts.
const ROW_BYTES: usize = 1 + 1 + 8 + 8 + 32;
/// Parts of one pack, at most: TS 38.331 has some 700.
const MAX_PARTS: u32 = 1 << 20;
/// Bytes of one part once it is decompressed, at most: only a picture may be larger than a content.
const MAX_PART_BYTES: u64 = 1 << 30;
/// Bytes of all parts once they are decompressed, at most. A pack is read into memory whole, and a small file can
/// decompress to very much.
const MAX_PACK_BYTES: u64 = 2 << 30;
/// Bytes of the content, at most: that of TS 38.331 has 12 MB.
const MAX_CONTENT_BYTES: u64 = 256 << 20;
/// Level of compression: importing is slower than decompressing at any level, so a smaller file is worth more than a
/// fast one.
const ZSTD_LEVEL: i32 = 9;

/// What a pack contains.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum PackKind {
    /// A version of a specification or report.
    Document,
    /// A meeting document (TDoc) that was read.
    Tdoc,
    /// What registers and calendars say of a meeting.
    Meeting,
    /// Notes or a report of a meeting, with its decisions.
    Notes,
}

/// What a part of a pack is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartRole {
    /// Everything but pictures, in the encoding of the store.
    Content,
    /// A picture, as PNG.
    Picture,
    /// The drawing of the picture before it, as SVG compressed with gzip.
    Drawing,
}

/// How a part is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartCoding {
    Plain,
    Zstd,
    /// In a file of its own, as it is.
    Object,
}

/// A part in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackPart {
    /// What it is.
    pub role: PartRole,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A whole pack in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFile {
    /// What it holds.
    pub kind: PackKind,
    /// Its parts, the content first.
    pub parts: Vec<PackPart>,
}

/// Reads a part that is an object of its own.
pub type ReadPicture<'a> = dyn FnMut(PartRole, &StoredObject) -> Result<Vec<u8>, PackError> + 'a;

/// A row in the table of parts.
struct PartRow {
    role: PartRole,
    coding: PartCoding,
    raw_bytes: u64,
    stored_bytes: u64,
    hash: [u8; 32],
}

impl PackFile {
    /// The name of the pack.
    pub fn name(&self) -> ObjectHash {
        let rows = self.parts.iter().map(|part| {
            (part.role, part.bytes.len() as u64, *blake3::hash(&part.bytes).as_bytes())
        });
        name_parts(self.kind, rows)
    }

    /// The pack as it is stored in a file, without its pictures.
    pub fn encode(&self) -> Result<Vec<u8>, PackError> {
        let count = u32::try_from(self.parts.len()).ok().filter(|count| *count <= MAX_PARTS);
        let count = count.ok_or(PackError::Invalid { what: "number of parts" })?;
        let total: u64 = self.parts.iter().map(|part| part.bytes.len() as u64).sum();
        if total > MAX_PACK_BYTES {
            return Err(PackError::TooLarge { what: WHAT, limit: MAX_PACK_BYTES });
        }
        let mut file = Vec::new();
        file.extend(MAGIC);
        file.extend(FORMAT.to_le_bytes());
        file.push(self.kind.to_code());
        file.push(0);
        file.extend(count.to_le_bytes());
        let mut stored_parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (coding, stored) = part.compress()?;
            file.push(part.role.to_code());
            file.push(coding.to_code());
            file.extend((part.bytes.len() as u64).to_le_bytes());
            file.extend((stored.len() as u64).to_le_bytes());
            file.extend(blake3::hash(&part.bytes).as_bytes());
            stored_parts.push(stored);
        }
        let checksum = blake3::hash(&file);
        file.extend(checksum.as_bytes());
        for stored in stored_parts {
            file.extend(stored);
        }
        Ok(file)
    }

    /// Reads a pack whole and checks every byte of it. `read_picture` gets the parts that are objects of their own.
    pub fn decode(file: &[u8], read_picture: &mut ReadPicture<'_>) -> Result<Self, PackError> {
        let mut reader = ByteReader::new(file, WHAT);
        let (kind, rows) = read_table(file, &mut reader)?;
        let mut parts = Vec::with_capacity(rows.len());
        for row in &rows {
            parts.push(row.read_part(&mut reader, read_picture)?);
        }
        match reader.remaining() {
            0 => Ok(Self { kind, parts }),
            _ => Err(PackError::Length { what: WHAT }),
        }
    }

    /// Checks a pack file without its pictures: its table, its content, its name.
    pub fn check_content(file: &[u8], name: &ObjectHash) -> Result<(), PackError> {
        let mut reader = ByteReader::new(file, WHAT);
        let (kind, rows) = read_table(file, &mut reader)?;
        for row in rows.iter().filter(|row| row.coding != PartCoding::Object) {
            row.read_part(&mut reader, &mut |_, _| Ok(Vec::new()))?;
        }
        let named = name_parts(kind, rows.iter().map(|row| (row.role, row.raw_bytes, row.hash)));
        match (named == *name, reader.remaining()) {
            (true, 0) => Ok(()),
            _ => Err(PackError::Checksum { what: WHAT }),
        }
    }

    /// The pictures and drawings that a pack file names.
    pub fn pictures_in(file: &[u8]) -> Result<Vec<(PartRole, StoredObject)>, PackError> {
        let (_, rows) = read_table(file, &mut ByteReader::new(file, WHAT))?;
        let pictures = rows.iter().filter(|row| row.coding == PartCoding::Object);
        Ok(pictures.map(|row| (row.role, row.object())).collect())
    }

    /// Its pictures and drawings, each with its name.
    pub fn pictures(&self) -> impl Iterator<Item = (PartRole, ObjectHash, &[u8])> {
        let pictures = self.parts.iter().filter(|part| part.role != PartRole::Content);
        pictures.map(|part| (part.role, ObjectHash::of(&part.bytes), part.bytes.as_slice()))
    }
}

/// Reads the head of a pack file up to its first part.
fn read_table(
    file: &[u8],
    reader: &mut ByteReader<'_>,
) -> Result<(PackKind, Vec<PartRow>), PackError> {
    if reader.take(MAGIC.len()).ok() != Some(MAGIC) {
        return Err(PackError::Foreign { what: WHAT });
    }
    let format = reader.u16()?;
    if format != FORMAT {
        let (found, known) = (format.into(), FORMAT.into());
        return Err(PackError::Format { what: WHAT, found, known });
    }
    let kind = PackKind::from_code(reader.u8()?)?;
    if reader.u8()? != 0 {
        return Err(PackError::Invalid { what: "header of a pack" });
    }
    let count = reader.u32()?;
    // The count is not checked yet, so it must not reserve more rows than the file has bytes for.
    if count > MAX_PARTS || reader.remaining() / ROW_BYTES < count as usize {
        return Err(PackError::Length { what: WHAT });
    }
    let rows = (0..count).map(|_| PartRow::read(reader));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let head = &file[..file.len() - reader.remaining()];
    if reader.array::<32>()? != *blake3::hash(head).as_bytes() {
        return Err(PackError::Checksum { what: "table of a pack" });
    }
    let total = rows.iter().fold(0u64, |sum, row| sum.saturating_add(row.raw_bytes));
    if total > MAX_PACK_BYTES {
        Err(PackError::TooLarge { what: WHAT, limit: MAX_PACK_BYTES })
    } else {
        Ok((kind, rows))
    }
}

/// The hash of kind, roles, lengths and hashes of the parts.
fn name_parts(kind: PackKind, rows: impl Iterator<Item = (PartRole, u64, [u8; 32])>) -> ObjectHash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(MAGIC).update(&FORMAT.to_le_bytes()).update(&[kind.to_code()]);
    for (role, raw_bytes, hash) in rows {
        hasher.update(&[role.to_code()]).update(&raw_bytes.to_le_bytes()).update(&hash);
    }
    ObjectHash::from_hasher(&hasher)
}

impl PackPart {
    /// The bytes of the part that are in the pack file.
    fn compress(&self) -> Result<(PartCoding, Vec<u8>), PackError> {
        let limit = self.role.max_bytes();
        if self.bytes.len() as u64 > limit {
            return Err(PackError::TooLarge { what: "part of a pack", limit });
        }
        if self.role != PartRole::Content {
            return Ok((PartCoding::Object, Vec::new()));
        }
        let frame = zstd::bulk::compress(&self.bytes, ZSTD_LEVEL)
            .map_err(|_| PackError::Invalid { what: "part of a pack" })?;
        Ok((PartCoding::Zstd, frame))
    }
}

impl PartRow {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self, PackError> {
        let (role, coding) = (PartRole::from_code(reader.u8()?)?, reader.u8()?);
        let coding = PartCoding::from_code(coding)?;
        let (raw_bytes, stored_bytes) = (reader.u64()?, reader.u64()?);
        let limit = role.max_bytes();
        if raw_bytes > limit || stored_bytes > MAX_PART_BYTES {
            return Err(PackError::TooLarge { what: "part of a pack", limit });
        }
        let is_object = coding == PartCoding::Object;
        if is_object == (role == PartRole::Content) || is_object && stored_bytes != 0 {
            return Err(PackError::Invalid { what: "part encoding" });
        }
        Ok(Self { role, coding, raw_bytes, stored_bytes, hash: reader.array()? })
    }

    fn object(&self) -> StoredObject {
        StoredObject { hash: ObjectHash::from_bytes(self.hash), bytes: self.raw_bytes }
    }

    fn read_part(
        &self,
        reader: &mut ByteReader<'_>,
        read_picture: &mut ReadPicture<'_>,
    ) -> Result<PackPart, PackError> {
        let stored = reader.take(self.stored_bytes as usize)?;
        let damaged = || PackError::Checksum { what: "part of a pack" };
        let bytes = match self.coding {
            PartCoding::Plain => stored.to_vec(),
            PartCoding::Zstd => decompress_frame(stored, self.raw_bytes).ok_or_else(damaged)?,
            PartCoding::Object => read_picture(self.role, &self.object())?,
        };
        let is_whole =
            bytes.len() as u64 == self.raw_bytes && *blake3::hash(&bytes).as_bytes() == self.hash;
        if is_whole { Ok(PackPart { role: self.role, bytes }) } else { Err(damaged()) }
    }
}

/// Decompresses a frame of a known length. Memory grows with the output: a forged length alone reserves none.
fn decompress_frame(frame: &[u8], raw_bytes: u64) -> Option<Vec<u8>> {
    use std::io::Read;
    let decoder = zstd::stream::read::Decoder::with_buffer(frame).ok()?;
    let mut bytes = Vec::new();
    decoder.take(raw_bytes.checked_add(1)?).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl PackKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Document, Self::Tdoc, Self::Meeting, Self::Notes];

    fn to_code(self) -> u8 {
        match self {
            Self::Document => 1,
            Self::Tdoc => 2,
            Self::Meeting => 3,
            Self::Notes => 4,
        }
    }

    fn from_code(code: u8) -> Result<Self, PackError> {
        let kind = Self::ALL.into_iter().find(|kind| kind.to_code() == code);
        kind.ok_or(PackError::Invalid { what: "pack kind" })
    }
}

impl PartRole {
    fn max_bytes(self) -> u64 {
        match self {
            Self::Content => MAX_CONTENT_BYTES,
            Self::Picture | Self::Drawing => MAX_PART_BYTES,
        }
    }

    fn to_code(self) -> u8 {
        match self {
            Self::Content => 1,
            Self::Picture => 2,
            Self::Drawing => 3,
        }
    }

    fn from_code(code: u8) -> Result<Self, PackError> {
        let role = [Self::Content, Self::Picture, Self::Drawing].into_iter();
        let role = role.into_iter().find(|role| role.to_code() == code);
        role.ok_or(PackError::Invalid { what: "part role" })
    }
}

impl PartCoding {
    fn to_code(self) -> u8 {
        match self {
            Self::Plain => 0,
            Self::Zstd => 1,
            Self::Object => 2,
        }
    }

    fn from_code(code: u8) -> Result<Self, PackError> {
        match code {
            0 => Ok(Self::Plain),
            1 => Ok(Self::Zstd),
            2 => Ok(Self::Object),
            _ => Err(PackError::Invalid { what: "part encoding" }),
        }
    }
}

#[cfg(test)]
mod tests;
