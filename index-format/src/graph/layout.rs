//! The layout of a graph in a file, and reading it without trust.

use std::ops::Range;

use crate::error::FileFault;
use crate::section_kind::SectionKind;

/// The most neighbours a row may have, in the rows' own level and in those above: twice the largest `m` of a builder.
pub(crate) const MAX_DEGREE: u32 = 256;

/// The most levels above the rows. One row in sixteen is a level higher, so 2^31 rows have about eight levels.
pub(crate) const MAX_LEVELS: usize = 16;

/// Fills up the list of a row that has fewer neighbours than the degree allows.
pub(crate) const NO_NEIGHBOUR: u32 = u32::MAX;

/// Maximum number of rows of a graph segment: a search keeps a row number and a mark in 32 bits.
pub(crate) const MAX_GRAPH_ROWS: u32 = 1 << 31;

/// The words before the levels: degree, degree above, number of levels, entry, and their counts.
const HEAD_WORDS: usize = 4 + MAX_LEVELS;

/// Bytes of one number.
const WORD_SIZE: usize = 4;

/// Little-endian numbers as they are in the file.
pub(crate) type WordSlice<'a> = &'a [[u8; WORD_SIZE]];

/// One level above the rows: each node represents a row, in ascending order of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LevelRanges {
    /// Words of the section with the row of each node.
    rows: Range<usize>,
    /// Words with the node of each in the level below; in the lowest level, the row.
    below: Range<usize>,
    /// Words with the neighbours of each, as nodes of this level.
    neighbours: Range<usize>,
}

/// The layout of the levels section; every range is inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GraphLayout {
    degree: usize,
    degree_above: usize,
    entry_point: u32,
    /// From the lowest on.
    levels: Vec<LevelRanges>,
}

impl GraphLayout {
    /// Reads the head of the levels section and bounds everything by it.
    pub(crate) fn read_layout(
        levels: &[u8],
        neighbours_length: usize,
        rows: u32,
    ) -> Result<GraphLayout, FileFault> {
        let (words, rest) = levels.as_chunks::<WORD_SIZE>();
        let too_short = FileFault::SectionLength {
            section: SectionKind::LEVELS,
            expected: (HEAD_WORDS * WORD_SIZE) as u64,
            found: levels.len() as u64,
        };
        if !rest.is_empty() || words.len() < HEAD_WORDS {
            return Err(too_short);
        }
        let head = |index: usize| u32::from_le_bytes(words[index]);
        let degree = check_range("degree", head(0), 1..=MAX_DEGREE)?;
        let degree_above = check_range("degree above", head(1), 1..=MAX_DEGREE)?;
        let count = check_range("level count", head(2), 0..=MAX_LEVELS as u32)?;
        let mut layout =
            GraphLayout { degree, degree_above, entry_point: head(3), levels: Vec::new() };
        let mut next = HEAD_WORDS;
        let mut below = rows;
        for level in 0..MAX_LEVELS {
            let nodes = head(4 + level);
            let allowed = if level < count { 1..=below } else { 0..=0 };
            let nodes = check_range("places of a level", nodes, allowed)?;
            if level < count {
                layout.levels.push(LevelRanges::reserve_ranges(&mut next, nodes, degree_above));
                below = nodes as u32;
            }
        }
        let within = if rows == 0 { 0..=0 } else { 0..=below - 1 };
        check_range("entry", layout.entry_point, within)?;
        let found = neighbours_length as u64;
        expect_length(SectionKind::NEIGHBOURS, rows as usize * degree * WORD_SIZE, found)?;
        expect_length(SectionKind::LEVELS, next * WORD_SIZE, levels.len() as u64)?;
        Ok(layout)
    }
}

impl LevelRanges {
    fn reserve_ranges(next: &mut usize, nodes: usize, degree: usize) -> LevelRanges {
        // Nodes are at most 2^32 and degrees 2^8: no overflow.
        let mut take = |words: usize| {
            let start = *next;
            *next += words;
            start..*next
        };
        LevelRanges { rows: take(nodes), below: take(nodes), neighbours: take(nodes * degree) }
    }
}

fn check_range(
    field: &'static str,
    value: u32,
    allowed: std::ops::RangeInclusive<u32>,
) -> Result<usize, FileFault> {
    if allowed.contains(&value) {
        Ok(value as usize)
    } else {
        Err(FileFault::Field { field, value: u64::from(value) })
    }
}

fn expect_length(section: SectionKind, expected: usize, found: u64) -> Result<(), FileFault> {
    let expected = expected as u64;
    if expected == found {
        Ok(())
    } else {
        Err(FileFault::SectionLength { section, expected, found })
    }
}

/// A graph in a mapped file. Its numbers were not checked when the file was opened, so callers check an edge before
/// they follow it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graph<'a> {
    pub(crate) layout: &'a GraphLayout,
    pub(crate) neighbours: &'a [u8],
    pub(crate) levels: &'a [u8],
}

/// A level above the rows in a mapped file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GraphLevel<'a> {
    rows: WordSlice<'a>,
    below: WordSlice<'a>,
    neighbours: WordSlice<'a>,
    degree: usize,
}

