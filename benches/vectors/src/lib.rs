//! The parts of the vector bench: data, exact answers, engines, clocks, rounds and reports.

pub mod cases;
pub mod child_processes;
pub mod clock;
pub mod data;
pub mod engine;
pub mod engines;
pub mod memory;
pub mod report;
pub mod rounds;
pub mod synthetic;
pub mod truth;
