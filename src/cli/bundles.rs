//! `specbox bundle`: bundles for an index without a network.

use std::process::ExitCode;

use anyhow::Result;

use super::{
    arguments::GlobalArgs,
    bundle_arguments::BundleCommand,
    configuration::Configuration,
    data_folders::find_settings_folder,
    outcome::{absolute_path, depot_location, execute_and_print, exit_code, print_result},
    packs::{open_existing, parse_signing_key, to_trust},
    progress::ProgressView,
    session::{self, stop_on_ctrl_c},
};
use crate::{
    control::ControlRequest,
    jobs::{ApplyOptions, BundleOptions, create_bundle, verify_bundle},
};

/// Runs a command about bundles.
pub(super) fn run_bundle_command(global: &GlobalArgs, command: BundleCommand) -> Result<ExitCode> {
    match command {
        BundleCommand::Create { out, from, since, model, program, signing, trust } => {
            stop_on_ctrl_c()?;
            let configuration = Configuration::load(&find_settings_folder(global)?)?;
            let key = parse_signing_key(&signing, false)?;
            let options = BundleOptions {
                depot: open_existing(&from)?,
                manifest: trust.manifest,
                trust: to_trust(&trust, configuration.trusted_keys())?.parse()?,
                since,
                models: &model,
                program: program.as_deref(),
                key: key.as_ref(),
            };
            let settings = configuration.model_settings(global)?;
            let mut view = ProgressView::new();
            let mut step = |done, total| view.show_step(done, total, "packs");
            let out = absolute_path(&out)?;
            let cancel = &session::STOP_REQUESTED;
            let report = create_bundle(&options, &out, &settings, cancel, &mut step)?;
            view.finish();
            print_result(global, &report)?;
            Ok(ExitCode::SUCCESS)
        }
        BundleCommand::Verify { bundle, trust } => {
            stop_on_ctrl_c()?;
            let configuration = Configuration::load(&find_settings_folder(global)?)?;
            let trust = to_trust(&trust, configuration.trusted_keys())?.parse()?;
            let mut view = ProgressView::new();
            let mut step = |done, total| view.show_step(done, total, "packs");
            let depot = open_existing(&bundle)?;
            let report = verify_bundle(&depot, &trust, &session::STOP_REQUESTED, &mut step)?;
            view.finish();
            print_result(global, &report)?;
            Ok(exit_code(report.faults.is_empty()))
        }
        BundleCommand::Apply { bundle, dry_run, trust } => {
            let configuration = Configuration::load(&find_settings_folder(global)?)?;
            let manifest = trust.manifest;
            let trust = to_trust(&trust, configuration.trusted_keys())?;
            let source = depot_location(&bundle)?;
            let options = ApplyOptions { source, manifest, trust, dry_run };
            execute_and_print(global, ControlRequest::ApplyBundle(options))
        }
        BundleCommand::Rollback { discard_changes } => {
            execute_and_print(global, ControlRequest::RollBackBundle { discard_changes })
        }
    }
}
