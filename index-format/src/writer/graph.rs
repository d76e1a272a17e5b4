//! The sections that a graph segment has besides.

use std::io;
use std::ops::Range;

use super::SegmentSummary;
use super::SegmentWriter;
use crate::codes::CodeTable;
use crate::error::SegmentError;
use crate::graph::Base;
use crate::graph::BuiltGraph;
use crate::graph::GraphOptions;
use crate::graph::MAX_GRAPH_ROWS;
use crate::graph::build;
use crate::header::SegmentKind;
use crate::mapped::Mapped;
use crate::section::SectionKind;
use crate::signs::SignEncoder;
use crate::signs::SignFactors;

/// The sections that a graph is built on, mapped from the unfinished file.
struct MappedCodes {
    map: Mapped,
    codes: Range<usize>,
    scales: Range<usize>,
    width: usize,
}

impl MappedCodes {
    fn table(&self) -> CodeTable<'_> {
        let scales = self.map[self.scales.clone()].as_chunks().0;
        CodeTable::new(&self.map[self.codes.clone()], scales, self.width)
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
        self.finish_on(None, options)
    }

    /// The same on the graph of another segment, whose rows are among these.
    pub(crate) fn finish_on(
        mut self,
        base: Option<&Base<'_>>,
        options: &GraphOptions<'_>,
    ) -> Result<SegmentSummary, SegmentError> {
        self.check_sound()?;
        if self.row_count() > MAX_GRAPH_ROWS {
            let path = self.pending.path().to_owned();
            return Err(SegmentError::TooManyRows { path, most: MAX_GRAPH_ROWS });
        }
        let written = self.write_flat().and_then(|()| self.write_signs());
        self.noting_failure(written)?;
        let mapped = self.map_codes();
        let codes = self.noting_failure(mapped)?;
        let graph = build(codes.table(), base, options)
            .map_err(|_ended| SegmentError::Ended { path: self.pending.path().to_owned() })?;
        drop(codes);
        let written = self.write_graph(&graph);
        let summary = self.noting_failure(written)?;
        self.commit(summary)
    }

    /// Writes the mean, the signs of all rows and their factors.
    fn write_signs(&mut self) -> io::Result<()> {
        let rows = self.content_ids.len().max(1) as f64;
        let mean: Vec<f32> = self.sum.iter().map(|sum| (sum / rows) as f32).collect();
        for component in &mean {
            self.out.write(&component.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::MEAN)?;
        let mut signs = vec![0; mean.len() / 8];
        let mut encoder = SignEncoder::new(mean);
        let mut factors = Vec::with_capacity(self.content_ids.len());
        self.for_each_row(|out, components| {
            factors.push(encoder.encode(components, &mut signs));
            out.write(&signs)
        })?;
        self.out.end_section(SectionKind::SIGNS)?;
        for SignFactors { step, offset } in factors {
            self.out.write(&step.to_le_bytes())?;
            self.out.write(&offset.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::SIGN_FACTORS)
    }

    fn map_codes(&mut self) -> io::Result<MappedCodes> {
        self.out.flush()?;
        let place = |kind| {
            let sections = self.out.sections();
            let found = sections.iter().find(|section| section.kind == kind);
            let section = found.expect("every flat section was written");
            (section.offset, section.length as usize)
        };
        let (codes, scales) = (place(SectionKind::CODES), place(SectionKind::SCALES));
        let start = codes.0;
        let within = |(offset, length): (u64, usize)| {
            let from = (offset - start) as usize;
            from..from + length
        };
        let (codes, scales) = (within(codes), within(scales));
        let map = Mapped::part(&self.pending.reopen()?, start, scales.end.max(1))?;
        Ok(MappedCodes { map, codes, scales, width: self.row.components.len() })
    }

    fn write_graph(&mut self, graph: &BuiltGraph) -> io::Result<SegmentSummary> {
        for neighbour in &graph.neighbours {
            self.out.write(&neighbour.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::NEIGHBOURS)?;
        self.out.write(&graph.encode_levels())?;
        self.out.end_section(SectionKind::LEVELS)?;
        self.write_header(SegmentKind::Graph)
    }
}
