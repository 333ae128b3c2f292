//! What holds for every command: exit status, pipes, help, the choice of a backend.

mod support;

use support::{command, lanes};

#[test]
fn info_names_what_is_chosen() {
    let run = lanes(&["info"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.contains("portable") && run.out.contains("chosen"), "{}", run.out);

    let run = lanes(&["--backend", "portable", "info", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("one JSON object");
    assert_eq!(run.out.lines().count(), 1);
    assert_eq!(report["chosen"], "portable");
    assert_eq!(report["why"], "asked for by --backend");
    assert_eq!(report["chosen_for_single"], "portable");
    let work = report["work"].as_array().expect("a list");
    assert!(work.len() >= 4 && work.iter().all(|work| work["backend"] == "portable" && work["why"] == report["why"]));
    let backends = report["backends"].as_array().expect("a list");
    assert_eq!(backends[0]["name"], "portable");
    assert_eq!(backends.iter().filter(|b| b["chosen"] == true).count(), 1);
}

#[test]
fn the_environment_chooses_and_the_option_is_stronger() {
    let chosen = |backend: &str, disable: &str, args: &[&str]| {
        let run = command(args).env("LANES_BACKEND", backend).env("LANES_DISABLE", disable).output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        let line = text.lines().find(|line| line.starts_with("chosen")).unwrap_or("").to_string();
        (run.status.code(), line)
    };
    let by_env = chosen("portable", "", &["info"]);
    assert_eq!(by_env, (Some(0), "chosen        portable (asked for by LANES_BACKEND)".to_string()));
    let all_but_one = "amd64-51, amd64-64, avx2, ifma";
    assert_eq!(chosen("", all_but_one, &["info"]).0, Some(0));
    assert!(chosen("", all_but_one, &["info"]).1.starts_with("chosen        portable"));
    let both = chosen("portable", "", &["info", "--backend", "portable"]);
    assert!(both.1.contains("--backend"), "{}", both.1);
    assert_eq!(chosen("nonsense", "", &["info"]).0, Some(2));
    assert_eq!(chosen("", "nonsense", &["info"]).0, Some(2));
    assert_eq!(chosen("", "portable", &["info"]).0, Some(2));
    assert_eq!(chosen("avx2", "avx2", &["info"]).0, Some(2));
}

#[test]
fn an_unknown_backend_is_refused_with_the_choices() {
    for name in ["nonsense", "", "IFMA", "\u{1b}[31m"] {
        let run = lanes(&["--backend", name, "info"]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.contains("available: portable"), "{}", run.err);
        assert!(!run.err.contains('\u{1b}'));
    }
}

#[test]
fn usage_errors_end_with_2_and_help_with_0() {
    for args in [&[][..], &["nonsense"], &["verify"], &["verify", "nonsense", "-"], &["verify", "monero-bpplus"]] {
        assert_eq!(lanes(args).code, Some(2), "{args:?}");
    }
    for args in [&["--help"][..], &["help"], &["--version"]] {
        assert_eq!(lanes(args).code, Some(0), "{args:?}");
    }
    for args in [&["info", "--help"][..], &["verify", "monero-bpplus", "--help"], &["prove", "monero-bpplus", "--help"]]
    {
        let run = lanes(args);
        assert_eq!(run.code, Some(0), "{args:?}");
        assert!(run.out.contains("Example") && run.out.contains("lanes "), "{args:?}: no example in\n{}", run.out);
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_fault_and_a_full_disk_is() {
    use std::fs::OpenOptions;
    use std::process::Stdio;

    for args in [&["info"][..], &["--help"], &["prove", "monero-bpplus", "--amounts", "1", "--seed", "1"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = command(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((run.status.code(), run.stderr), (Some(0), Vec::new()), "{args:?}");
    }
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
        println!("skipped: no /dev/full");
        return;
    };
    let run = command(&["info"]).stdout(full).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("standard output"));
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_unicode_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    for name in ["LANES_BACKEND", "LANES_DISABLE"] {
        let value = std::ffi::OsStr::from_bytes(b"portable\xff");
        let run = command(&["info"]).env(name, value).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{name}");
        let error = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(error.contains(&format!("{name}: no backend of that name; available: portable")), "{error}");
    }
}

/// Sizes that could not be held, and a number that must not become a loop.
#[test]
fn mock_transactions_are_bounded() {
    for args in [
        &["mock-tx", "--type", "sp-concise", "-n", "2", "-m", "30"][..],
        &["mock-tx", "--type", "triptych", "-n", "2", "-m", "26"],
        &["mock-tx", "--type", "sp-plain", "-m", "12", "--inputs", "112", "--batch", "10000"],
    ] {
        let run = lanes(args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.err.contains("at most"), "{}", run.err);
    }
    let run = lanes(&["mock-tx", "--type", "sp-plain", "-m", "2", "--splits", "18446744073709551615", "--seed", "1"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}

#[test]
fn mock_transactions_of_every_type() {
    for kind in ["clsag", "triptych", "sp-concise", "sp-plain", "sp-merge", "sp-squashed"] {
        let run = lanes(&["mock-tx", "--type", kind, "-m", "2", "--batch", "3", "--json"]);
        assert_eq!(run.code, Some(0), "{kind}: {}", run.err);
        assert!(run.out.starts_with("{\"transactions\":3,"), "{}", run.out);
    }
}
