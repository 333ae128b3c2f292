//! The libraries as C and C++ programs use them: compiled and run against the static one, the shared one and the one object,
//! with sanitizers where there are; and the symbols each exports. What a missing tool keeps from running is printed.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What cargo builds of the library.
struct Libraries {
    fixed: PathBuf,
    shared: PathBuf,
}

fn build(features: &str) -> Libraries {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = Command::new(cargo)
        .args(["build", "--release", "--package", "curve25519-lanes-capi", "--lib", "--message-format", "json"])
        .args(["--features", features])
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let messages = String::from_utf8(build.stdout).expect("cargo prints UTF-8");
    let files: Vec<PathBuf> = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "curve25519_lanes_c")
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .collect();
    let find = |extension: &str| files.iter().find(|f| f.extension().is_some_and(|e| e == extension)).cloned();
    let built = (find("a"), find("so").or_else(|| find("dylib")));
    match built {
        (Some(fixed), Some(shared)) => Libraries { fixed, shared },
        other => panic!("cargo built {files:?}: {other:?}"),
    }
}

/// A folder for what is made, deleted in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("curve25519-lanes-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no {tool}");
    }
    found
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// Compiles a program of this crate's folder against some library, or says why not.
fn compile(folder: &Folder, source: &str, name: &str, extra: &[&str], link: &Path) -> Result<PathBuf, String> {
    let compiler = if source.ends_with(".cpp") { "c++" } else { "cc" };
    let program = folder.file(name);
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g"])
        .args(if compiler == "cc" { &["-std=c11", "-D_GNU_SOURCE"][..] } else { &["-std=c++17"] })
        .args(extra)
        .arg("-I")
        .arg(Path::new(ROOT).join("include"))
        .arg(Path::new(ROOT).join(source))
        .arg(link)
        .arg(format!("-Wl,-rpath,{}", link.parent().expect("a folder").display()))
        .args(["-lpthread", "-ldl", "-lm"])
        .arg("-o")
        .arg(&program)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() { Ok(program) } else { Err(text(&output)) }
}

fn run(program: &Path, argument: Option<&Path>) -> (Option<i32>, String) {
    let output = Command::new(program).args(argument).output().expect("the program runs");
    (output.status.code(), text(&output))
}

/// Global symbols that an object defines.
fn exported(file: &Path, dynamic: bool) -> BTreeSet<String> {
    let output = Command::new("nm")
        .args(["--defined-only", "--extern-only"])
        .args(dynamic.then_some("--dynamic"))
        .arg(file)
        .output()
        .expect("nm runs");
    assert!(output.status.success(), "{}", text(&output));
    let symbols = String::from_utf8(output.stdout).expect("UTF-8");
    symbols.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_string).collect()
}

fn listed() -> BTreeSet<String> {
    include_str!("../exports.txt").lines().map(str::to_string).collect()
}

fn vector(name: &str) -> Option<String> {
    let path = Path::new(ROOT).join("../../shared/vectors").join(name);
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            println!("skipped: {name}: {error}");
            assert_ne!(env::var("LANES_REQUIRE_VECTORS").as_deref(), Ok("1"), "{} is required", path.display());
            None
        }
    }
}

/// The derivation lines for the program in C++.
fn derivation_lines(folder: &Folder) -> Option<PathBuf> {
    let all = vector("monero_crypto_tests.txt")?;
    let lines: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("generate_key_derivation ")).collect();
    assert!(lines.len() > 100);
    let path = folder.file("derivations");
    fs::write(&path, lines.join("\n") + "\n").expect("a file of lines");
    Some(path)
}

