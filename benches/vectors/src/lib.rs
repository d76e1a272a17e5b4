//! What the bench of vectors is made of: data, the truth about it, engines, clocks, and the rounds.

pub mod cases;
pub mod clock;
pub mod data;
pub mod engine;
pub mod engines;
pub mod memory;
pub mod reopen;
pub mod report;
pub mod rounds;
pub mod synthetic;
pub mod truth;
