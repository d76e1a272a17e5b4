//! Single bits of a data folder that change, and files that are lost, cut or exchanged: each is found, with advice, or does
//! no harm.

use std::{
    collections::BTreeMap,
    fs,
    panic::catch_unwind,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use store::{DataFolder, Store};

use crate::{
    installed_models::models_installed,
    program::{run, specbox},
    random::Random,
    setting,
    state::{HeldState, read_searchable_state},
    trials::TestResult,
    work::{command_of, data_folder, steps},
};

/// Files that people write, or that are made anew at each start: a changed bit in them is a change of their meaning.
const LEFT_OUT: [&str; 4] = ["specbox.toml", "control.token", "lock", "jobs.json"];

/// The bytes that a disk loses at once.
const PAGE: usize = 4096;

/// What became of a damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DamageOutcome {
    /// `doctor` found it, and the start made the file anew.
    Mended,
    /// Everything is there: the bit was of no use, or the file was made anew.
    Harmless,
    /// Opening or `verify` found it, and `doctor` says what to do.
    Found,
    /// Only `doctor` found it.
    FoundByDoctor,
}

/// A data folder with everything in it, and what it holds.
struct Original {
    folder: tempfile::TempDir,
    files: Vec<(PathBuf, u64)>,
    held: HeldState,
    /// Copies of the folder after each step but the last.
    earlier: Vec<tempfile::TempDir>,
}

/// Damages a copy of a folder, and says how.
type Damage = fn(&Original, &mut Random, &Path) -> String;

impl Original {
    fn make() -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut earlier = Vec::new();
        for step in &steps(folder.path()) {
            let output = run(&mut command_of(step, folder.path()));
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {errors}", step.name);
            let copy = tempfile::tempdir().expect("temporary folder");
            copy_files(&data_folder(folder.path()), copy.path());
            earlier.push(copy);
        }
        earlier.pop();
        let data = data_folder(folder.path());
        let held = read_searchable_state(&data).expect("the folder is whole");
        let mut files = Vec::new();
        list_files(&data, &data, &mut files);
        files.sort();
        Self { folder, files, held, earlier }
    }

    /// Damages a copy, and looks at what became of it.
    fn damage(&self, number: u64, seed: u64, damage: Damage) -> Result<DamageOutcome, String> {
        // Mixed twice: the generator of one number would otherwise continue that of the number before.
        let mut random = Random(Random(Random(seed).next() ^ number).next());
        let copy = tempfile::tempdir().expect("temporary folder");
        copy_files(&data_folder(self.folder.path()), copy.path());
        let told = damage(self, &mut random, copy.path());
        self.judge(copy.path()).map_err(|error| format!("damage {number}: {told}: {error}"))
    }

    /// Any file, as often as any other.
    fn draw_file(&self, random: &mut Random) -> &(PathBuf, u64) {
        &self.files[random.below(self.files.len() as u64) as usize]
    }

    /// What the program says of a folder, and whether that is enough.
    fn judge(&self, data: &Path) -> Result<DamageOutcome, String> {
        let examined = run(specbox(data).arg("doctor"));
        let said = String::from_utf8_lossy(&examined.stdout).into_owned();
        let is_told = match examined.status.code() {
            Some(0) => false,
            Some(1) => true,
            other => {
                let errors = String::from_utf8_lossy(&examined.stderr);
                return Err(format!("doctor ended with {other:?}: {errors}"));
            }
        };
        let open = || drop(Store::open(DataFolder::new(data.to_owned())));
        if catch_unwind(open).is_err() {
            return Err("opening panicked".to_owned());
        }
        // A server answers 500 where reading what is damaged panics.
        match catch_unwind(|| read_searchable_state(data)) {
            Err(_) if is_told => Ok(DamageOutcome::Found),
            Err(_) => Err("reading panicked, and doctor finds nothing".to_owned()),
            Ok(Ok(held)) if held == self.held && is_told => Ok(DamageOutcome::Mended),
            Ok(Ok(held)) if held == self.held => Ok(DamageOutcome::Harmless),
            Ok(Ok(_)) if is_told => Ok(DamageOutcome::FoundByDoctor),
            Ok(Ok(_)) => Err(format!("something is lost, and nobody tells: {said}")),
            Ok(Err(_)) if is_told => Ok(DamageOutcome::Found),
            Ok(Err(error)) => Err(format!("doctor finds nothing, and yet: {error}")),
        }
    }
}

/// Flips a bit: of any file as often as of any other, or of any byte.
fn flip_bit(original: &Original, random: &mut Random, copy: &Path) -> String {
    let total: u64 = original.files.iter().map(|(_, length)| length).sum();
    let (file, at) = if random.below(2) == 0 {
        let (file, length) = original.draw_file(random);
        (file, random.below(*length))
    } else {
        let mut at = random.below(total);
        let holds = |(_, length): &&(PathBuf, u64)| {
            let is_here = at < *length;
            if !is_here {
                at -= length;
            }
            is_here
        };
        let (file, _) = original.files.iter().find(holds).expect("within the total");
        (file, at)
    };
    let bit = random.below(8);
    let path = copy.join(file);
    let mut bytes = fs::read(&path).expect("the copy");
    bytes[at as usize] ^= 1 << bit;
    fs::write(&path, bytes).expect("written");
    format!("bit {bit} of byte {at} of {}", file.display())
}

