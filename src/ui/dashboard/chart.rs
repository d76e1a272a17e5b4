//! Charts of a month's use, drawn as SVG, with the numbers as text.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date};

use maud::{Markup, html};

use crate::http::OperationLatency;
use crate::ui::numbers::group_thousands;

/// Size of the chart by day, in its own units.
const WIDTH: u64 = 620;
const HEIGHT: u64 = 140;
/// Height of the row under the columns that labels the days.
const FOOT: u64 = 18;
/// Width of the chart by operation.
const BAR_WIDTH: u64 = 240;
/// Size of the curve of an operation by day.
const CURVE_WIDTH: u64 = 120;
const CURVE_HEIGHT: u64 = 20;

/// Columns for the days of a month.
pub(super) fn render_day_chart(days: &[u64]) -> Markup {
    let max_count = days.iter().copied().max().unwrap_or(0).max(1);
    let step = WIDTH / (days.len().max(1) as u64);
    let total: u64 = days.iter().sum();
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
            aria-label={ "Requests by day of this month, " (total) " in total" } {
            @for (index, count) in days.iter().enumerate() {
                @let height = (HEIGHT - FOOT - 4) * count / max_count;
                @let x = index as u64 * step;
                rect.column x=(x + 2) y=(HEIGHT - FOOT - height) width=(step - 4)
                    height=(height.max(u64::from(*count > 0))) {
                    title { "day " (index + 1) ": " (count) }
                }
                @if index % 5 == 0 {
                    text x=(x + step / 2) y=(HEIGHT - 4) text-anchor="middle" { (index + 1) }
                }
            }
            line x1="0" x2=(WIDTH) y1=(HEIGHT - FOOT) y2=(HEIGHT - FOOT) {}
        }
    }
}

/// A curve of a number that grew. `points` are times in RFC 3339 with the number from then on, oldest first.
pub(super) fn render_growth_chart(points: &[(String, u64)]) -> Markup {
    let seconds = |time: &str| time.parse::<Timestamp>().map(Timestamp::as_second).ok();
    let known: Vec<(i64, u64)> =
        points.iter().filter_map(|(time, count)| Some((seconds(time)?, *count))).collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return html! {} };
    let span = (last.0 - first.0).max(1);
    let max_count = last.1.max(1);
    let x = |time: i64| (time - first.0) * WIDTH as i64 / span;
    let y = |count: u64| HEIGHT - FOOT - (HEIGHT - FOOT - 4) * count / max_count;
    let mut curve = format!("M 0 {}", HEIGHT - FOOT);
    for (time, count) in &known {
        curve.push_str(&format!(" H {} V {}", x(*time), y(*count)));
    }
    let day = |point: Option<&(String, u64)>| {
        point.and_then(|(time, _)| time.get(..16)).unwrap_or_default().replace('T', " ")
    };
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
            aria-label={ (last.1) " document versions, added from " (day(points.first())) " to " (day(points.last())) } {
            path.below d={ (curve) " V " (HEIGHT - FOOT) " Z" } {}
            path.curve d=(curve) {}
            line x1="0" x2=(WIDTH) y1=(HEIGHT - FOOT) y2=(HEIGHT - FOOT) {}
            text x="0" y=(HEIGHT - 4) { (day(points.first())) }
            text x=(WIDTH) y=(HEIGHT - 4) text-anchor="end" { (day(points.last())) }
            text x=(WIDTH) y="12" text-anchor="end" { (group_thousands(last.1)) }
        }
    }
}

/// A bar for each value, with its number; `path` gives the link of a name.
pub(super) fn render_bars(
    rows: &[(String, u64)],
    heads: (&str, &str),
    path: &dyn Fn(&str) -> String,
) -> Markup {
    let max_count = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    html! {
        table.use {
            thead { tr { th scope="col" { (heads.0) } th.count scope="col" { (heads.1) } th { } } }
            tbody {
                @for (name, count) in rows {
                    tr {
                        td { a href=(path(name)) { (name) } }
                        td.count { (group_thousands(*count)) }
                        td aria-hidden="true" { (render_bar(*count, max_count)) }
                    }
                }
            }
        }
    }
}

fn render_bar(count: u64, max_count: u64) -> Markup {
    html! {
        svg.bar viewBox={ "0 0 " (BAR_WIDTH) " 10" } preserveAspectRatio="none" {
            rect.column x="0" y="0" height="10" width=((BAR_WIDTH * count / max_count.max(1)).max(2)) {}
        }
    }
}

