//! Where cullers put pairs of triangles: the one exact test, on the thread that found the pair, and the contacts in order.

use super::sort::{Packing, Sorter, Unsorted};
use crate::broad_phase::{BodyPair, Frame};
use crate::exact::{Contact, WorldTriangle};
use crate::scene::{BodyId, Element};
use crate::util::query::Query;
use crate::util::stages::Stages;
use crate::util::threads;
use rayon::prelude::*;
use std::time::{Duration, Instant};

const BLANK: Contact = {
    let element = Element { body: BodyId::NONE, triangle: 0 };
    Contact { a: element, b: element }
};

/// What one thread found.
#[derive(Debug, Default)]
pub struct ThreadSink {
    found: Unsorted,
    /// Pairs of triangles that were looked at.
    pub candidates: usize,
    /// Pairs that exact arithmetic decided.
    pub exact: usize,
}

impl ThreadSink {
    /// A contact: triangle `i` of the first body of a pair and `j` of the second; within one body `i < j`.
    #[inline]
    pub fn certain(&mut self, pair: u32, i: u32, j: u32) {
        self.found.push((pair, i, j));
    }

    /// Contacts of triangle `i` with those of `others` whose bit is set, of a pair of bodies or within one.
    #[inline]
    pub(crate) fn certain_block(&mut self, pair: u32, within: bool, i: u32, others: &[u32], mut bits: u8) {
        if let (false, Some(eight)) = (within, others.first_chunk()) {
            self.found.push_block(pair, i, eight, bits);
            return;
        }
        while bits != 0 {
            let j = others[bits.trailing_zeros() as usize];
            bits &= bits - 1;
            let (i, j) = if within && i > j { (j, i) } else { (i, j) };
            self.certain(pair, i, j);
        }
    }

    /// Two triangles of a pair of bodies, for the exact test; says whether they touch.
    #[inline]
    pub fn doubtful(&mut self, pair: u32, a: &WorldTriangle, b: &WorldTriangle) -> bool {
        self.exact += 1;
        let touch = a.touches(b);
        if touch {
            self.certain(pair, a.element.triangle, b.element.triangle);
        }
        touch
    }

    /// A contact between two triangles, in any order. Those of bodies that are no pair of the frame do not touch.
    pub fn certain_elements(&mut self, frame: &Frame<'_>, a: Element, b: Element) {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if let Some(pair) = frame.pair_index(a.body, b.body) {
            self.certain(pair, a.triangle, b.triangle);
        }
    }

    /// Two triangles in any order, for the exact test.
    pub fn doubtful_elements(&mut self, frame: &Frame<'_>, a: &WorldTriangle, b: &WorldTriangle) {
        self.exact += 1;
        if a.touches(b) {
            self.certain_elements(frame, a.element, b.element);
        }
    }

    /// Whether no contact was found yet.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    fn begin(&mut self, packing: Option<Packing>) {
        self.found.begin(packing);
        (self.candidates, self.exact) = (0, 0);
    }

    fn append(&mut self, other: &Self) {
        self.found.append(&other.found);
        self.candidates += other.candidates;
        self.exact += other.exact;
    }
}

/// Takes the pairs of one frame. Lists are kept between frames for their memory.
#[derive(Debug, Default)]
pub struct CandidateSink {
    query: Query,
    allowed_threads: usize,
    packing: Option<Packing>,
    threads: Vec<ThreadSink>,
    lists: Vec<Unsorted>,
    sorter: Sorter,
    /// Triangles that the scene does not hold, for the shapes of their contacts.
    pub external: Vec<WorldTriangle>,
    /// Time of the exact tests, and of what takes turns with them; the average of the threads.
    pub testing: Duration,
}

impl CandidateSink {
    /// What to stop at, and how many threads may be used.
    pub(crate) fn ask(&mut self, query: Query, allowed_threads: usize) {
        (self.query, self.allowed_threads) = (query, allowed_threads);
    }

