//! Months and days in UTC, by which requests are counted.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// A calendar month in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Month {
    first: Date,
}

impl Month {
    pub(super) fn from_timestamp(time: Timestamp) -> Self {
        Self { first: utc_date(time).first_of_month() }
    }

    /// The month as the tables store it: 202602 is February 2026.
    pub(super) fn month_number(self) -> u32 {
        date_number(self.first) / 100
    }

    /// The first and the last day as the tables store them.
    pub(super) fn day_range(self) -> (u32, u32) {
        (date_number(self.first), date_number(self.first.last_of_month()))
    }

    /// When the next month begins and counts start from 0 again.
    pub(super) fn end_time(self) -> Timestamp {
        let next = self.first.last_of_month().tomorrow();
        let midnight = next.and_then(|day| day.to_zoned(TimeZone::UTC));
        midnight.map_or(Timestamp::MAX, |midnight| midnight.timestamp())
    }
}

/// A day in UTC as the tables store it: 20260228.
pub(super) fn day_number(time: Timestamp) -> u32 {
    date_number(utc_date(time))
}

fn utc_date(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

fn date_number(day: Date) -> u32 {
    let year = u32::from(day.year().unsigned_abs());
    year * 10_000
        + u32::from(day.month().unsigned_abs()) * 100
        + u32::from(day.day().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    #[test]
    fn a_month_ends_at_midnight_utc_also_across_years_and_leap_days() {
        for (time, number, days, end) in [
            ("2026-01-31T23:59:59Z", 202_601, (20_260_101, 20_260_131), "2026-02-01T00:00:00Z"),
            ("2026-02-01T00:00:00Z", 202_602, (20_260_201, 20_260_228), "2026-03-01T00:00:00Z"),
            ("2028-02-29T12:00:00Z", 202_802, (20_280_201, 20_280_229), "2028-03-01T00:00:00Z"),
            ("2026-12-31T23:59:59Z", 202_612, (20_261_201, 20_261_231), "2027-01-01T00:00:00Z"),
        ] {
            let month = Month::from_timestamp(at(time));
            assert_eq!(
                (month.month_number(), month.day_range(), month.end_time()),
                (number, days, at(end))
            );
        }
    }

    #[test]
    fn the_offset_of_a_time_does_not_change_its_month() {
        assert_eq!(Month::from_timestamp(at("2026-02-01T01:00:00+02:00")).month_number(), 202_601);
        assert_eq!(day_number(at("2026-02-01T01:00:00+02:00")), 20_260_131);
    }
}
