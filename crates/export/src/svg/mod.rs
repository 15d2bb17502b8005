//! Charts as SVG text, for light and dark pages alike.
//!
//! A [`Chart`] has two [`Axis`]es and what is drawn between them; [`page`] puts charts below one another. Colours
//! are those that people who do not tell red from green can tell apart, and follow the reader's choice of light or
//! dark. Everything is text, with the numbers behind bars shown when they are pointed at.
//!
//! ```
//! use equipoise_export::svg::{Axis, Chart, page};
//! let squares = (1..=10).map(|x| (f64::from(x), f64::from(x * x)));
//! let chart = Chart::new("Squares", Axis::linear("x", 0.0, 10.0, ""), Axis::linear("x²", 0.0, 100.0, ""))
//!     .line("x²", squares);
//! assert!(page(&[chart]).starts_with("<svg "));
//! ```

mod axis;

use std::fmt::Write;

pub use axis::Axis;

/// Colours of lines on light paper, and on dark.
const COLOURS: [(&str, &str); 8] = [
    ("#0072b2", "#4fb0ea"),
    ("#d55e00", "#f0803c"),
    ("#009e73", "#2fc79a"),
    ("#cc79a7", "#e39cc4"),
    ("#56b4e9", "#8fd0f7"),
    ("#e69f00", "#f5b93a"),
    ("#000000", "#f2f2f2"),
    ("#999933", "#c4c45c"),
];
const DASHES: [&str; 3] = ["none", "6 3", "2 3"];
/// Width of a picture, and of the frame of the axes in it with and without a legend beside it, in pixels.
const WIDTH: f64 = 1000.0;
const FRAME_WIDTH: (f64, f64) = (480.0, 880.0);
const LEFT: f64 = 85.0;
/// Room above the frame for the titles and below it for the labels.
const ABOVE: f64 = 62.0;
const BELOW: f64 = 58.0;
const FRAME_HEIGHT: f64 = 400.0;

/// A bar from `from` to `to` on the x-axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// How high it is.
    pub height: f64,
    /// How high a pale bar behind it is, if there is one.
    pub pale: Option<f64>,
    /// What is shown when it is pointed at.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Mark {
    Line {
        name: String,
        points: Vec<(f64, f64)>,
    },
    Bars(Vec<Bar>),
    /// A dashed line across the chart, at an x or a y.
    Upright {
        at: f64,
        label: String,
    },
    Level {
        at: f64,
        label: String,
    },
}

/// Two axes and what is drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    subtitle: String,
    x: Axis,
    y: Axis,
    height: f64,
    marks: Vec<Mark>,
}

impl Chart {
    /// A chart with nothing in it yet.
    #[must_use]
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Chart {
        Chart { title: title.into(), subtitle: String::new(), x, y, height: FRAME_HEIGHT, marks: Vec::new() }
    }

    /// With a smaller text beside the title.
    #[must_use]
    pub fn subtitle(mut self, text: impl Into<String>) -> Chart {
        self.subtitle = text.into();
        self
    }

    /// With axes of another height than 400 pixels.
    #[must_use]
    pub fn height(mut self, pixels: f64) -> Chart {
        self.height = pixels;
        self
    }

    /// With a line through these points, which the legend names. Points that an axis cannot show are left out.
    #[must_use]
    pub fn line(mut self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Chart {
        self.marks.push(Mark::Line { name: name.into(), points: points.into_iter().collect() });
        self
    }

    /// With bars that stand on the x-axis.
    #[must_use]
    pub fn bars(mut self, bars: impl IntoIterator<Item = Bar>) -> Chart {
        self.marks.push(Mark::Bars(bars.into_iter().collect()));
        self
    }

    /// With a dashed line at an x, labelled.
    #[must_use]
    pub fn upright(mut self, at: f64, label: impl Into<String>) -> Chart {
        self.marks.push(Mark::Upright { at, label: label.into() });
        self
    }

    /// With a dashed line at a y, labelled.
    #[must_use]
    pub fn level(mut self, at: f64, label: impl Into<String>) -> Chart {
        self.marks.push(Mark::Level { at, label: label.into() });
        self
    }

    fn outer_height(&self) -> f64 {
        ABOVE + self.height + BELOW
    }

    fn has_legend(&self) -> bool {
        self.marks.iter().any(|mark| matches!(mark, Mark::Line { .. }))
    }
}

/// Charts below one another, as one SVG document.
#[must_use]
pub fn page(charts: &[Chart]) -> String {
    let height: f64 = charts.iter().map(Chart::outer_height).sum();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#1b1b1b\">\n{}\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        dark_style()
    );
    let mut top = 0.0;
    for chart in charts {
        let width = if chart.has_legend() { FRAME_WIDTH.0 } else { FRAME_WIDTH.1 };
        let frame = Frame { left: LEFT, top: top + ABOVE, width, height: chart.height };
        Drawing { text: &mut text, chart, frame }.draw();
        top += chart.outer_height();
    }
    text.push_str("</svg>\n");
    text
}

