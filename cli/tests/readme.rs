//! The commands of the README's ways in are run as they stand there; its program is the one of the library's documentation.

mod support;

use std::path::{Path, PathBuf};

use support::command;

/// The commands of a section, one a line.
fn commands(section: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let text = readme.split(section).nth(1).expect("the section").split("\n## ").next().unwrap_or("");
    text.lines().filter_map(|line| line.strip_prefix("    cargo ")).map(str::to_string).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What is compiled as the library's first example, without the lines that its page hides.
#[test]
fn the_program_is_that_of_the_documentation() {
    let text = |file| std::fs::read_to_string(root().join(file)).expect("a file of the repository");
    let block = |text: &str, start| text.split(start).nth(1)?.split("```").next().map(str::to_string);
    let library: String =
        text("src/lib.rs").lines().map_while(|line| line.strip_prefix("//!")).fold(String::new(), |all, line| {
            let line = line.strip_prefix(' ').unwrap_or(line);
            if line.starts_with("# ") { all } else { all + line + "\n" }
        });
    let shown = block(&text("README.md"), "```rust\n").expect("a program");
    assert_eq!(Some(shown), block(&library, "```\n"));
}

#[test]
fn the_ways_in_can_be_gone() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let commands = commands("\n## Four ways in\n");
    let mut run = 0;
    for line in &commands {
        if let Some(arguments) = line.strip_prefix("run --release -p lanes-cli -- ") {
            // Files that are there are read in place; what is written goes elsewhere.
            let place = |word: &str| match root().join(word).exists() {
                true => root().join(word).to_str().expect("a UTF-8 path").to_string(),
                false => word.to_string(),
            };
            let arguments: Vec<String> = arguments.split_whitespace().map(place).collect();
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let out = command(&words).current_dir(&folder).output().unwrap();
            assert_eq!(out.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&out.stderr));
            run += 1;
        } else if let Some(example) = line.strip_prefix("run --release --features rand_core --example ") {
            // All examples are run by CI.
            assert!(root().join("examples").join(format!("{example}.rs")).exists(), "{line}");
        } else {
            assert_eq!(line, "test --release -p curve25519-lanes-capi --test c");
        }
    }
    assert!(run >= 3 && commands.len() >= 6, "{commands:?}");
    for file in ["mine.json", "mine.html"] {
        assert!(folder.join(file).metadata().is_ok_and(|file| file.len() > 1000), "{file}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
