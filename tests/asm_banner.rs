//! The assembly in `asm/`, read as text and as objects: every routine has a banner that agrees with its declaration,
//! and what the assembler makes of it holds no instruction whose time could depend on data, no relocation in the
//! text and no executable stack.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

/// Directory, limbs of an element, features.
const BACKENDS: &[(&str, usize, &str)] = &[("amd64_51", 5, "none beyond x86-64"), ("amd64_64", 4, "bmi2, adx")];

/// The lines of a banner, in this order.
const KEYS: &[&str] =
    &["Purpose", "Prototype", "Registers", "Clobbers", "Bounds", "Features", "Constant-time", "Origin"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The routine files of a backend.
fn routines(directory: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("asm").join(directory))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "S"))
        .collect();
    files.sort();
    assert!(files.len() >= 6, "only {} routines in {directory}", files.len());
    files
}

/// The banner: key to text. Fails on a line out of order.
fn banner(text: &str) -> Result<BTreeMap<&str, &str>, String> {
    let text = text.strip_prefix("/*\n").and_then(|t| t.split_once(" */\n")).ok_or("no banner at the start")?.0;
    let mut out = BTreeMap::new();
    let mut keys = KEYS.iter();
    for line in text.lines() {
        let (key, value) =
            line.strip_prefix(" * ").and_then(|l| l.split_once(':')).ok_or(format!("odd line {line}"))?;
        if keys.next() != Some(&key) {
            return Err(format!("{key} out of order"));
        }
        out.insert(key, value.trim());
    }
    if out.len() == KEYS.len() { Ok(out) } else { Err(format!("only {:?}", out.keys())) }
}

/// A C prototype as `name(a: *mut u64, b: *const u64, n: u64) -> u64`. Arrays are of `limbs` words, but the four of
/// a scalar.
fn declaration(prototype: &str, limbs: usize) -> Option<String> {
    let (result, rest) = prototype.strip_suffix(");")?.split_once(' ')?;
    let (name, arguments) = rest.split_once('(')?;
    let mut out = Vec::new();
    for argument in arguments.split(", ") {
        let (kind, argument) = match argument.strip_prefix("const ") {
            Some(rest) => ("*const u64", rest),
            None => ("*mut u64", argument),
        };
        let argument = argument.strip_prefix("uint64_t ")?;
        out.push(match argument.split_once('[') {
            None if kind == "*mut u64" => format!("{argument}: u64"),
            Some((argument, size)) if size == format!("{}]", if argument == "k" { 4 } else { limbs }) => {
                format!("{argument}: {kind}")
            }
            _ => return None,
        });
    }
    let result = match result {
        "void" => "",
        "uint64_t" => " -> u64",
        _ => return None,
    };
    Some(format!("{name}({}){result}", out.join(", ")))
}

/// The declarations of the one block of foreign functions, in the form of [`declaration`]; the symbol of each must end in
/// its name.
fn declared(source: &str) -> Vec<String> {
    let (_, rest) = source.split_once("unsafe extern \"sysv64\" {\n").expect("a block of foreign functions");
    let list = rest.split_once("\n                }\n").expect("its end").0;
    let mut out = Vec::new();
    for declaration in list.split("#[link_name = ").skip(1) {
        let (symbol, function) = declaration.split_once(")]").expect("the end of the attribute");
        let function = function.split_whitespace().collect::<Vec<_>>().join(" ");
        let function = function.strip_prefix("pub(super) fn ").and_then(|f| f.strip_suffix(';')).expect("a function");
        let name = function.split('(').next().expect("a name");
        assert!(symbol.ends_with(&format!(", $backend, \"_{name}\"")), "{name} links to {symbol}");
        out.push(function.replace("( ", "(").replace(", )", ")"));
    }
    out
}