/// Removes, empties, cuts or extends a file, clears a page of it, or puts another file in its place: one of the same
/// folder, or the same one as it was before. Or exchanges two files of one kind.
fn damage_file(original: &Original, random: &mut Random, copy: &Path) -> String {
    let (file, length) = original.draw_file(random);
    let path = copy.join(file);
    let name = file.display();
    let bytes = fs::read(&path).expect("the copy");
    let write = |bytes: &[u8]| fs::write(&path, bytes).expect("written");
    let beside = |other: &&(PathBuf, u64)| other.0 != *file && other.0.parent() == file.parent();
    let others: Vec<&(PathBuf, u64)> = original.files.iter().filter(beside).collect();
    // An older copy of the accounts is not recognised, which docs/reliability.md says.
    let may_be_older = file.as_os_str() != "accounts.redb";
    let earlier: &[_] = if may_be_older { &original.earlier } else { &[] };
    let earlier = earlier.iter().flat_map(|copy| fs::read(copy.path().join(file)));
    let earlier: Vec<Vec<u8>> = earlier.filter(|earlier| *earlier != bytes).collect();
    let is_alike = |other: &&&(PathBuf, u64)| other.0.extension() == file.extension();
    let alike: Vec<_> = others.iter().filter(is_alike).collect();
    match random.below(8) {
        7 if !alike.is_empty() => {
            let (other, _) = alike[random.below(alike.len() as u64) as usize];
            fs::rename(copy.join(other), &path).expect("moved");
            fs::write(copy.join(other), &bytes).expect("written");
            format!("{name} and {} are exchanged", other.display())
        }
        5 if !others.is_empty() => {
            let (other, _) = others[random.below(others.len() as u64) as usize];
            fs::copy(copy.join(other), &path).expect("copied");
            format!("{name} has the bytes of {}", other.display())
        }
        6 if !earlier.is_empty() => {
            write(&earlier[random.below(earlier.len() as u64) as usize]);
            format!("{name} is as it was before")
        }
        0 => {
            fs::remove_file(&path).expect("removed");
            format!("{name} is missing")
        }
        1 => {
            write(&[]);
            format!("{name} is empty")
        }
        2 => {
            let end = random.below(*length);
            write(&bytes[..end as usize]);
            format!("{name} ends after {end} bytes")
        }
        3 => {
            write(&[&bytes[..], &vec![0; PAGE]].concat());
            format!("{name} is longer by a page of zeros")
        }
        // Also where there is no other file, or no earlier one.
        _ => {
            let mut bytes = bytes;
            let start = random.below(length.div_ceil(PAGE as u64)) as usize * PAGE;
            let end = (start + PAGE).min(bytes.len());
            bytes[start..end].fill(0);
            write(&bytes);
            format!("{name} has a page of zeros from byte {start}")
        }
    }
}

fn list_files(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, u64)>) {
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        let kind = entry.file_type().expect("known");
        let length = entry.metadata().expect("known").len();
        if kind.is_dir() {
            list_files(root, &path, files);
        } else if kind.is_file()
            && length > 0
            && !LEFT_OUT.contains(&entry.file_name().to_string_lossy().as_ref())
        {
            files.push((path.strip_prefix(root).expect("within").to_owned(), length));
        }
    }
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("readable").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("known");
        if kind.is_dir() {
            copy_files(&path, &target);
        } else if kind.is_file() {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

pub(crate) fn every_flipped_bit_is_found_or_does_no_harm() -> TestResult {
    every_damage_is_found_or_does_no_harm("flips", setting("SPECBOX_FLIPS", 60), flip_bit)
}

pub(crate) fn every_damaged_file_is_found_or_does_no_harm() -> TestResult {
    every_damage_is_found_or_does_no_harm("files", setting("SPECBOX_DAMAGES", 40), damage_file)
}

fn every_damage_is_found_or_does_no_harm(kind: &str, count: u64, damage: Damage) -> TestResult {
    models_installed()?;
    let seed = setting("SPECBOX_FAULTS_SEED", 1);
    let original = Original::make();
    let (next, outcomes, failures) =
        (AtomicU64::new(0), Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            match original.damage(number, seed, damage) {
                Ok(outcome) => {
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    *outcomes.entry(outcome).or_insert(0u64) += 1;
                }
                Err(failure) => {
                    eprintln!("{failure}");
                    failures.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{count} {kind} from seed {seed} of {} files: {outcomes:?}", original.files.len());
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}
