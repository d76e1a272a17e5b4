//! An open segment: its header is checked, its rows are read in place.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;

use half::f16;

use crate::binary::BinaryTable;
use crate::error::FileFault;
use crate::error::SegmentError;
use crate::graph::Graph;
use crate::graph::GraphLayout;
use crate::graph::MAX_GRAPH_ROWS;
use crate::header::HEADER_SIZE;
use crate::header::MAGIC;
use crate::header::SegmentHeader;
use crate::header::SegmentKind;
use crate::kernels::Kernel;
use crate::mapped::AccessPattern;
use crate::mapped::MappedFile;
use crate::quantized::QuantizedTable;
use crate::section_kind::SectionKind;
use crate::section_kind::padded_width;

/// An immutable file of vectors, open for search.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    map: MappedFile,
    header: SegmentHeader,
    // Inside `map`, with exactly the lengths that follow from the header's rows and dimension.
    content_ids: Range<usize>,
    quantized_codes: Range<usize>,
    scales: Range<usize>,
    halves: Range<usize>,
    graph: Option<GraphSections>,
}

/// The additional sections of a segment with a graph; inside the mapping too.
#[derive(Debug)]
struct GraphSections {
    mean: Range<usize>,
    binary_codes: Range<usize>,
    binary_factors: Range<usize>,
    neighbours: Range<usize>,
    levels: Range<usize>,
    layout: GraphLayout,
}

impl Segment {
    /// Opens a segment in constant time: the header is checked whole, the sections are bounded but
    /// not read. [`Segment::verify`] reads them all.
    pub fn open(path: impl AsRef<Path>) -> Result<Segment, SegmentError> {
        let path = path.as_ref();
        let map = map_file(path)?;
        let fault = |fault| SegmentError::from_fault(path, fault);
        let header = read_header(&map).map_err(fault)?;
        header.check_file_length(map.len() as u64).map_err(fault)?;
        let range = |kind| section_range(&header, kind).ok_or(FileFault::SectionMissing(kind));
        let graph = match header.kind {
            SegmentKind::Flat => None,
            SegmentKind::Graph => Some(read_graph_sections(&header, &map).map_err(fault)?),
        };
        let segment = Segment {
            graph,
            path: path.to_owned(),
            content_ids: range(SectionKind::CONTENT_IDS).map_err(fault)?,
            quantized_codes: range(SectionKind::QUANTIZED_CODES).map_err(fault)?,
            scales: range(SectionKind::SCALES).map_err(fault)?,
            halves: range(SectionKind::HALVES).map_err(fault)?,
            map,
            header,
        };
        segment.advise_access(AccessPattern::Random);
        Ok(segment)
    }

    /// Tells the system how the exact rows will be read. They are the larger part of a file, and a search needs a few
    /// of them: what surrounds those must not push the rest out of memory.
    pub(crate) fn advise_access(&self, reading: AccessPattern) {
        self.map.advise_access(reading, &self.halves);
    }

    /// The file's path, as it was given to open it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of rows; they are numbered from 0.
    pub fn row_count(&self) -> u32 {
        self.header.rows
    }

    /// The components of every vector.
    pub fn dimension(&self) -> u32 {
        self.header.info.dimension
    }

    /// How the rows are searched.
    pub fn kind(&self) -> SegmentKind {
        self.header.kind
    }

    /// The identity of the embedding model that made the vectors.
    pub fn model(&self) -> &[u8; 32] {
        &self.header.info.model
    }

    /// The content id a row belongs to; `None` if there is no such row.
    pub fn content_id(&self, row: u32) -> Option<u64> {
        self.content_ids().get(row as usize).map(|id| u64::from_le_bytes(*id))
    }

    /// A row's vector in the precision it is stored in; `None` if there is no such row.
    pub fn read_vector(&self, row: u32) -> Option<Vec<f32>> {
        let (halves, _) = self.half_row(row)?.as_chunks::<2>();
        let components = halves.iter().map(|half| f16::from_le_bytes(*half).to_f32());
        Some(components.take(self.dimension() as usize).collect())
    }

    /// Rejects a segment that was made with another model or has another dimension.
    pub fn check_model(&self, model: &[u8; 32], dimension: u32) -> Result<(), SegmentError> {
        self.check_dimension(dimension)?;
        if self.model() == model {
            return Ok(());
        }
        Err(SegmentError::ModelMismatch {
            path: self.path.clone(),
            expected: *model,
            found: *self.model(),
        })
    }

    pub(crate) fn check_dimension(&self, expected: u32) -> Result<(), SegmentError> {
        let found = self.dimension();
        if found == expected {
            return Ok(());
        }
        Err(SegmentError::DimensionMismatch { path: self.path.clone(), expected, found })
    }

