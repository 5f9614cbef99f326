//! `cargo xtask api`: everything public of the libraries, against the lists stored beside them in `api.txt`.
//!
//! A list is made from the sources alone, so that it is the same with every compiler: what can be named from the crate's
//! root through `pub mod` and `pub use`, each item once, under its shortest path, with its fields, variants, methods and
//! the traits that are implemented for it. Types stand as they are written where they are declared. What is
//! `#[doc(hidden)]` is left out with all it holds, and so is what macros generate: public items are to be written out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use syn::spanned::Spanned;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, Visibility};

use crate::run;
use crate::source::{self, Module};

/// The crates whose public items others may rely on.
const LIBRARIES: [&str; 3] = ["impinge", "impinge-gpu", "impinge-io"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Store the lists instead of comparing them.
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut same = true;
    for library in LIBRARIES {
        let folder = PathBuf::from("crates").join(library);
        let list = list(&library.replace('-', "_"), &source::modules(&folder)?);
        let file = folder.join("api.txt");
        let stored = run::workspace().join(&file);
        if arguments.write {
            std::fs::write(&stored, list).with_context(|| format!("cannot write {}", file.display()))?;
            continue;
        }
        let stored =
            std::fs::read_to_string(&stored).with_context(|| format!("cannot read {}", file.display()))?;
        let changes = changes(&stored, &list);
        println!("{}: {} public items", file.display(), list.lines().filter(|line| is_item(line)).count());
        same &= changes.is_empty();
        for change in changes {
            eprintln!("{change}");
        }
    }
    if same {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!(
        "What is public is not what the lists say (`-` in the list alone, `+` in the sources alone). If that is meant, run\n\
         `cargo xtask api --write`, and tell users of it in CHANGELOG.md."
    );
    Ok(ExitCode::FAILURE)
}

/// Whether a line of a list begins an item; what belongs to the item is indented.
fn is_item(line: &str) -> bool {
    !line.is_empty() && !line.starts_with([' ', '#'])
}

/// What differs between two lists: each line with the item that it belongs to.
fn changes(old: &str, new: &str) -> Vec<String> {
    fn lines(list: &str) -> BTreeSet<(&str, &str)> {
        let mut item = "";
        let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines
            .map(|line| {
                item = if is_item(line) { line } else { item };
                (item, if is_item(line) { "" } else { line.trim() })
            })
            .collect()
    }
    let shown = |sign, (item, line): &(&str, &str)| match *line {
        "" => format!("{sign} {item}"),
        line => format!("{sign} {item}: {line}"),
    };
    let [before, after] = [lines(old), lines(new)];
    let removed = before.difference(&after).map(|line| shown('-', line));
    let added = after.difference(&before).map(|line| shown('+', line));
    let mut changes: Vec<String> = removed.chain(added).collect();
    if changes.is_empty() && old != new {
        changes.push("the same lines in another order".to_owned());
    }
    changes
}

/// Everything public of a crate, as text.
fn list(name: &str, modules: &[Module]) -> String {
    let library = Library::new(modules);
    let mut exported = Vec::new();
    library.export(0, name, "", &mut Vec::new(), &mut exported);
    // The shortest path of each item is its name here; the others refer to that.
    exported.sort_by_key(|export| (export.path.matches("::").count(), export.path.clone()));
    let mut names: HashMap<Entity, String> = HashMap::new();
    for Export { path, entity, .. } in &exported {
        names.entry(entity.clone()).or_insert_with(|| path.clone());
    }
    let (implemented, foreign) = library.implementations(&names);
    let mut items: BTreeMap<String, String> = BTreeMap::new();
    for Export { path, entity, conditions } in &exported {
        let mut lines = match entity {
            _ if names[entity] != *path => vec![format!("use {} as {path}", names[entity])],
            Entity::Module(_) => vec![format!("mod {path}")],
            Entity::Other(other) => vec![format!("use {other} as {path}")],
            &Entity::Item(module, item) => item_lines(&modules[module].items[item], path),
        };
        lines[0].push_str(conditions);
        if names[entity] == *path {
            lines.extend(implemented.get(entity).into_iter().flatten().cloned());
        }
        let shown = lines.join("\n    ");
        // A type and a function may have one name.
        items.entry(path.clone()).and_modify(|before| before.extend(["\n", &shown])).or_insert(shown);
    }
    let mut text = format!(
        "# Everything public of {name}. `cargo xtask api` compares, `cargo xtask api --write` stores.\n"
    );
    for item in items.values().chain(&foreign) {
        let _ = writeln!(text, "\n{item}");
    }
    text
}

/// What a path may lead to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Entity {
    Module(usize),
    /// A module and its item.
    Item(usize, usize),
    /// In another crate.
    Other(String),
}