impl<'a> Graph<'a> {
    /// The neighbours of a row, as stored.
    #[inline]
    pub(crate) fn neighbours(&self, row: u32) -> WordSlice<'a> {
        let degree = self.layout.degree;
        let (words, _) = self.neighbours.as_chunks::<WORD_SIZE>();
        words.get(row as usize * degree..).and_then(|rest| rest.get(..degree)).unwrap_or_default()
    }

    /// Where a search begins: a node of the highest level, or a row if there is no level.
    pub(crate) fn entry_point(&self) -> u32 {
        self.layout.entry_point
    }

    /// The levels above the rows, from the lowest on.
    pub(crate) fn levels(
        &self,
    ) -> impl DoubleEndedIterator<Item = GraphLevel<'a>> + ExactSizeIterator + use<'a> {
        let (words, _) = self.levels.as_chunks::<WORD_SIZE>();
        let degree = self.layout.degree_above;
        self.layout.levels.iter().map(move |ranges| GraphLevel {
            rows: &words[ranges.rows.clone()],
            below: &words[ranges.below.clone()],
            neighbours: &words[ranges.neighbours.clone()],
            degree,
        })
    }
}

impl Graph<'_> {
    /// The first row or node that has an edge to nowhere, and its section.
    pub(crate) fn find_stray_edge(&self, rows: u32) -> Option<(SectionKind, u32)> {
        let stray = |words: WordSlice<'_>, bound: u32| {
            words.iter().any(|word| {
                let target = u32::from_le_bytes(*word);
                target != NO_NEIGHBOUR && target >= bound
            })
        };
        let in_rows = (0..rows).find(|row| stray(self.neighbours(*row), rows));
        let in_rows = in_rows.map(|row| (SectionKind::NEIGHBOURS, row));
        let mut below = rows;
        in_rows.or_else(|| {
            self.levels().find_map(|level| {
                let outside = |found: Option<u32>, bound| found.is_none_or(|found| found >= bound);
                let node = (0..level.len()).find(|node| {
                    stray(level.neighbours(*node), level.len())
                        || outside(level.node_row(*node), rows)
                        || outside(level.node_below(*node), below)
                });
                below = level.len();
                node.map(|node| (SectionKind::LEVELS, node))
            })
        })
    }
}

impl<'a> GraphLevel<'a> {
    /// The number of nodes.
    pub(crate) fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The row of a node.
    #[inline]
    pub(crate) fn node_row(&self, node: u32) -> Option<u32> {
        self.rows.get(node as usize).map(|row| u32::from_le_bytes(*row))
    }

    /// The node in the level below.
    #[inline]
    pub(crate) fn node_below(&self, node: u32) -> Option<u32> {
        self.below.get(node as usize).map(|below| u32::from_le_bytes(*below))
    }

    /// The neighbours of a node, as nodes.
    #[inline]
    pub(crate) fn neighbours(&self, node: u32) -> WordSlice<'a> {
        let start = node as usize * self.degree;
        let rest = self.neighbours.get(start..);
        rest.and_then(|rest| rest.get(..self.degree)).unwrap_or_default()
    }
}

/// A level as a builder hands it over: rows ascending, and the neighbours of each, as rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BuiltLevel {
    pub(crate) rows: Vec<u32>,
    /// The degree above for each row, [`NO_NEIGHBOUR`] at the end of short lists.
    pub(crate) neighbours: Vec<u32>,
}

/// A finished graph, to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BuiltGraph {
    pub(crate) degree: u32,
    pub(crate) degree_above: u32,
    /// The row a search begins at; in the highest level, if there is one.
    pub(crate) entry_point: u32,
    /// The degree for each row, [`NO_NEIGHBOUR`] at the end of short lists.
    pub(crate) neighbours: Vec<u32>,
    /// From the lowest on.
    pub(crate) levels: Vec<BuiltLevel>,
}

impl BuiltGraph {
    /// The levels section.
    pub(crate) fn encode_levels(&self) -> Vec<u8> {
        let node_of = |rows: &[u32], row: &u32| {
            rows.binary_search(row)
                .map_or(NO_NEIGHBOUR, |node| u32::try_from(node).unwrap_or(NO_NEIGHBOUR))
        };
        let entry = match self.levels.last() {
            Some(highest) => node_of(&highest.rows, &self.entry_point),
            None => self.entry_point,
        };
        let count = u32::try_from(self.levels.len()).expect("builders make few levels");
        let mut words = vec![self.degree, self.degree_above, count, entry];
        words.extend(self.levels.iter().map(|level| level.rows.len() as u32));
        words.resize(HEAD_WORDS, 0);
        let mut lower: Option<&BuiltLevel> = None;
        for level in &self.levels {
            words.extend(&level.rows);
            match lower {
                Some(lower) => words.extend(level.rows.iter().map(|row| node_of(&lower.rows, row))),
                None => words.extend(&level.rows),
            }
            words.extend(level.neighbours.iter().map(|row| match *row {
                NO_NEIGHBOUR => NO_NEIGHBOUR,
                row => node_of(&level.rows, &row),
            }));
            lower = Some(level);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}
