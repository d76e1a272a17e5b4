//! Seeded damage with correct checksums, as the fuzz targets make it without end.

use index_format::GraphOptions;
use index_format::SegmentKind;

use crate::mutate::mutated;
use crate::mutate::open_and_use;
use crate::support::VectorGenerator;
use crate::support::write_graph;
use crate::support::write_segment;

#[test]
fn damage_with_correct_checksums_is_refused_or_harms_no_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = VectorGenerator(21);
    for kind in [SegmentKind::Flat, SegmentKind::Graph] {
        let path = folder.path().join("valid.seg");
        let rows: Vec<(u64, Vec<f32>)> =
            (0..60).map(|row| (row / 2, random.draw_vector(70))).collect();
        match kind {
            SegmentKind::Flat => write_segment(&path, 70, &rows),
            SegmentKind::Graph => {
                let options = GraphOptions { m: 2, ..GraphOptions::default() };
                write_graph(&path, 70, &rows, &options);
            }
        }
        let valid = std::fs::read(&path).expect("the file");
        let path = folder.path().join("mutated.seg");
        assert!(open_and_use(&path, &mutated(&valid, &[])), "correcting checksums damages nothing");
        let mut opened = 0;
        for _ in 0..1500 {
            let edits: Vec<u8> =
                (0..6 * (1 + random.draw_below(20))).map(|_| random.next_number() as u8).collect();
            opened += usize::from(open_and_use(&path, &mutated(&valid, &edits)));
        }
        assert!((100..1400).contains(&opened), "{kind:?}: {opened} of 1500 opened");
    }
}