struct Export {
    path: String,
    entity: Entity,
    /// From `cfg`, as they are shown.
    conditions: String,
}

struct Library<'a> {
    modules: &'a [Module],
    by_path: HashMap<&'a [String], usize>,
}

impl<'a> Library<'a> {
    fn new(modules: &'a [Module]) -> Self {
        let by_path = modules.iter().enumerate().map(|(index, module)| (&module.path[..], index)).collect();
        Self { modules, by_path }
    }

    /// Adds everything public in a module under `path`. `inside` are the modules that this one is listed in.
    fn export(
        &self,
        module: usize,
        path: &str,
        conditions: &str,
        inside: &mut Vec<usize>,
        exported: &mut Vec<Export>,
    ) {
        if inside.contains(&module) {
            return;
        }
        inside.push(module);
        for (name, entity, more) in self.public(module, &mut BTreeSet::new()) {
            let path = format!("{path}::{name}");
            let conditions = conditions.to_owned() + &more;
            if let Entity::Module(below) = entity {
                self.export(below, &path, &conditions, inside, exported);
            }
            exported.push(Export { path, entity, conditions });
        }
        inside.pop();
    }

    /// The public names in a module, what each is, and on what conditions. `seen` are modules looked into for `*`.
    fn public(&self, module: usize, seen: &mut BTreeSet<usize>) -> Vec<(String, Entity, String)> {
        let mut found = Vec::new();
        if !seen.insert(module) {
            return found;
        }
        for (index, below) in self.modules.iter().enumerate() {
            let Some((name, parent)) = below.path.split_last() else { continue };
            if parent == self.modules[module].path
                && is_public(&below.visibility)
                && !is_hidden(&below.attributes)
            {
                found.push((name.clone(), Entity::Module(index), conditions(&below.attributes)));
            }
        }
        for (index, item) in self.modules[module].items.iter().enumerate() {
            let attributes = source::attributes(item);
            if is_hidden(attributes) {
                continue;
            }
            let conditions = conditions(attributes);
            if let Item::Use(item) = item {
                if !is_public(&item.vis) {
                    continue;
                }
                for (path, known) in source::uses(&item.tree) {
                    let path: Vec<String> = path.iter().map(ToString::to_string).collect();
                    for entity in self.resolve(module, &path, &mut Vec::new()) {
                        match entity {
                            Entity::Module(other) if known == "*" => {
                                let all = self.public(other, seen).into_iter();
                                found.extend(
                                    all.map(|(name, entity, more)| {
                                        (name, entity, conditions.clone() + &more)
                                    }),
                                );
                            }
                            entity if self.is_public(&entity) => {
                                found.push((known.clone(), entity, conditions.clone()));
                            }
                            _ => {}
                        }
                    }
                }
            } else if let Some((name, visibility)) = name(item)
                && is_public(visibility)
            {
                found.push((name, Entity::Item(module, index), conditions));
            }
        }
        found
    }

    /// Whether what a `pub use` names may be public at all: a private item of the same name may stand beside it.
    fn is_public(&self, entity: &Entity) -> bool {
        match *entity {
            Entity::Module(module) => {
                is_public(&self.modules[module].visibility) && !is_hidden(&self.modules[module].attributes)
            }
            Entity::Item(module, item) => {
                let item = &self.modules[module].items[item];
                !is_hidden(source::attributes(item))
                    && name(item).is_some_and(|(_, visibility)| is_public(visibility))
            }
            Entity::Other(_) => true,
        }
    }

