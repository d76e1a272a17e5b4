//! The section `[mirror]` of the configuration: where files of meetings come from.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};
use ipnet::IpNet;
use serde::Deserialize;

use super::hosts::SYSTEM_AUTHORITIES;
use mirror::{FileServerSettings, Mirror};
use store::DataFolder;

/// The section; every part has a default.
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
    /// The mirror: that of the environment, that of the file, or the folder `mirror` in the data folder.
    pub(super) fn open_mirror(&self, folder: &DataFolder) -> Result<Mirror> {
        let given = std::env::var("SPECBOX_MIRROR").ok().filter(|given| !given.is_empty());
        let source = given
            .or_else(|| self.source.clone())
            .unwrap_or_else(|| folder.mirror_folder().display().to_string());
        let per_second = self.requests_per_second.unwrap_or(2.0);
        if !(per_second > 0.0 && per_second <= 1000.0) {
            bail!("mirror.requests_per_second is more than 0, and 1000 at most");
        }
        let settings = FileServerSettings {
            hosts: self.hosts.clone(),
            networks: self.networks.clone(),
            requests_per_second: per_second,
            max_bytes: self.max_file_megabytes.unwrap_or(300).clamp(1, 10_000) << 20,
            timeout: Duration::from_secs(self.seconds_per_file.unwrap_or(120).clamp(1, 3600)),
            authorities: self.authorities.clone().unwrap_or_else(|| SYSTEM_AUTHORITIES.into()),
        };
        Mirror::new(&source, settings).context("the mirror cannot be used")
    }
}
