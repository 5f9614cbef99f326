//! `cargo xtask arrows`: which top module of a crate uses which other one, against the list in `xtask/arrows.txt`.
//!
//! An arrow `a -> b` is any path in the code of `a` that leads into `b`: in a `use`, in a signature or body, in the
//! arguments of a macro or an attribute; from `crate`, or from enough `super`. `crate::Name` leads to the module from
//! which the root file takes `Name`, or to the root itself (`lib` or `main`) where it defines the name. What counts is
//! what the product is made of: code under `#[cfg(test)]` may use anything, and so may `tests/`, `benches/` and
//! `examples/`; comments and strings are no code. The root file may use every module, so none should use the root.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::run;
use crate::source::{self, Module};

const LIST: &str = "xtask/arrows.txt";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print the list that the sources would agree with, instead of checking: to write a list anew, not to give in.
    #[arg(long)]
    found: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.found {
        for folder in source::crates()? {
            println!("[{}]\n{}", name(&folder), found(&source::modules(&folder)?));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let text = std::fs::read_to_string(run::workspace().join(LIST))
        .with_context(|| format!("cannot read {LIST}"))?;
    let mut lists = parse(&text)?;
    let mut problems = Vec::new();
    let mut arrows = 0;
    for folder in source::crates()? {
        let name = name(&folder);
        let modules = source::modules(&folder)?;
        let Some(list) = lists.remove(&name) else {
            problems.push(format!("{LIST}: there is no [{name}]; list its modules, and what each may use"));
            continue;
        };
        arrows += list.values().map(BTreeSet::len).sum::<usize>();
        problems.extend(check(&name, &modules, &list));
    }
    problems
        .extend(lists.keys().map(|name| format!("{LIST}: [{name}] is no crate of the workspace; remove it")));
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() {
        println!("{arrows} arrows between modules, all of them used, no circle");
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The lines of a list for a crate as it is, lowest first.
fn found(modules: &[Module]) -> String {
    let mut left: BTreeMap<&str, BTreeSet<String>> =
        top(modules).into_iter().map(|name| (name, BTreeSet::new())).collect();
    for Arrow { from, to, .. } in arrows(modules) {
        left.entry(from).or_default().insert(to);
    }
    let mut lines = String::new();
    // The next leads to the fewest that are not listed yet: none, or the others of its circle.
    let missing = |from: &str, left: &BTreeMap<&str, BTreeSet<String>>| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(name) = open.pop() {
            let next = left.get(name).into_iter().flatten().map(String::as_str);
            open.extend(next.filter(|&to| to != from && left.contains_key(to) && reached.insert(to)));
        }
        reached.len()
    };
    while let Some(&next) = left.keys().min_by_key(|name| missing(name, &left)) {
        lines.push_str(next);
        for (index, to) in left.remove(next).iter().flatten().enumerate() {
            lines.push_str(if index == 0 { " -> " } else { " " });
            lines.push_str(to);
        }
        lines.push('\n');
    }
    lines
}

/// The modules at a crate's root.
fn top(modules: &[Module]) -> BTreeSet<&str> {
    modules.iter().filter(|module| module.path.len() == 1).map(|module| module.path[0].as_str()).collect()
}

/// What each module may use, by name.
type List = BTreeMap<String, BTreeSet<String>>;

/// `[crate]`, then one line a module: `name` or `name -> what it may use`.
fn parse(text: &str) -> Result<BTreeMap<String, List>> {
    let mut lists: BTreeMap<String, List> = BTreeMap::new();
    let mut crate_name = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            crate_name = Some(name.to_owned());
            lists.entry(name.to_owned()).or_default();
        } else if !line.is_empty() {
            let Some(name) = &crate_name else { bail!("{LIST}:{number}: a module before the first [crate]") };
            let (from, to) = line.split_once("->").unwrap_or((line, ""));
            let to = to.split_whitespace().map(str::to_owned).collect();
            if lists.entry(name.clone()).or_default().insert(from.trim().to_owned(), to).is_some() {
                bail!("{LIST}:{number}: {} is listed twice", from.trim());
            }
        }
    }
    Ok(lists)
}

/// Everything that is wrong with the arrows of one crate or with their list.
fn check(crate_name: &str, modules: &[Module], list: &List) -> Vec<String> {
    let top = top(modules);
    let listed: BTreeSet<&str> = list.keys().map(String::as_str).collect();
    let mut problems = Vec::new();
    for name in top.difference(&listed) {
        problems.push(format!("{LIST}: [{crate_name}] does not list the module {name}; add it"));
    }
    for name in listed.difference(&top) {
        problems.push(format!(
            "{LIST}: [{crate_name}] lists {name}, which is no module at the crate's root; remove it"
        ));
    }
    let mut used: BTreeSet<(&str, &str)> = BTreeSet::new();
    let arrows = arrows(modules);
    for arrow in &arrows {
        let Arrow { from, to, file, line } = arrow;
        used.insert((from, to));
        // Of a module that is not listed, that is said already.
        if list.get(*from).is_some_and(|allowed| !allowed.contains(to)) {
            problems.push(format!(
                "{}:{line}: {from} -> {to} is not allowed; move what is needed down to what both may use, \
                 or add {to} to the line of {from} in [{crate_name}] of {LIST}",
                file.display()
            ));
        }
    }
    for (from, allowed) in list.iter().filter(|(from, _)| top.contains(from.as_str())) {
        for to in allowed.iter().filter(|to| !used.contains(&(from, to))) {
            problems
                .push(format!("{LIST}: [{crate_name}] allows {from} -> {to}, which nothing uses; remove it"));
        }
    }
    if let Some(circle) = circle(list) {
        let circle = circle.join(" -> ");
        problems.push(format!("{LIST}: [{crate_name}] has the circle {circle}; one of these arrows must go"));
    }
    problems
}

