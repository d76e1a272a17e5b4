//! Charts as in documents, and their drawings.

use roxmltree::Document;

use super::*;

fn cache(kind: &str, values: &[&str]) -> String {
    let points: String = values
        .iter()
        .enumerate()
        .filter(|(_, value)| !value.is_empty())
        .map(|(at, value)| format!("<c:pt idx=\"{at}\"><c:v>{value}</c:v></c:pt>"))
        .collect();
    format!(
        "<c:{kind}Ref><c:f>Sheet1!A1</c:f><c:{kind}Cache>{points}</c:{kind}Cache></c:{kind}Ref>"
    )
}

fn series(name: &str, categories: &[&str], values: &[&str]) -> String {
    format!(
        "<c:ser><c:tx>{}</c:tx><c:cat>{}</c:cat><c:val>{}</c:val></c:ser>",
        cache("str", &[name]),
        cache("str", categories),
        cache("num", values)
    )
}

fn title(words: &str) -> String {
    format!(
        "<c:title><c:tx><c:rich><a:p><a:r><a:t>{words}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    )
}

const AXES: &str = "<c:catAx><c:axId val=\"1\"/><c:axPos val=\"b\"/></c:catAx>\
                    <c:valAx><c:axId val=\"2\"/><c:axPos val=\"l\"/></c:valAx>";

fn chart(plots: &str, axes: &str, more: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><c:chartSpace xmlns:c=\"urn:c\" xmlns:a=\"urn:a\"><c:chart>{more}\
         <c:plotArea>{plots}{axes}</c:plotArea><c:legend/></c:chart></c:chartSpace>"
    )
}

/// The labels of the drawn chart.
fn labels(xml: &str) -> Vec<String> {
    let svg = render_chart_svg(xml.as_bytes()).expect("a chart");
    let drawn = picture::draw_picture(&svg, &picture::DrawOptions::default());
    drawn.expect("it is drawn").labels.into_iter().map(|label| label.text).collect()
}

fn svg_of(xml: &str) -> String {
    String::from_utf8(render_chart_svg(xml.as_bytes()).expect("a chart")).expect("text")
}

#[test]
fn bars_have_names_a_scale_a_title_and_a_legend() {
    let bars = format!(
        "<c:barChart><c:barDir val=\"col\"/><c:grouping val=\"clustered\"/>{}{}<c:axId val=\"1\"/>\
         <c:axId val=\"2\"/></c:barChart>",
        series("Uplink", &["FR1", "FR2"], &["40", "90"]),
        series("Downlink", &["FR1", "FR2"], &["", "30"])
    );
    let xml = chart(&bars, AXES, &title("Throughput &lt; limit"));
    let labels = labels(&xml);
    for expected in ["Throughput < limit", "FR1", "FR2", "Uplink", "Downlink", "0", "80"] {
        assert!(labels.iter().any(|label| label == expected), "{expected}: {labels:?}");
    }
    let svg = svg_of(&xml);
    // Three bars and two marks of the legend.
    assert_eq!(svg.matches("<rect").count(), 5, "{svg}");
}

#[test]
fn stacked_values_begin_where_those_below_end() {
    let bars = |grouping: &str| {
        format!(
            "<c:barChart><c:grouping val=\"{grouping}\"/>{}{}<c:axId val=\"1\"/><c:axId val=\"2\"/>\
             </c:barChart>",
            series("a", &["x"], &["30"]),
            series("b", &["x"], &["10"])
        )
    };
    let spans = |grouping: &str| {
        let xml = chart(&bars(grouping), AXES, "");
        let document = Document::parse(&xml).expect("valid XML");
        let chart = parse_chart(document.root_element()).expect("a chart");
        series::stack_values(&chart.plots[0])
    };
    assert_eq!(spans("stacked"), [[Some((0.0, 30.0))], [Some((30.0, 40.0))]]);
    assert_eq!(spans("percentStacked"), [[Some((0.0, 75.0))], [Some((75.0, 100.0))]]);
    assert_eq!(spans("clustered"), [[Some((0.0, 30.0))], [Some((0.0, 10.0))]]);
}

