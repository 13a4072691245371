// SPDX-License-Identifier: MIT
//! Options become a command: checked once, before anything is started.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::locate::{checked, locate};
use crate::{Dialect, Error, Mode, SpawnOptions};

/// All that is needed to start the program, the first time and again after a crash.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    options: SpawnOptions,
}

impl Launch {
    pub(crate) fn new(mut options: SpawnOptions) -> Result<Self, Error> {
        let program = match &options.program {
            Some(named) => checked(named, "SpawnOptions::program")?,
            None => locate()?,
        };
        check(&options)?;
        for path in [
            &mut options.cwd,
            &mut options.history_file,
            &mut options.gcloud_path,
        ] {
            *path = path.take().map(absolute);
        }
        Ok(Launch {
            program: absolute(program),
            options,
        })
    }

    pub(crate) fn options(&self) -> &SpawnOptions {
        &self.options
    }

    /// Whether the program is only asked who it is: it gets no prompt and reads no input.
    pub(crate) fn reconnects(&self) -> bool {
        self.options.mode == Mode::Turn && self.options.prompt.is_none()
    }

    /// Goes on with this session from now on. What a session begins with is of no use then.
    pub(crate) fn resume(&mut self, session_id: String) {
        self.options.resume = Some(session_id);
        self.options.session_id = None;
        self.options.history_file = None;
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments());
        command.stdin(if self.reconnects() {
            Stdio::null()
        } else {
            Stdio::piped()
        });
        command.stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        if let Some(cwd) = &self.options.cwd {
            command.current_dir(cwd);
        }
        for (name, value) in &self.options.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn arguments(&self) -> Vec<OsString> {
        let options = &self.options;
        let mut arguments = Arguments::default();
        if options.dialect != Some(Dialect::Claude) {
            arguments.flag("provider", "gemini");
        }
        arguments.optional("dialect", options.dialect.map(Dialect::name));
        arguments.optional("model", options.model.as_ref());
        arguments.optional("cwd", options.cwd.as_ref());
        arguments.optional("session-id", options.session_id.as_ref());
        arguments.optional("resume", options.resume.as_ref());
        arguments.optional("history-file", options.history_file.as_ref());
        arguments.optional("gcloud-path", options.gcloud_path.as_ref());
        arguments.optional(
            "permission-mode",
            options.permission_mode.map(|mode| mode.name()),
        );
        // Prompts and interrupts are lines on stdin: of any length, unseen by other users, and the
        // same on every system.
        if !self.reconnects() {
            arguments.flag("input-format", "stream-json");
        }
        arguments.flag("output-format", "stream-json");
        arguments.list.push("--verbose".into());
        arguments.list.extend(options.arguments.iter().cloned());
        arguments.list
    }
}

/// `--name=value`: a value that begins with a dash stays one.
#[derive(Default)]
struct Arguments {
    list: Vec<OsString>,
}

impl Arguments {
    fn flag(&mut self, name: &str, value: impl AsRef<OsStr>) {
        let mut argument = OsString::from(format!("--{name}="));
        argument.push(value);
        self.list.push(argument);
    }

    fn optional(&mut self, name: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            self.flag(name, value);
        }
    }
}

fn check(options: &SpawnOptions) -> Result<(), Error> {
    let invalid = |why: String| Err(Error::InvalidOptions { why });
    if options.mode == Mode::Turn && options.prompt.is_none() && options.resume.is_none() {
        return invalid(
            "there is no prompt. Set `prompt`, or `mode` to `Mode::Conversation` and send it later"
                .into(),
        );
    }
    if options.mode == Mode::Turn
        && options.prompt.is_none()
        && options.dialect != Some(Dialect::YumeApp)
    {
        return invalid(
            "there is no prompt, and only the dialect `yume-app` can resume a session without one. \
             Set `prompt`, or `dialect` to `Dialect::YumeApp`"
                .into(),
        );
    }
    if matches!(&options.prompt, Some(prompt) if prompt.trim().is_empty()) {
        return invalid("the prompt is empty. Set a text, or leave `prompt` out".into());
    }
    if options.session_id.is_some() && options.resume.is_some() {
        return invalid(
            "both `session_id` and `resume` are set. `session_id` is for a new session, `resume` \
             for an old one: set one of them"
                .into(),
        );
    }
    // The system's own message for this would read as if the program were missing.
    if let Some(cwd) = options.cwd.as_deref().filter(|cwd| !cwd.is_dir()) {
        return invalid(format!(
            "{} is not a folder. Set `cwd` to one that exists",
            cwd.display()
        ));
    }
    Ok(())
}