/// Some circle of arrows, its first module again at the end.
fn circle(list: &List) -> Option<Vec<&str>> {
    // Depth first: `path` leads to the module in hand; from a module that is `done`, no circle can be reached.
    fn search<'a>(
        list: &'a List,
        name: &'a str,
        path: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<&'a str>> {
        if let Some(start) = path.iter().position(|&before| before == name) {
            return Some(path[start..].iter().copied().chain([name]).collect());
        }
        if done.contains(name) {
            return None;
        }
        path.push(name);
        let found = list.get(name).into_iter().flatten().find_map(|next| search(list, next, path, done));
        path.pop();
        done.insert(name);
        found
    }
    let mut done = BTreeSet::new();
    list.keys().find_map(|name| search(list, name, &mut Vec::new(), &mut done))
}

/// A path from one top module into another, or into the root.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow<'a> {
    from: &'a str,
    to: String,
    file: &'a Path,
    line: usize,
}

/// All arrows of a crate but those from its root; one for each line.
fn arrows(modules: &[Module]) -> Vec<Arrow<'_>> {
    let Some((root, below)) = modules.split_first() else { return Vec::new() };
    let names = names(root);
    let top = top(below);
    let root_name = root.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut arrows = Vec::new();
    for module in below {
        let mut paths = Paths::default();
        module.items.iter().for_each(|item| paths.visit_item(item));
        for path in paths.0 {
            let Some(path_from_root) = from_root(&module.path, &path) else { continue };
            let to = match path_from_root.first().map(String::as_str) {
                Some(name) if top.contains(name) => name,
                Some(name) => match names.get(name) {
                    Some(first) if top.contains(first.as_str()) => first,
                    Some(_) => continue,
                    None => &root_name,
                },
                None => &root_name,
            };
            if to != module.path[0] {
                let line = path.last().map_or(0, |name| name.span().start().line);
                let (from, to) = (module.path[0].as_str(), to.to_owned());
                arrows.push(Arrow { from, to, file: &module.file, line });
            }
        }
    }
    arrows.sort();
    arrows.dedup();
    arrows
}

/// What the root file imports, and the first name of where from: a top module, or another crate.
fn names(root: &Module) -> BTreeMap<String, String> {
    let trees = root
        .items
        .iter()
        .filter_map(|item| if let syn::Item::Use(item) = item { Some(&item.tree) } else { None });
    let first = |(path, known): (Vec<Ident>, String)| {
        let mut parts = path.iter().map(ToString::to_string);
        Some((known, parts.find(|part| part != "crate" && part != "self")?))
    };
    trees.flat_map(source::uses).filter_map(first).collect()
}

/// Where a path in a module leads, if it says so from the root or from a module above.
fn from_root(module: &[String], path: &[Ident]) -> Option<Vec<String>> {
    let mut rest = path.iter().map(ToString::to_string).peekable();
    let mut from = match rest.peek()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        _ => return None,
    };
    while let Some(part) = rest.next_if(|part| matches!(part.as_str(), "crate" | "self" | "super")) {
        if part == "super" {
            from.pop();
        }
    }
    from.extend(rest);
    Some(from)
}

/// Collects the paths in code that is not for tests.
#[derive(Default)]
struct Paths(Vec<Vec<Ident>>);

impl Paths {
    /// In what is not parsed, `crate` and `super` begin a path as they do elsewhere.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(first) if first == "pub" => {
                    tokens.next_if(is_visibility);
                }
                TokenTree::Ident(first) if first == "crate" || first == "super" => {
                    let mut path = vec![first];
                    while tokens.next_if(is_colon).is_some() {
                        if let Some(TokenTree::Ident(part)) =
                            tokens.next_if(|token| matches!(token, TokenTree::Ident(_)))
                        {
                            path.push(part);
                        }
                    }
                    self.0.push(path);
                }
                _ => {}
            }
        }
    }
}

/// Whether it is what may follow `pub`, as in `pub(crate)`.
fn is_visibility(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = group.stream().into_iter().next();
    first.is_some_and(|first| ["crate", "super", "self", "in"].contains(&first.to_string().as_str()))
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':')
}

