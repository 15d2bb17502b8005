//! Exploitability by iteration as an SVG picture, both axes logarithmic.

use std::fmt::Write;

use equipoise::cfr::ToyGame;

use super::Run;

/// The picture and the frame of the axes inside it, in pixels: left, top, right, bottom.
const SIZE: (f64, f64) = (1000.0, 520.0);
const FRAME: (f64, f64, f64, f64) = (80.0, 50.0, 560.0, 460.0);
/// Colours that people who do not tell red from green can tell apart.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999933"];
const DASHES: [&str; 3] = ["none", "6 3", "2 3"];

/// Powers of ten that an axis spans.
#[derive(Clone, Copy)]
struct Decades {
    low: i32,
    high: i32,
}

impl Decades {
    /// The least that hold these values, of which only positive ones can be drawn.
    fn of(values: impl Iterator<Item = f64>) -> Decades {
        let logs: Vec<f64> = values.filter(|&value| is_drawn(value)).map(f64::log10).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Decades { low: 0, high: 1 };
        }
        let low = low.floor() as i32;
        Decades { low, high: (high.ceil() as i32).max(low + 1) }
    }

    /// Where a value lies between the ends, 0 to 1.
    fn share(self, value: f64) -> f64 {
        (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low)
    }

    /// The powers that get a label: all, or every second or third one of many.
    fn ticks(self) -> impl Iterator<Item = i32> {
        let step = ((self.high - self.low) / 8 + 1) as usize;
        (self.low..=self.high).step_by(step)
    }
}

fn is_drawn(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

pub(super) fn svg(game: ToyGame, runs: &[Run]) -> String {
    let points = || runs.iter().flat_map(|run| &run.points);
    let x = Decades::of(points().map(|point| f64::from(point.iteration)));
    let y = Decades::of(points().map(|point| point.exploitability));
    let (width, height) = SIZE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    axes(&mut text, game, x, y);
    for (i, run) in runs.iter().enumerate() {
        curve(&mut text, i, run, x, y);
    }
    text.push_str("</svg>\n");
    text
}

fn place(x: f64, y: f64) -> (f64, f64) {
    let (left, top, right, bottom) = FRAME;
    (left + x * (right - left), bottom - y * (bottom - top))
}

// Writing to a string cannot fail.
fn axes(text: &mut String, game: ToyGame, x: Decades, y: Decades) {
    let (left, top, right, bottom) = FRAME;
    for power in x.ticks() {
        let (at, _) = place(x.share(10_f64.powi(power)), 0.0);
        let _ = writeln!(text, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            text,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 20.0,
            power_text(power)
        );
    }
    for power in y.ticks() {
        let (_, at) = place(0.0, y.share(10_f64.powi(power)));
        let _ = writeln!(text, "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            at + 4.0,
            power_text(power)
        );
    }
    let (width, height) = (right - left, bottom - top);
    let _ = writeln!(
        text,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"black\"/>"
    );
    let (middle_x, middle_y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    let _ = writeln!(
        text,
        "<text x=\"{middle_x}\" y=\"30\" text-anchor=\"middle\" font-size=\"16\">Convergence on {game}</text>"
    );
    let _ = writeln!(
        text,
        "<text x=\"{middle_x}\" y=\"{}\" text-anchor=\"middle\">iterations</text>",
        bottom + 45.0
    );
    let _ = writeln!(
        text,
        "<text x=\"20\" y=\"{middle_y}\" text-anchor=\"middle\" transform=\"rotate(-90 20 {middle_y})\">exploitability (antes)</text>"
    );
}

/// Ten to a power, the power raised.
fn power_text(power: i32) -> String {
    format!("10<tspan dy=\"-5\" font-size=\"9\">{power}</tspan>")
}

/// A line and its entry in the legend.
fn curve(text: &mut String, i: usize, run: &Run, x: Decades, y: Decades) {
    let colour = COLOURS[i % COLOURS.len()];
    let dash = DASHES[i / COLOURS.len() % DASHES.len()];
    let style = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
    let drawn = run.points.iter().filter(|point| is_drawn(point.exploitability));
    let corners: Vec<String> = drawn
        .map(|point| {
            let (at_x, at_y) = place(x.share(f64::from(point.iteration)), y.share(point.exploitability));
            format!("{at_x:.1},{at_y:.1}")
        })
        .collect();
    let _ = writeln!(text, "<polyline points=\"{}\" {style}/>", corners.join(" "));
    let (_, top, right, _) = FRAME;
    let (from, at) = (right + 15.0, top + 12.0 + 20.0 * i as f64);
    let _ = writeln!(text, "<path d=\"M{from} {at}h24\" {style}/>");
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" font-size=\"11\">{}</text>",
        from + 32.0,
        at + 4.0,
        run.algorithm
    );
}
