//! A rasteriser that is neither the library's nor the GPU's, and knows where rasterisers may disagree.
#![allow(dead_code, reason = "every test program uses a part of it")]

use impinge::stages::depth_peel::peel::{self, Fragment, Rule};
use impinge::stages::gather::Member;
use impinge::{Mesh, Point};
use impinge_gpu::{Context, Inspection, wgpu};

/// Rasterisers place vertices on a grid of 1/256 pixel at least as fine as this; moved to the nearest point, a vertex is
/// off by half of that across and down, and so is every edge.
pub(crate) const SNAPPING: f64 = 1.0 / 256.0;

/// Steps of the depth of a fragment.
const STEPS: f64 = (1u32 << peel::DEPTH_BITS) as f64;

/// A device, or a failure; nothing only when somebody asked for that.
pub(crate) fn context() -> Option<Context> {
    if std::env::var_os("IMPINGE_NO_GPU").is_some() {
        return None;
    }
    Some(
        Context::new().expect(
            "a GPU, or software for one: cargo xtask test installs it; IMPINGE_NO_GPU=1 does without",
        ),
    )
}

/// A device of the caller's own, with limits of its own.
pub(crate) fn limited(change: impl FnOnce(&mut wgpu::Limits)) -> Context {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let options = wgpu::RequestAdapterOptions::default();
    let adapter = pollster::block_on(instance.request_adapter(&options)).unwrap();
    let mut required_limits = wgpu::Limits::default();
    change(&mut required_limits);
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    Context::from_device(device, queue, adapter.get_info().name)
}

/// A surface under a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) depth: f64,
    /// How far the depth may be off: its slope times how far vertices may be, and a few roundings.
    pub(crate) tolerance: f64,
    pub(crate) closed: bool,
    pub(crate) back: bool,
}

/// What rays meet, and where that is doubtful.
pub(crate) struct Fragments {
    /// Sorted by depth.
    pub(crate) lists: Vec<Vec<Met>>,
    /// Whether some edge passes within [`SNAPPING`].
    pub(crate) near_edge: Vec<bool>,
}

impl Fragments {
    pub(crate) fn of(seen: &Inspection, members: &[Member]) -> Self {
        let rays = (seen.width * seen.height) as usize;
        let mut all = Self { lists: vec![Vec::new(); rays], near_edge: vec![false; rays] };
        for corners in &seen.triangles {
            let t = corners.map(|vertex| seen.vertices[vertex as usize]);
            let Some(member) = members.get(t[0].body as usize).filter(|member| member.active) else {
                continue;
            };
            let p = t.map(|v| [f64::from(v.x), f64::from(v.y), f64::from(v.depth)]);
            all.add(seen, member, p);
        }
        for list in &mut all.lists {
            list.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        }
        all
    }

    fn add(&mut self, seen: &Inspection, member: &Member, p: [[f64; 3]; 3]) {
        // The plane through the corners: depth = d + x du + y dv.
        let [u, v]: [[f64; 3]; 2] = [1, 2].map(|k| [0, 1, 2].map(|i| p[k][i] - p[0][i]));
        let area = u[0] * v[1] - u[1] * v[0];
        let slope = [(u[2] * v[1] - u[1] * v[2]) / area, (u[0] * v[2] - u[2] * v[0]) / area];
        let span = |axis: usize, pixels: u32| {
            let low = p.iter().fold(f64::INFINITY, |low, p| low.min(p[axis])) - SNAPPING;
            let high = p.iter().fold(f64::NEG_INFINITY, |high, p| high.max(p[axis])) + SNAPPING;
            ((low - 0.5).ceil().max(0.0) as u32)
                ..((high - 0.5).floor() + 1.0).clamp(0.0, f64::from(pixels)) as u32
        };
        for y in span(1, seen.height) {
            for x in span(0, seen.width) {
                let q = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                let ray = (y * seen.width + x) as usize;
                if (0..3).any(|k| distance(q, p[k], p[(k + 1) % 3]) <= SNAPPING) {
                    self.near_edge[ray] = true;
                }
                let side = |a: [f64; 3], b: [f64; 3]| {
                    ((b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])) * area.signum()
                };
                if (0..3).all(|k| side(p[k], p[(k + 1) % 3]) > 0.0) {
                    let depth = p[0][2] + (q[0] - p[0][0]) * slope[0] + (q[1] - p[0][1]) * slope[1];
                    let steep = slope[0].abs() + slope[1].abs();
                    let tolerance = steep * SNAPPING + 4.0 / STEPS;
                    let back = (area > 0.0) != member.mirrored;
                    self.lists[ray].push(Met { depth, tolerance, closed: member.closed, back });
                }
            }
        }
    }

    /// Whether the library's definition calls it a collision ray.
    pub(crate) fn is_collision(&self, ray: usize, rule: &Rule) -> bool {
        let as_fragment = |met: &Met| Fragment::new(met.depth as f32, met.closed, met.back);
        let mut list: Vec<Fragment> = self.lists[ray].iter().map(as_fragment).collect();
        list.sort_unstable();
        !list.is_empty() && peel::is_collision(&list, rule)
    }

    /// Whether two surfaces are so near each other, or so nearly as far as counts as near, that rounding may decide.
    pub(crate) fn is_tied(&self, ray: usize, near: u32) -> bool {
        let near = f64::from(near) / STEPS;
        self.lists[ray].windows(2).any(|two| {
            let gap = two[1].depth - two[0].depth;
            let tolerance = two[0].tolerance + two[1].tolerance;
            let open = !(two[0].closed && two[1].closed);
            gap <= tolerance || (open && (gap - near).abs() <= tolerance)
        })
    }
}

fn distance(q: [f64; 2], a: [f64; 3], b: [f64; 3]) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [q[0] - a[0], q[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let part =
        if square > 0.0 { ((to[0] * along[0] + to[1] * along[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (to[0] - part * along[0]).hypot(to[1] - part * along[1])
}

/// A key of `shaders/depth_peel/shared/layers.wgsl`; 0 for nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(pub(crate) u32);

impl Key {
    pub(crate) fn depth(self) -> f64 {
        f64::from(self.0 >> 4) / STEPS
    }

    pub(crate) fn is_open(self) -> bool {
        self.0 >> 3 & 1 == 1
    }

    pub(crate) fn is_back(self) -> bool {
        self.0 >> 2 & 1 == 1
    }
}

/// What peeling remembers of a ray from the front and from the back, when only one pass was made.
pub(crate) fn first_layers(seen: &Inspection, ray: usize) -> Option<[Key; 2]> {
    const LIMIT: u32 = 0x1040_0000;
    (seen.passes == 1 && seen.layers[ray][0] != 0)
        .then(|| [Key(LIMIT - seen.layers[ray][0]), Key(seen.layers[ray][1])])
}

/// A box with these corners; its triangles, seen from outside, turn left.
pub(crate) fn box_of(min: Point, max: Point) -> Mesh {
    let corner =
        |k: usize| -> Point { std::array::from_fn(|i| if k >> i & 1 == 0 { min[i] } else { max[i] }) };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect::<Vec<_>>(), triangles).unwrap()
}

/// A buffer on the GPU that holds this.
pub(crate) fn bytes<T: bytemuck::NoUninit>(context: &Context, data: &[T]) -> wgpu::Buffer {
    let bytes = bytemuck::cast_slice(data);
    let buffer = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    context.queue.write_buffer(&buffer, 0, bytes);
    buffer
}
