//! Charts of a month's use, drawn as SVG, with the numbers as text.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::group_thousands;

/// Size of the chart by day, in its own units.
const WIDTH: u64 = 620;
const HEIGHT: u64 = 140;
/// Height of the row under the columns that labels the days.
const FOOT: u64 = 18;
/// Width of the chart by operation.
const BAR_WIDTH: u64 = 240;

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
                                svg.bar viewBox={ "0 0 " (BAR_WIDTH) " 10" } preserveAspectRatio="none" {
                                    rect.column x="0" y="0" height="10"
                                        width=((BAR_WIDTH * count / max_count).max(2)) {}
                                }
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