/// Proofs for the program in C, and the verdicts that it must print: `true` for valid.
fn proofs(folder: &Folder, name: &str) -> Option<(PathBuf, Vec<bool>)> {
    let all: serde_json::Value = serde_json::from_str(&vector(name)?).expect("JSON");
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for case in all["cases"].as_array().expect("cases") {
        let join = |list: &serde_json::Value| -> String {
            list.as_array().into_iter().flatten().filter_map(|hex| hex.as_str()).collect()
        };
        let proof = &case["proof"];
        let count = |list: &serde_json::Value| format!("{:02x}", list.as_array().map_or(0, Vec::len));
        lines += &join(&case["C"]);
        lines.push(' ');
        for field in ["A", "A1", "B", "r1", "s1", "d1"] {
            lines += proof[field].as_str().expect("hex");
        }
        lines += &(count(&proof["L"]) + &join(&proof["L"]) + &count(&proof["R"]) + &join(&proof["R"]));
        lines.push('\n');
        expected.push(case["expected"].as_bool().unwrap_or(true));
    }
    let path = folder.file(name);
    fs::write(&path, lines).expect("a file of proofs");
    Some((path, expected))
}

#[test]
fn programs() {
    if !has("cc") || !has("c++") {
        return;
    }
    let libraries = build("");
    let folder = Folder::new("programs");
    let derivations = derivation_lines(&folder);
    for (kind, library) in [("static", &libraries.fixed), ("shared", &libraries.shared)] {
        let make = |source: &str, name: &str| {
            compile(&folder, source, &format!("{name}-{kind}"), &[], library).unwrap_or_else(|error| panic!("{error}"))
        };
        let misuse = make("tests/misuse.c", "misuse");
        assert_eq!(run(&misuse, None), (Some(0), "ok\n".to_string()), "{kind}");
        let derive = make("examples/derive.cpp", "derive");
        if let Some(lines) = &derivations {
            let (code, out) = run(&derive, Some(lines));
            assert_eq!(code, Some(0), "{kind}: {out}");
        }
        let verify = make("examples/verify_range_proofs.c", "verify");
        for name in ["monero_bpplus_real.json", "monero_bpplus_invalid.json", "monero_bpplus_generated.json"] {
            let Some((file, expected)) = proofs(&folder, name) else { continue };
            let (code, out) = run(&verify, Some(&file));
            let verdicts: Vec<bool> = out.lines().map(|line| line.ends_with(" valid")).collect();
            assert_eq!(verdicts, expected, "{kind} {name}: {out}");
            assert_eq!(code, Some(i32::from(expected.contains(&false))), "{kind} {name}");
        }
        assert_eq!(run(&verify, None).0, Some(2));
    }
}

#[test]
fn sanitizers() {
    if !has("cc") {
        return;
    }
    let libraries = build("");
    let folder = Folder::new("sanitizers");
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    match compile(&folder, "tests/misuse.c", "misuse", &flags, &libraries.fixed) {
        Ok(program) => assert_eq!(run(&program, None), (Some(0), "ok\n".to_string())),
        Err(error) => {
            let line = error.lines().next().unwrap_or_default();
            println!("skipped: sanitizers: {line}");
        }
    }
}

#[test]
fn symbols_are_those_of_the_list() {
    if !cfg!(target_os = "linux") || !has("nm") {
        println!("skipped: symbols are looked at on Linux");
        return;
    }
    let libraries = build("");
    assert_eq!(exported(&libraries.shared, true), listed());
}

#[test]
fn one_object() {
    if !cfg!(target_os = "linux") || !["nm", "ld", "objcopy", "cc"].into_iter().all(has) {
        return;
    }
    let libraries = build("");
    let folder = Folder::new("object");
    let object = folder.file("lanes.o");
    let script = Path::new(ROOT).join("object.sh");
    let output = Command::new("sh").arg(script).arg(&libraries.fixed).arg(&object).output().expect("a shell");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(exported(&object, false), listed());
    let misuse = compile(&folder, "tests/misuse.c", "misuse", &[], &object).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&misuse, None), (Some(0), "ok\n".to_string()));

    if !has("cmake") {
        return;
    }
    let cmake = |arguments: &[&str]| {
        let output = Command::new("cmake").args(arguments).output().expect("cmake");
        assert!(output.status.success(), "{}", text(&output));
    };
    let (source, build) = (format!("{ROOT}/cmake"), folder.file("build"));
    let build = build.to_str().expect("UTF-8");
    cmake(&["-S", &source, "-B", build, &format!("-DLANES_OBJECT={}", object.display())]);
    cmake(&["--build", build]);
    assert_eq!(run(&folder.file("build/consumer"), None).0, Some(0));
}
