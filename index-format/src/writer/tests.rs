//! What a writer does when the disk does not take its bytes.

use super::*;

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_push_and_of_everything_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let (pending, _file) = PendingFile::create(&path).expect("a temporary file");
    let full = File::options().write(true).open("/dev/full").expect("the full device");
    let info = SegmentInfo { dimension: 4096, model: [0; 32] };
    let mut writer =
        SegmentWriter::from_pending(pending, full, info).expect("nothing is written yet");

    let vector = [1.0; 4096];
    let refused = (0..1000).find_map(|id| writer.push(id, &vector).err());
    assert!(matches!(refused, Some(SegmentError::Io { .. })), "{refused:?}");
    let after = writer.push(0, &vector);
    assert!(matches!(after, Err(SegmentError::WriterFailed { .. })), "{after:?}");
    let finished = writer.finish();
    assert!(matches!(finished, Err(SegmentError::WriterFailed { .. })), "{finished:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_only_at_the_end_is_an_error_of_finish() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let (pending, _file) = PendingFile::create(&path).expect("a temporary file");
    let full = File::options().write(true).open("/dev/full").expect("the full device");
    let info = SegmentInfo { dimension: 2, model: [0; 32] };
    let mut writer =
        SegmentWriter::from_pending(pending, full, info).expect("nothing is written yet");
    writer.push(1, &[1.0, 0.0]).expect("the row is buffered");
    let finished = writer.finish();
    assert!(matches!(finished, Err(SegmentError::Io { .. })), "{finished:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
