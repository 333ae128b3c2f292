//! The pages of `lanes bench --html` and `lanes compare --html`, opened by a browser: `chromium` in the path, or what
//! LANES_CHROMIUM names. Without one the tests say so and pass.

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use support::lanes;

/// Put at the end of a page's copy: what the browser makes of the page, as JSON for the frame around it. (A window of
/// its own would be 500 pixels wide at least.)
const REPORT: &str = r#"<script>
const rows = [...document.querySelectorAll('#rows table')].flatMap(table => {
  const heads = [...table.querySelectorAll('th')].map(cell => cell.textContent);
  return [...table.querySelectorAll('tbody tr')].flatMap(line => {
    const cells = [...line.cells];
    return cells.map((cell, i) => [cells[1].textContent, heads[i], cell.dataset.ns]).filter(row => row[2] !== undefined);
  });
});
const plots = [...document.querySelectorAll('svg')].map(svg => {
  const box = svg.getBoundingClientRect();
  return [box.width, box.height, svg.querySelectorAll('circle, rect').length];
});
const colours = getComputedStyle(document.body);
parent.postMessage(JSON.stringify({ rows, plots, width: innerWidth, page: document.documentElement.scrollWidth,
  requests: performance.getEntriesByType('resource').length, back: colours.backgroundColor, text: colours.color }), '*');
</script>"#;

fn browser() -> Option<String> {
    let name = std::env::var("LANES_CHROMIUM").unwrap_or_else(|_| "chromium".to_string());
    let found = Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no {name}");
    }
    found.then_some(name)
}

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// Opens a page, reads the report, and fails on whatever the console says.
fn opened(browser: &str, page: &str, width: u32, dark: bool) -> Value {
    let copy = scratch(&format!("copy-{width}-{dark}.html"));
    std::fs::write(&copy, page.replace("</body>", &format!("{REPORT}</body>"))).unwrap();
    let frame = scratch(&format!("frame-{width}-{dark}.html"));
    let around = format!(
        "<!doctype html><title></title><script>onmessage = event => document.title = event.data</script>\
         <iframe style=\"width:{width}px;height:2000px;border:0\" src=\"file://{}\"></iframe>",
        text(&copy)
    );
    std::fs::write(&frame, around).unwrap();
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    command.args(["--hide-scrollbars", "--virtual-time-budget=3000"]);
    command.arg(format!("--user-data-dir={}", text(&scratch(&format!("profile-{width}-{dark}")))));
    if dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    command.arg("--window-size=1500,2100").arg(format!("file://{}", text(&frame)));
    let output = command.output().expect("the browser starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    let console: Vec<&str> = errors.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:?}");
    let dom = String::from_utf8(output.stdout).expect("UTF-8");
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).expect("a title");
    serde_json::from_str(&title.replace("&quot;", "\"").replace("&amp;", "&")).expect("the report")
}

/// What holds for every page: everything fits, everything is drawn, nothing is fetched.
fn sound(report: &Value, width: u32) {
    assert_eq!(report["width"], width, "the window");
    assert_eq!(report["page"], width, "nothing sticks out sideways");
    assert_eq!(report["requests"], 0);
    let plots = report["plots"].as_array().unwrap();
    assert!(!plots.is_empty());
    for plot in plots {
        let size = |i: usize| plot[i].as_f64().unwrap();
        assert!(size(0) > 200.0 && size(1) > 30.0 && size(2) > 0.0, "{plot}");
        assert!(size(0) <= f64::from(width));
    }
}

/// A record of many groups; the newest of those kept with the documentation.
fn kept_record() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/bench-record");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files.pop().expect("a record")
}

#[test]
fn the_page_shows_what_the_record_says() {
    let Some(browser) = browser() else { return };
    let (kept, html) = (kept_record(), scratch("page.html"));
    let run = lanes(&["compare", text(&kept), "--html", text(&html)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(!page.contains("<script") && !page.contains("http://") || page.contains("xmlns"), "nothing from outside");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    let expected: BTreeSet<(String, String, String)> = record["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let ns = row["ns"]["min"].as_f64().unwrap();
            (row["size"].to_string(), row["by"].as_str().unwrap().to_string(), ns.to_string())
        })
        .collect();
    let mut looks = Vec::new();
    for (width, dark) in [(400, false), (1440, false), (1440, true)] {
        let report = opened(&browser, &page, width, dark);
        sound(&report, width);
        let cell = |row: &Value, i: usize| row[i].as_str().unwrap().to_string();
        let rows = report["rows"].as_array().unwrap();
        let shown: BTreeSet<_> = rows.iter().map(|row| (cell(row, 0), cell(row, 1), cell(row, 2))).collect();
        assert_eq!(shown, expected);
        assert_eq!(rows.len(), record["rows"].as_array().unwrap().len());
        looks.push((report["back"].clone(), report["text"].clone()));
    }
    assert_eq!(looks[0], looks[1]);
    assert!(looks[1].0 != looks[2].0 && looks[1].1 != looks[2].1, "dark is dark: {looks:?}");
}

#[test]
fn a_measured_page_and_a_compared_one_are_sound() {
    let Some(browser) = browser() else { return };
    let (json, html, both) = (scratch("m.json"), scratch("m.html"), scratch("both.html"));
    let run = lanes(&["bench", "group", "--json", text(&json), "--html", text(&html)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = lanes(&["compare", text(&json), text(&kept_record()), "--html", text(&both)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for page in [html, both] {
        let page = std::fs::read_to_string(page).unwrap();
        for width in [400, 1440] {
            sound(&opened(&browser, &page, width, false), width);
        }
    }
}

#[test]
fn a_hostile_label_stays_text() {
    let (json, html) = (scratch("h.json"), scratch("h.html"));
    let label = "<script>alert(1)</script><img src=x onerror='alert(2)'>\"&";
    let run = lanes(&["bench", "field", "--label", label, "--json", text(&json), "--html", text(&html)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(!page.contains("<script") && !page.contains("<img"), "{}", &page[..2000]);
    assert!(page.contains("&lt;script&gt;"));
}
