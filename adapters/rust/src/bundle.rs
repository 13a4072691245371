// SPDX-License-Identifier: MIT
//! The names and places of a yume-cli that is bundled with a host.

use std::path::{Path, PathBuf};

/// What the installed program is called.
pub(crate) fn program_name(os: &str) -> &'static str {
    match os {
        "windows" => "yume-cli.exe",
        _ => "yume-cli",
    }
}

/// The names a bundled program may have on a system: the Yume app's, then those with a target
/// triple, then the plain one. The words for systems are those of `std::env::consts`.
pub(crate) fn bundle_names(os: &str, arch: &str) -> Vec<String> {
    let cpu = match arch {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let (vendor_and_systems, ending): (&[&str], &str) = match os {
        "linux" => (&["unknown-linux-gnu", "unknown-linux-musl"], ""),
        "macos" => (&["apple-darwin"], ""),
        "windows" => (&["pc-windows-msvc", "pc-windows-gnu"], ".exe"),
        _ => (&[], ""),
    };
    let mut names = vec![format!("yume-cli-{os}-{cpu}{ending}")];
    for system in vendor_and_systems {
        names.push(format!("yume-cli-{arch}-{system}{ending}"));
    }
    names.push(program_name(os).to_string());
    names
}

/// The folders beside a host's executable that bundlers put programs and resources into.
pub(crate) fn bundle_folders(host: &Path) -> Vec<PathBuf> {
    let folder = match host.parent() {
        Some(folder) => folder,
        None => return Vec::new(),
    };
    let mut folders = vec![folder.to_path_buf(), folder.join("resources")];
    if cfg!(target_os = "macos") {
        // Yume.app/Contents/MacOS/yume and Yume.app/Contents/Resources
        folders.push(folder.join("../Resources"));
        folders.push(folder.join("../Resources/resources"));
    } else if cfg!(unix) {
        // usr/bin/yume and usr/lib/yume, as Tauri's packages for Linux have it
        if let Some(name) = host.file_stem() {
            let library = folder.join("../lib").join(name);
            folders.push(library.clone());
            folders.push(library.join("resources"));
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_those_of_the_yume_app() {
        let first = |os, arch| bundle_names(os, arch).remove(0);
        assert_eq!(first("linux", "x86_64"), "yume-cli-linux-x64");
        assert_eq!(first("macos", "aarch64"), "yume-cli-macos-arm64");
        assert_eq!(first("macos", "x86_64"), "yume-cli-macos-x64");
        assert_eq!(first("windows", "x86_64"), "yume-cli-windows-x64.exe");
    }

    #[test]
    fn names_with_a_triple_are_those_of_tauri_sidecars() {
        assert_eq!(
            bundle_names("windows", "aarch64"),
            [
                "yume-cli-windows-arm64.exe",
                "yume-cli-aarch64-pc-windows-msvc.exe",
                "yume-cli-aarch64-pc-windows-gnu.exe",
                "yume-cli.exe",
            ]
        );
        assert_eq!(
            bundle_names("freebsd", "x86_64"),
            ["yume-cli-freebsd-x64", "yume-cli"]
        );
    }
}
