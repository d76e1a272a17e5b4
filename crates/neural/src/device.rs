//! On which device a model runs, and in which number format.

use candle_core::{DType, Device, Result, Tensor};
use serde::Deserialize;

use super::{error::NeuralError, registry::Architecture};

/// The device that is configured for models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// The first CUDA device if this build supports CUDA and there is one, otherwise the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// The first CUDA device, or an error.
    Cuda,
}

impl DeviceChoice {
    /// Returns the device.
    pub(super) fn open(self) -> std::result::Result<Device, NeuralError> {
        match self {
            Self::Cpu => Ok(Device::Cpu),
            Self::Auto => Ok(open_cuda().unwrap_or(Device::Cpu)),
            Self::Cuda => open_cuda().map_err(NeuralError::NoCuda),
        }
    }
}

#[cfg(feature = "cuda")]
fn open_cuda() -> Result<Device> {
    Device::new_cuda(0)
}

#[cfg(not(feature = "cuda"))]
fn open_cuda() -> Result<Device> {
    candle_core::bail!("this build has no CUDA; build with --features cuda")
}

/// Returns the number format that an architecture computes in. On a GPU the large ones run in 16 bits, as
/// their authors recommend; candle's BERT makes its mask infinite there, so it stays in 32.
pub(super) fn compute_dtype(architecture: Architecture, device: &Device) -> DType {
    match architecture {
        Architecture::XlmRoberta | Architecture::Qwen3 if device.is_cuda() => DType::F16,
        _ => DType::F32,
    }
}

/// Brings states to the processor, in 32 bits.
pub(super) fn to_cpu_f32(states: &Tensor) -> Result<Tensor> {
    states.to_device(&Device::Cpu)?.to_dtype(DType::F32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_device_is_an_error_only_when_it_is_configured() {
        assert!(DeviceChoice::Auto.open().is_ok());
        assert!(DeviceChoice::Cpu.open().expect("always there").is_cpu());
        match DeviceChoice::Cuda.open() {
            Ok(device) => assert!(device.is_cuda()),
            Err(error) => assert!(matches!(error, NeuralError::NoCuda(_)), "{error}"),
        }
    }
}
