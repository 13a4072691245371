// SPDX-License-Identifier: MIT
//! What a host can choose when it starts yume-cli. Plain values; nothing is checked here.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// How yume-cli is started. Everything has a default:
///
/// ```
/// use yume_host::{Dialect, SpawnOptions};
///
/// let mut options = SpawnOptions {
///     model: Some("gemini-3.8-flash".into()),
///     cwd: Some("/home/ada/project".into()),
///     prompt: Some("fix the failing test".into()),
///     dialect: Some(Dialect::Yume),
///     ..SpawnOptions::default()
/// };
/// options.set_env("GOOGLE_CLOUD_PROJECT", "my-project");
/// options.remove_env("GEMINI_API_KEY");
/// ```
#[derive(Clone, Default)]
pub struct SpawnOptions {
    /// The program. Without it, [`locate`](crate::locate()) is asked.
    pub program: Option<PathBuf>,
    /// A model of Gemini's, or a Claude name such as `sonnet`. Without it, yume-cli's own default.
    pub model: Option<String>,
    /// The folder to work in. Without it, the host's own.
    pub cwd: Option<PathBuf>,
    /// The first prompt, of any length: it goes through the program's input, not through its
    /// arguments, where systems have limits and other users can read it.
    pub prompt: Option<String>,
    /// An id for a new session. Without it, yume-cli makes one.
    pub session_id: Option<String>,
    /// The id of a session to go on with. With [`Mode::Turn`] and no prompt, the program only says
    /// who it is: `init`, an empty `result`, and no request ([`Dialect::YumeApp`] only).
    pub resume: Option<String>,
    /// A conversation of another program to begin with.
    pub history_file: Option<PathBuf>,
    /// The gcloud to get a login from. Without it, yume-cli searches.
    pub gcloud_path: Option<PathBuf>,
    /// The form of the lines. Without it, yume-cli chooses: `yume`, or `yume-app` when the host is
    /// the Yume app. All of them are read here.
    pub dialect: Option<Dialect>,
    /// What tools may do without asking. Without it, yume-cli's own default.
    pub permission_mode: Option<PermissionMode>,
    /// Changes to the environment, which is otherwise the host's: a value to set, or nothing to
    /// remove the variable. Later ones win.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Further arguments, as they are.
    pub arguments: Vec<OsString>,
    /// How long the process lives.
    pub mode: Mode,
    /// What happens after a crash.
    pub restart: Restart,
    /// How much is kept in memory.
    pub limits: Limits,
}

impl SpawnOptions {
    /// Sets a variable in the program's environment.
    pub fn set_env(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> &mut Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Removes a variable from the program's environment.
    pub fn remove_env(&mut self, name: impl Into<OsString>) -> &mut Self {
        self.env.push((name.into(), None));
        self
    }
}

impl fmt::Debug for SpawnOptions {
    /// Of the environment only the names: values may be keys, and this ends up in logs.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&OsString> = self.env.iter().map(|(name, _)| name).collect();
        out.debug_struct("SpawnOptions")
            .field("program", &self.program)
            .field("model", &self.model)
            .field("cwd", &self.cwd)
            .field("prompt", &self.prompt)
            .field("session_id", &self.session_id)
            .field("resume", &self.resume)
            .field("history_file", &self.history_file)
            .field("gcloud_path", &self.gcloud_path)
            .field("dialect", &self.dialect)
            .field("permission_mode", &self.permission_mode)
            .field("env", &names)
            .field("arguments", &self.arguments)
            .field("mode", &self.mode)
            .field("restart", &self.restart)
            .field("limits", &self.limits)
            .finish()
    }
}

/// The form of yume-cli's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Yume's documented flat lines: `text`, `tool_use`, `tool_result`, `usage`, …
    Yume,
    /// What the window of the released Yume app shows right: nested lines, somewhat changed.
    YumeApp,
    /// Claude Code's nested lines. Sessions lie in `~/.claude` then, else in `~/.yume`.
    Claude,
}

impl Dialect {
    /// Its name on yume-cli's command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Yume => "yume",
            Dialect::YumeApp => "yume-app",
            Dialect::Claude => "claude",
        }
    }
}

/// What tools may do without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PermissionMode {
    /// Read; whatever else needs a rule or an answer.
    Default,
    /// Also change files in the working directory.
    AcceptEdits,
    /// Look and plan, change nothing.
    Plan,
    /// Everything.
    BypassPermissions,
    /// Deny what would have to be asked.
    DontAsk,
    /// What yume-cli thinks right for work in the background.
    Auto,
}

impl PermissionMode {
    /// Its name on yume-cli's command line.
    pub fn name(self) -> &'static str {
        match self {
            PermissionMode::Default => "default",
            PermissionMode::AcceptEdits => "acceptEdits",
            PermissionMode::Plan => "plan",
            PermissionMode::BypassPermissions => "bypassPermissions",
            PermissionMode::DontAsk => "dontAsk",
            PermissionMode::Auto => "auto",
        }
    }
}

/// How long the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// For one prompt; it ends after the result. Go on with [`SpawnOptions::resume`].
    #[default]
    Turn,
    /// Until [`Handle::finish`](crate::Handle::finish): prompts come by
    /// [`Handle::send`](crate::Handle::send), and the next one does not wait for a process.
    Conversation,
}

/// What happens when the process dies in the middle of a turn. yume-cli writes a session's file
/// before it shows a line, so a new process can go on with what the old one had done.
///
/// The new process resumes the session. A turn of which nothing had been shown is asked again in
/// its own words; one that had begun is not repeated, because its tools may have changed files:
/// `prompt` asks the model to go on instead.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Restart {
    /// How often in a row, without a result between; 0: never, which is the default.
    pub limit: u32,
    /// What the model is asked after a turn was cut off.
    pub prompt: String,
}

impl Default for Restart {
    fn default() -> Self {
        Restart {
            limit: 0,
            prompt: "The program that runs you was restarted after a crash. \
                     See what of your work is done, and go on with it."
                .into(),
        }
    }
}

impl Restart {
    /// At most so many restarts in a row, with the default prompt.
    pub fn at_most(limit: u32) -> Self {
        Restart {
            limit,
            ..Restart::default()
        }
    }
}

/// How much is kept in memory. At most `events` lines of `line_bytes` each wait for the host; then
/// yume-cli waits, and the model's server as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The longest line that is read. A longer one is skipped, and an event says so. yume-cli's
    /// own limit is 1,000,000 bytes; the default here is 1 MiB.
    pub line_bytes: usize,
    /// How many events may wait for the host; at least 1. The default is 64.
    pub events: usize,
    /// How much of the end of stderr is kept. The default is 64 KiB.
    pub stderr_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            line_bytes: 1024 * 1024,
            events: 64,
            stderr_bytes: 64 * 1024,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_of_the_environment_is_shown() {
        let mut options = SpawnOptions::default();
        options.set_env("GEMINI_API_KEY", "canary");
        let shown = format!("{options:?}");
        assert!(shown.contains("GEMINI_API_KEY"));
        assert!(!shown.contains("canary"));
    }
}
