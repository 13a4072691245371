// SPDX-License-Identifier: MIT
//! Every line that yume-cli's own tests expect of it is understood here. Needs YUME_GOLDEN, the
//! folder of those tests; `cargo test -- --include-ignored` runs it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use yume_host::{Event, EventKind};

/// The expected output of each turn in the stream-json format.
fn outputs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
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
            // Of what differs each time, only durations are not texts.
            let event = Event::parse(&line.replace("%{ms}", "12"));
            count += 1;
            assert!(
                !matches!(event.kind, EventKind::Unknown(_) | EventKind::Malformed(_)),
                "{}: {event:#?}",
                file.display()
            );
        }
    }
    println!("{count} lines");
}
