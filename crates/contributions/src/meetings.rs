//! Meetings, from calendars and registers.

use jiff::{
    ToSpan,
    civil::{Date, DateTime, Weekday},
};
use register::RegisterEntry;

use domain::{MONTHS, MeetingId, WEEKDAYS};
use store::{CalendarNote, MeetingRow, RegisterNote, ReportedMeeting};

/// A decision by e-mail is made at most this long after the first day of its meeting. With the days before it, the
/// span must stay below a year: a date in notes has no year, and two years would match.
const MAX_DAYS_AFTER_START: i32 = 120;
/// At most this long before it, in an e-mail discussion that prepares the meeting.
const MAX_DAYS_BEFORE_START: i32 = 14;
/// Days of a meeting, at most. A wrong year in a calendar would otherwise make each lookup of a weekday walk through
/// years of days.
const MAX_MEETING_DAYS: usize = 60;

/// A meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// Its id.
    pub id: MeetingId,
    /// Its dates.
    pub dates: MeetingDates,
    /// Its entry in a calendar.
    pub calendar: Option<CalendarNote>,
    /// The note of its register.
    pub register: Option<RegisterNote>,
    /// What the first page of its report says of it.
    pub report: Option<ReportedMeeting>,
    /// Documents in its registers.
    pub registered: usize,
    /// Known documents of it, including those that no register lists.
    pub documents: usize,
    /// URL of the folder on the 3GPP server that contains most of its documents, as registers link them.
    pub document_folder_url: Option<String>,
}

/// The dates of a meeting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MeetingDates {
    /// Its first day.
    pub start: Option<Date>,
    /// Its last day.
    pub end: Option<Date>,
    /// Whether the first day is an estimate from the dates in its register.
    pub are_estimated: bool,
}

impl MeetingDates {
    /// The day of a session, as notes name it: `Thursday` is the one in the meeting, `e-mail, March 1` the one
    /// from shortly before it to some months after. `None` if the notes name no day, or if they name a weekday and the
    /// meeting has it twice or its first day is an estimate.
    pub fn session_date(&self, session: &str) -> Option<Date> {
        let start = self.start?;
        let words: Vec<&str> = session.split_whitespace().collect();
        let month_and_day = words.windows(2).find_map(|pair| {
            let month = (1..).zip(MONTHS).find(|(_, name)| *name == pair[0])?.0;
            Some((month, pair[1].parse().ok()?))
        });
        if let Some((month, day)) = month_and_day {
            let years = [start.year() - 1, start.year(), start.year() + 1];
            let days = years.iter().filter_map(|year| Date::new(*year, month, day).ok());
            let after = |day: &Date| start.until(*day).map_or(i32::MAX, |span| span.get_days());
            let mut near = days.filter(|day| {
                (-MAX_DAYS_BEFORE_START..=MAX_DAYS_AFTER_START).contains(&after(day))
            });
            return near.next();
        }
        let end = self.end?;
        if self.are_estimated {
            return None;
        }
        let names = |day: &Date| WEEKDAYS[usize::from(day.weekday().to_monday_zero_offset() as u8)];
        let mut matching = start
            .series(1.days())
            .take_while(|day| *day <= end)
            .take(MAX_MEETING_DAYS)
            .filter(|day| words.contains(&names(day)));
        let first = matching.next();
        if matching.next().is_none() { first } else { None }
    }
}

impl Meeting {
    /// A meeting from its stored row; its documents are not counted yet.
    pub fn new(row: MeetingRow) -> Self {
        let official = row.calendar.as_ref().and_then(|calendar| calendar.start);
        let estimated = row.register.as_ref().and_then(|register| register.estimated_start);
        let dates = match official {
            Some(start) => MeetingDates {
                start: Some(start),
                end: row.calendar.as_ref().and_then(|calendar| calendar.end),
                are_estimated: false,
            },
            None => {
                MeetingDates { start: estimated, end: None, are_estimated: estimated.is_some() }
            }
        };
        let MeetingRow { id, calendar, register } = row;
        let (registered, documents) = (0, 0);
        let (report, document_folder_url) = (None, None);
        Self { id, dates, calendar, register, report, registered, documents, document_folder_url }
    }

    /// Adds what a report says. Its dates stand behind those of a calendar, and before an estimate.
    pub(super) fn add_report(&mut self, report: ReportedMeeting) {
        if self.dates.start.is_none() || self.dates.are_estimated {
            let (start, end) = (Some(report.start), Some(report.end));
            self.dates = MeetingDates { start, end, are_estimated: false };
        }
        self.report = Some(report);
    }

    /// Where it is: by its calendar, or otherwise by its report.
    pub fn place(&self) -> Option<&str> {
        let calendar = self.calendar.as_ref().and_then(|calendar| calendar.location.as_deref());
        calendar.or_else(|| self.report.as_ref()?.place.as_deref())
    }