impl<'a> Visit<'a> for Paths {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !source::only_tests(source::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if !source::only_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.0.extend(source::uses(&item.tree).into_iter().map(|(path, _)| path));
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() {
            self.0.push(path.segments.iter().map(|segment| segment.ident.clone()).collect());
        }
        visit::visit_path(self, path);
    }

    // `pub(crate)` and `pub(in crate::a)` use nothing.
    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}

    fn visit_macro(&mut self, invoked: &'a syn::Macro) {
        self.tokens(invoked.tokens.clone());
        visit::visit_macro(self, invoked);
    }

    fn visit_meta_list(&mut self, list: &'a syn::MetaList) {
        self.tokens(list.tokens.clone());
        visit::visit_meta_list(self, list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows_of(text: &str) -> Vec<String> {
        let modules = source::of_text(text);
        arrows(&modules)
            .iter()
            .map(|arrow| format!("{}: {} -> {}", arrow.line, arrow.from, arrow.to))
            .collect()
    }

    fn problems(list: &str, text: &str) -> Vec<String> {
        check("it", &source::of_text(text), &parse(&format!("[it]\n{list}")).unwrap()["it"])
    }

    const TWO: &str = "mod a { use crate::b::B; }\nmod b { pub struct B; }";

    #[test]
    fn an_arrow_that_is_listed_is_allowed() {
        assert_eq!(problems("a -> b\nb", TWO), [""; 0]);
    }

    #[test]
    fn an_arrow_that_is_not_listed_is_named_with_its_line() {
        let found = problems("a\nb", TWO);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("src/lib.rs:1: a -> b is not allowed; "), "{found:?}");
    }

    #[test]
    fn an_arrow_that_nothing_uses_must_leave_the_list() {
        let found = problems("a -> b\nb -> a", TWO);
        assert!(
            found.contains(&"xtask/arrows.txt: [it] allows b -> a, which nothing uses; remove it".to_owned())
        );
    }

    #[test]
    fn a_list_with_a_circle_fails_even_where_all_of_it_is_used() {
        let three = "mod a { use crate::b; }\nmod b { use crate::c; }\nmod c { use crate::b as x; }";
        let found = problems("a -> b\nb -> c\nc -> b", three);
        assert_eq!(found, ["xtask/arrows.txt: [it] has the circle b -> c -> b; one of these arrows must go"]);
    }

    #[test]
    fn what_is_found_is_listed_lowest_first_and_agrees_with_the_sources() {
        let text =
            "mod a { use crate::b; use crate::c; } mod b {} mod c { use crate::d; } mod d { use crate::b; }";
        let list = found(&source::of_text(text));
        assert_eq!(list, "b\nd -> b\nc -> d\na -> b c\n");
        assert_eq!(problems(&list, text), [""; 0]);
    }

    #[test]
    fn modules_and_list_name_the_same() {
        let found = problems("a -> b\nc", TWO);
        assert!(found.iter().any(|problem| problem.contains("does not list the module b")), "{found:?}");
        assert!(found.iter().any(|problem| problem.contains("lists c, which is no module")), "{found:?}");
        assert!(parse("[it]\na\na").is_err() && parse("a").is_err());
    }

    #[test]
    fn super_counts_from_where_it_stands() {
        let text = "mod a {
            mod inner {
                use super::super::b::B;
                use super::Own;
                fn f() { super::super::c::g() }
                mod deeper { use super::super::super::{b, super_is_a_prefix as x}; }
            }
            use super::c;
            struct Own;
        }
        mod b { pub struct B; }
        mod c { pub fn g() {} }
        fn super_is_a_prefix() {}";
        assert_eq!(arrows_of(text), ["3: a -> b", "6: a -> b", "5: a -> c", "8: a -> c", "6: a -> lib"]);
    }

    #[test]
    fn a_name_of_the_root_leads_to_where_the_root_has_it_from() {
        let text = "mod a { use crate::{Named, Extern, Own}; fn f(x: crate::Renamed) {} }
        mod b { pub struct Named; pub struct Other; }
        use b::Other as Renamed;
        pub use crate::b::Named;
        pub use elsewhere::Extern;
        struct Own;";
        assert_eq!(arrows_of(text), ["1: a -> b", "1: a -> lib"]);
    }

    #[test]
    fn macros_and_attributes_count_but_tests_comments_strings_and_visibility_do_not() {
        let text = r#"mod a {
            //! [`crate::b`]
            pub(in crate::b) struct S; // crate::b
            const T: &str = "crate::b";
            #[cfg(test)] use crate::b;
            #[cfg(test)] mod tests { use crate::b; }
            #[test] fn t() { crate::b::f() }
            impl S { #[cfg(all(test, unix))] fn g() { crate::b::f() } }
        }
        mod b { fn f() { println!("{}", crate::c::ONE); } #[error("{}", crate::d::TWO)] struct E; }
        mod c { macro_rules! s { () => { pub(crate) struct S; pub(in crate::a) struct T; } } } mod d {}"#;
        assert_eq!(arrows_of(text), ["10: b -> c", "10: b -> d"]);
    }
}
