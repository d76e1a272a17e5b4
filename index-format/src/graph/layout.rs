//! How a graph lies in a file, and how it is read without trust.

use std::ops::Range;

use crate::error::FileFault;
use crate::section::SectionKind;

/// The most neighbours a row may have, in the rows' own level and in those above.
pub(crate) const MAX_DEGREE: u32 = 256;

/// The most levels above the rows; chance gives a row one level more in one of sixteen cases.
pub(crate) const MAX_LEVELS: usize = 16;

/// Stands where a row has fewer neighbours than the degree allows; only at the end of its list.
pub(crate) const NONE: u32 = u32::MAX;

/// Rows of a graph segment; the search keeps a mark beside a row number in 32 bits.
pub(crate) const MAX_GRAPH_ROWS: u32 = 1 << 31;

/// The words before the levels: degree, degree above, number of levels, entry, and their counts.
const HEAD_WORDS: usize = 4 + MAX_LEVELS;

/// Bytes of one number.
const WORD: usize = 4;

/// Little-endian numbers as they lie in the file.
pub(crate) type Words<'a> = &'a [[u8; WORD]];

/// One level above the rows: places in it stand for rows, in ascending order of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LevelPlace {
    /// Words of the section that hold the row of each place.
    rows: Range<usize>,
    /// Words that hold the place of each in the level below; above the rows themselves, the row.
    below: Range<usize>,
    /// Words that hold the neighbours of each, as places of this level.
    neighbours: Range<usize>,
}

/// Where everything in the levels section lies; every range is inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    degree: usize,
    degree_above: usize,
    entry: u32,
    /// From the lowest on.
    levels: Vec<LevelPlace>,
}

impl Layout {
    /// Reads the head of the levels section and bounds everything by it.
    pub(crate) fn read(
        levels: &[u8],
        neighbours_length: usize,
        rows: u32,
    ) -> Result<Layout, FileFault> {
        let (words, rest) = levels.as_chunks::<WORD>();
        let too_short = FileFault::SectionLength {
            section: SectionKind::LEVELS,
            expected: (HEAD_WORDS * WORD) as u64,
            found: levels.len() as u64,
        };
        if !rest.is_empty() || words.len() < HEAD_WORDS {
            return Err(too_short);
        }
        let head = |at: usize| u32::from_le_bytes(words[at]);
        let degree = checked("degree", head(0), 1..=MAX_DEGREE)?;
        let degree_above = checked("degree above", head(1), 1..=MAX_DEGREE)?;
        let count = checked("level count", head(2), 0..=MAX_LEVELS as u32)?;
        let mut layout = Layout { degree, degree_above, entry: head(3), levels: Vec::new() };
        let mut next = HEAD_WORDS;
        let mut below = rows;
        for level in 0..MAX_LEVELS {
            let places = head(4 + level);
            let allowed = if level < count { 1..=below } else { 0..=0 };
            let places = checked("places of a level", places, allowed)?;
            if level < count {
                layout.levels.push(LevelPlace::at(&mut next, places, degree_above));
                below = places as u32;
            }
        }
        let within = if rows == 0 { 0..=0 } else { 0..=below - 1 };
        checked("entry", layout.entry, within)?;
        let found = neighbours_length as u64;
        expect_length(SectionKind::NEIGHBOURS, rows as usize * degree * WORD, found)?;
        expect_length(SectionKind::LEVELS, next * WORD, levels.len() as u64)?;
        Ok(layout)
    }
}

impl LevelPlace {
    fn at(next: &mut usize, places: usize, degree: usize) -> LevelPlace {
        // Places are at most 2^32 and degrees 2^8: no overflow.
        let mut take = |words: usize| {
            let start = *next;
            *next += words;
            start..*next
        };
        LevelPlace { rows: take(places), below: take(places), neighbours: take(places * degree) }
    }
}

fn checked(
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

/// A graph in a mapped file. Its numbers were not checked when the file was opened: whoever
/// follows an edge bounds it first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graph<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) neighbours: &'a [u8],
    pub(crate) levels: &'a [u8],
}

/// A level above the rows in a mapped file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level<'a> {
    rows: Words<'a>,
    below: Words<'a>,
    neighbours: Words<'a>,
    degree: usize,
}

