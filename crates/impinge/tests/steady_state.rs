//! Once a motion has been seen, a collider takes no more memory for it. Allocations are counted over all threads, so
//! this is the only test of its program: whatever else ran in the process would be counted too.

mod common;

use common::Moving;
use impinge::{Collider, Options};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Frames of one period of the motion. The same ones come again, so that a list that has once been long enough
/// stays long enough.
const FRAMES: usize = 12;
/// Enough that two threads use their scratch memory both, in every stage.
const FIRST_PERIODS: usize = 4;
const COUNTED_PERIODS: usize = 4;
/// Enough that a collider with two threads uses them.
const TRIANGLES: usize = 40_000;

/// The allocations of every frame.
fn allocations(collider: &mut Collider, moving: &mut Moving, periods: usize) -> Vec<u64> {
    let mut counts = Vec::with_capacity(periods * FRAMES);
    for frame in 0..periods * FRAMES {
        moving.set_time(Moving::PERIOD * (frame % FRAMES) as f64 / FRAMES as f64);
        let before = dhat::HeapStats::get().total_blocks;
        let report = collider.collide(&moving.scene).unwrap();
        assert!(!report.contacts.is_empty(), "{}: nothing to find in frame {frame}", moving.name);
        counts.push(dhat::HeapStats::get().total_blocks - before);
    }
    counts
}

#[test]
fn nothing_is_allocated_after_the_first_frames() {
    // With this variable, where every allocation comes from is written to `dhat-heap.json`, for dhat's viewer.
    let keep = std::env::var_os("IMPINGE_WHERE").is_some();
    let _profiler =
        if keep { dhat::Profiler::new_heap() } else { dhat::Profiler::builder().testing().build() };
    let mut wrong = Vec::new();
    // Bodies whose boxes allow that one contains the other are looked at more closely, and that allocates.
    let makers = [Moving::two_deforming, Moving::self_colliding, Moving::rigid, Moving::nested];
    for (make, containment) in makers.into_iter().zip([true, true, true, false]) {
        for threads in [1, 2] {
            let mut moving = make(TRIANGLES);
            let mut collider = Collider::new(Options { threads, containment, ..Options::default() });
            let first = allocations(&mut collider, &mut moving, FIRST_PERIODS);
            assert!(first[0] > 0, "the first frame was not counted");
            let counts = allocations(&mut collider, &mut moving, COUNTED_PERIODS);
            // One thread repeats itself to the last byte. With two, chance decides who does what: a thread may be
            // given more than ever before, and its scratch memory grows once more; and rayon's queue of work from
            // outside its threads takes a new block after every 63 calls. Neither happens in every frame.
            let allowed = if threads == 1 { 0 } else { counts.len() / 8 };
            let frames = counts.iter().filter(|&&count| count > 0).count();
            if frames > allowed {
                let name = moving.name;
                let most = counts.iter().max().unwrap();
                wrong.push(format!(
                    "{name}, threads {threads}: {frames} of {} frames allocate, up to {most} times",
                    counts.len()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "after {} frames:\n{}", FIRST_PERIODS * FRAMES, wrong.join("\n"));
}
