//! What the bench of vectors is made of: data, the truth about it, engines, and clocks.

pub mod clock;
pub mod data;
pub mod engine;
pub mod engines;
pub mod truth;
