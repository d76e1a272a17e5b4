//! Any bytes as a calendar of meetings, a page or a table.

#![no_main]

use libfuzzer_sys::fuzz_target;
use register::read_calendar;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_calendar(bytes);
});
