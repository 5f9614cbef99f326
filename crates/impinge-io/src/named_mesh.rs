//! What readers return, and how they are told to read.

use impinge::Mesh;
use std::collections::{HashMap, HashSet};

/// A mesh and what its file calls it.
#[derive(Clone, Debug)]
pub struct NamedMesh {
    /// The object's or node's name; the file's where it has none.
    pub name: String,
    /// The mesh.
    pub mesh: Mesh,
}

/// Gives the bytes of a file that another refers to by `uri`, or says why not.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// How to read the bytes of a file.
#[derive(Clone, Copy)]
pub struct ParseOptions<'a> {
    /// All triangles as one body, the vertices numbered as in the file where it numbers them throughout.
    pub one_body: bool,
    /// Finds the external buffers of glTF.
    pub resolve: Resolve<'a>,
    /// A few bytes of glTF can place a mesh many times. So many triangles may be read in addition to one for
    /// every byte of the file.
    pub instanced_triangles: usize,
}

impl Default for ParseOptions<'_> {
    fn default() -> Self {
        Self {
            one_body: false,
            resolve: &|_| Err("other files are not read here".into()),
            instanced_triangles: 1 << 24,
        }
    }
}

/// Gives every name after the first of its kind a number: `wheel`, `wheel-2`, `wheel-3`.
pub(crate) fn unique_names<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut taken = HashSet::new();
    // Where to go on counting for each name, so that ten thousand equal ones do not count from 2 each.
    let mut next: HashMap<String, usize> = HashMap::new();
    for name in names {
        if taken.contains(name.as_str()) {
            let number = next.entry(name.clone()).or_insert(2);
            let numbered = loop {
                let numbered = format!("{name}-{number}");
                *number += 1;
                if !taken.contains(&numbered) {
                    break numbered;
                }
            };
            *name = numbered;
        }
        taken.insert(name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_numbers() {
        let mut names = ["wheel", "wheel", "wheel-2", "axle", "wheel"].map(String::from);
        unique_names(names.iter_mut());
        assert_eq!(names, ["wheel", "wheel-2", "wheel-2-2", "axle", "wheel-3"]);
    }
}
