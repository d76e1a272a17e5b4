//! A disk that fails, fills up or takes its process with it, in the middle of a step.

use serde_json::json;

use crate::{
    disk::{Change, Disk},
    installed_models::models_installed,
    mount::mount,
    program::{json as run_json, run, specbox},
    random::Random,
    recorder::{Fault, FaultPlan, SharedRecorder},
    recording::{Recording, record, state_of},
    setting,
    state::find_losses,
    trials::TestResult,
    work::{command_of, data_folder, steps},
};

const FAULTS: [Fault; 6] = [
    Fault::InputOutput,
    Fault::NoSpace,
    Fault::ShortWrite,
    Fault::Sync,
    Fault::Kill,
    Fault::KillInWrite,
];

/// Changes that a step makes, at the most, before a fault comes.
fn changes_of_step(recording: &Recording, step: usize) -> u64 {
    let position = |number| {
        let is_end =
            |change: &Change| matches!(change, Change::Acknowledged { step } if *step == number);
        recording.changes.iter().position(is_end)
    };
    let begin = step.checked_sub(1).and_then(position).unwrap_or(0);
    (position(step).expect("it was done") - begin) as u64
}

/// Runs one step from the disk before it, with a fault in it; then once more without. Returns whether the fault hit.
fn check_failing_step(recording: &Recording, seed: u64) -> Result<bool, String> {
    let mut random = Random(seed);
    let number = random.below(recording.states.len() as u64 - 1) as usize;
    let fault = FAULTS[random.below(FAULTS.len() as u64) as usize];
    let after = random.below(changes_of_step(recording, number)) as usize;
    // A disk that is full stays full; another fault comes once, or some times.
    let times = if fault == Fault::NoSpace { usize::MAX } else { 1 + random.below(3) as usize };
    let plan = FaultPlan { fault, after, times };
    let tell = |what: String| {
        let name = steps("".as_ref())[number].name;
        format!("seed {seed}, {name:?} with {fault:?} after {after} changes: {what}")
    };
    let disk: Disk = recording.disks[number].clone();
    let at = tempfile::tempdir().expect("temporary folder");
    let recorder = SharedRecorder::new(disk);
    let session = mount(recorder.clone(), at.path()).map_err(|error| tell(error.to_string()))?;
    let step = &steps(at.path())[number];
    recorder.plan_fault(plan);
    let child = command_of(step, at.path()).spawn().expect("the program starts");
    recorder.watch_process(child.id());
    let output = child.wait_with_output().expect("it was ours");
    let hits = recorder.hits();
    recorder.end_faults();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if errors.contains("panicked") || errors.contains("internal error place=") {
        return Err(tell(format!("it panics: {errors}")));
    }
    let (before, done) = (&recording.states[number], &recording.states[number + 1]);
    let held = state_of(&recorder.lock().disk.clone()).map_err(|error| tell(error.to_string()))?;
    // What was reported as done is done; what was not is as it was before or after, each thing for itself.
    let losses = find_losses(&held, if output.status.success() { done } else { before }, done);
    if !losses.is_empty() {
        return Err(tell(format!("hit {hits}, {}, {losses:?}: {errors}", output.status)));
    }
    if find_losses(&held, done, done).is_empty() {
        // Done; some steps can be done only once.
        return Ok(hits > 0);
    }
    let again = run(&mut command_of(step, at.path()));
    let held = state_of(&recorder.lock().disk.clone()).map_err(|error| tell(error.to_string()))?;
    let losses = find_losses(&held, done, done);
    let report = run_json(specbox(&data_folder(at.path())).arg("verify"));
    drop(session);
    if !again.status.success() || !losses.is_empty() || report["faults"] != json!([]) {
        let errors = String::from_utf8_lossy(&again.stderr).into_owned();
        return Err(tell(format!("again: {}, {losses:?}, {report}: {errors}", again.status)));
    }
    Ok(hits > 0)
}

pub(crate) fn nothing_acknowledged_is_lost_by_a_failing_disk() -> TestResult {
    models_installed()?;
    let recording = record()?;
    let (count, seed) = (setting("SPECBOX_FAULTS", 300) / 10, setting("SPECBOX_FAULTS_SEED", 1));
    let (mut faults, mut hit) = (Vec::new(), 0);
    for at in 0..count {
        match check_failing_step(&recording, seed.wrapping_mul(1_000_003) + at) {
            Ok(is_hit) => hit += u64::from(is_hit),
            Err(fault) => {
                println!("{fault}");
                faults.push(fault);
            }
        }
        if at % 50 == 49 {
            println!("{} of {count} failing disks", at + 1);
        }
    }
    println!("the fault hit in {hit} of {count} runs");
    assert!(2 * hit > count, "too few faults hit: {hit} of {count}");
    assert!(faults.is_empty(), "{} of {count} failing disks: {faults:#?}", faults.len());
    Ok(())
}
