//! Pictures, as SVG in the colours of the page.
//!
//! The drawing library knows fixed colours only. So it is given placeholders, and they are replaced by the page's variables,
//! which differ between light and dark.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::bench::table::micros;

/// Width of every picture, in units that the page scales: about 1 on a phone, 1.4 on a desk.
const WIDTH: u32 = 480;
/// Series that have a colour of their own; more than there are backends and peers of one thing.
pub(super) const COLOURS: usize = 12;

const TEXT: RGBColor = RGBColor(1, 2, 3);
const GRID: RGBColor = RGBColor(4, 5, 6);

fn colour(series: usize) -> RGBColor {
    RGBColor(7, 8, 10 + (series % COLOURS) as u8)
}

/// Exchanges placeholders for variables and lets the page give the size.
fn themed(svg: &str) -> String {
    let mut svg = svg.replace("#010203", "var(--text)").replace("#040506", "var(--grid)");
    for series in 0..COLOURS {
        svg = svg.replace(&format!("#07080{:X}", 10 + series), &format!("var(--c{series})"));
        svg = svg.replace(&format!("#0708{:02X}", 10 + series), &format!("var(--c{series})"));
    }
    let start = svg.find("viewBox").unwrap_or(0);
    format!("<svg class=\"plot\" role=\"img\" {}", &svg[start..])
}

/// A line, by the index of its colour.
pub(super) struct Series {
    pub(super) colour: usize,
    pub(super) points: Vec<(f64, f64)>,
    /// Dashed: figures from elsewhere.
    pub(super) elsewhere: bool,
}

/// Lines over two logarithmic axes.
pub(super) struct Lines<'a> {
    pub(super) x: &'a str,
    pub(super) y: &'a str,
    pub(super) series: Vec<Series>,
    /// Marks on the x axis, with what they say.
    pub(super) marks: Vec<(f64, String)>,
}

type Failure = Box<dyn std::error::Error>;

impl Lines<'_> {
    /// Nothing if there is nothing to draw.
    pub(super) fn draw(&self) -> Option<String> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        if points().count() < 2 {
            return None;
        }
        let range = |of: fn(&(f64, f64)) -> f64| {
            let low = points().map(of).fold(f64::INFINITY, f64::min);
            let high = points().map(of).fold(0.0, f64::max);
            // Room for the line's thickness, and for one value alone.
            (low / 1.15)..(high * 1.15)
        };
        let mut svg = String::new();
        self.draw_to(&mut svg, range(|p| p.0), range(|p| p.1)).ok()?;
        Some(themed(&svg))
    }

    fn draw_to(&self, svg: &mut String, x: std::ops::Range<f64>, y: std::ops::Range<f64>) -> Result<(), Failure> {
        let area = SVGBackend::with_string(svg, (WIDTH, 330)).into_drawing_area();
        let top = y.end;
        let mut chart = ChartBuilder::on(&area)
            .margin_top(8)
            .margin_right(14)
            .x_label_area_size(44)
            .y_label_area_size(62)
            .build_cartesian_2d(Logarithmic::new(x), Logarithmic::new(y))?;
        chart
            .configure_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(TEXT)
            .label_style(("sans-serif", 13, &TEXT))
            .axis_desc_style(("sans-serif", 13, &TEXT))
            .x_desc(self.x)
            .y_desc(self.y)
            .draw()?;
        for (at, text) in &self.marks {
            chart.draw_series([PathElement::new(
                [(*at, 1e-300_f64.max(top * 1e-9)), (*at, top)],
                GRID.stroke_width(2),
            )])?;
            chart.draw_series([Text::new(text.clone(), (*at, top), ("sans-serif", 12).into_font().color(&TEXT))])?;
        }
        for series in &self.series {
            let colour = colour(series.colour);
            if series.elsewhere {
                chart.draw_series(DashedLineSeries::new(
                    series.points.iter().copied(),
                    5,
                    4,
                    colour.stroke_width(2),
                ))?;
            } else {
                chart.draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?;
            }
            chart.draw_series(series.points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
        }
        area.present()?;
        drop(chart);
        drop(area);
        Ok(())
    }
}

