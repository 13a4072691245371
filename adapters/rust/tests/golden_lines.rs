// SPDX-License-Identifier: MIT
//! Every line that yume-cli's own tests expect of it is understood here. Needs YUME_GOLDEN, the
//! folder of those tests; `cargo test -- --include-ignored` runs it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use yume_host::{Event, EventKind};

/// Areas whose lines are those of other programs' formats, which no host in Rust asks for.
const OTHER_FORMATS: [&str; 5] = ["acp", "agent_events", "gemini", "insights", "translate"];

/// What only hosts get that have asked for it in the protocol of Claude Code; it is kept as it came.
const KEPT_RAW: [&str; 2] = ["command_lifecycle", "conversation_reset"];

/// The expected output of each turn in the stream-json format.
fn outputs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let is_other = OTHER_FORMATS.iter().any(|name| path.ends_with(name));
        if path.is_dir() && !is_other {
            outputs(&path, found);
        }
        let is_turn = path.file_name().map_or(false, |name| name == "case.json")
            && fs::read_to_string(&path)
                .unwrap()
                .contains("\"stream-json\"");
        let output = path.with_file_name("expect").join("stdout.ndjson");
        if is_turn && output.is_file() {
            found.push(output);
        }
    }
}

#[test]
#[ignore = "needs YUME_GOLDEN"]
fn every_golden_line_is_understood() {
    let folder = env::var_os("YUME_GOLDEN").expect("YUME_GOLDEN must name yume-cli's tests/golden");
    let mut files = Vec::new();
    outputs(Path::new(&folder), &mut files);
    assert!(files.len() > 100, "only {} turns", files.len());
    let mut count = 0;
    for file in files {
        for line in fs::read_to_string(&file).unwrap().lines() {
            // Of what differs each time, only durations and process numbers are not texts.
            let line = line.replace("%{ms}", "12").replace("%{pid:1}", "12");
            let event = Event::parse(&line);
            count += 1;
            let understood = match &event.kind {
                EventKind::Unknown(line) => KEPT_RAW.contains(&line.kind.as_str()),
                EventKind::Malformed(_) => false,
                _ => true,
            };
            assert!(understood, "{}: {event:#?}", file.display());
        }
    }
    println!("{count} lines");
}
