//! One run of all work, and the power lost at any moment of it.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::{
    disk::{Change, Disk, Inode, Node, ROOT},
    installed_models::models_installed,
    mount::mount,
    power_loss::{LateWrites, NamePromise, disk_after_loss},
    program::run,
    random::Random,
    recorder::SharedRecorder,
    setting,
    state::{HeldState, find_losses, read_state},
    trials::TestResult,
    work::{DATA, OTHER_DATA, command_of, steps},
};

/// The changes of a run, and what the folder held after each step.
pub(crate) struct Recording {
    pub(crate) changes: Vec<Change>,
    /// One more than there are steps: the first is the empty disk.
    pub(crate) states: Vec<HeldState>,
    /// The disk after each step, as `states`.
    pub(crate) disks: Vec<Disk>,
    /// What lies beside the data folder after each step: backups, bundles, tables, keys, other data folders.
    products: Vec<HeldState>,
}

/// Runs all steps without a fault.
pub(crate) fn record() -> Result<Recording, String> {
    let at = tempfile::tempdir().expect("temporary folder");
    let recorder = SharedRecorder::new(Disk::new());
    let session = mount(recorder.clone(), at.path())
        .map_err(|error| format!("no file system can be mounted here (FUSE): {error}"))?;
    let (mut states, mut disks) = (vec![HeldState::new()], vec![Disk::new()]);
    let mut products = vec![HeldState::new()];
    for (number, step) in steps(at.path()).iter().enumerate() {
        let output = run(&mut command_of(step, at.path()));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", step.name);
        recorder.acknowledge(number);
        let disk = recorder.lock().disk.clone();
        let held = state_of(&disk).unwrap_or_else(|error| panic!("after {}: {error}", step.name));
        states.push(held);
        products.push(products_of(&disk));
        disks.push(disk);
    }
    drop(session);
    let changes = std::mem::take(&mut recorder.lock().changes);
    Ok(Recording { changes, states, disks, products })
}

/// What a disk holds beside the data folder: other data folders by what is in them, because they have files that each start makes
/// anew, and all else byte for byte. What cannot be read is left out.
fn products_of(disk: &Disk) -> HeldState {
    fn add_files(disk: &Disk, path: &str, folder: Inode, held: &mut HeldState) {
        for (name, inode) in disk.entries(folder).into_iter().flatten() {
            let name = name.to_string_lossy();
            let is_data = folder == ROOT && (name == DATA || OTHER_DATA.contains(&&*name));
            let path = format!("{path}/{name}");
            match disk.node(*inode) {
                Some(Node::File(bytes)) => {
                    held.insert(path, *blake3::hash(bytes).as_bytes());
                }
                Some(Node::Folder(_)) if !is_data => add_files(disk, &path, *inode, held),
                _ => {}
            }
        }
    }
    let mut held = HeldState::new();
    add_files(disk, "", ROOT, &mut held);
    for name in OTHER_DATA.iter().filter(|name| disk.find(ROOT, name.as_ref()).is_some()) {
        let state = with_folder(disk, name, read_state).unwrap_or_default();
        held.extend(state.into_iter().map(|(what, value)| (format!("{name}: {what}"), value)));
    }
    held
}

/// What a finished step left beside the data folder, and is neither as it left it nor as the step after it does. What that one had
/// only begun to write may be there in part.
fn find_lost_files(found: &HeldState, before: &HeldState, after: &HeldState) -> Vec<String> {
    let is_lost = |(name, value): &(&String, &[u8; 32])| {
        let now = found.get(*name);
        now != Some(*value) && now != after.get(*name)
    };
    before
        .iter()
        .filter(is_lost)
        .map(|(name, _)| format!("{name} is lost or another one"))
        .collect()
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
    with_folder(disk, DATA, look)
}

fn with_folder<T>(
    disk: &Disk,
    name: &str,
    look: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let folder = tempfile::tempdir_in(scratch()).expect("temporary folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("made");
    if let Some(inode) = disk.find(ROOT, name.as_ref()) {
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
    let losses = found.map(|found| {
        let products = &recording.products;
        let next = products.get(done + 1).unwrap_or(&products[done]);
        let mut losses = find_losses(&found, before, after);
        losses.extend(find_lost_files(&products_of(&disk), &products[done], next));
        losses
    });
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