/// A logarithmic axis with marks at 1, 2, 5 of a decade, or fewer where there are many decades.
struct Logarithmic {
    range: std::ops::Range<f64>,
}

impl Logarithmic {
    fn new(range: std::ops::Range<f64>) -> Logarithmic {
        Logarithmic { range }
    }
}

impl Ranged for Logarithmic {
    type FormatOption = plotters::coord::ranged1d::NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let (a, b) = (self.range.start.ln(), self.range.end.ln());
        let part = ((value.max(self.range.start).ln() - a) / (b - a)).clamp(0.0, 1.0);
        low + (f64::from(high - low) * part).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        let decades = (self.range.end / self.range.start).log10();
        let steps: &[f64] = if decades < 2.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = self.range.start.log10().floor() as i32;
        let marks = (first..first + decades.ceil() as i32 + 2)
            .flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
        marks.filter(|mark| self.range.contains(mark)).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Logarithmic {
    fn format_ext(&self, value: &f64) -> String {
        plain(*value)
    }
}

/// 0.05, 20, 5000, 1M
fn plain(value: f64) -> String {
    match value {
        v if v >= 999_999.0 => format!("{}M", (v / 1e6).round()),
        v if v >= 9_999.0 => format!("{}k", (v / 1e3).round()),
        v if v >= 0.99 => format!("{}", v.round()),
        v => format!("{v:.*}", (-v.log10()).ceil() as usize),
    }
}

/// One bar: colour, nanoseconds.
pub(super) type Bar = (usize, f64);

/// Bars of one kind of work, the longest over the whole width.
pub(super) fn bars(name: &str, bars: &[Bar]) -> Option<String> {
    const LINE: i32 = 17;
    const WIDE: i32 = 380;
    let longest = bars.iter().map(|bar| bar.1).fold(0.0, f64::max);
    if longest <= 0.0 {
        return None;
    }
    let height = (bars.len() as i32 + 1) * LINE + 4;
    let mut svg = String::new();
    let draw = |svg: &mut String| -> Result<(), Failure> {
        let area: DrawingArea<SVGBackend<'_>, Shift> =
            SVGBackend::with_string(svg, (WIDE as u32, height as u32)).into_drawing_area();
        let style = ("sans-serif", 13).into_font().color(&TEXT).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(name.to_string(), (0, LINE / 2), style.clone()))?;
        let mut y = LINE;
        for (series, ns) in bars {
            let length = ((f64::from(WIDE - 60) * ns / longest).round() as i32).max(2);
            let corners = [(0, y + 2), (length, y + LINE - 2)];
            area.draw(&Rectangle::new(corners, colour(*series).filled()))?;
            area.draw(&Text::new(micros(*ns), (length + 5, y + LINE / 2), style.clone()))?;
            y += LINE;
        }
        area.present()?;
        Ok(())
    };
    draw(&mut svg).ok()?;
    Some(themed(&svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_the_page_s_colours_and_no_others() {
        let series = (0..COLOURS)
            .map(|colour| Series { colour, points: vec![(1.0, 5.0), (1000.0, 0.2)], elsewhere: colour == 1 })
            .collect();
        let lines = Lines { x: "points", y: "µs", series, marks: vec![(190.0, "here".into())] }.draw().unwrap();
        let all: Vec<Bar> = (0..COLOURS).map(|c| (c, 10.0 * (c + 1) as f64)).collect();
        for svg in [lines, bars("a", &all).unwrap()] {
            assert!(svg.starts_with("<svg class=\"plot\"") && svg.contains("viewBox"));
            assert!(!svg.contains("\"#"), "{svg}");
            for series in 0..COLOURS {
                assert!(svg.contains(&format!("var(--c{series})")), "{series} in {svg}");
            }
            assert!(!svg.contains("NaN"));
        }
        assert!(bars("none", &[]).is_none());
        assert!(Lines { x: "", y: "", series: Vec::new(), marks: Vec::new() }.draw().is_none());
    }

    #[test]
    fn numbers_on_axes() {
        for (value, text) in
            [(0.05, "0.05"), (0.2, "0.2"), (1.0, "1"), (5000.0, "5000"), (20_000.0, "20k"), (1e6, "1M")]
        {
            assert_eq!(plain(value), text);
        }
    }
}
