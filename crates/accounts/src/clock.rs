//! The current time; tests supply their own clock.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

/// A source of the time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Default for Clock {
    /// The clock of the system.
    fn default() -> Self {
        Self::new(Timestamp::now)
    }
}

impl Clock {
    /// A clock that calls `now` for the time.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }

    /// Whole seconds since 1970.
    pub(super) fn unix_seconds(&self) -> i64 {
        self.now().as_second()
    }
}

/// Whether something that was made at a time and lasts `lifetime_s` seconds has ended.
///
/// It also ends if it was made that much later than now: the clock was set back since, and it would last for as long
/// as the clock had been ahead. So, whatever a clock does, nothing lasts twice as long as it should.
pub(super) fn has_ended(made: i64, lifetime_s: i64, now: i64) -> bool {
    now.saturating_sub(made).saturating_abs() >= lifetime_s
}

/// A time as records and replies print it: RFC 3339 in UTC, whole seconds.
pub fn format_timestamp(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Stored seconds as a time; the Unix epoch if they are out of range.
pub(super) fn timestamp_from_seconds(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A time that is later by a number of seconds.
pub(super) fn add_seconds(time: Timestamp, seconds: i64) -> Timestamp {
    time.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}
