//! Ten thousand faults: the real program works on a disk that records every write, and loses power, fails, fills up or
//! kills it at any of them. What was reported as done is there afterwards, and nothing else changed.
//!
//! `scripts/faults` runs as many as one likes. In a run of the tests they are few: `SPECBOX_FAULTS` (300) losses of power
//! a fifth as many under a server and under uploads, and a tenth as many failing disks, from `SPECBOX_FAULTS_SEED` (1), and `SPECBOX_FLIPS` (60)
//! flipped bits and `SPECBOX_DAMAGES` (40) damaged files.

#[path = "../support/client.rs"]
#[expect(dead_code, reason = "other test programs use the rest")]
mod client;
mod damage;
mod disk;
mod failing;
#[path = "../support/installed_models.rs"]
mod installed_models;
mod mount;
mod power_loss;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/random.rs"]
mod random;
mod recorder;
mod recording;
#[path = "../support/server.rs"]
mod server;
mod serving;
mod state;
#[path = "../support/trials.rs"]
mod trials;
mod uploading;
#[path = "../support/wait.rs"]
mod wait;
mod work;

use std::{env, process::ExitCode};

use damage::{
    every_damaged_file_is_found_or_does_no_harm, every_flipped_bit_is_found_or_does_no_harm,
};
use failing::nothing_acknowledged_is_lost_by_a_failing_disk;
use recording::nothing_acknowledged_is_lost_with_the_power;
use serving::a_server_that_loses_power_has_charged_each_answer_once;
use trials::{run_trials, trials};
use uploading::an_accepted_upload_outlasts_a_loss_of_power;

fn main() -> ExitCode {
    run_trials([trials![
        nothing_acknowledged_is_lost_with_the_power,
        nothing_acknowledged_is_lost_by_a_failing_disk,
        a_server_that_loses_power_has_charged_each_answer_once,
        an_accepted_upload_outlasts_a_loss_of_power,
        every_flipped_bit_is_found_or_does_no_harm,
        every_damaged_file_is_found_or_does_no_harm,
    ]])
}

/// A whole number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a whole number"))
}