#[test]
fn banners_agree_with_declarations() {
    let mut declared = declared(&fs::read_to_string(root().join("src/field/assembly.rs")).unwrap());
    declared.sort();
    for (directory, limbs, features) in BACKENDS {
        let mut found = Vec::new();
        for path in routines(directory) {
            let text = fs::read_to_string(&path).unwrap();
            let name = format!("{directory}_{}", path.file_stem().unwrap().to_str().unwrap());
            let banner = banner(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let declaration = declaration(banner["Prototype"], *limbs)
                .unwrap_or_else(|| panic!("{name}: {} is not understood", banner["Prototype"]));
            assert!(declaration.starts_with(&format!("{name}(")), "{name} declares {declaration}");
            assert_eq!(banner["Features"], *features, "{name}");
            assert!(banner["Constant-time"].starts_with("yes"), "{name}");
            for line in [format!("ROUTINE({name})"), format!("END({name})")] {
                assert_eq!(text.lines().filter(|l| *l == line).count(), 1, "{name}: {line}");
            }
            found.push(declaration[directory.len() + 1..].to_owned());
        }
        found.sort();
        assert_eq!(declared, found, "src/field/assembly.rs against the banners of {directory}");
    }
}

#[test]
fn the_banner_check_sees_faults() {
    assert_eq!(
        declaration("uint64_t f(uint64_t r[5], const uint64_t k[4], uint64_t n);", 5).as_deref(),
        Some("f(r: *mut u64, k: *const u64, n: u64) -> u64")
    );
    for wrong in ["void f(uint64_t r[4]);", "int f(uint64_t r[5]);", "void f(int n);", "void f(uint64_t r[5])"] {
        assert_eq!(declaration(wrong, 5), None, "{wrong}");
    }
    let whole: String = KEYS.iter().map(|k| format!(" * {k}: x\n")).collect();
    assert!(banner(&format!("/*\n{whole} */\n")).is_ok());
    for wrong in [whole.clone(), format!("/*\n * Origin: x\n{whole} */\n"), "/*\n * Purpose: x\n */\n".to_owned()] {
        assert!(banner(&wrong).is_err(), "{wrong}");
    }
}

/// What a routine may consist of. A conditional jump is allowed after `dec` alone: the counters are public.
const ALLOWED: &[&str] = &[
    "adc", "adcx", "add", "adox", "and", "btr", "cmovne", "dec", "imul", "lea", "mov", "movabs", "mul", "mulx", "neg",
    "nop", "nopw", "nopl", "data16", "cs", "pop", "push", "ret", "sbb", "shl", "shld", "shr", "sub", "test", "xor",
    "xchg",
];

/// What is wrong with a disassembly.
fn faults(disassembly: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut before = "";
    for line in disassembly.lines() {
        let Some(instruction) = line.split('\t').nth(2) else { continue };
        let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
        let counted = matches!(mnemonic, "jne" | "je") && before == "dec";
        if !counted && !ALLOWED.contains(&mnemonic) {
            out.push(line.to_owned());
        }
        before = mnemonic;
    }
    out
}

fn objdump(arguments: &[&str], object: &Path) -> Option<String> {
    let out = Command::new("objdump").args(arguments).arg(object).output().ok()?;
    out.status.success().then(|| String::from_utf8(out.stdout).expect("text"))
}

#[test]
fn objects_hold_only_what_is_allowed() {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("skipped: needs x86-64 Linux");
        return;
    }
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    for (directory, ..) in BACKENDS {
        for path in routines(directory) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let object = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{directory}_{name}.o"));
            let status = Command::new(&compiler)
                .args(["-c", "-DLANES_PREFIX=test_", "-I"])
                .arg(root().join("asm"))
                .arg(&path)
                .arg("-o")
                .arg(&object)
                .status();
            if !status.is_ok_and(|s| s.success()) {
                println!("skipped: no C compiler that assembles {}", path.display());
                return;
            }
            let (Some(code), Some(relocations), Some(sections)) = (
                objdump(&["-d", "-M", "intel"], &object),
                objdump(&["-r", "-j", ".text"], &object),
                objdump(&["-h"], &object),
            ) else {
                println!("skipped: no objdump");
                return;
            };
            let count = code.lines().filter(|l| l.split('\t').nth(2).is_some()).count();
            assert!(count > 30, "{directory}/{name}: {count} instructions");
            let faults = faults(&code);
            assert!(faults.is_empty(), "{directory}/{name}:\n{}", faults.join("\n"));
            assert!(!relocations.contains("R_X86_64"), "{directory}/{name}:\n{relocations}");
            let stack = sections.split_once(".note.GNU-stack").expect("a stack note").1;
            assert!(!stack.lines().nth(1).unwrap_or_default().contains("CODE"), "{directory}/{name}: executable stack");
            assert!(code.contains(&format!("<test_{directory}_{name}>:")), "{directory}/{name}: symbol");
        }
    }
}

