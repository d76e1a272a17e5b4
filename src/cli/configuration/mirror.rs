//! The section `[mirror]` of the configuration: where files of meetings come from.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};
use ipnet::IpNet;
use serde::Deserialize;

use super::hosts::SYSTEM_AUTHORITIES;
use mirror::{FileServerSettings, Mirror};
use store::DataFolder;

/// Without a setting, requests are few: a file server is there for others, too.
const DEFAULT_REQUESTS_PER_SECOND: f64 = 2.0;
const MAX_REQUESTS_PER_SECOND: f64 = 1000.0;
const DEFAULT_FILE_MEGABYTES: u64 = 300;
const MAX_FILE_MEGABYTES: u64 = 10_000;
const DEFAULT_SECONDS_PER_FILE: u64 = 120;
const MAX_SECONDS_PER_FILE: u64 = 3600;

/// The section; every setting has a default.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MirrorSection {
    pub(super) source: Option<String>,
    hosts: Vec<String>,
    networks: Vec<IpNet>,
    requests_per_second: Option<f64>,
    max_file_megabytes: Option<u64>,
    seconds_per_file: Option<u64>,
    authorities: Option<PathBuf>,
}

impl MirrorSection {
    /// The mirror that the environment names, else the file, else the folder `mirror` in the data folder.
    pub(super) fn open_mirror(&self, folder: &DataFolder) -> Result<Mirror> {
        let from_environment =
            std::env::var("SPECBOX_MIRROR").ok().filter(|source| !source.is_empty());
        let source = from_environment
            .or_else(|| self.source.clone())
            .unwrap_or_else(|| folder.mirror_folder().display().to_string());
        let per_second = self.requests_per_second.unwrap_or(DEFAULT_REQUESTS_PER_SECOND);
        if !(per_second > 0.0 && per_second <= MAX_REQUESTS_PER_SECOND) {
            bail!("mirror.requests_per_second must be above 0 and at most 1000");
        }
        let max_megabytes = self.max_file_megabytes.unwrap_or(DEFAULT_FILE_MEGABYTES);
        let timeout_s = self.seconds_per_file.unwrap_or(DEFAULT_SECONDS_PER_FILE);
        let settings = FileServerSettings {
            hosts: self.hosts.clone(),
            networks: self.networks.clone(),
            requests_per_second: per_second,
            max_bytes: max_megabytes.clamp(1, MAX_FILE_MEGABYTES) << 20,
            timeout: Duration::from_secs(timeout_s.clamp(1, MAX_SECONDS_PER_FILE)),
            authorities: self.authorities.clone().unwrap_or_else(|| SYSTEM_AUTHORITIES.into()),
        };
        Mirror::new(&source, settings).context("the mirror cannot be used")
    }
}