#[test]
fn points_are_placed_by_both_values_on_logarithmic_scales_too() {
    let points = format!(
        "<c:scatterChart><c:scatterStyle val=\"lineMarker\"/><c:ser><c:tx>{}</c:tx><c:xVal>{}</c:xVal>\
         <c:yVal>{}</c:yVal></c:ser><c:axId val=\"1\"/><c:axId val=\"2\"/></c:scatterChart>",
        cache("str", &["BLER"]),
        cache("num", &["0", "10", "20"]),
        cache("num", &["1", "0.1", "0.001"])
    );
    let axes = format!(
        "<c:valAx><c:axId val=\"1\"/><c:axPos val=\"b\"/>{}</c:valAx><c:valAx><c:axId val=\"2\"/>\
         <c:scaling><c:logBase val=\"10\"/></c:scaling><c:axPos val=\"l\"/>{}</c:valAx>",
        title("SNR (dB)"),
        title("BLER")
    );
    let xml = chart(&points, &axes, "");
    let labels = labels(&xml);
    for expected in ["SNR (dB)", "0.001", "0.01", "0.1", "1", "20"] {
        assert!(labels.iter().any(|label| label == expected), "{expected}: {labels:?}");
    }
    let svg = svg_of(&xml);
    let heights: Vec<f64> = svg
        .split("cy=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next()?.parse().ok())
        .collect();
    let [one, tenth, thousandth] = heights[..] else { panic!("three points: {svg}") };
    assert!(((thousandth - one) / (tenth - one) - 3.0).abs() < 0.1, "{heights:?}");
}

#[test]
fn slices_are_labelled_with_their_shares() {
    let pie = format!("<c:pieChart>{}</c:pieChart>", series("s", &["yes", "no"], &["3", "1"]));
    let labels = labels(&chart(&pie, "", ""));
    assert!(labels.iter().any(|label| label == "yes 75 %"), "{labels:?}");
    let whole = format!("<c:pieChart>{}</c:pieChart>", series("s", &["all"], &["7"]));
    assert!(svg_of(&chart(&whole, "", "")).contains("<circle"));
}

#[test]
fn bytes_that_are_no_chart_and_charts_without_values_are_none() {
    let none = [
        "",
        "GIF89a",
        "<c:chartSpace",
        "<chartSpace/>",
        &chart("", "", ""),
        &chart(&format!("<c:barChart>{}</c:barChart>", series("s", &["a"], &["text"])), "", ""),
    ];
    for bytes in none {
        assert_eq!(render_chart_svg(bytes.as_bytes()), None, "{bytes}");
    }
    assert_eq!(render_chart_svg(&[0xff, 0xfe, 0x00]), None);
}

#[test]
fn implausible_numbers_are_drawn_or_left_out_without_harm() {
    let strange = ["1e308", "-1e308", "NaN", "inf", "1e-300", "-5", "0", "1e99", "1"];
    for kind in ["bar", "line", "area", "scatter", "pie", "radar", "stock"] {
        for count in 1..=strange.len() {
            let numbers = &strange[..count];
            let body = match kind {
                "scatter" => format!(
                    "<c:ser><c:xVal>{}</c:xVal><c:yVal>{}</c:yVal></c:ser>",
                    cache("num", numbers),
                    cache("num", numbers)
                ),
                _ => series("s", &["a", "b"], numbers),
            };
            for scaling in ["", "<c:logBase val=\"10\"/>", "<c:min val=\"5\"/><c:max val=\"-5\"/>"]
            {
                let plots = format!(
                    "<c:{kind}Chart>{body}<c:axId val=\"1\"/><c:axId val=\"2\"/></c:{kind}Chart>"
                );
                let axes = format!(
                    "<c:valAx><c:axId val=\"2\"/><c:scaling>{scaling}</c:scaling>\
                     <c:axPos val=\"l\"/></c:valAx>"
                );
                let drawn = render_chart_svg(chart(&plots, &axes, "").as_bytes());
                if let Some(svg) = drawn {
                    let text = String::from_utf8(svg).expect("text");
                    assert!(!text.contains("NaN") && !text.contains("inf"), "{kind}: {text}");
                }
            }
        }
    }
    let far = chart(
        &format!(
            "<c:lineChart><c:ser><c:val><c:numRef><c:numCache><c:pt idx=\"4000000000\"><c:v>1</c:v>\
             </c:pt><c:pt idx=\"3\"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>{}\
             </c:lineChart>",
            "<c:axId val=\"2\"/>"
        ),
        AXES,
        "",
    );
    assert!(render_chart_svg(far.as_bytes()).is_some());
}
