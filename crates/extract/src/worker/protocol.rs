//! Frames between parent and child: a length of four bytes, little-endian, and postcard.

use std::{
    io::{self, Read, Write},
    path::PathBuf,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use definitions::DocumentDefinitions;
use domain::DocNumber;
use register::{ListedSpecification, Register};

use super::config::TokenCounting;
use crate::{
    contribution::Contribution,
    extraction::{ExtractOptions, Extraction},
};
use document::{ExtractError, Limits, Section};

/// The first frame of a child; its number changes with the format of the frames, so that a program of another version
/// is rejected instead of misread.
pub(super) const GREETING: &str = "specbox worker 14";
/// The second frame of a child, once it has read the setup and entered its sandbox: what fails before that has nothing to do with
/// a file.
pub(super) const READY: &str = "ready";
/// Maximum size of a greeting, which comes from an untrusted child, and of frames in fuzz targets.
pub(super) const MAX_REQUEST_BYTES: u64 = 4 * 1024 * 1024;
/// Maximum size of a setup. It contains the vocabulary of a model, of which the largest known has 17 MB.
pub(super) const MAX_SETUP_BYTES: u64 = 64 * 1024 * 1024;

/// The message that the parent sends once, before the first request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct WorkerSetup {
    pub(super) limits: Limits,
    pub(super) options: ExtractOptions,
    /// Folders and files that may be read; empty for all.
    pub(super) readable: Vec<PathBuf>,
    /// How tokens are counted to cut texts into passages.
    pub(super) passages: Option<TokenCounting>,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum WorkerRequest {
    /// Files of a specification that belong together.
    Documents(Vec<PathBuf>),
    /// A register of meeting documents.
    Register(PathBuf),
    /// The portal's list of specifications.
    SpecificationList(PathBuf),
    /// The file of a meeting document, the document's number, and its title in the register.
    Contribution(PathBuf, String, Option<String>),
    /// Number and sections of a stored version, whose definitions are read again.
    Definitions(DocNumber, Vec<Section>),
}

/// The reply to a request.
pub(super) type WorkerReply<Answer> = Result<Answer, ExtractError>;

/// What a child answers to one kind of request.
pub(super) trait WorkerAnswer: Serialize + DeserializeOwned + Send + 'static {
    /// Whether a converter would read more of the file than the reader.
    fn wants_converter(&self) -> bool {
        false
    }

    /// Notes why the converter was not used, where the answer has room for that.
    fn add_fault(&mut self, _fault: String) {}
}

impl WorkerAnswer for Extraction {
    fn wants_converter(&self) -> bool {
        self.wants_converter
    }

    fn add_fault(&mut self, fault: String) {
        self.warnings.push(fault);
    }
}

impl WorkerAnswer for Contribution {
    fn wants_converter(&self) -> bool {
        self.wants_converter
    }

    fn add_fault(&mut self, fault: String) {
        self.faults.push(fault);
    }
}

impl WorkerAnswer for Register {}
impl WorkerAnswer for Vec<ListedSpecification> {}
impl WorkerAnswer for DocumentDefinitions {}

/// The messages of a child for a request: any number of progress reports, then the announcement of the reply.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum WorkerMessage {
    /// The share of the file that is read, 0 to 1.
    Share(f64),
    /// The next frame is the reply: a `Result` whose type the request decides.
    Reply,
}

/// Writes one frame.
pub(super) fn write_frame<T: Serialize>(target: &mut impl Write, value: &T) -> io::Result<()> {
    let bytes = encode_value(value)?;
    write_bytes(target, &bytes)
}

/// The postcard bytes of a value.
pub(super) fn encode_value<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    postcard::to_stdvec(value).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes bytes as one frame.
pub(super) fn write_bytes(target: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a frame over 4 GiB"))?;
    let mut frame = Vec::with_capacity(bytes.len() + 4);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(bytes);
    target.write_all(&frame)?;
    target.flush()
}

/// Reads one frame of at most `limit` bytes; `None` at the end of the stream.
pub(super) fn read_frame<T: DeserializeOwned>(
    source: &mut impl Read,
    limit: u64,
) -> io::Result<Option<T>> {
    read_bytes(source, limit)?.map(|bytes| decode_value(&bytes)).transpose()
}

/// Reads the bytes of one frame; `None` at the end of the stream.
pub(super) fn read_bytes(source: &mut impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match source.read(&mut length)? {
        0 => return Ok(None),
        read => source.read_exact(&mut length[read..])?,
    }
    let length = u64::from(u32::from_le_bytes(length));
    if length > limit {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame that is too long"));
    }
    // The buffer grows with the bytes that arrive: a child may announce gigabytes and send none.
    let mut bytes = Vec::new();
    source.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(bytes))
}

/// The value of postcard bytes.
pub(super) fn decode_value<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    postcard::from_bytes(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads frames of one kind and checks that each is written as it was read; for fuzz targets.
fn read_frames_of<T: Serialize + DeserializeOwned>(mut bytes: &[u8]) {
    while let Ok(Some(value)) = read_frame::<T>(&mut bytes, MAX_REQUEST_BYTES) {
        let written = encode_value(&value).expect("memory");
        let again: T = postcard::from_bytes(&written).expect("what was written");
        assert_eq!(encode_value(&again).expect("memory"), written);
    }
}

/// Reads bytes as frames of every kind; for fuzz targets.
pub(crate) fn read_all_frames(bytes: &[u8]) {
    read_frames_of::<String>(bytes);
    read_frames_of::<WorkerSetup>(bytes);
    read_frames_of::<WorkerRequest>(bytes);
    read_frames_of::<WorkerMessage>(bytes);
    read_frames_of::<WorkerReply<Extraction>>(bytes);
    read_frames_of::<WorkerReply<Register>>(bytes);
    read_frames_of::<WorkerReply<Vec<ListedSpecification>>>(bytes);
    read_frames_of::<WorkerReply<Contribution>>(bytes);
    read_frames_of::<WorkerReply<DocumentDefinitions>>(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip_and_the_end_of_the_stream_is_none() {
        let request = WorkerRequest::Documents(vec![PathBuf::from("a/38331-i00.zip")]);
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &request).expect("memory");
        let mut source = &bytes[..];
        assert_eq!(read_frame(&mut source, 1_000).expect("valid"), Some(request));
        assert_eq!(read_frame::<WorkerRequest>(&mut source, 1_000).expect("end"), None);
    }

    #[test]
    fn long_truncated_and_invalid_frames_are_errors() {
        for bytes in
            [&[0xff, 0xff, 0xff, 0xff, 1][..], &[9, 0, 0, 0, 1], &[1, 0], &[2, 0, 0, 0, 0xff, 0xff]]
        {
            assert!(read_frame::<WorkerRequest>(&mut &bytes[..], 1_000).is_err(), "{bytes:?}");
        }
    }
}
