//! One motion through every method and number of threads: the same sorted contacts, containments and hash from all,
//! and nothing that contradicts what geometry says.

use crate::known::{KnownAnswer, Names, pair};
use crate::motion::Motion;
use impinge::{
    Collider, Contact, ContactError, Containment, Method, Options, Query, Report, Scene, SceneError,
};
use std::collections::{BTreeMap, BTreeSet};

/// Every complete method of the library.
pub const METHODS: [Method; 2] = [Method::Bvh, Method::BruteForce];

/// Numbers of threads whose answers must agree: one, as many as a small machine has, more than it has.
pub const THREADS: [usize; 3] = [1, 2, 8];

/// Who gave an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The method.
    pub method: Method,
    /// The number of threads.
    pub threads: usize,
    /// Whether the collider had seen the frames before this one.
    pub warm: bool,
}

/// What does not agree, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Disagreement {
    /// The motion could not be set to a frame.
    #[error("frame {frame}: {error}")]
    Scene {
        /// The frame.
        frame: usize,
        /// What went wrong.
        error: SceneError,
    },
    /// A method says that it cannot answer.
    #[error("frame {frame}: {run:?}: {error}")]
    Refused {
        /// The frame.
        frame: usize,
        /// The run.
        run: Box<Run>,
        /// Why.
        error: ContactError,
    },
    /// Two runs give different answers.
    #[error("frame {frame}: {a:?} and {b:?} disagree: {what}")]
    Runs {
        /// The frame.
        frame: usize,
        /// The run taken as reference.
        a: Box<Run>,
        /// The other.
        b: Box<Run>,
        /// The first difference.
        what: String,
    },
    /// A report breaks its own promises: order, uniqueness, summary.
    #[error("frame {frame}: {run:?} gives a malformed report: {what}")]
    Report {
        /// The frame.
        frame: usize,
        /// The run.
        run: Box<Run>,
        /// What is wrong.
        what: String,
    },
    /// The answer is not the known one.
    #[error("frame {frame}: {what}")]
    Known {
        /// The frame.
        frame: usize,
        /// What was expected and what was found.
        what: String,
    },
}

/// What the frames held, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Frames compared.
    pub frames: usize,
    /// Contacts of all frames.
    pub contacts: usize,
    /// Containments of all frames.
    pub containments: usize,
    /// Known facts that were checked.
    pub facts: usize,
}

/// Runs `frames` of a motion through every method with every number of threads, and against the known answers.
/// One collider per combination lives through all frames; a fresh one is compared with it in every frame.
pub fn check_scene(
    motion: &mut Motion,
    frames: impl IntoIterator<Item = usize>,
    methods: &[Method],
    threads: &[usize],
) -> Result<Summary, Disagreement> {
    let combinations =
        methods.iter().flat_map(|&method| threads.iter().map(move |&threads| (method, threads)));
    let mut runs: Vec<(Run, Collider)> = combinations
        .map(|(method, threads)| (Run { method, threads, warm: true }, collider(method, threads, Query::All)))
        .collect();
    let mut summary = Summary::default();
    for frame in frames {
        motion.set_frame(frame).map_err(|error| Disagreement::Scene { frame, error })?;
        let mut reference: Option<(Run, Report)> = None;
        for (run, collider) in &mut runs {
            let report = answer(frame, *run, collider, &motion.scene)?;
            compare(frame, &motion.scene, *run, report, &mut reference)?;
        }
        for &method in methods.iter().filter(|&&method| method != Method::BruteForce) {
            let cold = Run { method, threads: threads.first().copied().unwrap_or(1), warm: false };
            let mut fresh = collider(method, cold.threads, Query::All);
            let report = answer(frame, cold, &mut fresh, &motion.scene)?;
            compare(frame, &motion.scene, cold, report, &mut reference)?;
            let mut any = collider(method, cold.threads, Query::Any);
            let any = answer(frame, cold, &mut any, &motion.scene)?.collides();
            if let Some((a, whole)) = reference.as_ref().filter(|(_, whole)| whole.collides() != any) {
                let what = format!(
                    "whether anything collides: {} when all is asked, {any} when any is",
                    whole.collides()
                );
                return Err(Disagreement::Runs { frame, a: Box::new(*a), b: Box::new(cold), what });
            }
        }
        if let Some((_, report)) = reference {
            summary.facts += check_known(frame, &motion.scene, &report, &motion.known())?;
            summary.frames += 1;
            summary.contacts += report.contacts.len();
            summary.containments += report.containments.len();
        }
    }
    Ok(summary)
}

fn collider(method: Method, threads: usize, query: Query) -> Collider {
    Collider::new(Options { method, threads, query, ..Options::default() })
}