    /// Where its first day is from; `None` if it is unknown.
    pub fn dates_source(&self) -> Option<&'static str> {
        let by_calendar = self.calendar.as_ref().is_some_and(|calendar| calendar.start.is_some());
        if by_calendar {
            Some("calendar")
        } else if self.dates.are_estimated {
            Some("estimate")
        } else {
            self.dates.start.map(|_| "report")
        }
    }

    /// A meeting that is known only from its documents.
    pub(super) fn from_id(id: MeetingId) -> Self {
        Self::new(MeetingRow { id, calendar: None, register: None })
    }
}

/// Days from the deadline to the first Monday on which a meeting can begin, at least. After a deadline on a Thursday
/// or Friday, the meeting begins a week after the next Monday; with fewer than five days that Monday would be taken.
const MIN_DAYS_AFTER_DEADLINE: i32 = 5;

/// An estimate of the day on which a meeting began: the first Monday that is five days or more after the deadline, by
/// which half of the documents were uploaded. A register from before the deadline has too few uploads; half of its
/// numbers were assigned a day or two before it.
///
/// Correct for the seven available registers whose meeting dates are known (RAN1#84, 100-e, 118 and 122,
/// RAN5#111, SA2#125 and 127: `tests/real_registers.rs`).
pub(super) fn estimate_start(entries: &[RegisterEntry]) -> Option<Date> {
    let median = |time: fn(&RegisterEntry) -> Option<DateTime>| {
        let mut days: Vec<Date> = entries.iter().filter_map(time).map(Date::from).collect();
        days.sort_unstable();
        let are_enough = days.len() >= entries.len().div_ceil(2);
        if are_enough { days.get(days.len() / 2).copied() } else { None }
    };
    let deadline = median(|entry| entry.uploaded).or_else(|| median(|entry| entry.reserved))?;
    let earliest = deadline.checked_add(MIN_DAYS_AFTER_DEADLINE.days()).ok()?;
    if earliest.weekday() == Weekday::Monday {
        return Some(earliest);
    }
    earliest.nth_weekday(1, Weekday::Monday).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    #[test]
    fn sessions_are_dated_by_weekday_or_by_month_and_day() {
        let dates =
            |start, end| MeetingDates { start: Some(start), end: Some(end), are_estimated: false };
        let week = dates(date(2024, 8, 19), date(2024, 8, 23));
        let two_weeks = dates(date(2020, 12, 14), date(2020, 12, 25));
        let guess = MeetingDates { are_estimated: true, ..week };
        for (dates, session, expected) in [
            (&week, "Thursday", Some(date(2024, 8, 22))),
            (&week, "Thursday August 22", Some(date(2024, 8, 22))),
            (&week, "e-mail, August 31", Some(date(2024, 8, 31))),
            (&week, "e-mail, January 5", None),
            (&week, "e-mail, May 1", None),
            (&week, "e-mail, February 31", None),
            (&week, "Saturday", None),
            (&week, "parallel", None),
            (&two_weeks, "Thursday", None),
            (&two_weeks, "e-mail, January 5", Some(date(2021, 1, 5))),
            (&guess, "Thursday", None),
            (&guess, "e-mail, August 31", Some(date(2024, 8, 31))),
        ] {
            assert_eq!(dates.session_date(session), expected, "{session}");
        }
    }

    use super::*;
    use crate::import::tests::entry;

    #[test]
    fn a_meeting_begins_on_the_monday_after_its_deadline() {
        let on = |days: &[Date]| -> Vec<RegisterEntry> {
            let made = days.iter().map(|day| {
                let mut entry = entry("R1-2400001", &[]);
                entry.reserved = Some(day.at(12, 0, 0, 0));
                entry
            });
            made.collect()
        };
        let (thursday, friday) = (date(2024, 8, 8), date(2024, 8, 9));
        let entries = on(&[date(2024, 7, 4), thursday, thursday, friday, date(2024, 8, 22)]);
        assert_eq!(estimate_start(&entries), Some(date(2024, 8, 19)));
        // Five days after a Wednesday is a Monday.
        assert_eq!(estimate_start(&on(&[date(2024, 8, 7)])), Some(date(2024, 8, 12)));
        // Uploads say more than announcements, if there are enough of them.
        let mut uploaded = on(&[date(2024, 6, 1), date(2024, 6, 2), date(2024, 6, 3)]);
        uploaded[0].uploaded = Some(friday.at(9, 0, 0, 0));
        assert_eq!(estimate_start(&uploaded), Some(date(2024, 6, 10)));
        uploaded[1].uploaded = Some(friday.at(10, 0, 0, 0));
        assert_eq!(estimate_start(&uploaded), Some(date(2024, 8, 19)));
        assert_eq!(estimate_start(&[]), None);
        let mut undated = on(&[thursday]);
        undated.extend([entry("R1-2400002", &[]), entry("R1-2400003", &[])]);
        assert_eq!(estimate_start(&undated), None);
    }
}