/// How long operations took: the median as a full bar, the slowest twentieth behind it.
pub(super) fn render_latency_chart(latencies: &[OperationLatency]) -> Markup {
    let longest = latencies.iter().map(|latency| latency.p95_ms).fold(1.0, f64::max);
    let width = |ms: f64| ((BAR_WIDTH as f64 * ms / longest) as u64).max(2);
    html! {
        @if latencies.is_empty() {
            p.empty { "No requests yet." }
        } @else {
            table.use.latency {
                thead { tr {
                    th scope="col" { "Operation" } th.count scope="col" { "Runs" }
                    th.count scope="col" { "Median" } th.count scope="col" { "95 %" } th { }
                    th scope="col" { "95 % by day" }
                } }
                tbody {
                    @for latency in latencies {
                        tr {
                            td { code { (latency.operation) } }
                            td.count { (group_thousands(latency.count)) }
                            td.count { (format_ms(latency.median_ms)) }
                            td.count { (format_ms(latency.p95_ms)) }
                            td aria-hidden="true" {
                                svg.bar viewBox={ "0 0 " (BAR_WIDTH) " 10" } preserveAspectRatio="none" {
                                    rect.rest x="0" y="0" height="10" width=(width(latency.p95_ms)) {}
                                    rect.column x="0" y="2" height="6" width=(width(latency.median_ms)) {}
                                }
                            }
                            td { (render_day_curve(&latency.p95_ms_by_day)) }
                        }
                    }
                }
            }
        }
    }
}

/// A small curve of a time by day, from nothing to the longest; days without a time are left out.
fn render_day_curve(days: &[(Date, f64)]) -> Markup {
    let (Some((first, _)), Some((last, _))) = (days.first(), days.last()) else { return html! {} };
    let in_order = |a: &&(Date, f64), b: &&(Date, f64)| a.1.total_cmp(&b.1);
    let Some((slowest_day, longest)) = days.iter().max_by(in_order) else { return html! {} };
    let span = f64::from((*last - *first).get_days().max(1));
    let x = |day: Date| CURVE_WIDTH as f64 * f64::from((day - *first).get_days()) / span;
    let y =
        |ms: f64| 1.0 + (CURVE_HEIGHT as f64 - 2.0) * (1.0 - ms / longest.max(f64::MIN_POSITIVE));
    let points = days.iter().map(|(day, ms)| format!("{:.1},{:.1}", x(*day), y(*ms)));
    let points: Vec<String> = match days {
        // A line needs two points.
        [(_, ms)] => vec![format!("0,{:.1}", y(*ms)), format!("{CURVE_WIDTH},{:.1}", y(*ms))],
        _ => points.collect(),
    };
    let label = match days.len() {
        1 => format!("{} on {last}", format_ms(*longest)),
        count => format!(
            "{count} days from {first} to {last}, slowest {} on {slowest_day}",
            format_ms(*longest)
        ),
    };
    html! {
        svg.chart.day-curve viewBox={ "0 0 " (CURVE_WIDTH) " " (CURVE_HEIGHT) } role="img" aria-label=(label) {
            title { (label) }
            polyline.curve points=(points.join(" ")) {}
        }
    }
}

fn format_ms(ms: f64) -> String {
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

/// One bar for each operation, the most used first.
pub(super) fn render_operation_chart(operations: &BTreeMap<String, u64>) -> Markup {
    let mut sorted: Vec<(&String, u64)> = operations.iter().map(|(name, n)| (name, *n)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let max_count = sorted.first().map_or(1, |(_, count)| *count).max(1);
    html! {
        @if sorted.is_empty() {
            p.empty { "No requests this month." }
        } @else {
            table.use {
                thead { tr { th scope="col" { "Operation" } th scope="col" { "Requests" } th { } } }
                tbody {
                    @for (name, count) in sorted {
                        tr {
                            td { code { (name) } }
                            td.count { (group_thousands(count)) }
                            td aria-hidden="true" {
                                (render_bar(count, max_count))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How much of an allowance is used.
pub(super) fn render_meter(used: u64, limit: u64) -> Markup {
    let share = (BAR_WIDTH * used.min(limit)).checked_div(limit).unwrap_or(BAR_WIDTH);
    html! {
        svg.meter viewBox={ "0 0 " (BAR_WIDTH) " 12" } preserveAspectRatio="none" role="img"
            aria-label={ (used) " of " (limit) " requests used" } {
            rect.rest x="0" y="0" width=(BAR_WIDTH) height="12" rx="6" {}
            rect.column x="0" y="0" width=(share) height="12" rx="6" {}
        }
    }
}
