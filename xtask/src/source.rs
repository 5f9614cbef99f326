//! A crate's sources as a tree of modules, parsed: what `arrows` and `api` read.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use syn::{Attribute, Item, Visibility};

use crate::run;

/// One module, from a file of its own or inline; its child modules are modules of their own, not among its items.
pub(crate) struct Module {
    /// Its names from the crate's root, which has none.
    pub(crate) path: Vec<String>,
    /// Where it stands, from the root of the workspace.
    pub(crate) file: PathBuf,
    pub(crate) visibility: Visibility,
    /// On its declaration, and within.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) items: Vec<Item>,
}

/// The folders of the workspace's crates, from its root, sorted.
pub(crate) fn crates() -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(run::workspace().join("crates")).context("cannot read crates/")?;
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|entry| Path::new("crates").join(entry.file_name())).collect();
    folders.sort();
    folders.push(PathBuf::from("xtask"));
    Ok(folders)
}

/// The modules of the crate in a folder, the root first; code that only tests compile is left out. A program's
/// `main.rs` is read where there is no library.
pub(crate) fn modules(folder: &Path) -> Result<Vec<Module>> {
    let roots = ["lib.rs", "main.rs"].map(|name| folder.join("src").join(name));
    let Some(root) = roots.into_iter().find(|root| run::workspace().join(root).is_file()) else {
        bail!("{} has neither src/lib.rs nor src/main.rs", folder.display());
    };
    let mut modules = Vec::new();
    let public = Visibility::Public(syn::token::Pub::default());
    file(&mut modules, Vec::new(), root, public, Vec::new())?;
    Ok(modules)
}

/// Adds the module that a file is, and those below it.
fn file(
    modules: &mut Vec<Module>,
    path: Vec<String>,
    file: PathBuf,
    visibility: Visibility,
    mut attributes: Vec<Attribute>,
) -> Result<()> {
    let text = std::fs::read_to_string(run::workspace().join(&file))
        .with_context(|| format!("cannot read {}", file.display()))?;
    let parsed = parse(&text, &file)?;
    attributes.extend(parsed.attrs);
    // `a.rs` and `a/mod.rs` have their children in `a`; the root has them beside it.
    let stem = file.file_stem().unwrap_or_default();
    let children =
        if path.is_empty() || stem == "mod" { file.with_file_name("") } else { file.with_extension("") };
    module(modules, Module { path, file, visibility, attributes, items: parsed.items }, &children)
}

pub(crate) fn parse(text: &str, file: &Path) -> Result<syn::File> {
    syn::parse_file(text).map_err(|error| {
        let at = error.span().start();
        anyhow::anyhow!("{}:{}: {error}", file.display(), at.line)
    })
}

/// Adds a module and those below it, whose files are in the folder `children`.
pub(crate) fn module(modules: &mut Vec<Module>, mut module: Module, children: &Path) -> Result<()> {
    if only_tests(&module.attributes) {
        return Ok(());
    }
    let (below, items) =
        std::mem::take(&mut module.items).into_iter().partition(|item| matches!(item, Item::Mod(_)));
    module.items = items;
    let (path, here) = (module.path.clone(), module.file.clone());
    modules.push(module);
    for item in below {
        let Item::Mod(child) = item else { continue };
        if only_tests(&child.attrs) {
            continue;
        }
        let name = child.ident.to_string();
        let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
        let below = children.join(&name);
        if let Some((_, items)) = child.content {
            let (visibility, attributes) = (child.vis, child.attrs);
            let child = Module { path, file: here.clone(), visibility, attributes, items };
            self::module(modules, child, &below)?;
        } else {
            let files = [below.with_extension("rs"), below.join("mod.rs")];
            let Some(found) = files.into_iter().find(|file| run::workspace().join(file).is_file()) else {
                bail!("{}: no file for `mod {name}`", here.display());
            };
            file(modules, path, found, child.vis, child.attrs)?;
        }
    }
    Ok(())
}

/// Whether the attributes leave something to tests alone.
pub(crate) fn only_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| {
                    let condition = list.tokens.to_string();
                    condition == "test" || condition.starts_with("all (test")
                })
    })
}

/// The attributes of an item; none for what has no syntax of its own.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The paths that a `use` names, each with the name it is known by afterwards; `*` for all that the path holds.
pub(crate) fn uses(tree: &syn::UseTree) -> Vec<(Vec<syn::Ident>, String)> {
    let mut found = Vec::new();
    walk(tree, &mut Vec::new(), &mut found);
    found
}

fn walk(tree: &syn::UseTree, before: &mut Vec<syn::Ident>, found: &mut Vec<(Vec<syn::Ident>, String)>) {
    use syn::UseTree;
    // `a::{self}` is `a`.
    let path = |before: &[syn::Ident], last: &syn::Ident| -> Vec<syn::Ident> {
        let itself = last == "self" && !before.is_empty();
        before.iter().chain((!itself).then_some(last)).cloned().collect()
    };
    match tree {
        UseTree::Path(part) => {
            before.push(part.ident.clone());
            walk(&part.tree, before, found);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, before, found)),
        UseTree::Name(name) => {
            let path = path(before, &name.ident);
            let known = path.last().map(ToString::to_string).unwrap_or_default();
            found.push((path, known));
        }
        UseTree::Rename(rename) => found.push((path(before, &rename.ident), rename.rename.to_string())),
        UseTree::Glob(_) => found.push((before.clone(), "*".to_owned())),
    }
}

/// The modules of a crate in one text, for tests.
#[cfg(test)]
pub(crate) fn of_text(text: &str) -> Vec<Module> {
    let file = PathBuf::from("src/lib.rs");
    let items = parse(text, &file).unwrap().items;
    let visibility = Visibility::Inherited;
    let root = Module { path: Vec::new(), file, visibility, attributes: Vec::new(), items };
    let mut modules = Vec::new();
    module(&mut modules, root, Path::new("src")).unwrap();
    modules
}
