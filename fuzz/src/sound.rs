//! A sound vector file that a target changes.

use std::path::Path;
use std::path::PathBuf;

use index_format::GraphOptions;
use index_format::SegmentInfo;
use index_format::SegmentWriter;

/// A folder, and the bytes of a file in it.
pub struct Sound {
    pub bytes: Vec<u8>,
    folder: tempfile::TempDir,
}

impl Sound {
    /// So many rows of so many numbers, every second one a repetition where there is a graph.
    pub fn new(rows: u32, dimension: u16, graph: Option<GraphOptions<'_>>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sound.seg");
        let info = SegmentInfo { dimension: dimension.into(), model: [3; 32] };
        let mut writer = SegmentWriter::create(&path, info).expect("a writer");
        for row in 0..rows {
            let number = |at: u16| ((row * 71 + u32::from(at) * 13) as f32).sin();
            let vector: Vec<f32> = (0..dimension).map(number).collect();
            let content = if graph.is_some() { row / 2 } else { row };
            writer.push(u64::from(content), &vector).expect("a sound vector");
        }
        match graph {
            Some(options) => writer.finish_with_graph(&options),
            None => writer.finish(),
        }
        .expect("a segment");
        let bytes = std::fs::read(&path).expect("the file");
        Self { bytes, folder }
    }

    /// Where a changed copy is written.
    pub fn changed(&self) -> PathBuf {
        Path::new(self.folder.path()).join("fuzzed.seg")
    }
}
