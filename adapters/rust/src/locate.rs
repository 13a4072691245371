// SPDX-License-Identifier: MIT
//! Where yume-cli is: named by the user, bundled with the host, or installed.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::bundle::{bundle_folders, bundle_names, program_name};
use crate::platform::can_be_run;
use crate::Error;

/// The environment variable that names the program. The Yume app reads the same one.
pub const BINARY_VARIABLE: &str = "YUME_CLI_BINARY";

/// Finds yume-cli. The order:
///
/// 1. the file that [`BINARY_VARIABLE`] names; if it is not a program, that is an error;
/// 2. what is bundled with the running host, see [`Locator::folders`];
/// 3. `yume-cli` in the folders of `PATH`.
///
/// A host with a resource folder of its own (Tauri's `resource_dir()`) uses
/// [`Locator::with_resources`] instead.
pub fn locate() -> Result<PathBuf, Error> {
    Locator::from_system().locate()
}

/// Where to look; all of it plain values, so that a host can change any.
///
/// ```
/// use yume_host::Locator;
///
/// let mut locator = Locator::from_system();
/// locator.folders.insert(0, "resources".into()); // look here first
/// match locator.locate() {
///     Ok(program) => println!("found {}", program.display()),
///     Err(error) => println!("{error}"), // names every place that was searched
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Locator {
    /// The program, if the user named one. Then nothing else is looked at.
    pub named: Option<PathBuf>,
    /// Folders that may hold a bundled program, under the name of this system: for 64-bit Linux
    /// `yume-cli-linux-x64`, or with the target triple as Tauri's sidecars are named
    /// (`yume-cli-x86_64-unknown-linux-gnu`), or just `yume-cli`.
    pub folders: Vec<PathBuf>,
    /// A list of folders in the form of `PATH`, of installed programs.
    pub path: Option<OsString>,
}

impl Locator {
    /// As the environment and the place of the running program say.
    pub fn from_system() -> Self {
        Locator {
            named: env::var_os(BINARY_VARIABLE)
                .filter(|name| !name.is_empty())
                .map(PathBuf::from),
            folders: env::current_exe()
                .map(|host| bundle_folders(&host))
                .unwrap_or_default(),
            path: env::var_os("PATH"),
        }
    }

    /// The same, with the host's own folder of resources before all other folders.
    pub fn with_resources(resources: impl AsRef<Path>) -> Self {
        let mut locator = Locator::from_system();
        let resources = resources.as_ref();
        locator.folders.insert(0, resources.to_path_buf());
        locator.folders.insert(1, resources.join("resources"));
        locator
    }

    /// The first program there is; a named one that is none is an error.
    pub fn locate(&self) -> Result<PathBuf, Error> {
        if let Some(named) = &self.named {
            return checked(named, BINARY_VARIABLE);
        }
        let candidates = self.candidates();
        match candidates.iter().find(|path| can_be_run(path)) {
            Some(found) => Ok(found.clone()),
            None => Err(Error::NotFound {
                searched: candidates,
            }),
        }
    }

    fn candidates(&self) -> Vec<PathBuf> {
        let names = bundle_names(env::consts::OS, env::consts::ARCH);
        let mut candidates = Vec::new();
        for folder in &self.folders {
            candidates.extend(names.iter().map(|name| folder.join(name)));
        }
        if let Some(path) = &self.path {
            candidates.extend(
                env::split_paths(path)
                    // An empty or relative entry means the current folder, which may be a project
                    // that somebody else wrote.
                    .filter(|folder| folder.is_absolute())
                    .map(|folder| folder.join(program_name(env::consts::OS))),
            );
        }
        candidates
    }
}

/// The path, if it is a program that can be run.
pub(crate) fn checked(path: &Path, named_by: &'static str) -> Result<PathBuf, Error> {
    if can_be_run(path) {
        return Ok(path.to_path_buf());
    }
    Err(Error::NotAProgram {
        path: path.to_path_buf(),
        named_by,
    })
}
