// SPDX-License-Identifier: MIT
//! A place for a turn of the real program: a home of its own, a server on loopback in Google's
//! stead, and an environment without anything of the machine's.

use std::env;
use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use yume_host::{Dialect, Event, EventKind, Events, SpawnOptions};

use crate::processes::Watch;
use crate::server::{Reply, Server};

pub const MODEL: &str = "gemini-3.8-flash";

pub struct Place {
    folder: PathBuf,
    pub server: Server,
}

impl Place {
    /// With a server that gives these replies, one for each request.
    pub fn new(replies: Vec<Reply>) -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::SeqCst);
        let folder =
            env::temp_dir().join(format!("yume-host-real-{}-{number}", std::process::id()));
        for name in ["home", "work", "tmp"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        make_pipe(&folder.join("work/mark"));
        Place {
            folder,
            server: Server::start(replies),
        }
    }

    pub fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    pub fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    pub fn options(&self, dialect: Dialect) -> SpawnOptions {
        let mut options = SpawnOptions {
            program: Some(program()),
            model: Some(MODEL.into()),
            cwd: Some(self.work()),
            prompt: Some("hi".into()),
            dialect: Some(dialect),
            ..SpawnOptions::default()
        };
        for (name, _) in env::vars_os() {
            // Those who watch the program's memory may have something to say.
            if !name.to_string_lossy().ends_with("SAN_OPTIONS") {
                options.remove_env(name);
            }
        }
        for (name, value) in self.environment() {
            options.set_env(name, value);
        }
        options
    }

    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let text = |path: PathBuf| path.to_str().unwrap().to_string();
        vec![
            ("PATH", "/usr/bin:/bin".into()),
            ("LANG", "C.UTF-8".into()),
            ("HOME", text(self.home())),
            ("TMPDIR", text(self.folder.join("tmp"))),
            ("XDG_RUNTIME_DIR", text(self.folder.join("tmp"))),
            ("GEMINI_API_KEY", "test-key".into()),
            ("GOOGLE_GEMINI_BASE_URL", self.server.url()),
            ("METADATA_SERVER_DETECTION", "none".into()),
            ("IS_SANDBOX", "1".into()), // tests may be run by root
        ]
    }

    /// What somebody writes to `mark` in the working directory; waits for it.
    pub fn read_mark(&self) -> String {
        fs::read_to_string(self.work().join("mark")).unwrap()
    }

    /// The processes that know this place by their command line: the program, what watches over its
    /// commands, and commands that were told a path in here.
    pub fn watch(&self) -> Watch {
        Watch::over(self.folder.to_str().unwrap())
    }

    /// Their command lines.
    pub fn processes(&self) -> Vec<String> {
        self.watch().command_lines()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A named pipe: whoever reads waits for whoever writes.
fn make_pipe(path: &Path) {
    let name = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: the name is a valid string that outlives the call.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
}

/// The real program, named by the environment.
pub fn program() -> PathBuf {
    let named = env::var_os("YUME_CLI_BINARY");
    PathBuf::from(named.expect("YUME_CLI_BINARY must name the yume-cli to test"))
}

/// Everything up to a turn's result, which is the last.
pub fn take_turn(events: &mut Events) -> Vec<Event> {
    take_until(events, |event| matches!(event.kind, EventKind::Result(_)))
}

/// Everything up to the event that is waited for, which is the last.
pub fn take_until(events: &mut Events, wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
    let mut taken = Vec::new();
    for event in events {
        let found = wanted(&event);
        taken.push(event);
        if found {
            return taken;
        }
    }
    panic!("it never came: {taken:#?}");
}

/// The answer, in whatever pieces and dialect it came.
pub fn answer(events: &[Event]) -> String {
    events.iter().filter_map(Event::text).collect()
}