/// A path that means the same in the program's folder as in ours.
fn absolute(path: impl AsRef<Path>) -> PathBuf {
    match env::current_dir() {
        Ok(here) => here.join(path), // an absolute path replaces `here`
        Err(_) => path.as_ref().to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PermissionMode;

    fn launch(options: SpawnOptions) -> Result<Launch, Error> {
        Launch::new(SpawnOptions {
            program: Some(env::current_exe().unwrap()),
            ..options
        })
    }

    fn arguments(options: SpawnOptions) -> Vec<String> {
        let launch = launch(options).unwrap();
        let text = |argument: OsString| argument.into_string().unwrap();
        launch.arguments().into_iter().map(text).collect()
    }

    fn refusal(options: SpawnOptions) -> String {
        launch(options).unwrap_err().to_string()
    }

    #[test]
    fn every_option_has_its_flag() {
        let here = env::current_dir().unwrap();
        let options = SpawnOptions {
            model: Some("gemini-3.8-flash".into()),
            cwd: Some(".".into()),
            prompt: Some("-v".into()),
            session_id: Some("s1".into()),
            history_file: Some("history.json".into()),
            gcloud_path: Some("bin/gcloud".into()),
            dialect: Some(Dialect::YumeApp),
            permission_mode: Some(PermissionMode::AcceptEdits),
            arguments: vec!["--max-turns=3".into()],
            ..SpawnOptions::default()
        };
        let path = |name: &str| here.join(name).display().to_string();
        assert_eq!(
            arguments(options),
            [
                "--provider=gemini",
                "--dialect=yume-app",
                "--model=gemini-3.8-flash",
                &format!("--cwd={}", path(".")),
                "--session-id=s1",
                &format!("--history-file={}", path("history.json")),
                &format!("--gcloud-path={}", path("bin/gcloud")),
                "--permission-mode=acceptEdits",
                "--input-format=stream-json",
                "--output-format=stream-json",
                "--verbose",
                "--max-turns=3",
            ]
        );
    }

    #[test]
    fn claudes_dialect_has_no_provider() {
        let options = SpawnOptions {
            prompt: Some("hi".into()),
            resume: Some("r1".into()),
            dialect: Some(Dialect::Claude),
            ..SpawnOptions::default()
        };
        assert_eq!(
            arguments(options),
            [
                "--dialect=claude",
                "--resume=r1",
                "--input-format=stream-json",
                "--output-format=stream-json",
                "--verbose",
            ]
        );
    }

    #[test]
    fn a_session_without_a_prompt_reads_no_input() {
        let options = SpawnOptions {
            resume: Some("r1".into()),
            dialect: Some(Dialect::YumeApp),
            ..SpawnOptions::default()
        };
        assert!(!arguments(options).contains(&"--input-format=stream-json".to_string()));
    }

    #[test]
    fn a_restart_resumes_and_begins_with_nothing() {
        let mut launch = launch(SpawnOptions {
            prompt: Some("hi".into()),
            session_id: Some("mine".into()),
            history_file: Some("history.json".into()),
            ..SpawnOptions::default()
        })
        .unwrap();
        launch.resume("real".into());
        let arguments = launch.arguments();
        assert!(arguments.contains(&"--resume=real".into()));
        assert_eq!(arguments.len(), 5);
    }

    #[test]
    fn what_cannot_be_started_says_what_to_change() {
        let none = SpawnOptions::default();
        assert!(refusal(none.clone()).contains("Set `prompt`"));
        let blank = SpawnOptions {
            prompt: Some(" \n".into()),
            ..none.clone()
        };
        assert!(refusal(blank).contains("the prompt is empty"));
        let unasked = SpawnOptions {
            resume: Some("r1".into()),
            ..none.clone()
        };
        assert!(refusal(unasked).contains("Dialect::YumeApp"));
        let both = SpawnOptions {
            prompt: Some("hi".into()),
            session_id: Some("a".into()),
            resume: Some("b".into()),
            ..none.clone()
        };
        assert!(refusal(both).contains("set one of them"));
        let nowhere = SpawnOptions {
            prompt: Some("hi".into()),
            cwd: Some("no/such/folder".into()),
            ..none
        };
        assert!(refusal(nowhere).contains("no/such/folder is not a folder"));
    }
}