impl<'a> Graph<'a> {
    /// The neighbours of a row, as stored.
    #[inline]
    pub(crate) fn neighbours(&self, row: u32) -> Words<'a> {
        let degree = self.layout.degree;
        let (words, _) = self.neighbours.as_chunks::<WORD>();
        words.get(row as usize * degree..).and_then(|rest| rest.get(..degree)).unwrap_or_default()
    }

    /// Where a search begins: a place in the highest level, or a row where there is no level.
    pub(crate) fn entry(&self) -> u32 {
        self.layout.entry
    }

    /// The levels above the rows, from the lowest on.
    pub(crate) fn levels(
        &self,
    ) -> impl DoubleEndedIterator<Item = Level<'a>> + ExactSizeIterator + use<'a> {
        let (words, _) = self.levels.as_chunks::<WORD>();
        let degree = self.layout.degree_above;
        self.layout.levels.iter().map(move |place| Level {
            rows: &words[place.rows.clone()],
            below: &words[place.below.clone()],
            neighbours: &words[place.neighbours.clone()],
            degree,
        })
    }
}

impl Graph<'_> {
    /// The first row or place that has an edge to nowhere, and its section.
    pub(crate) fn stray_edge(&self, rows: u32) -> Option<(SectionKind, u32)> {
        let stray = |words: Words<'_>, bound: u32| {
            words.iter().any(|word| {
                let target = u32::from_le_bytes(*word);
                target != NONE && target >= bound
            })
        };
        let in_rows = (0..rows).find(|row| stray(self.neighbours(*row), rows));
        let in_rows = in_rows.map(|row| (SectionKind::NEIGHBOURS, row));
        let mut below = rows;
        in_rows.or_else(|| {
            self.levels().find_map(|level| {
                let outside = |found: Option<u32>, bound| found.is_none_or(|found| found >= bound);
                let place = (0..level.len()).find(|place| {
                    stray(level.neighbours(*place), level.len())
                        || outside(level.row(*place), rows)
                        || outside(level.below(*place), below)
                });
                below = level.len();
                place.map(|place| (SectionKind::LEVELS, place))
            })
        })
    }
}

impl<'a> Level<'a> {
    /// The number of places.
    pub(crate) fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The row a place stands for.
    #[inline]
    pub(crate) fn row(&self, place: u32) -> Option<u32> {
        self.rows.get(place as usize).map(|row| u32::from_le_bytes(*row))
    }

    /// The place in the level below.
    #[inline]
    pub(crate) fn below(&self, place: u32) -> Option<u32> {
        self.below.get(place as usize).map(|below| u32::from_le_bytes(*below))
    }

    /// The neighbours of a place, as places.
    #[inline]
    pub(crate) fn neighbours(&self, place: u32) -> Words<'a> {
        let start = place as usize * self.degree;
        let rest = self.neighbours.get(start..);
        rest.and_then(|rest| rest.get(..self.degree)).unwrap_or_default()
    }
}

/// A level as a builder hands it over: rows ascending, and the neighbours of each, as rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BuiltLevel {
    pub(crate) rows: Vec<u32>,
    /// The degree above for each row, [`NONE`] at the end of short lists.
    pub(crate) neighbours: Vec<u32>,
}

/// A finished graph, to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BuiltGraph {
    pub(crate) degree: u32,
    pub(crate) degree_above: u32,
    /// The row a search begins at; in the highest level, where there is one.
    pub(crate) entry: u32,
    /// The degree for each row, [`NONE`] at the end of short lists.
    pub(crate) neighbours: Vec<u32>,
    /// From the lowest on.
    pub(crate) levels: Vec<BuiltLevel>,
}

impl BuiltGraph {
    /// The levels section.
    pub(crate) fn encode_levels(&self) -> Vec<u8> {
        let place = |rows: &[u32], row: &u32| {
            rows.binary_search(row).map_or(NONE, |place| u32::try_from(place).unwrap_or(NONE))
        };
        let entry = match self.levels.last() {
            Some(highest) => place(&highest.rows, &self.entry),
            None => self.entry,
        };
        let count = u32::try_from(self.levels.len()).expect("builders make few levels");
        let mut words = vec![self.degree, self.degree_above, count, entry];
        words.extend(self.levels.iter().map(|level| level.rows.len() as u32));
        words.resize(HEAD_WORDS, 0);
        let mut lower: Option<&BuiltLevel> = None;
        for level in &self.levels {
            words.extend(&level.rows);
            match lower {
                Some(lower) => words.extend(level.rows.iter().map(|row| place(&lower.rows, row))),
                None => words.extend(&level.rows),
            }
            words.extend(level.neighbours.iter().map(|row| match *row {
                NONE => NONE,
                row => place(&level.rows, &row),
            }));
            lower = Some(level);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}