    /// What a path in a module leads to: a type, a function and a module may share a name. `seen` are names on the way.
    fn resolve(&self, module: usize, path: &[String], seen: &mut Vec<(usize, String)>) -> Vec<Entity> {
        let other = || vec![Entity::Other(path.join("::"))];
        let mut from = self.modules[module].path.clone();
        let mut rest = path.iter();
        let mut found = Vec::new();
        for part in rest.by_ref() {
            match part.as_str() {
                "crate" => from.clear(),
                "self" => {}
                "super" => _ = from.pop(),
                _ => {
                    let Some(&module) = self.by_path.get(&from[..]) else { return other() };
                    found = self.lookup(module, part, seen);
                    break;
                }
            }
            found = self.by_path.get(&from[..]).map(|&module| Entity::Module(module)).into_iter().collect();
        }
        for part in rest {
            let below = found.iter().flat_map(|entity| match *entity {
                Entity::Module(module) => self.lookup(module, part, seen),
                _ => Vec::new(),
            });
            found = below.collect();
        }
        if found.is_empty() { other() } else { found }
    }

    /// What a name in a module stands for, private or not.
    fn lookup(&self, module: usize, wanted: &str, seen: &mut Vec<(usize, String)>) -> Vec<Entity> {
        let place = (module, wanted.to_owned());
        if seen.contains(&place) {
            return Vec::new();
        }
        seen.push(place);
        let path = [&self.modules[module].path[..], &[wanted.to_owned()]].concat();
        let mut found: Vec<Entity> =
            self.by_path.get(&path[..]).map(|&below| Entity::Module(below)).into_iter().collect();
        let mut globs = Vec::new();
        for (index, item) in self.modules[module].items.iter().enumerate() {
            if let Item::Use(item) = item {
                for (path, known) in source::uses(&item.tree) {
                    let path: Vec<String> = path.iter().map(ToString::to_string).collect();
                    if known == wanted {
                        found.extend(self.resolve(module, &path, seen));
                    } else if known == "*" {
                        globs.push(path);
                    }
                }
            } else if name(item).is_some_and(|(name, _)| name == wanted) {
                found.push(Entity::Item(module, index));
            }
        }
        // A name of its own hides one from `*`.
        if found.is_empty() {
            for path in globs {
                let all = self.resolve(module, &path, seen).into_iter().flat_map(|entity| match entity {
                    Entity::Module(other) => self.lookup(other, wanted, seen),
                    _ => Vec::new(),
                });
                found.extend(all.collect::<Vec<_>>());
            }
        }
        seen.pop();
        found
    }

    /// The lines that blocks of `impl` add to each public item, sorted; and those for types of other crates.
    fn implementations(
        &self,
        names: &HashMap<Entity, String>,
    ) -> (HashMap<Entity, Vec<String>>, BTreeSet<String>) {
        let mut by_item: HashMap<Entity, BTreeSet<String>> = HashMap::new();
        let mut foreign = BTreeSet::new();
        for (index, module) in self.modules.iter().enumerate() {
            let blocks = module
                .items
                .iter()
                .filter_map(|item| if let Item::Impl(block) = item { Some(block) } else { None });
            for block in blocks.filter(|block| !is_hidden(&block.attrs)) {
                let conditions = conditions(&block.attrs);
                let subject = self.subject(index, &block.self_ty);
                let public = subject.iter().find(|entity| names.contains_key(entity));
                let mut lines = Vec::new();
                if let Some((of_trait, _)) = &block.trait_ {
                    // A private trait promises nothing.
                    let entities = self.resolve(index, &parts(of_trait), &mut Vec::new());
                    if !entities
                        .iter()
                        .any(|entity| names.contains_key(entity) || matches!(entity, Entity::Other(_)))
                    {
                        continue;
                    }
                    let mut line = format!("impl{} {}", generics(&block.generics), text(of_trait));
                    if public.is_none() || is_qualified(&block.self_ty) {
                        let _ = write!(line, " for {}", text(&block.self_ty));
                    }
                    line.push_str(&where_clause(&block.generics));
                    for item in &block.items {
                        if let ImplItem::Type(associated) = item {
                            let _ = write!(line, ", {} = {}", associated.ident, text(&associated.ty));
                        }
                    }
                    lines.push(line + &conditions);
                } else {
                    for item in &block.items {
                        let attributes = match item {
                            ImplItem::Const(item) => &item.attrs,
                            ImplItem::Fn(item) => &item.attrs,
                            ImplItem::Type(item) => &item.attrs,
                            _ => continue,
                        };
                        let (visibility, line) = match item {
                            ImplItem::Const(item) => {
                                (&item.vis, format!("pub const {}: {}", item.ident, text(&item.ty)))
                            }
                            ImplItem::Fn(item) => (&item.vis, format!("pub {}", text(&item.sig))),
                            _ => continue,
                        };
                        if is_public(visibility) && !is_hidden(attributes) && !source::only_tests(attributes)
                        {
                            // What the block asks of parameters holds for each of its methods.
                            let asked = generics(&block.generics) + &where_clause(&block.generics);
                            let asked = if asked.is_empty() { asked } else { format!("impl{asked}: ") };
                            let own = self::conditions(attributes);
                            lines.push(asked + &line + &conditions + &own);
                        }
                    }
                }
                match public {
                    Some(entity) => by_item.entry(entity.clone()).or_default().extend(lines),
                    None if subject.iter().any(|entity| matches!(entity, Entity::Other(_))) => {
                        foreign.extend(lines);
                    }
                    None => {}
                }
            }
        }
        (by_item.into_iter().map(|(item, lines)| (item, lines.into_iter().collect())).collect(), foreign)
    }

