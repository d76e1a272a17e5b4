//! The vectors of one pack by one model, as bytes. `docs/pack-format.md` describes it byte by byte.
//!
//! They are in a separate file, so that the name of a pack does not depend on models: the same text has slightly
//! different vectors on another processor.

use half::f16;

use crate::{ObjectHash, PackError, bytes::ByteReader};

const MAGIC: &[u8; 8] = b"SPECVECS";
const FORMAT: u16 = 1;
const WHAT: &str = "vector file";
const CHECKSUM_BYTES: usize = 32;
/// Components of a vector, at most; the format of the index has the same bound.
const MAX_DIMENSION: u32 = 4096;
/// Bytes of the name of a model, at most.
const MAX_NAME_BYTES: u16 = 256;

/// What the vectors are made of.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum VectorSubject {
    /// Texts: passages, headings, the words of figures.
    Texts,
    /// Pictures.
    Pictures,
    /// Decisions in notes: 8-bit codes in the encoding of the store, in no [`VectorFile`].
    Decisions,
}

/// The model that made vectors.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct VectorModel {
    /// Its name.
    pub name: String,
    /// Hash of name, revision, dimension, pooling and prompts.
    pub identity: ObjectHash,
    /// Components of its vectors.
    pub dimension: u32,
}

/// The hash of a content, and its vectors.
pub type HashedVectors = ([u8; 32], Vec<Vec<f32>>);

/// Vectors in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorFile {
    /// What they are made of.
    pub subject: VectorSubject,
    /// What made them.
    pub model: VectorModel,
    /// For each content its hash and its vectors, one for each window of its text.
    pub contents: Vec<HashedVectors>,
}

impl VectorFile {
    /// The file; its name is the hash of its bytes. Components are stored as 16-bit floating-point numbers, as in the
    /// index.
    pub fn encode(&self) -> Result<Vec<u8>, PackError> {
        let name = self.model.name.as_bytes();
        let name_bytes = u16::try_from(name.len()).ok().filter(|bytes| *bytes <= MAX_NAME_BYTES);
        let name_bytes = name_bytes.ok_or(PackError::Invalid { what: "model name" })?;
        let mut file = Vec::new();
        file.extend(MAGIC);
        file.extend(FORMAT.to_le_bytes());
        file.push(self.subject.to_code());
        file.push(0);
        file.extend(self.model.identity.as_bytes());
        file.extend(self.model.dimension.to_le_bytes());
        file.extend(name_bytes.to_le_bytes());
        file.extend(name);
        file.extend((self.contents.len() as u64).to_le_bytes());
        for (hash, windows) in &self.contents {
            file.extend(hash);
            let count = u32::try_from(windows.len());
            file.extend(count.map_err(|_| PackError::Invalid { what: WHAT })?.to_le_bytes());
            for vector in windows {
                if vector.len() as u64 != u64::from(self.model.dimension) {
                    return Err(PackError::Invalid { what: "vector dimension" });
                }
                vector.iter().for_each(|value| file.extend(f16::from_f32(*value).to_le_bytes()));
            }
        }
        let checksum = blake3::hash(&file);
        file.extend(checksum.as_bytes());
        Ok(file)
    }

