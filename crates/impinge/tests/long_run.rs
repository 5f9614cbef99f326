//! Ten thousand frames: memory stays flat, and what the collider has kept from so many frames never changes an
//! answer. The only test of its program, because all memory of the process is counted.

mod common;

use common::Moving;
use impinge::{Collider, Options};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const FRAMES: usize = 10_000;
/// How often memory and answer are looked at.
const EVERY: usize = 500;
/// Turns per frame, irrational: no frame is ever quite an earlier one.
const STEP: f64 = 0.618_033_988_749_895;
/// A list that reaches a new record length may double, once in a while, by chance: so much of all memory.
const FLAT: f64 = 1.1;

#[test]
fn ten_thousand_frames_leave_memory_flat_and_answers_fresh() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let options = Options { threads: 1, ..Options::default() };
    let mut moving = Moving::two_deforming(1_500);
    moving.collide_with_themselves();
    let mut collider = Collider::new(options.clone());
    let mut early = None;
    let mut contacts = 0;
    for frame in 1..=FRAMES {
        moving.set_time(Moving::PERIOD * STEP * frame as f64);
        contacts += collider.collide(&moving.scene).unwrap().contacts.len();
        if frame % EVERY != 0 {
            continue;
        }
        let now = dhat::HeapStats::get().curr_bytes;
        let early = *early.get_or_insert(now);
        assert!(now as f64 <= FLAT * early as f64, "{early} bytes in frame {EVERY}, {now} in frame {frame}");

        let kept = collider.collide(&moving.scene).unwrap();
        let mut fresh = Collider::new(options.clone());
        let fresh = fresh.collide(&moving.scene).unwrap();
        assert_eq!(kept.contacts, fresh.contacts, "frame {frame}");
        assert_eq!(kept.containments, fresh.containments, "frame {frame}");
    }
    assert!(contacts > FRAMES, "hardly anything touched: {contacts} contacts");
}