    pub(crate) fn header(&self) -> &SegmentHeader {
        &self.header
    }

    pub(crate) fn file_bytes(&self) -> &[u8] {
        &self.map
    }

    /// One little-endian number for each row.
    pub(crate) fn content_ids(&self) -> &[[u8; 8]] {
        self.map[self.content_ids.clone()].as_chunks().0
    }

    /// The codes of all rows with their scales.
    pub(crate) fn quantized_table(&self) -> QuantizedTable<'_> {
        let width = padded_width(self.dimension()) as usize;
        QuantizedTable::new(&self.map[self.quantized_codes.clone()], self.scales(), width)
    }

    /// The graph over the rows, if the segment has one.
    pub(crate) fn graph(&self) -> Option<Graph<'_>> {
        let parts = self.graph.as_ref()?;
        Some(Graph {
            layout: &parts.layout,
            neighbours: &self.map[parts.neighbours.clone()],
            levels: &self.map[parts.levels.clone()],
        })
    }

    /// The binary codes of all rows, if the segment has them.
    pub(crate) fn binary_table(&self) -> Option<BinaryTable<'_>> {
        let parts = self.graph.as_ref()?;
        let factors = self.map[parts.binary_factors.clone()].as_chunks().0;
        Some(BinaryTable { codes: &self.map[parts.binary_codes.clone()], factors })
    }

    /// The mean of all rows, if the segment has it.
    pub(crate) fn mean(&self) -> Option<&[[u8; 4]]> {
        let parts = self.graph.as_ref()?;
        Some(self.map[parts.mean.clone()].as_chunks().0)
    }

    /// One little-endian number for each row.
    pub(crate) fn scales(&self) -> &[[u8; 4]] {
        self.map[self.scales.clone()].as_chunks().0
    }

    /// Prefetches a half-precision row that will be read soon.
    pub(crate) fn prefetch_vector(&self, row: u32) {
        if let Some(row) = self.half_row(row) {
            Kernel::detect_best().prefetch_row(row);
        }
    }

    /// The padded half-precision row, as stored.
    pub(crate) fn half_row(&self, row: u32) -> Option<&[u8]> {
        let size = 2 * padded_width(self.dimension()) as usize;
        let start = (row as usize).checked_mul(size)?;
        self.map[self.halves.clone()].get(start..start.checked_add(size)?)
    }
}

fn read_graph_sections(header: &SegmentHeader, bytes: &[u8]) -> Result<GraphSections, FileFault> {
    let range = |kind| section_range(header, kind).ok_or(FileFault::SectionMissing(kind));
    let (neighbours, levels) = (range(SectionKind::NEIGHBOURS)?, range(SectionKind::LEVELS)?);
    if header.rows > MAX_GRAPH_ROWS {
        let value = u64::from(header.rows);
        return Err(FileFault::Field { field: "row count", value });
    }
    let layout = GraphLayout::read_layout(&bytes[levels.clone()], neighbours.len(), header.rows)?;
    Ok(GraphSections {
        mean: range(SectionKind::MEAN)?,
        binary_codes: range(SectionKind::BINARY_CODES)?,
        binary_factors: range(SectionKind::BINARY_FACTORS)?,
        neighbours,
        levels,
        layout,
    })
}

fn map_file(path: &Path) -> Result<MappedFile, SegmentError> {
    // Checked before opening: opening a pipe would wait for a writer.
    let metadata = std::fs::metadata(path).map_err(|e| SegmentError::from_io(path, "open", e))?;
    if !metadata.is_file() {
        return Err(SegmentError::from_fault(path, FileFault::Foreign));
    }
    let file = File::open(path).map_err(|e| SegmentError::from_io(path, "open", e))?;
    MappedFile::map_whole(&file).map_err(|e| SegmentError::from_io(path, "map", e))
}

fn read_header(bytes: &[u8]) -> Result<SegmentHeader, FileFault> {
    if let Some(header) = bytes.first_chunk::<HEADER_SIZE>() {
        return SegmentHeader::decode(header);
    }
    if bytes.is_empty() || !MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) {
        return Err(FileFault::Foreign);
    }
    Err(FileFault::Truncated { expected: HEADER_SIZE as u64, found: bytes.len() as u64 })
}

/// The range of a section in the mapping; the header's checks ensure that it is inside the file.
fn section_range(header: &SegmentHeader, kind: SectionKind) -> Option<Range<usize>> {
    let section = header.find_section(kind)?;
    let start = usize::try_from(section.offset).ok()?;
    let length = usize::try_from(section.length).ok()?;
    Some(start..start.checked_add(length)?)
}