fn answer<'a>(
    frame: usize,
    run: Run,
    collider: &'a mut Collider,
    scene: &Scene,
) -> Result<&'a Report, Disagreement> {
    collider.collide(scene).map_err(|error| Disagreement::Refused { frame, run: Box::new(run), error })
}

fn compare(
    frame: usize,
    scene: &Scene,
    run: Run,
    report: &Report,
    reference: &mut Option<(Run, Report)>,
) -> Result<(), Disagreement> {
    if let Some(what) = malformed(report) {
        return Err(Disagreement::Report { frame, run: Box::new(run), what });
    }
    let Some((a, whole)) = reference else {
        *reference = Some((run, report.clone()));
        return Ok(());
    };
    match difference(scene, whole, report) {
        Some(what) => Err(Disagreement::Runs { frame, a: Box::new(*a), b: Box::new(run), what }),
        None => Ok(()),
    }
}

/// The first broken promise of a report.
fn malformed(report: &Report) -> Option<String> {
    if !report.complete {
        return Some("it says it is not complete".into());
    }
    let key = |c: &Contact| (c.a.body, c.b.body, c.a.triangle, c.b.triangle);
    if let Some(at) = report.contacts.windows(2).position(|two| key(&two[0]) >= key(&two[1])) {
        return Some(format!("contacts {at} and {} are out of order or equal", at + 1));
    }
    let ordered =
        |c: &Contact| if c.a.body == c.b.body { c.a.triangle < c.b.triangle } else { c.a.body < c.b.body };
    if let Some(at) = report.contacts.iter().position(|c| !ordered(c)) {
        return Some(format!("contact {at} has its members the wrong way round"));
    }
    let key = |c: &Containment| (c.outer, c.inner);
    if report.containments.windows(2).any(|two| key(&two[0]) >= key(&two[1])) {
        return Some("containments are out of order or repeated".into());
    }
    let mut next = 0;
    for pair in &report.pairs {
        let of_pair = |c: &Contact| (c.a.body, c.b.body) == (pair.a, pair.b);
        let listed = report.contacts.get(pair.contacts.clone());
        if pair.contacts.start != next
            || !listed.is_some_and(|list| !list.is_empty() && list.iter().all(of_pair))
        {
            return Some("the pairs do not divide the contacts among them".into());
        }
        next = pair.contacts.end;
    }
    (next != report.contacts.len()).then(|| "the pairs leave contacts out".into())
}

/// The first difference between two answers.
fn difference(scene: &Scene, a: &Report, b: &Report) -> Option<String> {
    let name = |id| scene.body(id).map_or("a body that is gone", impinge::Body::name);
    if a.contacts != b.contacts {
        let at = a.contacts.iter().zip(&b.contacts).position(|(a, b)| a != b);
        let at = at.unwrap_or(a.contacts.len().min(b.contacts.len()));
        let show = |list: &[Contact]| match list.get(at) {
            Some(c) => format!("{} {} - {} {}", name(c.a.body), c.a.triangle, name(c.b.body), c.b.triangle),
            None => "nothing".into(),
        };
        let (counts, shown) = ((a.contacts.len(), b.contacts.len()), (show(&a.contacts), show(&b.contacts)));
        return Some(format!("{} and {} contacts; at {at}, {} and {}", counts.0, counts.1, shown.0, shown.1));
    }
    if a.containments != b.containments {
        let list = |report: &Report| -> Vec<_> {
            report.containments.iter().map(|c| format!("{} in {}", name(c.inner), name(c.outer))).collect()
        };
        return Some(format!("containments {:?} and {:?}", list(a), list(b)));
    }
    (a.hash() != b.hash()).then(|| "equal lists with different hashes".into())
}

