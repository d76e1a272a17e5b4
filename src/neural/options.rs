//! How models are run.

use super::device::DeviceChoice;

/// How models are run. No option changes which vectors may be compared: all precisions give nearly
/// the same vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Where.
    pub device: DeviceChoice,
}
