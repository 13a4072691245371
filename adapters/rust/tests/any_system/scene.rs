// SPDX-License-Identifier: MIT
//! What each test gets: a folder, a listener for those that want to be counted, and options for the
//! program it starts. And the few lines that run tests one after the other.

use std::env;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::exit;

use yume_host::SpawnOptions;

pub struct Scene {
    folder: PathBuf,
    listener: TcpListener,
}

impl Scene {
    fn new(name: &str) -> Scene {
        let folder = env::temp_dir().join(format!("yume-host-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scene {
            folder,
            listener: TcpListener::bind("127.0.0.1:0").unwrap(),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// This test itself, in a part.
    pub fn options(&self, part: &str) -> SpawnOptions {
        let mut options = SpawnOptions {
            program: Some(env::current_exe().unwrap()),
            prompt: Some("hi".into()),
            ..SpawnOptions::default()
        };
        options.set_env("PART", part);
        options.set_env("PART_FOLDER", &self.folder);
        let address = self.listener.local_addr().unwrap();
        options.set_env("PART_ADDRESS", address.to_string());
        options
    }

    /// Waits until so many have connected.
    pub fn connections(&self, count: usize) -> Vec<TcpStream> {
        (0..count)
            .map(|_| self.listener.accept().unwrap().0)
            .collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub type Test = (&'static str, fn(&Scene));

/// The functions with their names.
macro_rules! tests {
    ($($test:ident),* $(,)?) => { &[$((stringify!($test), $test as fn(&$crate::scene::Scene))),*] };
}
pub(crate) use tests;

/// Runs those whose name contains an argument, or all; ends the process with 1 if any fails.
pub fn run_tests(tests: &[Test]) {
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part));
    let mut failed = Vec::new();
    let mut passed = 0;
    for (name, test) in tests.iter().filter(|(name, _)| chosen(name)) {
        let scene = Scene::new(name);
        match catch_unwind(AssertUnwindSafe(|| test(&scene))) {
            Ok(()) => {
                println!("test {name} ... ok");
                passed += 1;
            }
            Err(_) => {
                println!("test {name} ... FAILED");
                failed.push(*name);
            }
        }
    }
    println!("\nresult: {passed} passed, {} failed\n", failed.len());
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
        exit(1);
    }
}