    /// Reads a file whole and checks every byte of it.
    pub fn decode(file: &[u8]) -> Result<Self, PackError> {
        if !file.starts_with(MAGIC) {
            return Err(PackError::Foreign { what: WHAT });
        }
        let end = file.len().checked_sub(CHECKSUM_BYTES);
        let (body, checksum) = file.split_at(end.ok_or(PackError::Length { what: WHAT })?);
        if blake3::hash(body).as_bytes().as_slice() != checksum {
            return Err(PackError::Checksum { what: WHAT });
        }
        let mut reader = ByteReader::new(body, WHAT);
        reader.take(MAGIC.len())?;
        let format = reader.u16()?;
        if format != FORMAT {
            let (found, known) = (format.into(), FORMAT.into());
            return Err(PackError::Format { what: WHAT, found, known });
        }
        let subject = VectorSubject::from_code(reader.u8()?)?;
        if reader.u8()? != 0 {
            return Err(PackError::Invalid { what: "header of a vector file" });
        }
        let identity = ObjectHash::from_bytes(reader.array()?);
        let dimension = reader.u32()?;
        if dimension == 0 || dimension > MAX_DIMENSION {
            return Err(PackError::Invalid { what: "vector dimension" });
        }
        let name_bytes = reader.u16()?;
        if name_bytes > MAX_NAME_BYTES {
            return Err(PackError::Invalid { what: "model name" });
        }
        let name = String::from_utf8(reader.take(name_bytes.into())?.to_vec());
        let name = name.map_err(|_| PackError::Invalid { what: "model name" })?;
        let model = VectorModel { name, identity, dimension };
        let contents = read_contents(&mut reader, dimension as usize)?;
        Ok(Self { subject, model, contents })
    }
}

fn read_contents(
    reader: &mut ByteReader<'_>,
    dimension: usize,
) -> Result<Vec<HashedVectors>, PackError> {
    let count = reader.u64()?;
    let mut contents = Vec::new();
    for _ in 0..count {
        let (hash, windows) = (reader.array()?, reader.u32()?);
        if windows == 0 {
            return Err(PackError::Invalid { what: "content without vectors" });
        }
        let mut vectors = Vec::new();
        for _ in 0..windows {
            let (halves, _) = reader.take(dimension * 2)?.as_chunks::<2>();
            let vector: Vec<f32> =
                halves.iter().map(|half| f16::from_le_bytes(*half).to_f32()).collect();
            // A vector without direction is near nothing, and the index rejects it.
            if !vector.iter().all(|value| value.is_finite()) || vector.iter().all(|v| *v == 0.0) {
                return Err(PackError::Invalid { what: "vector component" });
            }
            vectors.push(vector);
        }
        contents.push((hash, vectors));
    }
    match reader.remaining() {
        0 => Ok(contents),
        _ => Err(PackError::Length { what: WHAT }),
    }
}

impl VectorSubject {
    fn to_code(self) -> u8 {
        match self {
            Self::Texts => 1,
            Self::Pictures => 2,
            Self::Decisions => 3,
        }
    }

    fn from_code(code: u8) -> Result<Self, PackError> {
        match code {
            1 => Ok(Self::Texts),
            2 => Ok(Self::Pictures),
            _ => Err(PackError::Invalid { what: "subject of vectors" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> VectorFile {
        let identity = ObjectHash::of(b"model");
        let model = VectorModel { name: "tiny".to_owned(), identity, dimension: 3 };
        let contents =
            vec![([1; 32], vec![vec![0.5, -0.25, 1.0]]), ([2; 32], vec![vec![0.0, 0.0, 1.0]; 2])];
        VectorFile { subject: VectorSubject::Texts, model, contents }
    }

    #[test]
    fn vectors_round_trip_and_every_flipped_bit_is_an_error() {
        let file = sample().encode().expect("small");
        assert_eq!(VectorFile::decode(&file).expect("own bytes"), sample());
        for index in 0..file.len() {
            let mut damaged = file.clone();
            damaged[index] ^= 4;
            assert!(VectorFile::decode(&damaged).is_err(), "byte {index}");
            assert!(VectorFile::decode(&file[..index]).is_err(), "cut at {index}");
        }
    }

    #[test]
    fn counts_from_the_file_reserve_no_memory() {
        let mut body = sample().encode().expect("small");
        body.truncate(body.len() - CHECKSUM_BYTES);
        let count = 8 + 2 + 2 + 32 + 4 + 2 + 4;
        body[count..count + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        let checksum = *blake3::hash(&body).as_bytes();
        body.extend(checksum);
        assert!(matches!(VectorFile::decode(&body), Err(PackError::Length { .. })));
    }

    #[test]
    fn a_vector_of_another_dimension_is_not_written() {
        let mut file = sample();
        file.contents[0].1[0].pop();
        assert!(file.encode().is_err());
    }
}