    /// What an `impl` is for.
    fn subject(&self, module: usize, of: &Type) -> Vec<Entity> {
        match of {
            Type::Path(of) => self.resolve(module, &parts(&of.path), &mut Vec::new()),
            Type::Reference(of) => self.subject(module, &of.elem),
            Type::Group(of) => self.subject(module, &of.elem),
            of => vec![Entity::Other(text(of))],
        }
    }
}

/// Whether an `impl` is for more special a type than its name alone says.
fn is_qualified(of: &Type) -> bool {
    !matches!(of, Type::Path(of) if of.path.segments.iter().all(|segment| segment.arguments.is_none()))
}

/// The names in a path.
fn parts(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// The item's own line, then one for each part of it.
fn item_lines(item: &Item, path: &str) -> Vec<String> {
    let attributes = source::attributes(item);
    let mut lines = Vec::new();
    let head = match item {
        Item::Const(item) => format!("const {path}: {}", text(&item.ty)),
        Item::Static(item) => format!("static {path}: {}", text(&item.ty)),
        Item::Fn(item) => {
            let (sig, name) = (text(&item.sig), item.sig.ident.to_string());
            sig.replacen(&format!("fn {name}"), &format!("fn {path}"), 1)
        }
        Item::Type(item) => format!("type {path}{} = {}", generics(&item.generics), text(&item.ty)),
        Item::Struct(item) => {
            lines.extend(fields(&item.fields));
            format!("struct {path}{}{}", generics(&item.generics), where_clause(&item.generics))
        }
        Item::Enum(item) => {
            for variant in item.variants.iter().filter(|variant| !is_hidden(&variant.attrs)) {
                let fields: Vec<String> = variant.fields.iter().map(field_text).collect();
                let mut line = match variant.fields {
                    Fields::Unit => variant.ident.to_string(),
                    Fields::Named(_) => format!("{} {{ {} }}", variant.ident, fields.join(", ")),
                    Fields::Unnamed(_) => format!("{}({})", variant.ident, fields.join(", ")),
                };
                if let Some((_, value)) = &variant.discriminant {
                    let _ = write!(line, " = {}", text(value));
                }
                lines.push(line + &notes(&variant.attrs));
            }
            format!("enum {path}{}{}", generics(&item.generics), where_clause(&item.generics))
        }
        Item::Trait(item) => {
            for item in &item.items {
                let (attributes, line) = match item {
                    TraitItem::Const(item) => {
                        let preset = if item.default.is_some() { " = .." } else { "" };
                        (&item.attrs, format!("const {}: {}{preset}", item.ident, text(&item.ty)))
                    }
                    TraitItem::Fn(item) => {
                        let preset = if item.default.is_some() { " { .. }" } else { "" };
                        (&item.attrs, text(&item.sig) + preset)
                    }
                    TraitItem::Type(item) => {
                        let bounds = if item.bounds.is_empty() {
                            String::new()
                        } else {
                            format!(": {}", text(&item.bounds))
                        };
                        (&item.attrs, format!("type {}{bounds}", item.ident))
                    }
                    _ => continue,
                };
                if !is_hidden(attributes) {
                    lines.push(line);
                }
            }
            let bounds = if item.supertraits.is_empty() {
                String::new()
            } else {
                format!(": {}", text(&item.supertraits))
            };
            format!("trait {path}{}{bounds}{}", generics(&item.generics), where_clause(&item.generics))
        }
        _ => format!("{path}: not understood"),
    };
    [vec![head + &notes(attributes)], lines, derives(attributes)].concat()
}

/// The public fields, and whether there are others.
fn fields(fields: &Fields) -> Vec<String> {
    let is_open = |field: &&syn::Field| is_public(&field.vis) && !is_hidden(&field.attrs);
    let mut lines: Vec<String> = match fields {
        // The place of an unnamed field is its name.
        Fields::Unnamed(fields) => {
            let numbered = fields.unnamed.iter().enumerate().filter(|(_, field)| is_open(field));
            numbered.map(|(index, field)| format!("pub {index}: {}", text(&field.ty))).collect()
        }
        fields => fields.iter().filter(is_open).map(|field| format!("pub {}", field_text(field))).collect(),
    };
    if lines.len() < fields.len() {
        lines.push("..".to_owned());
    }
    lines
}

fn field_text(field: &syn::Field) -> String {
    let name = field.ident.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    name + &text(&field.ty)
}

/// Attributes that change what others may do with an item.
fn notes(attributes: &[Attribute]) -> String {
    let noted = attributes.iter().filter(|attribute| {
        ["non_exhaustive", "deprecated", "repr"].iter().any(|name| attribute.path().is_ident(name))
    });
    noted.map(|attribute| format!(" {}", text(attribute))).collect::<Vec<_>>().concat()
}

/// Traits that are derived, in the order in which they are written.
fn derives(attributes: &[Attribute]) -> Vec<String> {
    let listed = attributes.iter().filter_map(|attribute| attribute.meta.require_list().ok());
    let lines = listed.filter_map(|list| {
        let of = one_line(&list.tokens.span().source_text().unwrap_or_default());
        if list.path.is_ident("derive") {
            Some(format!("derive {of}"))
        } else if list.path.is_ident("cfg_attr") {
            let (condition, derived) = of.split_once(", derive(")?;
            Some(format!("derive {} if {condition}", derived.strip_suffix(')').unwrap_or(derived)))
        } else {
            None
        }
    });
    lines.collect()
}

/// The conditions of `cfg`, as they are shown.
fn conditions(attributes: &[Attribute]) -> String {
    let listed = attributes.iter().filter_map(|attribute| attribute.meta.require_list().ok());
    let conditions = listed.filter(|list| list.path.is_ident("cfg"));
    let shown = conditions.map(|list| one_line(&list.tokens.span().source_text().unwrap_or_default()));
    shown.map(|condition| format!(" if {condition}")).collect::<Vec<_>>().concat()
}

/// The parameters of an item, in their brackets.
fn generics(generics: &syn::Generics) -> String {
    if generics.params.is_empty() { String::new() } else { format!("<{}>", text(&generics.params)) }
}

fn where_clause(generics: &syn::Generics) -> String {
    generics.where_clause.as_ref().map(|clause| format!(" {}", text(clause))).unwrap_or_default()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "hidden")
    })
}