/// Compares a report with what is known; returns the number of facts checked.
pub fn check_known(
    frame: usize,
    scene: &Scene,
    report: &Report,
    known: &KnownAnswer,
) -> Result<usize, Disagreement> {
    let wrong = |what: String| Err(Disagreement::Known { frame, what });
    let name = |id| scene.body(id).map_or("a body that is gone", impinge::Body::name);
    let mut facts = 0;
    if let Some(count) = known.contacts {
        facts += 1;
        if !count.allows(report.contacts.len()) {
            return wrong(format!("{} contacts, but geometry says {count:?}", report.contacts.len()));
        }
    }
    let found: BTreeMap<Names, usize> =
        report.pairs.iter().map(|p| (pair(name(p.a), name(p.b)), p.contacts.len())).collect();
    if let Some(pairs) = &known.pairs {
        facts += 1 + pairs.touching.len();
        if let Some(missing) = pairs.touching.iter().find(|pair| !found.contains_key(pair)) {
            return wrong(format!("{missing:?} must touch, but no contact is reported"));
        }
        let allowed: BTreeSet<&Names> = pairs.touching.iter().chain(&pairs.undecided).collect();
        if let Some((extra, count)) = found.iter().find(|(pair, _)| !allowed.contains(pair)) {
            return wrong(format!("{extra:?} must be apart, but has {count} contacts"));
        }
    }
    if let Some(expected) = &known.containments {
        facts += 1 + expected.len();
        let owned = |inner, outer| (name(inner).to_owned(), name(outer).to_owned());
        let found: BTreeSet<Names> = report.containments.iter().map(|c| owned(c.inner, c.outer)).collect();
        let expected: BTreeSet<Names> = expected.iter().cloned().collect();
        if found != expected {
            let missing: Vec<_> = expected.difference(&found).collect();
            let extra: Vec<_> = found.difference(&expected).collect();
            return wrong(format!("containments (inner, outer): missing {missing:?}, extra {extra:?}"));
        }
    }
    for group in &known.alike {
        facts += 1;
        let counts: Vec<usize> = group.iter().map(|pair| found.get(pair).copied().unwrap_or(0)).collect();
        if counts.windows(2).any(|two| two[0] != two[1]) {
            return wrong(format!("{group:?} must have equally many contacts, but have {counts:?}"));
        }
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::{Count, KnownPairs};

    fn pile() -> (Motion, Report) {
        let motion = crate::find("pile").unwrap().build(60, 0);
        let report = Collider::default().collide(&motion.scene).unwrap().clone();
        (motion, report)
    }

    #[test]
    fn a_report_that_breaks_its_promises_is_found() {
        let (_, whole) = pile();
        assert_eq!(malformed(&whole), None);
        let spoilt: [fn(&mut Report); 6] = [
            |report| report.complete = false,
            |report| report.contacts.swap(0, 1),
            |report| report.contacts[1] = report.contacts[0],
            |report| report.contacts[0] = Contact { a: report.contacts[0].b, b: report.contacts[0].a },
            |report| report.contacts.truncate(report.contacts.len() - 1),
            |report| report.pairs.truncate(report.pairs.len() - 1),
        ];
        for (k, spoil) in spoilt.into_iter().enumerate() {
            let mut report = whole.clone();
            spoil(&mut report);
            assert!(malformed(&report).is_some(), "spoilt in way {k}");
        }
    }

    #[test]
    fn two_answers_that_differ_are_told_apart() {
        let (motion, whole) = pile();
        assert_eq!(difference(&motion.scene, &whole, &whole), None);
        let mut shorter = whole.clone();
        shorter.contacts.pop();
        let what = difference(&motion.scene, &whole, &shorter).unwrap();
        assert!(what.contains("nothing"), "{what}");
        let mut other = whole.clone();
        other.containments.push(Containment { inner: motion.bodies[0], outer: motion.bodies[1] });
        assert!(difference(&motion.scene, &whole, &other).unwrap().contains("box 0 in box 1"));
    }

    #[test]
    fn an_answer_that_is_not_the_known_one_is_found() {
        let (motion, report) = pile();
        let wrong = |known: KnownAnswer| check_known(0, &motion.scene, &report, &known).is_err();
        let true_pairs = motion.known().pairs.unwrap();
        let count = report.contacts.len();
        assert!(!wrong(motion.known()));
        assert!(wrong(KnownAnswer::contacts(Count::Exactly(count + 1))));
        assert!(wrong(KnownAnswer::contacts(Count::AtLeast(count + 1))));
        assert!(!wrong(KnownAnswer::contacts(Count::AtLeast(count))));
        let pairs = |touching: Vec<Names>, undecided: Vec<Names>| KnownAnswer {
            pairs: Some(KnownPairs { touching, undecided }),
            ..KnownAnswer::default()
        };
        assert!(!wrong(pairs(true_pairs.touching.clone(), Vec::new())));
        assert!(!wrong(pairs(Vec::new(), true_pairs.touching.clone())));
        assert!(wrong(pairs(true_pairs.touching[1..].to_vec(), Vec::new())), "an extra pair");
        assert!(wrong(pairs(vec![pair("box 0", "box 0")], true_pairs.touching.clone())), "a missing pair");
        let inside = vec![("box 0".to_owned(), "box 1".to_owned())];
        assert!(wrong(KnownAnswer { containments: Some(inside), ..KnownAnswer::default() }));
        let alike = vec![vec![pair("box 0", "box 1"), pair("box 0", "box 0")]];
        assert!(wrong(KnownAnswer { alike, ..KnownAnswer::default() }));
    }
}
