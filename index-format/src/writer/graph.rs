//! The additional sections of a segment with a graph.

use std::io;
use std::ops::Range;

use super::SegmentSummary;
use super::SegmentWriter;
use crate::binary::BinaryEncoder;
use crate::binary::BinaryFactors;
use crate::error::SegmentError;
use crate::graph::BaseGraph;
use crate::graph::BuiltGraph;
use crate::graph::GraphOptions;
use crate::graph::MAX_GRAPH_ROWS;
use crate::graph::build_graph;
use crate::header::SegmentKind;
use crate::mapped::MappedFile;
use crate::quantized::QuantizedTable;
use crate::section_kind::SectionKind;

/// The sections that a graph is built on, mapped from the unfinished file.
struct MappedCodes {
    map: MappedFile,
    codes: Range<usize>,
    scales: Range<usize>,
    width: usize,
}

impl MappedCodes {
    fn quantized_table(&self) -> QuantizedTable<'_> {
        let scales = self.map[self.scales.clone()].as_chunks().0;
        QuantizedTable::new(&self.map[self.codes.clone()], scales, self.width)
    }
}

impl SegmentWriter {
    /// Builds a graph over the rows, completes the file, brings it to disk and gives it its name.
    ///
    /// Takes as long as the graph takes: seconds for ten thousand rows, minutes for a million.
    pub fn finish_with_graph(
        self,
        options: &GraphOptions<'_>,
    ) -> Result<SegmentSummary, SegmentError> {
        self.finish_on_base(None, options)
    }

    /// The same on the graph of another segment, whose rows are among these.
    pub(crate) fn finish_on_base(
        mut self,
        base: Option<&BaseGraph<'_>>,
        options: &GraphOptions<'_>,
    ) -> Result<SegmentSummary, SegmentError> {
        self.check_not_failed()?;
        if self.row_count() > MAX_GRAPH_ROWS {
            let path = self.pending.path().to_owned();
            return Err(SegmentError::TooManyRows { path, limit: MAX_GRAPH_ROWS });
        }
        let written = self.write_flat().and_then(|()| self.write_binary_codes());
        self.note_failure(written)?;
        let mapped = self.map_codes();
        let codes = self.note_failure(mapped)?;
        let graph = build_graph(codes.quantized_table(), base, options).map_err(|_cancelled| {
            SegmentError::Cancelled { path: self.pending.path().to_owned() }
        })?;
        drop(codes);
        let written = self.write_graph(&graph);
        let summary = self.note_failure(written)?;
        self.commit(summary)
    }

    /// Writes the mean, the binary codes of all rows and their factors.
    fn write_binary_codes(&mut self) -> io::Result<()> {
        let rows = self.content_ids.len().max(1) as f64;
        let mean: Vec<f32> = self.sum.iter().map(|sum| (sum / rows) as f32).collect();
        for component in &mean {
            self.out.write_bytes(&component.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::MEAN)?;
        let mut codes = vec![0; mean.len() / 8];
        let mut encoder = BinaryEncoder::new(mean);
        let mut factors = Vec::with_capacity(self.content_ids.len());
        self.for_each_row(|out, components| {
            factors.push(encoder.encode_row(components, &mut codes));
            out.write_bytes(&codes)
        })?;
        self.out.end_section(SectionKind::BINARY_CODES)?;
        for BinaryFactors { step, offset } in factors {
            self.out.write_bytes(&step.to_le_bytes())?;
            self.out.write_bytes(&offset.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::BINARY_FACTORS)
    }

    fn map_codes(&mut self) -> io::Result<MappedCodes> {
        self.out.flush()?;
        let range_of = |kind| {
            let sections = self.out.sections();
            let found = sections.iter().find(|section| section.kind == kind);
            let section = found.expect("every flat section was written");
            (section.offset, section.length as usize)
        };
        let (codes, scales) =
            (range_of(SectionKind::QUANTIZED_CODES), range_of(SectionKind::SCALES));
        let start = codes.0;
        let within = |(offset, length): (u64, usize)| {
            let from = (offset - start) as usize;
            from..from + length
        };
        let (codes, scales) = (within(codes), within(scales));
        let map =
            MappedFile::map_part(&self.pending.open_for_reading()?, start, scales.end.max(1))?;
        Ok(MappedCodes { map, codes, scales, width: self.row.components.len() })
    }

    fn write_graph(&mut self, graph: &BuiltGraph) -> io::Result<SegmentSummary> {
        for neighbour in &graph.neighbours {
            self.out.write_bytes(&neighbour.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::NEIGHBOURS)?;
        self.out.write_bytes(&graph.encode_levels())?;
        self.out.end_section(SectionKind::LEVELS)?;
        self.write_header(SegmentKind::Graph)
    }
}
