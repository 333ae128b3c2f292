//! The layers of ARCHITECTURE.md, kept by reading the source: one package has no compiler-enforced borders inside.
//!
//! Comments and literals are blanked, then every path that starts at `crate` or climbs there by `super` is resolved
//! to the layer it names.

use std::fs;
use std::path::Path;

/// What the files of one layer may do.
struct Layer {
    name: &'static str,
    /// Layers it may name besides itself; a path `layer::item` admits only that item.
    may_use: &'static [&'static str],
    may_be_unsafe: bool,
    /// Whether it may speak of backends, lanes and limbs.
    may_see_lanes: bool,
}

const fn layer(
    name: &'static str,
    may_use: &'static [&'static str],
    may_be_unsafe: bool,
    may_see_lanes: bool,
) -> Layer {
    Layer { name, may_use, may_be_unsafe, may_see_lanes }
}

const LAYERS: &[Layer] = &[
    layer("cpu", &[], true, true),
    layer("field", &["cpu"], true, true),
    layer("hash", &["field", "cpu"], false, true),
    layer("group", &["field", "cpu"], false, true),
    layer("msm", &["group", "field", "cpu"], false, true),
    layer("proofs", &["msm", "group", "hash", "field::Scalar", "field::scalar"], false, false),
    layer("tx", &["proofs", "msm", "group", "hash", "field::Scalar", "field::scalar"], false, false),
    layer("wallet", &["proofs", "msm", "group", "hash", "field::Scalar", "field::scalar"], false, false),
];

/// The module of helpers shared by unit tests. It exists in test builds only, so the compiler keeps the rest out.
const TEST_HELPERS: &str = "test_util";

/// Words of the machine room: no place for them above `msm`.
const LANE_WORDS: &[&str] = &[
    "Backend",
    "BackendId",
    "FieldElement",
    "FieldLanes",
    "Isa",
    "LANES",
    "Kernel",
    "dispatch",
    "portable",
    "avx2",
    "ifma",
    "limb",
    "limbs",
    "lane",
    "lanes",
    "have_avx2",
    "have_ifma",
    "amd64_51",
    "amd64_64",
    "have_amd64_51",
    "have_amd64_64",
    "target_feature",
];

#[test]
fn no_upward_edge_in_the_source() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut files = 0;
    walk(&source, &mut |path| {
        let relative = path.strip_prefix(&source).unwrap().to_str().unwrap().replace('\\', "/");
        faults.extend(check(&relative, &fs::read_to_string(path).unwrap()));
        files += 1;
    });
    assert!(files > 5, "only {files} source files found");
    assert!(faults.is_empty(), "{} fault(s):\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_check_sees_violations() {
    let caught = |file: &str, source: &str| assert!(!check(file, source).is_empty(), "missed in {file}: {source}");
    // Upward, plainly, in a group, by `super`, and in the middle of an expression.
    caught("field/mod.rs", "use crate::group::EdwardsPoint;");
    caught("group/point.rs", "use crate::{field::Scalar, msm::{self, plan}};");
    caught("group/point.rs", "use super::super::msm;");
    caught("group/mod.rs", "use super::msm;");
    caught("group.rs", "fn f() { super::msm::vartime(&[], &[]) }");
    caught("group/point.rs", "mod tests { use super::super::super::proofs; }");
    caught("msm/mod.rs", "fn f() { crate :: proofs :: verify() }");
    caught("cpu/mod.rs", "use crate::field;");
    caught("hash/keccak.rs", "pub(crate) use crate::group as g;");
    // Around the layers, through names at the crate root.
    caught("group/point.rs", "use crate::EdwardsPoint;");
    caught("group/point.rs", "use crate::*;");
    // The machine room, seen from above.
    caught("proofs/mod.rs", "use crate::cpu::disable;");
    caught("proofs/mod.rs", "use crate::field::batch_invert;");
    caught("proofs/mod.rs", "use crate::field::{Scalar, rows};");
    caught("proofs/mod.rs", "fn f(x: &impl FieldLanes) {}");
    caught("wallet/mod.rs", "#[cfg(have_ifma)] fn f() {}");
    // unsafe.
    caught("group/point.rs", "fn f() { unsafe { g() } }");
    caught("lib.rs", "unsafe fn f() {}");
    // A folder that no layer was declared for.
    caught("misc/mod.rs", "fn f() {}");
}

#[test]
fn the_check_lets_the_rest_be() {
    let seen = |file: &str, source: &str| check(file, source);
    let fine = [
        ("group/point.rs", "use crate::{cpu::Isa, field::{self, Scalar}}; use super::codec; use self::x::msm;"),
        ("group/point.rs", "mod tests { use super::super::codec; }"),
        (
            "group/point.rs",
            "/// [`crate::msm`] is above.\n/* crate::msm /* unsafe */ */ const S: &str = \"crate::msm\";",
        ),
        ("group/point.rs", "fn f<'a>(x: &'a str) -> char { let _ = r#\"unsafe\"#; '\"' }"),
        ("field/mod.rs", "unsafe { intrinsic() }"),
        ("proofs/a/b.rs", "use crate::{field::{Scalar, scalar::{self}}, hash::keccak, group::EdwardsPoint};"),
        ("proofs/a/b.rs", "use super::super::super::msm;"),
        ("proofs/a/b.rs", "fn unsafe_looking() {} // unsafe"),
        ("lib.rs", "pub mod group; pub use crate::group::EdwardsPoint; pub use msm::vartime;"),
    ];
    for (file, source) in fine {
        assert_eq!(seen(file, source), Vec::<String>::new(), "{file}: {source}");
    }
}

fn walk(folder: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, visit);
        } else if path.extension().is_some_and(|e| e == "rs") {
            visit(&path);
        }
    }
}

