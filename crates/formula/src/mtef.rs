//! Equation objects of Equation Editor 3 and MathType: a compound file with a stream in MTEF. Equation Editor writes
//! version 3, MathType 4 and later write version 5.
//!
//! A stream is a list of records: lines (slots) of characters and templates, in which lines are nested. The layout of
//! records and the numbers of templates follow the descriptions of MTEF 3 and 5 by the makers of MathType.

mod characters;
mod records;
pub(crate) mod row;
mod templates;

use std::io::{Cursor, Read};

use super::Formula;

/// The stream of a compound file that contains an equation.
pub const STREAM: &str = "Equation Native";
/// Bytes before the MTEF data of that stream; its first two bytes contain this number, which identifies the stream.
const STREAM_HEADER_BYTES: usize = 28;
/// A longer stream is not an equation. The tree that is read from it takes many times its bytes.
const MAX_STREAM_BYTES: u64 = 1 << 20;

/// Why an equation object cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MtefError {
    /// It is not a compound file with an equation.
    #[error("the object contains no equation")]
    NoEquation,
    /// Another version of the format.
    #[error("equation format version {0} is not supported")]
    Version(u8),
    /// The data end within a record.
    #[error("the equation ends within a record")]
    Truncated,
    /// This many bytes follow the end of the equation: a record was misread.
    #[error("{0} bytes follow the end of the equation")]
    Unread(usize),
    /// A record, a template or a character that is not known.
    #[error("unknown {what} {code:#x} in an equation")]
    Unknown {
        /// `record`, `template`, `character` or `embellishment`.
        what: &'static str,
        /// Its code.
        code: u32,
    },
    /// Lines are nested too deeply.
    #[error("an equation is nested too deeply")]
    TooDeep,
}

/// Reads the formula of an embedded object: the bytes of a compound file.
///
/// # Errors
/// [`MtefError`] if the object contains no equation, or one that cannot be read as a whole.
pub fn read_object(object: &[u8]) -> Result<Formula, MtefError> {
    let mut file =
        cfb::CompoundFile::open(Cursor::new(object)).map_err(|_| MtefError::NoEquation)?;
    let stream = file.open_stream(STREAM).map_err(|_| MtefError::NoEquation)?;
    let mut bytes = Vec::new();
    stream.take(MAX_STREAM_BYTES).read_to_end(&mut bytes).map_err(|_| MtefError::Truncated)?;
    read_stream(&bytes)
}

/// Reads the formula of the stream [`STREAM`] of an object.
///
/// # Errors
/// [`MtefError`] if the stream contains no equation, or one that cannot be read as a whole.
pub fn read_stream(bytes: &[u8]) -> Result<Formula, MtefError> {
    let header = bytes.first_chunk::<2>().map(|bytes| usize::from(u16::from_le_bytes(*bytes)));
    if header != Some(STREAM_HEADER_BYTES) || bytes.len() as u64 > MAX_STREAM_BYTES {
        return Err(MtefError::NoEquation);
    }
    read_mtef(bytes.get(STREAM_HEADER_BYTES..).unwrap_or_default())
}

/// Reads MTEF data, version 3 or 5.
///
/// # Errors
/// [`MtefError`] if they cannot be read as a whole.
pub fn read_mtef(bytes: &[u8]) -> Result<Formula, MtefError> {
    records::read_equation(bytes)
}

#[cfg(test)]
mod tests;
