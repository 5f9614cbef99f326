//! What a fresh Debian or Ubuntu machine lacks, and how to get it: one table per chore, one row per need.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::run;

/// Where something missing comes from.
enum Source {
    /// A Debian and Ubuntu package.
    Apt(&'static str),
    /// A part of the Rust toolchain.
    Rustup(&'static str),
}

/// Something that a chore cannot do without.
pub(crate) struct Need {
    /// For people.
    what: &'static str,
    is_there: fn() -> bool,
    source: Source,
}

/// For everything that `cargo xtask test` runs.
pub(crate) const TESTS: &[Need] = &[
    // Whoever reads this through `cargo xtask` has linked a program already; a prebuilt xtask has not.
    Need {
        what: "a C compiler, which Rust links with",
        is_there: || run::succeeds("cc", &["--version"]),
        source: Source::Apt("gcc"),
    },
    Need {
        what: "the C library's headers and start files",
        is_there: || {
            run::succeeds(
                "sh",
                &["-c", "echo '#include <stdlib.h>' | cc -E - && cc -print-file-name=crt1.o | grep -q /"],
            )
        },
        source: Source::Apt("libc6-dev"),
    },
    Need {
        what: "the formatter",
        is_there: || run::succeeds("cargo", &["fmt", "--version"]),
        source: Source::Rustup("rustfmt"),
    },
    Need {
        what: "the linter",
        is_there: || run::succeeds("cargo", &["clippy", "--version"]),
        source: Source::Rustup("clippy"),
    },
    // Brings the loader, libvulkan1, along.
    Need {
        what: "a Vulkan driver, software if there is no other (IMPINGE_NO_GPU=1 goes without)",
        is_there: || without_gpu() || has_vulkan_driver(),
        source: Source::Apt("mesa-vulkan-drivers"),
    },
    Need {
        what: "Node.js 20.19 or newer, which builds the page (Debian 12 has an older one: see nodejs.org; IMPINGE_NO_BROWSER=1 goes without)",
        is_there: || without_browser() || run::succeeds("node", &["-e", NODE_IS_NEW]),
        source: Source::Apt("nodejs"),
    },
    Need {
        what: "npm, which fetches what the page is built from",
        is_there: || without_browser() || run::succeeds("npm", &["--version"]),
        source: Source::Apt("npm"),
    },
    Need {
        what: "Chromium, which opens the page (IMPINGE_NO_BROWSER=1 goes without)",
        is_there: || without_browser() || run::succeeds("chromium", &["--version"]),
        source: Source::Apt("chromium"),
    },
];

/// Fails with a Node.js that the page's tools do not run on.
const NODE_IS_NEW: &str = "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)";

/// Set to anything, no driver is asked for, and tests that need one are left out. Otherwise they fail without one.
const NO_GPU: &str = "IMPINGE_NO_GPU";

/// Set to anything, neither Node.js nor a browser is asked for, and the steps of the page are left out.
const NO_BROWSER: &str = "IMPINGE_NO_BROWSER";

pub(crate) fn without_gpu() -> bool {
    is_set(NO_GPU)
}

pub(crate) fn without_browser() -> bool {
    is_set(NO_BROWSER)
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Whether the loader would find the description of a driver. Other systems than Linux bring their drivers along.
fn has_vulkan_driver() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().find_map(std::env::var_os);
    // What these name is used instead of the folders, not as well.
    let places: Vec<PathBuf> = match named.filter(|named| !named.is_empty()) {
        Some(named) => std::env::split_paths(&named).collect(),
        None => ["/usr/share", "/etc", "/usr/local/share"]
            .map(|folder| Path::new(folder).join("vulkan").join("icd.d"))
            .to_vec(),
    };
    places.iter().any(|place| describes_a_driver(place))
}

/// Whether this is a readable JSON file, or a folder with one.
fn describes_a_driver(place: &Path) -> bool {
    if let Ok(entries) = std::fs::read_dir(place) {
        return entries.flatten().any(|entry| !entry.path().is_dir() && describes_a_driver(&entry.path()));
    }
    place.extension() == Some(OsStr::new("json")) && std::fs::read(place).is_ok()
}

/// For building libFuzzer.
pub(crate) const FUZZER: &[Need] = &[Need {
    what: "a C++ compiler, for the fuzzer",
    is_there: || run::succeeds("c++", &["--version"]),
    source: Source::Apt("g++"),
}];

/// For libraries that come as Python packages. Debian keeps a part of the language in packages of its own.
pub(crate) const PEERS: &[Need] = &[
    Need {
        what: "Python 3.11 or newer",
        is_there: || run::succeeds("python3", &["-c", "import tomllib"]),
        source: Source::Apt("python3"),
    },
    Need {
        what: "Python's virtual environments",
        is_there: || run::succeeds("python3", &["-c", "import venv, ensurepip"]),
        source: Source::Apt("python3-venv"),
    },
];

/// Installs what is missing where that is possible without asking; otherwise an error that says what to type.
pub(crate) fn prepare(needs: &[Need]) -> Result<()> {
    let missing: Vec<&Need> = needs.iter().filter(|need| !(need.is_there)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for need in &missing {
        eprintln!("missing: {}", need.what);
    }
    let packages: Vec<&str> = missing
        .iter()
        .filter_map(|need| if let Source::Apt(package) = need.source { Some(package) } else { None })
        .collect();
    let parts: Vec<&str> = missing
        .iter()
        .filter_map(|need| if let Source::Rustup(part) = need.source { Some(part) } else { None })
        .collect();
    if !packages.is_empty() {
        install_packages(&packages)?;
    }
    if !parts.is_empty() {
        install_parts(&parts)?;
    }
    if let Some(still) = missing.iter().find(|need| !(need.is_there)()) {
        bail!("{} is still missing after installing it", still.what);
    }
    Ok(())
}

fn install_packages(packages: &[&str]) -> Result<()> {
    const INSTALL: [&str; 3] = ["install", "--yes", "--no-install-recommends"];
    if !run::succeeds("apt-get", &["--version"]) {
        bail!("install these with your system's package manager (Debian's names): {}", packages.join(" "));
    }
    if !is_root() {
        let install = [&INSTALL, packages].concat().join(" ");
        bail!("run this, then try again:\n  sudo apt-get update && sudo apt-get {install}");
    }
    for arguments in [vec!["update"], [&INSTALL, packages].concat()] {
        let mut apt = Command::new("apt-get");
        apt.args(&arguments).env("DEBIAN_FRONTEND", "noninteractive");
        if !run::status(&mut apt)?.success() {
            bail!("failed: {}", run::line(&apt));
        }
    }
    Ok(())
}

fn install_parts(parts: &[&str]) -> Result<()> {
    let mut rustup = Command::new("rustup");
    rustup.args(["component", "add"]).args(parts);
    if !run::succeeds("rustup", &["--version"]) {
        bail!("install these parts of the Rust toolchain the way it was installed: {}", parts.join(" "));
    }
    if !run::status(&mut rustup)?.success() {
        bail!("failed: {}", run::line(&rustup));
    }
    Ok(())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_is_described_by_a_json_file_or_a_folder_with_one() {
        let folder = std::env::temp_dir().join(format!("impinge-xtask-icd-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("readme.txt"), "").unwrap();
        assert!(!describes_a_driver(&folder));
        let file = folder.join("driver.json");
        assert!(!describes_a_driver(&file));
        std::fs::write(&file, "{}").unwrap();
        assert!(describes_a_driver(&file) && describes_a_driver(&folder));
        assert!(!describes_a_driver(&folder.join("readme.txt")));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