/// What changes on dark paper. Programs that know no style sheets see the colours of light paper, which the elements
/// carry themselves.
fn dark_style() -> String {
    let mut text = String::from(
        "<style>@media (prefers-color-scheme: dark) {\n\
         svg { fill: #e8e8e8 } .paper { fill: #17191d } .grid { stroke: #3b3f46 } .frame { stroke: #a0a4aa }\n\
         .bar { fill: #4fb0ea } .rule { stroke: #f0803c } .note { fill: #f0803c } .quiet { fill: #a9adb3 }\n",
    );
    for (i, (_, dark)) in COLOURS.iter().enumerate() {
        let _ = write!(text, ".line{i} {{ stroke: {dark} }} ");
    }
    text.push_str("\n}</style>\n");
    text
}

/// The rectangle between the axes, in pixels.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn right(self) -> f64 {
        self.left + self.width
    }

    fn bottom(self) -> f64 {
        self.top + self.height
    }

    fn x(self, share: f64) -> f64 {
        self.left + share * self.width
    }

    fn y(self, share: f64) -> f64 {
        self.bottom() - share * self.height
    }
}

/// A chart on its way into the text. Writing to a string cannot fail.
struct Drawing<'a> {
    text: &'a mut String,
    chart: &'a Chart,
    frame: Frame,
}

impl Drawing<'_> {
    fn draw(mut self) {
        self.titles();
        self.grid();
        // Rules lie over everything else.
        let is_rule = |mark: &&Mark| matches!(mark, Mark::Upright { .. } | Mark::Level { .. });
        let marks = || self.chart.marks.iter();
        let mut num_lines = 0;
        for mark in marks().filter(|mark| !is_rule(mark)).chain(marks().filter(is_rule)) {
            match mark {
                Mark::Line { name, points } => {
                    self.line(num_lines, name, points);
                    num_lines += 1;
                }
                Mark::Bars(bars) => self.bars(bars),
                Mark::Upright { at, label } => self.upright(*at, label),
                Mark::Level { at, label } => self.level(*at, label),
            }
        }
        self.border();
    }

    /// A text; `more` has further attributes.
    fn put(&mut self, (x, y): (f64, f64), more: &str, label: &str) {
        let _ = writeln!(self.text, "<text x=\"{x:.1}\" y=\"{y:.1}\"{more}>{label}</text>");
    }

    fn titles(&mut self) {
        let (left, right, top) = (self.frame.left, self.frame.right(), self.frame.top);
        let (title, subtitle) = (escaped(&self.chart.title), escaped(&self.chart.subtitle));
        self.put((left, top - 32.0), " font-size=\"17\" font-weight=\"bold\"", &title);
        if !subtitle.is_empty() {
            let style = " class=\"quiet\" text-anchor=\"end\" fill=\"#5c6066\"";
            self.put((right, top - 32.0), style, &subtitle);
        }
    }

    fn grid(&mut self) {
        let frame = self.frame;
        for tick in self.chart.x.ticks() {
            let x = frame.x(tick.share);
            self.grid_line(&format!("M{x:.1} {:.1}v{:.1}", frame.top, frame.height));
            self.put((x, frame.bottom() + 19.0), " text-anchor=\"middle\"", &tick.label);
        }
        for tick in self.chart.y.ticks() {
            let y = frame.y(tick.share);
            self.grid_line(&format!("M{:.1} {y:.1}h{:.1}", frame.left, frame.width));
            self.put((frame.left - 8.0, y + 4.0), " text-anchor=\"end\"", &tick.label);
        }
        let middle = (frame.x(0.5), frame.y(0.5));
        let (x, y) = (escaped(self.chart.x.label()), escaped(self.chart.y.label()));
        self.put((middle.0, frame.bottom() + 42.0), " text-anchor=\"middle\"", &x);
        let turned = format!(" text-anchor=\"middle\" transform=\"rotate(-90 20 {:.1})\"", middle.1);
        self.put((20.0, middle.1), &turned, &y);
    }

    fn grid_line(&mut self, path: &str) {
        let _ = writeln!(self.text, "<path class=\"grid\" d=\"{path}\" stroke=\"#dddddd\"/>");
    }

    fn border(&mut self) {
        let Frame { left, top, width, height } = self.frame;
        let _ = writeln!(
            self.text,
            "<rect class=\"frame\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
             stroke=\"#1b1b1b\"/>"
        );
    }

    /// Where a point is, if the axes can show it.
    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.frame.x(self.chart.x.share(x)?), self.frame.y(self.chart.y.share(y)?)))
    }

    /// A line and its entry in the legend.
    fn line(&mut self, number: usize, name: &str, points: &[(f64, f64)]) {
        let class = number % COLOURS.len();
        let (colour, _) = COLOURS[class];
        let dash = DASHES[number / COLOURS.len() % DASHES.len()];
        let style = format!(
            "class=\"line{class}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\""
        );
        let corners: Vec<String> = points
            .iter()
            .filter_map(|&point| self.place(point))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(self.text, "<polyline points=\"{}\" {style}/>", corners.join(" "));
        let (from, at) = (self.frame.right() + 15.0, self.frame.top + 12.0 + 20.0 * number as f64);
        let _ = writeln!(self.text, "<path d=\"M{from:.1} {at:.1}h24\" {style}/>");
        self.put((from + 32.0, at + 4.0), " font-size=\"11\"", &escaped(name));
    }

    fn bars(&mut self, bars: &[Bar]) {
        for bar in bars {
            let heights = [(bar.pale, " fill-opacity=\"0.35\""), (Some(bar.height), "")];
            for (height, opacity) in heights {
                let Some(height) = height.filter(|&height| height > 0.0) else { continue };
                let (Some((left, top)), Some((right, bottom))) =
                    (self.place((bar.from, height)), self.place((bar.to, 0.0)))
                else {
                    continue;
                };
                // A gap between bars that are wide enough for one.
                let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
                let _ = writeln!(
                    self.text,
                    "<rect class=\"bar\" x=\"{:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
                     fill=\"#0072b2\"{opacity}><title>{}</title></rect>",
                    left + gap / 2.0,
                    right - left - gap,
                    bottom - top,
                    escaped(&bar.note)
                );
            }
        }
    }

    fn rule(&mut self, path: &str) {
        let _ = writeln!(
            self.text,
            "<path class=\"rule\" d=\"{path}\" fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2\" \
             stroke-dasharray=\"6 4\"/>"
        );
    }

    fn upright(&mut self, at: f64, label: &str) {
        let (frame, Some(share)) = (self.frame, self.chart.x.share(at)) else { return };
        let x = frame.x(share);
        self.rule(&format!("M{x:.1} {:.1}v{:.1}", frame.top, frame.height));
        // The label stands above the axes, on the side that has room.
        let (anchor, x) = if share > 0.5 { ("end", x + 4.0) } else { ("start", x - 4.0) };
        let style = format!(" class=\"note\" text-anchor=\"{anchor}\" fill=\"#b34f00\"");
        self.put((x, frame.top - 8.0), &style, &escaped(label));
    }

    fn level(&mut self, at: f64, label: &str) {
        let (frame, Some(share)) = (self.frame, self.chart.y.share(at)) else { return };
        let y = frame.y(share);
        self.rule(&format!("M{:.1} {y:.1}h{:.1}", frame.left, frame.width));
        let style = " class=\"note\" text-anchor=\"end\" fill=\"#b34f00\"";
        self.put((frame.right(), frame.top - 8.0), style, &escaped(label));
    }
}

