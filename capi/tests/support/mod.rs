//! What tests of the C library share: the libraries as cargo builds them, compilers, and the vectors as lines.

// Each test uses its own part of this.
#![allow(dead_code)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Both libraries, copied to where no other build replaces them.
pub(crate) struct Libraries {
    pub(crate) fixed: PathBuf,
    pub(crate) shared: PathBuf,
}

impl Libraries {
    /// Builds with these features, into `folder`.
    pub(crate) fn build(features: &str, folder: &Folder) -> Libraries {
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
        let copied = |extensions: &[&str]| {
            let fits = |file: &&PathBuf| extensions.iter().any(|e| file.extension().is_some_and(|found| found == *e));
            let file = files.iter().find(fits).unwrap_or_else(|| panic!("no {extensions:?} in {files:?}"));
            let copy = folder.file(&file.file_name().expect("a name").to_string_lossy());
            fs::copy(file, &copy).expect("a copy of the library");
            copy
        };
        Libraries { fixed: copied(&["a"]), shared: copied(&["so", "dylib"]) }
    }
}

/// A folder for what is made, deleted in the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What to run for a tool: compilers may be named by `CC` and `CXX`, which CMake looks at too.
fn command(tool: &str) -> Command {
    let variable = match tool {
        "cc" => env::var_os("CC"),
        "c++" => env::var_os("CXX"),
        _ => None,
    };
    Command::new(variable.unwrap_or_else(|| tool.into()))
}

/// Whether there are all these tools; says so if not.
pub(crate) fn has(tools: &[&str]) -> bool {
    let found = |tool: &&&str| command(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    match tools.iter().find(|tool| !found(tool)) {
        Some(tool) => {
            println!("skipped: no {tool}");
            false
        }
        None => true,
    }
}

pub(crate) fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// Runs a command that has to succeed, and gives what it printed.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Compiles a program of this crate's folder against some library, or says why not.
pub(crate) fn compile(
    folder: &Folder,
    source: &str,
    name: &str,
    extra: &[&str],
    link: &Path,
) -> Result<PathBuf, String> {
    let compiler = if source.ends_with(".cpp") { "c++" } else { "cc" };
    let program = folder.file(name);
    let output = command(compiler)
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

/// Exit status and what was printed.
pub(crate) fn run(program: &Path, argument: Option<&Path>) -> (Option<i32>, String) {
    let output = Command::new(program).args(argument).output().expect("the program runs");
    (output.status.code(), text(&output))
}

pub(crate) fn vector(name: &str) -> Option<String> {
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
