//! Scales of a chart: they map values to coordinates and have labelled ticks.

use super::{Axis, Plot, PlotKind, Series, Stacking};

/// Approximate number of steps of a scale.
const STEP_COUNT: f64 = 6.0;
/// Maximum number of decades of a logarithmic scale, each with a label: 30 labels of 11 points fit in 400 points.
const MAX_DECADES: f64 = 30.0;
/// Maximum number of ticks of a scale. Between huge values that differ little, a step may be lost in rounding, and the
/// ticks would never end.
const MAX_TICKS: usize = 40;

/// Maps values to coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct AxisScale {
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) is_logarithmic: bool,
    /// The coordinates of the minimum and of the maximum in the picture.
    from: f64,
    to: f64,
}

/// Minimum and maximum of a scale of values, stacked values added up.
pub(super) fn value_bounds(axis: Option<&Axis>, plots: &[&Plot]) -> (f64, f64) {
    let mut all = Vec::new();
    for plot in plots {
        match plot.stacking {
            Stacking::Percent => all.extend([0.0, 100.0]),
            Stacking::Stacked => {
                let longest = plot.series.iter().map(|s| s.values.len()).max().unwrap_or(0);
                for index in 0..longest {
                    let value = |s: &Series| s.values.get(index).copied().flatten().unwrap_or(0.0);
                    all.push(plot.series.iter().map(value).filter(|value| *value > 0.0).sum());
                    all.push(plot.series.iter().map(value).filter(|value| *value < 0.0).sum());
                }
            }
            Stacking::None => {
                all.extend(plot.series.iter().flat_map(|series| series.values.iter().flatten()));
            }
        }
        if matches!(plot.kind, PlotKind::Bar | PlotKind::Area) {
            all.push(0.0);
        }
    }
    axis_bounds(axis, all)
}

/// Minimum and maximum of the x values of the points.
pub(super) fn x_bounds(axis: Option<&Axis>, plots: &[&Plot]) -> (f64, f64) {
    let mut all = Vec::new();
    for series in plots.iter().flat_map(|plot| &plot.series) {
        all.extend((0..series.values.len()).filter_map(|index| x_value(series, index)));
    }
    axis_bounds(axis, all)
}

/// The x value of a point; its ordinal if it has none.
pub(super) fn x_value(series: &Series, index: usize) -> Option<f64> {
    if series.x_values.is_empty() {
        Some(index as f64 + 1.0)
    } else {
        series.x_values.get(index).copied().flatten()
    }
}

fn axis_bounds(axis: Option<&Axis>, mut all: Vec<f64>) -> (f64, f64) {
    let is_logarithmic = axis.is_some_and(|axis| axis.is_logarithmic);
    if is_logarithmic {
        all.retain(|value| *value > 0.0);
    }
    let min = all.iter().copied().fold(f64::INFINITY, f64::min);
    let max = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (min, max) = if min <= max { (min, max) } else { (0.0, 1.0) };
    let fixed = |bound: fn(&Axis) -> Option<f64>| {
        axis.and_then(bound).filter(|bound| !is_logarithmic || *bound > 0.0)
    };
    if is_logarithmic {
        let low = fixed(|axis| axis.min).unwrap_or_else(|| 10f64.powf(min.log10().floor()));
        let high = fixed(|axis| axis.max).unwrap_or_else(|| 10f64.powf(max.log10().ceil()));
        let high = high.min(low * 10f64.powf(MAX_DECADES));
        return if low > 0.0 && high > low { (low, high) } else { (1.0, 10.0) };
    }
    // Scales begin at 0 unless the values are far from it.
    let span = (max - min).abs();
    let (low, high) = if min > 0.0 && min < 5.0 * span { (0.0, max) } else { (min, max) };
    let step = choose_step(high - low);
    let low = fixed(|axis| axis.min).unwrap_or_else(|| (low / step).floor() * step);
    let high = fixed(|axis| axis.max).unwrap_or_else(|| (high / step).ceil() * step);
    if high > low { (low, high) } else { (low, low + step.max(1.0).max(low.abs() * 1e-6)) }
}

/// A round step for a scale of this length.
fn choose_step(length: f64) -> f64 {
    let raw = length / STEP_COUNT;
    if !(raw > 0.0 && raw.is_finite()) {
        return 1.0;
    }
    let decade = 10f64.powf(raw.log10().floor());
    let parts = [1.0, 2.0, 5.0, 10.0].into_iter().find(|part| part * decade >= raw);
    decade * parts.unwrap_or(10.0)
}

pub(super) fn compute_ticks((min, max): (f64, f64), is_logarithmic: bool) -> Vec<f64> {
    if is_logarithmic {
        let (from, to) = (min.log10().ceil() as i32, max.log10().floor() as i32);
        return (from..=to).take(MAX_TICKS).map(|decade| 10f64.powi(decade)).collect();
    }
    let step = choose_step(max - min);
    let first = (min / step).ceil();
    let tick = |index: u32| (first + f64::from(index)) * step;
    (0..MAX_TICKS as u32).map(tick).take_while(|tick| *tick <= max + step / 1000.0).collect()
}

impl AxisScale {
    pub(super) fn new((min, max): (f64, f64), axis: Option<&Axis>, (from, to): (f64, f64)) -> Self {
        let is_logarithmic = axis.is_some_and(|axis| axis.is_logarithmic);
        let (from, to) =
            if axis.is_some_and(|axis| axis.is_reversed) { (to, from) } else { (from, to) };
        Self { min, max, is_logarithmic, from, to }
    }

    pub(super) fn to_coordinate(self, value: f64) -> f64 {
        let part = if self.is_logarithmic {
            let log = |value: f64| value.max(f64::MIN_POSITIVE).log10();
            (log(value) - log(self.min)) / (log(self.max) - log(self.min))
        } else {
            (value - self.min) / (self.max - self.min)
        };
        // Values outside the scale are drawn at its edge.
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }
}

/// The label of a tick.
pub(super) fn format_tick(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
