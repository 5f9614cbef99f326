//! The buffers of the A-buffer: the answer does not depend on their initial size.

use crate::collider::GpuCollider;
use crate::contacts::a_buffer::{ABuffer, Room};
use crate::device::Context;
use impinge::contacts::{ABufferOptions, Keeping};
use impinge::{Method, Options, Scene};

/// Knots, of small triangles, in a box, of large ones.
fn scene() -> Scene {
    let mut motion = impinge_lab::find("knots").unwrap().build(1500, 1);
    motion.set_frame(1).unwrap();
    motion.scene.add("box", impinge_lab::shapes::subdivided_box(1, [0.9; 3]).mesh());
    motion.scene
}

#[test]
fn with_hardly_any_room_everything_is_done_again_with_more() {
    if std::env::var_os("IMPINGE_NO_GPU").is_some() {
        return;
    }
    let context = Context::new().unwrap();
    let scene = scene();
    let mut expected = None;
    for keeping in Keeping::ALL {
        for room in [
            None,
            Some(Room { fragments: 1, large: 1 << 12, slots: 1 << 14 }),
            Some(Room { fragments: 1 << 20, large: 1, slots: 1 << 14 }),
            Some(Room { fragments: 1 << 20, large: 1 << 12, slots: 1 }),
            Some(Room { fragments: 0, large: 0, slots: 0 }),
        ] {
            let mut collider = GpuCollider::new(context.clone()).unwrap();
            let a_buffer = ABufferOptions { resolution: [300, 200], keeping, ..ABufferOptions::default() };
            collider.options = Options { method: Method::ABuffer(a_buffer), ..Options::default() };
            let kept = collider.a_buffer.insert(Box::new(ABuffer::new(&context)));
            kept.room = room.unwrap_or(kept.room);
            for frame in 0..2 {
                let report = collider.collide(&scene).unwrap();
                let image = *report.rays().unwrap();
                let found = (report.hash(), image.fragments, image.deepest, image.rays, image.tests);
                assert!(image.tests > 100 && !report.contacts.is_empty());
                let expected = expected.get_or_insert(found);
                assert_eq!(&found, expected, "{keeping:?}, {room:?}, frame {frame}");
            }
            let now = collider.a_buffer.as_ref().unwrap().room;
            assert!(now.fragments > 1 << 12 && now.large > 1 && now.slots > 100, "{now:?}");
        }
    }
}