/// The name of an item and who may see it; nothing for what has none, like `impl`.
fn name(item: &Item) -> Option<(String, &Visibility)> {
    let (name, visibility) = match item {
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        _ => return None,
    };
    Some((name.to_string(), visibility))
}

/// Something in the sources as it is written, on one line.
fn text(written: &impl Spanned) -> String {
    one_line(&written.span().source_text().unwrap_or_default())
}

/// Without the line breaks of the formatter, nor what it puts in because of them.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = words.replace("( ", "(").replace(", )", ")").replace(" )", ")");
    // Whether an argument is changed within says nothing to a caller.
    for (broken, whole) in
        [("(mut ", "("), (", mut ", ", "), ("< ", "<"), (", >", ">"), ("[ ", "["), (", ]", "]"), (" ]", "]")]
    {
        line = line.replace(broken, whole);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_of(text: &str) -> String {
        let list = list("it", &source::of_text(text));
        list.split_once('\n').unwrap().1.to_owned()
    }

    #[test]
    fn what_private_modules_hold_is_listed_where_it_is_exported() {
        let text = "mod a {
            mod deep { pub struct S { pub x: f64, y: u8 } pub(crate) struct Not; }
            pub use deep::S as T;
            pub use super::b::*;
        }
        mod b { pub fn f(
            first: u8,
            mut second: Vec<u8>,
        ) -> bool { true } pub(super) fn g() {} }
        pub use a::{T, f};";
        assert_eq!(
            list_of(text),
            "\nstruct it::T\n    pub x: f64\n    ..\n\nfn it::f(first: u8, second: Vec<u8>) -> bool\n"
        );
    }

    #[test]
    fn an_item_with_two_paths_is_listed_once() {
        let text = "pub mod a { pub struct S; } pub use a::S;";
        assert_eq!(list_of(text), "\nstruct it::S\n\nmod it::a\n\nuse it::S as it::a::S\n");
    }

    #[test]
    fn methods_and_traits_are_found_wherever_they_are_implemented() {
        let text = "#[derive(Clone, Copy)] #[cfg_attr(feature = \"f\", derive(D))] pub struct S(pub u8, u8);
        mod far {
            use super::S;
            impl S { pub fn open(&self) {} fn closed(&self) {} #[doc(hidden)] pub fn hidden(&self) {} }
            #[cfg(feature = \"f\")]
            impl TryFrom<u8> for S { type Error = u8; fn try_from(x: u8) -> Result<S, u8> { Err(x) } }
            pub trait Sealed {}
            impl Sealed for S {}
            impl From<S> for u8 { fn from(s: S) -> u8 { s.0 } }
        }";
        assert_eq!(
            list_of(text),
            "\nstruct it::S\n    pub 0: u8\n    ..\n    derive Clone, Copy\n    derive D if feature = \"f\"\n    \
             impl TryFrom<u8>, Error = u8 if feature = \"f\"\n    pub fn open(&self)\n\nimpl From<S> for u8\n"
        );
    }

    #[test]
    fn what_is_hidden_is_left_out_with_all_it_holds() {
        assert_eq!(
            list_of("#[doc(hidden)] pub mod stages { pub struct S; } #[doc(hidden)] pub fn f() {}"),
            ""
        );
    }

    #[test]
    fn a_function_and_a_module_may_have_one_name() {
        assert_eq!(list_of("mod auto { pub fn auto() {} } pub use auto::auto;"), "\nfn it::auto()\n");
    }

    #[test]
    fn other_crates_and_circles_end() {
        let text =
            "pub use wgpu; mod a { pub use super::b::*; } mod b { pub use super::a::*; } pub use a::*;";
        assert_eq!(list_of(text), "\nuse wgpu as it::wgpu\n");
    }

    #[test]
    fn enums_and_traits_show_what_callers_write() {
        let text = "#[non_exhaustive] pub enum E { A, B(u8), C { x: u8 } }
        pub trait T: Copy { type Of: Clone; const N: usize = 1; fn f(&self) -> u8; fn g(&self) {} }";
        assert_eq!(
            list_of(text),
            "\nenum it::E #[non_exhaustive]\n    A\n    B(u8)\n    C { x: u8 }\n\ntrait it::T: Copy\n    \
             type Of: Clone\n    const N: usize = ..\n    fn f(&self) -> u8\n    fn g(&self) { .. }\n"
        );
    }

    #[test]
    fn a_change_is_told_with_its_item() {
        let old = "# head\n\nstruct it::S\n    pub x: u8\n    pub y: u8\n";
        let new = "# head\n\nstruct it::S\n    pub x: u16\n    pub y: u8\n\nfn it::f()\n";
        assert_eq!(
            changes(old, new),
            ["- struct it::S: pub x: u8", "+ fn it::f()", "+ struct it::S: pub x: u16"]
        );
        assert_eq!(changes(old, old), [""; 0]);
        let turned = "# head\n\nstruct it::S\n    pub y: u8\n    pub x: u8\n";
        assert_eq!(changes(old, turned), ["the same lines in another order"]);
    }
}