#[test]
fn the_object_check_sees_faults() {
    let line = |instruction: &str| format!("   0:\t48 0f\t{instruction}\n");
    for bad in ["div    rcx", "jb     0", "call   0", "bsr    rax,rax", "vaddpd ymm0,ymm0,ymm0"] {
        assert_eq!(faults(&line(bad)).len(), 1, "{bad}");
    }
    assert_eq!(faults(&format!("{}{}", line("sub    rax,1"), line("jne    0"))).len(), 1);
    assert!(faults(&format!("{}{}", line("dec    rax"), line("jne    0"))).is_empty());
}

/// Other systems, and what they put before a symbol.
const CROSS: [(&str, &str); 3] =
    [("x86_64-pc-windows-gnu", ""), ("x86_64-pc-windows-msvc", ""), ("x86_64-apple-darwin", "_")];

/// What cargo would build elsewhere: COFF for both kinds of Windows and Mach-O, the code the same as on ELF.
#[test]
fn other_systems_get_the_same_code() {
    if !Command::new("clang").arg("--version").output().is_ok_and(|out| out.status.success()) {
        println!("skipped: no clang to assemble for {}", CROSS.map(|(triple, _)| triple).join(", "));
        return;
    }
    for (directory, ..) in BACKENDS {
        for path in routines(directory) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let native = assemble_with_clang("x86_64-unknown-linux-gnu", directory, &path);
            let native = code(&native, &format!("test_{directory}_{name}"));
            for (triple, prefix) in CROSS {
                let object = assemble_with_clang(triple, directory, &path);
                let code = code(&object, &format!("{prefix}test_{directory}_{name}"));
                assert!(code == native, "{directory}/{name} for {triple}");
            }
        }
    }
}

/// The object, read.
fn assemble_with_clang(triple: &str, directory: &str, path: &Path) -> Vec<u8> {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let object = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{directory}_{name}_{triple}.o"));
    let out = Command::new("clang")
        .args(["-c", "-Wall", "-Wextra", "-Werror", "-DLANES_PREFIX=test_", "-target", triple, "-I"])
        .arg(root().join("asm"))
        .arg(path)
        .arg("-o")
        .arg(&object)
        .output()
        .expect("clang runs");
    assert!(out.status.success(), "{triple}: {}", String::from_utf8_lossy(&out.stderr));
    fs::read(object).unwrap()
}

/// The text section of an object that defines `symbol`, which must be all there is to link: no relocations.
fn code(object: &[u8], symbol: &str) -> Vec<u8> {
    let file = object::File::parse(object).expect("an object");
    assert!(file.symbols().any(|s| s.name() == Ok(symbol) && s.is_definition()), "no symbol {symbol}");
    let text = file.sections().find(|s| s.kind() == SectionKind::Text).expect("a text section");
    assert_eq!(text.relocations().count(), 0, "{symbol}: relocations");
    text.data().expect("its bytes").to_vec()
}
