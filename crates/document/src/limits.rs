//! The limits that keep one hostile file from harming the rest: sizes, counts, depths, time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

const MIB: u64 = 1024 * 1024;

/// The limits under which a file is read. The defaults are at least four times what any real file has
/// needed so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Unpacked bytes of one part or archive member, declared and actual. Some parts are read as a whole.
    pub part_bytes: u64,
    /// Unpacked bytes of everything that is read from one file, nested archives included. Otherwise each of 2,000
    /// members could have `part_bytes`.
    pub archive_bytes: u64,
    /// Unpacked bytes for each packed byte, once `ratio_floor_bytes` have come out.
    pub ratio: u64,
    /// Unpacked bytes below which the ratio is not checked: small parts of repeated markup may exceed it, and are
    /// harmless.
    pub ratio_floor_bytes: u64,
    /// Entries of an archive of documents.
    pub entries: usize,
    /// Entries of a document, which has one for each picture and equation; the most seen are 3,008.
    pub package_entries: usize,
    /// Archives within archives; 1 is an archive without another one in it. Each level may multiply the bytes.
    pub zip_levels: usize,
    /// Nesting of XML elements.
    pub xml_depth: usize,
    /// Nesting of tables, which are printed recursively.
    pub table_depth: usize,
    /// Nesting of equations, which are read and printed recursively.
    pub math_depth: usize,
    /// Bytes of one XML event, which the parser buffers as a whole: a tag with its attributes, or a run of text.
    pub event_bytes: u64,
    /// Cells of one table, the repeats of merged cells included.
    pub table_cells: usize,
    /// Bytes of one file of code that is kept next to a document.
    pub code_bytes: u64,
    /// Address space of a worker process: a file that needs more ends its worker, not the machine.
    pub worker_memory_bytes: u64,
    /// Processor time of a worker process for each file.
    pub worker_cpu_s: u64,
    /// Wall time for one file, after which the worker is killed. Longer than its processor time, because workers share
    /// processors and wait for the disk.
    pub worker_wall: Duration,
    /// Bytes of a worker's reply. The pictures of a document, 160 MiB and 64 MiB of SVG at most, fit in it.
    pub reply_bytes: u64,
    /// Wall time of the converter for one legacy file; nothing else ends LibreOffice if it hangs.
    pub converter_wall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            part_bytes: 300 * MIB,
            archive_bytes: 600 * MIB,
            ratio: 200,
            ratio_floor_bytes: 10 * MIB,
            entries: 2_000,
            package_entries: 20_000,
            zip_levels: 3,
            xml_depth: 256,
            table_depth: 16,
            math_depth: 64,
            event_bytes: 16 * MIB,
            table_cells: 400_000,
            code_bytes: 8 * MIB,
            worker_memory_bytes: 2048 * MIB,
            worker_cpu_s: 120,
            worker_wall: Duration::from_secs(180),
            reply_bytes: 256 * MIB,
            converter_wall: Duration::from_secs(120),
        }
    }
}
