//! A valid vector file that a target mutates.

use std::path::Path;
use std::path::PathBuf;

use index_format::GraphOptions;
use index_format::SegmentInfo;
use index_format::SegmentWriter;

/// The bytes of a valid vector file, and a folder for mutated copies.
pub struct SegmentFixture {
    pub bytes: Vec<u8>,
    folder: tempfile::TempDir,
}

impl SegmentFixture {
    /// Writes a file of `rows` vectors; with a graph, every second row has the content of the one before.
    pub fn new(rows: u32, dimension: u16, graph: Option<GraphOptions<'_>>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("valid.seg");
        let info = SegmentInfo { dimension: dimension.into(), model: [3; 32] };
        let mut writer = SegmentWriter::create(&path, info).expect("a writer");
        for row in 0..rows {
            let component = |index: u16| ((row * 71 + u32::from(index) * 13) as f32).sin();
            let vector: Vec<f32> = (0..dimension).map(component).collect();
            let content = if graph.is_some() { row / 2 } else { row };
            writer.push(u64::from(content), &vector).expect("a valid vector");
        }
        match graph {
            Some(options) => writer.finish_with_graph(&options),
            None => writer.finish(),
        }
        .expect("a segment");
        let bytes = std::fs::read(&path).expect("the file");
        Self { bytes, folder }
    }

    /// The path at which mutated copies are written.
    pub fn mutated_path(&self) -> PathBuf {
        Path::new(self.folder.path()).join("fuzzed.seg")
    }
}
