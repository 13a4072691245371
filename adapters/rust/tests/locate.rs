// SPDX-License-Identifier: MIT
//! Where the program is found, in folders made for this.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use yume_host::{Error, Locator};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("yume-host-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn program(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(env::current_exe().unwrap(), &path).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn on_path(folder: &Path) -> Locator {
    Locator {
        path: Some(env::join_paths([Path::new("relative"), folder]).unwrap()),
        ..Locator::default()
    }
}

fn plain_name() -> String {
    format!("yume-cli{}", env::consts::EXE_SUFFIX)
}

fn triple_name() -> String {
    let system = match env::consts::OS {
        "linux" => "unknown-linux-gnu",
        "macos" => "apple-darwin",
        "windows" => "pc-windows-msvc",
        other => panic!("no triple for {other}"),
    };
    let ending = env::consts::EXE_SUFFIX;
    format!("yume-cli-{}-{system}{ending}", env::consts::ARCH)
}

#[test]
fn a_named_program_comes_first() {
    let folder = Folder::new("named");
    folder.program(&plain_name());
    let mut locator = on_path(&folder.0);
    locator.named = Some(folder.program("mine.exe"));
    assert_eq!(locator.locate().unwrap(), folder.0.join("mine.exe"));
}

#[test]
fn a_named_program_that_is_none_is_an_error() {
    let folder = Folder::new("missing");
    folder.program(&plain_name());
    let mut locator = on_path(&folder.0);
    locator.named = Some(folder.0.join("other"));
    match locator.locate() {
        Err(Error::NotAProgram { path, named_by }) => {
            assert_eq!(path, folder.0.join("other"));
            assert_eq!(named_by, "YUME_CLI_BINARY");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_bundled_program_comes_before_an_installed_one() {
    let bundle = Folder::new("bundle");
    let installed = Folder::new("installed");
    installed.program(&plain_name());
    let mut locator = on_path(&installed.0);
    locator.folders = vec![bundle.0.join("nowhere"), bundle.0.clone()];
    assert_eq!(locator.locate().unwrap(), installed.0.join(plain_name()));
    bundle.program(&plain_name());
    assert_eq!(locator.locate().unwrap(), bundle.0.join(plain_name()));
    bundle.program(&triple_name());
    assert_eq!(locator.locate().unwrap(), bundle.0.join(triple_name()));
}

#[test]
fn resources_of_the_host_are_searched_first() {
    let resources = Folder::new("resources");
    let mut locator = Locator::with_resources(&resources.0);
    locator.named = None; // whatever this machine's environment says
    let bundled = resources.program(&format!("resources/{}", triple_name()));
    assert_eq!(locator.locate().unwrap(), bundled);
    let nearer = resources.program(&triple_name());
    assert_eq!(locator.locate().unwrap(), nearer);
}

#[test]
fn when_there_is_none_every_place_is_named() {
    let folder = Folder::new("empty");
    fs::create_dir_all(folder.0.join(plain_name())).unwrap(); // a folder is no program
    let error = on_path(&folder.0).locate().unwrap_err();
    let text = error.to_string();
    assert!(text.contains(folder.0.join(plain_name()).to_str().unwrap()));
    assert!(text.contains("YUME_CLI_BINARY"));
    assert!(!text.contains("relative"));
}

#[test]
#[cfg(unix)]
fn a_file_that_cannot_be_run_is_no_program() {
    let folder = Folder::new("data");
    fs::write(folder.0.join(plain_name()), "text").unwrap();
    assert!(on_path(&folder.0).locate().is_err());
}