    /// Whether the first contact is enough.
    pub fn wants_one(&self) -> bool {
        self.query == Query::Any
    }

    /// Starts a frame.
    pub fn begin(&mut self, frame: &Frame<'_>) {
        let held = frame.scene.bodies().map(|(_, body)| body.mesh().triangles().len());
        let triangles = held.chain(frame.external.iter().map(|body| body.triangles)).max().unwrap_or(0);
        self.packing = Packing::new(frame.pairs.len(), triangles);
        self.external.clear();
        self.testing = Duration::ZERO;
        self.threads.resize_with(self.threads.len().max(1), ThreadSink::default);
        for thread in &mut self.threads {
            thread.begin(self.packing);
        }
    }

    /// One sink for each of so many threads that a culler runs itself.
    pub fn threads(&mut self, count: usize) -> &mut [ThreadSink] {
        let packing = self.packing;
        self.threads.resize_with(count.max(1), || {
            let mut thread = ThreadSink::default();
            thread.begin(packing);
            thread
        });
        &mut self.threads
    }

    /// The sink of the calling thread.
    pub fn own(&mut self) -> &mut ThreadSink {
        &mut self.threads[0]
    }

    /// Runs numbered tasks, on several threads where that is allowed and `items` of work are worth it.
    pub fn run(&mut self, tasks: usize, items: usize, task: impl Fn(usize, &mut ThreadSink) + Sync) {
        let (start, packing) = (Instant::now(), self.packing);
        if threads::worth_sharing(self.allowed_threads, items) {
            let fresh = || {
                let mut sink = ThreadSink::default();
                sink.begin(packing);
                sink
            };
            let both = |mut a: ThreadSink, b: ThreadSink| {
                a.append(&b);
                a
            };
            let step = |mut sink: ThreadSink, number: usize| {
                task(number, &mut sink);
                sink
            };
            let all = threads::share(|| (0..tasks).into_par_iter().fold(fresh, step).reduce(fresh, both));
            self.own().append(&all);
        } else {
            let sink = self.own();
            (0..tasks).for_each(|number| task(number, sink));
        }
        self.testing += start.elapsed();
    }

    /// Sorts what all threads found, writes it over `contacts`, and adds up their counts.
    pub(crate) fn finish(&mut self, frame: &Frame<'_>, contacts: &mut Vec<Contact>, stages: &mut Stages) {
        self.lists.clear();
        for thread in &mut self.threads {
            self.lists.push(std::mem::take(&mut thread.found));
            stages.exact += thread.exact;
            stages.candidates += thread.candidates;
        }
        let writer = || {
            // Contacts of one pair come one after the other: look its bodies up once.
            let mut last = (u32::MAX, BLANK);
            move |(pair, i, j)| {
                if last.0 != pair {
                    let BodyPair { a, b } = frame.pairs[pair as usize];
                    let id = |slot| frame.scene.at(slot as usize).map_or(BLANK.a.body, |(id, _)| id);
                    let element = |slot| Element { body: id(slot), triangle: 0 };
                    last = (pair, Contact { a: element(a), b: element(b) });
                }
                let Contact { a, b } = last.1;
                Contact { a: Element { triangle: i, ..a }, b: Element { triangle: j, ..b } }
            }
        };
        // Several views may find the same contact; it is written once.
        self.sorter.sort(&mut self.lists, contacts, BLANK, &writer);
        for (thread, list) in self.threads.iter_mut().zip(self.lists.drain(..)) {
            thread.found = list;
        }
        self.external.sort_unstable_by_key(|triangle| triangle.element);
    }

    /// A triangle of the frame, wherever it is held.
    pub(crate) fn triangle(&self, frame: &Frame<'_>, element: Element) -> Option<WorldTriangle> {
        let at = self.external.binary_search_by_key(&element, |triangle| triangle.element);
        at.map_or_else(|_| WorldTriangle::of(frame.scene, element), |at| Some(self.external[at]))
    }
}