/// Every fault of one file, `file` being its path below `src`.
fn check(file: &str, source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let mut faults = Vec::new();
    let name = file.split('/').next().unwrap_or(file).trim_end_matches(".rs");
    if name == TEST_HELPERS {
        return faults;
    }
    let Some(layer) = LAYERS.iter().find(|l| l.name == name) else {
        if file != "lib.rs" {
            faults.push(format!("{file}: belongs to no layer; see tests/layering.rs"));
        } else if tokens.iter().any(|t| t == "unsafe") {
            faults.push(format!("{file}: unsafe"));
        }
        return faults;
    };
    for path in root_paths(file, &tokens) {
        let mut parts = path.split("::");
        let (first, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let item = format!("{first}::{second}");
        if first == layer.name || first == TEST_HELPERS || layer.may_use.iter().any(|&m| m == first || m == item) {
            continue;
        }
        let rule = match LAYERS.iter().any(|l| l.name == first) {
            true => format!("layer {} may not use", layer.name),
            false => "name by its layer".to_string(),
        };
        faults.push(format!("{file}: {rule} crate::{path}"));
    }
    if !layer.may_be_unsafe && tokens.iter().any(|t| t == "unsafe") {
        faults.push(format!("{file}: unsafe in layer {}", layer.name));
    }
    if !layer.may_see_lanes {
        let words = tokens.iter().filter(|t| LANE_WORDS.contains(&t.as_str()));
        faults.extend(words.map(|word| format!("{file}: `{word}` does not belong into layer {}", layer.name)));
    }
    faults
}

/// The first two segments, counted from the crate root, of every path that reaches the root.
fn root_paths(file: &str, tokens: &[String]) -> Vec<String> {
    // Modules between the crate root and the top of this file.
    let file_depth = file.matches('/').count() + 1 - usize::from(file.ends_with("/mod.rs"));
    let at = |i: usize| tokens.get(i).map_or("", String::as_str);
    let mut paths = Vec::new();
    let mut blocks = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match at(i) {
            "{" => blocks.push(i >= 2 && at(i - 2) == "mod"),
            "}" => drop(blocks.pop()),
            "crate" if at(i + 1) == "::" => collect(tokens, i + 2, "", 0, &mut paths),
            "super" if at(i + 1) == "::" => {
                let mut climbed = 1;
                while at(i + 2) == "super" && at(i + 3) == "::" {
                    climbed += 1;
                    i += 2;
                }
                if climbed == file_depth + blocks.iter().filter(|&&is_module| is_module).count() {
                    collect(tokens, i + 2, "", 0, &mut paths);
                }
            }
            _ => {}
        }
        i += 1;
    }
    paths
}

/// Reads one path or `{…}` group of paths starting at token `i`, down to two segments.
fn collect(tokens: &[String], i: usize, prefix: &str, depth: usize, paths: &mut Vec<String>) {
    let at = |i: usize| tokens.get(i).map_or("", String::as_str);
    if at(i) == "{" {
        let (mut j, mut level, mut starts) = (i + 1, 1, true);
        while level > 0 && j < tokens.len() {
            match at(j) {
                "{" => level += 1,
                "}" => level -= 1,
                _ => {}
            }
            if level == 1 && starts && at(j) != "}" {
                collect(tokens, j, prefix, depth, paths);
            }
            starts = level == 1 && at(j) == ",";
            j += 1;
        }
        return;
    }
    let path = if prefix.is_empty() { at(i).to_string() } else { format!("{prefix}::{}", at(i)) };
    if depth == 0 && at(i + 1) == "::" {
        collect(tokens, i + 2, &path, 1, paths);
    } else {
        paths.push(path);
    }
}

/// Identifiers, `::` and single characters; comments and literals are left out.
fn tokens(source: &str) -> Vec<String> {
    let c: Vec<char> = source.chars().collect();
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    let mut out = Vec::new();
    let mut i = 0;
    while i < c.len() {
        if at(i) == '/' && at(i + 1) == '/' {
            while i < c.len() && at(i) != '\n' {
                i += 1;
            }
        } else if at(i) == '/' && at(i + 1) == '*' {
            let mut level = 0;
            while i < c.len() {
                match (at(i), at(i + 1)) {
                    ('/', '*') => level += 1,
                    ('*', '/') => level -= 1,
                    _ => {
                        i += 1;
                        continue;
                    }
                }
                i += 2;
                if level == 0 {
                    break;
                }
            }
        } else if at(i) == 'r' && (at(i + 1) == '"' || at(i + 1) == '#' && (at(i + 2) == '"' || at(i + 2) == '#')) {
            let hashes = c[i + 1..].iter().take_while(|&&ch| ch == '#').count();
            i += hashes + 2;
            while i < c.len()
                && !(at(i) == '"' && c[i + 1..].iter().take(hashes).filter(|&&ch| ch == '#').count() == hashes)
            {
                i += 1;
            }
            i += hashes + 1;
        } else if at(i) == '"' {
            i += 1;
            while i < c.len() && at(i) != '"' {
                i += 1 + usize::from(at(i) == '\\');
            }
            i += 1;
        } else if at(i) == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            while i < c.len() && at(i) != '\'' {
                i += 1;
            }
            i += 1;
        } else if is_word(at(i)) {
            let start = i;
            while is_word(at(i)) {
                i += 1;
            }
            out.push(c[start..i].iter().collect());
        } else if at(i) == ':' && at(i + 1) == ':' {
            out.push("::".to_string());
            i += 2;
        } else {
            if !at(i).is_whitespace() {
                out.push(at(i).to_string());
            }
            i += 1;
        }
    }
    out
}
