//! Why a file could not be read, in one line that a person can act on.

use domain::{Release, Version};
use serde::{Deserialize, Serialize};

/// Maximum length of a library's message within an error. Parsers may quote what they could not read, of any length.
const MAX_MESSAGE_CHARS: usize = 300;

/// A limit that a file exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum LimitKind {
    /// Unpacked size of one part.
    #[error("the unpacked size of one part")]
    PartBytes,
    /// Unpacked size of the whole file.
    #[error("the unpacked size of the whole file")]
    ArchiveBytes,
    /// Unpacked bytes for each packed byte.
    #[error("the ratio of unpacked to packed size")]
    Ratio,
    /// Entries of an archive.
    #[error("the number of entries of an archive")]
    Entries,
    /// Archives within archives.
    #[error("the nesting of archives")]
    ZipLevels,
    /// Nesting of XML elements.
    #[error("the nesting of XML elements")]
    XmlDepth,
    /// Nesting of tables.
    #[error("the nesting of tables")]
    TableDepth,
    /// Nesting of an equation.
    #[error("the nesting of an equation")]
    MathDepth,
    /// Size of one tag or run of text.
    #[error("the size of one tag or run of text")]
    EventBytes,
    /// Cells of a table.
    #[error("the number of cells of a table")]
    TableCells,
    /// Size of a worker's reply.
    #[error("the size of the extracted content")]
    ReplyBytes,
}

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ExtractError {
    /// The file has no bytes.
    #[error("'{name}' is empty")]
    Empty {
        /// File or member.
        name: String,
    },
    /// The operating system refused the file.
    #[error("'{name}' cannot be read: {reason}")]
    Io {
        /// File or member.
        name: String,
        /// What the operating system said.
        reason: String,
    },
    /// The content is of an unsupported kind.
    #[error("'{name}' is not a .zip, .docx, .docm or .doc file but {found}")]
    Unsupported {
        /// File or member.
        name: String,
        /// What the content looks like.
        found: String,
    },
    /// A zip or compound file that is cut short or damaged.
    #[error("'{name}' is truncated or damaged: {reason}")]
    Damaged {
        /// File or member.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The content is protected by a password.
    #[error("'{name}' is password-protected")]
    Encrypted {
        /// File or member.
        name: String,
    },
    /// A document within documents within others.
    #[error("'{name}' is nested too deeply in other documents")]
    TooNested {
        /// File or member.
        name: String,
    },
    /// A document without one of its parts.
    #[error("'{name}' has no part '{part}'")]
    MissingPart {
        /// File or member.
        name: String,
        /// The part that is missing.
        part: String,
    },
    /// A limit was exceeded, so the file was not read further.
    #[error("'{name}' exceeds the limit on {bound} ({limit})")]
    Limit {
        /// File, member or part.
        name: String,
        /// Which limit.
        bound: LimitKind,
        /// Its value.
        limit: u64,
    },
    /// A part that is not well-formed XML.
    #[error("'{name}' is not well-formed XML: {reason}")]
    Xml {
        /// File and part.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// Neither a workbook nor a page with the headings of a register.
    #[error("'{name}' is not a register of meeting documents: {reason}")]
    NoRegister {
        /// File.
        name: String,
        /// What is missing.
        reason: String,
    },
    /// An archive without a specification in it.
    #[error("'{name}' contains no document")]
    NoDocument {
        /// The archive.
        name: String,
    },
    /// Neither the name nor the cover says which document this is.
    #[error(
        "neither the name nor the cover of '{name}' states its {missing}. Rename the file as the 3GPP archive names it: \
         38331-i10.docx is TS 38.331 version 18.1.0"
    )]
    Unidentified {
        /// File or member.
        name: String,
        /// `document number` or `version`.
        missing: String,
    },
    /// A version of a release that does not exist yet.
    #[error(
        "'{name}' would be version {version}, but no release after {last} is known. Rename the file as the 3GPP archive \
         names it, such as 38331-i10.docx for TS 38.331 version 18.1.0, or install a newer specbox"
    )]
    UnknownRelease {
        /// File or member.
        name: String,
        /// The version that its name or cover states.
        version: Version,
        /// The last release that is taken for one.
        last: Release,
    },
    /// A meeting document, which is never a specification, whatever it cites.
    #[error(
        "'{name}' is a meeting document ({evidence}), not a specification. Reports and notes of meetings: `specbox meetings \
         import FILE`, or the upload page. A contribution: fetch_tdoc with its number, or `specbox sync tdocs`"
    )]
    MeetingDocument {
        /// File or member.
        name: String,
        /// Number of the document, or the line that names its meeting.
        evidence: String,
    },
    /// The reader failed in a way that should not happen.
    #[error("reading '{name}' failed with an internal error: {reason}")]
    Internal {
        /// File or member.
        name: String,
        /// Message of the failure.
        reason: String,
    },
    /// The worker took too long.
    #[error("reading '{name}' took longer than {limit_s} s")]
    Timeout {
        /// The file.
        name: String,
        /// The limit in seconds.
        limit_s: u64,
    },
    /// The worker ended while it read the file.
    #[error("the worker process stopped while reading '{name}': {reason}")]
    WorkerDied {
        /// The file.
        name: String,
        /// Signal or exit status, as far as known.
        reason: String,
    },
    /// The worker could not be started, or does not speak the protocol.
    #[error("the worker process cannot be used: {reason}")]
    WorkerUnusable {
        /// What happened.
        reason: String,
    },
}

impl ExtractError {
    /// The operating system refused the file `name`.
    pub fn from_io(name: &str, error: &std::io::Error) -> Self {
        Self::Io { name: name.to_owned(), reason: error.to_string() }
    }

    /// The file `name` is damaged; the reason is reduced to one line.
    pub fn damaged_file(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::Damaged { name: name.to_owned(), reason: one_line(&reason.to_string()) }
    }

    /// The file `name` exceeds a limit.
    pub fn limit_exceeded(name: &str, bound: LimitKind, limit: u64) -> Self {
        Self::Limit { name: name.to_owned(), bound, limit }
    }
}

/// A message of a library as one line of bounded length, without control characters.
pub fn one_line(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(MAX_MESSAGE_CHARS).collect::<String>().trim().to_owned()
}