/// Text that means nothing to a reader of XML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

/// Digits before the point in groups of three.
pub(crate) fn grouped(number: &str) -> String {
    let end = number.find('.').unwrap_or(number.len());
    let mut text = String::new();
    for (i, c) in number.char_indices() {
        if i > 0 && i < end && (end - i).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_cannot_break_the_document() {
        let axis = || Axis::linear("a < b & \"c\"", 0.0, 1.0, "");
        let svg =
            page(&[Chart::new("<script>", axis(), axis()).line("x > y", [(0.5, f64::NAN), (0.1, 0.2)])]);
        assert!(svg.contains("&lt;script&gt;") && svg.contains("a &lt; b &amp; &quot;c&quot;"));
        assert!(!svg.contains("<script>") && !svg.contains("NaN"));
    }

    #[test]
    fn digits_are_grouped_before_the_point() {
        for (number, text) in
            [("0", "0"), ("1234567", "1,234,567"), ("1234.5678", "1,234.5678"), ("-123", "-123")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn charts_follow_one_another() {
        let chart = || {
            let bar = Bar { from: 0.0, to: 1.0, height: 0.5, pale: Some(0.7), note: "half".to_owned() };
            let axes = [0, 1].map(|_| Axis::linear("", 0.0, 1.0, ""));
            let [x, y] = axes;
            Chart::new("t", x, y).bars([bar]).upright(0.3, "here").level(0.2, "there").height(100.0)
        };
        let svg = page(&[chart(), chart()]);
        assert!(svg.contains("viewBox=\"0 0 1000 440\""), "{svg}");
        assert_eq!(svg.matches("class=\"bar\"").count(), 4);
        assert_eq!(svg.matches("class=\"rule\"").count(), 4);
    }
}
