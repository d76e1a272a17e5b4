//! One run of all work, and the power lost at any moment of it.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::{
    disk::{Change, Disk, ROOT},
    installed_models::models_installed,
    mount::mount,
    power_loss::{LateWrites, NamePromise, disk_after_loss},
    program::run,
    random::Random,
    recorder::SharedRecorder,
    setting,
    state::{HeldState, find_losses, read_state},
    trials::TestResult,
    work::{command_of, steps},
};

/// The changes of a run, and what the folder held after each step.
pub(crate) struct Recording {
    pub(crate) changes: Vec<Change>,
    /// One more than there are steps: the first is the empty disk.
    pub(crate) states: Vec<HeldState>,
    /// The disk after each step, as `states`.
    pub(crate) disks: Vec<Disk>,
}

/// Runs all steps without a fault.
pub(crate) fn record() -> Result<Recording, String> {
    let at = tempfile::tempdir().expect("temporary folder");
    let recorder = SharedRecorder::new(Disk::new());
    let session = mount(recorder.clone(), at.path())
        .map_err(|error| format!("no file system can be mounted here (FUSE): {error}"))?;
    let (mut states, mut disks) = (vec![HeldState::new()], vec![Disk::new()]);
    for (number, step) in steps(at.path()).iter().enumerate() {
        let output = run(&mut command_of(step, at.path()));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", step.name);
        recorder.acknowledge(number);
        let disk = recorder.lock().disk.clone();
        let held = state_of(&disk).unwrap_or_else(|error| panic!("after {}: {error}", step.name));
        states.push(held);
        disks.push(disk);
    }
    drop(session);
    let changes = std::mem::take(&mut recorder.lock().changes);
    Ok(Recording { changes, states, disks })
}

/// What the data folder of a disk holds.
pub(crate) fn state_of(disk: &Disk) -> Result<HeldState, String> {
    with_data_folder(disk, read_state)
}

/// Looks at the data folder of a disk, in a real folder of its own.
pub(crate) fn with_data_folder<T>(
    disk: &Disk,
    look: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let folder = tempfile::tempdir_in(scratch()).expect("temporary folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("made");
    if let Some(inode) = disk.find(ROOT, "data".as_ref()) {
        disk.write_to(inode, &data).expect("there is room");
    }
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| look(&data)))
        .unwrap_or_else(|_| Err("it panics".to_owned()))
}

/// A folder in memory, where there is one: thousands of disks are written to it.
fn scratch() -> &'static Path {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory } else { Path::new("/tmp") }
}

/// A loss of power: when, and what the disk made of it.
pub(crate) fn choose_loss(changes: usize, random: &mut Random) -> (usize, LateWrites, NamePromise) {
    let moment = random.below(changes as u64 + 1) as usize;
    let writes = [LateWrites::AllThere, LateWrites::AllMissing, LateWrites::Any, LateWrites::Any];
    let names = [NamePromise::Journaled, NamePromise::FolderOnly];
    (moment, writes[random.below(4) as usize], names[random.below(2) as usize])
}

/// What is wrong after the power was lost; the seed tells all of it.
fn check_loss(recording: &Recording, seed: u64) -> Result<(), String> {
    let mut random = Random(seed);
    let (moment, writes, names) = choose_loss(recording.changes.len(), &mut random);
    let disk = disk_after_loss(&recording.changes, moment, writes, names, &mut random);
    let is_done = |change: &&Change| matches!(change, Change::Acknowledged { .. });
    let done = recording.changes[..moment].iter().filter(is_done).count();
    let before = &recording.states[done];
    let after = recording.states.get(done + 1).unwrap_or(before);
    let found = state_of(&disk).map_err(|error| format!("does not open: {error}"));
    let losses = found.map(|found| find_losses(&found, before, after));
    match losses {
        Ok(losses) if losses.is_empty() => Ok(()),
        told => Err(format!(
            "seed {seed}, {done} steps done, change {moment} of {}, {writes:?}, {names:?}: {told:?}",
            recording.changes.len()
        )),
    }
}

pub(crate) fn nothing_acknowledged_is_lost_with_the_power() -> TestResult {
    models_installed()?;
    let recording = record()?;
    let (count, seed) = (setting("SPECBOX_FAULTS", 300), setting("SPECBOX_FAULTS_SEED", 1));
    println!(
        "{} changes of the disk in {} steps",
        recording.changes.len(),
        recording.states.len() - 1
    );
    let next = AtomicUsize::new(0);
    let (next, recording) = (&next, &recording);
    let check = || {
        let mut faults = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed) as u64;
            if at >= count {
                return faults;
            }
            if let Err(fault) = check_loss(recording, seed.wrapping_mul(1_000_003) + at) {
                println!("{fault}");
                faults.push(fault);
            }
            if at % 500 == 499 {
                println!("{} of {count} losses of power", at + 1);
            }
        }
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(check)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(faults.is_empty(), "{} of {count} losses of power: {faults:#?}", faults.len());
    Ok(())
}
