//! Impact maps on the GPU: `impact_map.wgsl`.

use super::clock::Clock;
use crate::device::{Context, Growable, Kernel, Recorder, read, uniform};
use crate::error::GpuError;
use crate::layout::particles::{MapEntry, TexelEntry};
use crate::shaders;
use impinge::particles::{Blend, Collider, ImpactMap, Layout, Particles, Texel};
use wgpu::{Buffer, BufferUsages};

/// Words per texel by which impacts claim it.
const CLAIMS: u64 = 4;

/// Bits of a speed in sums, below the fastest speed at birth: a float has 24.
const SPEED_BITS: i32 = 22;

#[derive(Debug)]
pub(super) struct Map {
    context: Context,
    kernels: [Kernel; 5],
    entry: MapEntry,
    uniform: Buffer,
    claims: Growable,
    texels: Growable,
    blend: Blend,
}

impl Map {
    pub(super) fn new(
        context: &Context,
        colliders: &[Collider],
        collider: u32,
        [width, height]: [u32; 2],
        blend: Blend,
        particles: &Particles,
    ) -> Result<Self, GpuError> {
        let Some(solid) = colliders.get(collider as usize) else {
            return Err(GpuError::NoSuchCollider { collider, colliders: colliders.len() });
        };
        // CPU maps of one row, one column and one texel: they validate the size and know the parametrisation
        // of the surface.
        ImpactMap::new(solid, collider, [width.max(1), 1], blend)?;
        ImpactMap::new(solid, collider, [1, height.max(1)], blend)?;
        if width == 0 || height == 0 {
            ImpactMap::new(solid, collider, [width, height], blend)?;
        }
        let layout = *ImpactMap::new(solid, collider, [1, 1], blend)?.layout();
        let entry =
            MapEntry { collider, width, height, fixed_per_speed: fixed(particles), ..of(solid, layout) };
        context.checked(|| {
            let texels = u64::from(width) * u64::from(height);
            let mut map = Self {
                context: context.clone(),
                kernels: ["claim_high", "claim_low", "claim_particle", "claim_bounce", "resolve"]
                    .map(|entry| Kernel::new(context, shaders::IMPACT_MAP, entry, 64)),
                entry,
                uniform: uniform(context, "an impact map", size_of::<MapEntry>() as u64),
                claims: Growable::new("claims of an impact map", BufferUsages::empty()),
                texels: Growable::new("texels of an impact map", BufferUsages::COPY_SRC),
                blend,
            };
            map.claims.reserve(context, texels * CLAIMS * 4)?;
            map.texels.reserve(context, texels * size_of::<TexelEntry>() as u64)?;
            let mut encoder =
                context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.clear_buffer(map.texels.get(), 0, None);
            context.queue.submit([encoder.finish()]);
            Ok(map)
        })
    }

    /// Draws the records of a dispatch.
    pub(super) fn draw(&self, recorder: &mut Recorder, records: &Buffer, counters: &Buffer, capacity: u32) {
        let entry = MapEntry { capacity, ..self.entry };
        self.context.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&entry));
        recorder.encoder().clear_buffer(self.claims.get(), 0, None);
        let [high, low, particle, bounce, resolve] = &self.kernels;
        let [map, records, counted] = [(0, &self.uniform), (1, records), (2, counters)];
        let [claims, texels] = [(3, self.claims.get()), (4, self.texels.get())];
        high.run(recorder, &[map, records, counted, claims, texels], capacity);
        for kernel in [low, particle, bounce] {
            kernel.run(recorder, &[map, records, counted, claims], capacity);
        }
        resolve.run(recorder, &[map, records, counted, claims, texels], capacity);
    }

    pub(super) fn read(&self, recorder: &mut Recorder, clock: Clock) -> Result<Vec<Texel>, GpuError> {
        let texels = u64::from(self.entry.width) * u64::from(self.entry.height);
        let bytes = texels * size_of::<TexelEntry>() as u64;
        recorder.begin();
        let texels: Vec<TexelEntry> = read(recorder, self.texels.get(), bytes)?;
        Ok(texels.iter().map(|texel| self.texel(clock, texel)).collect())
    }

    fn texel(&self, clock: Clock, entry: &TexelEntry) -> Texel {
        if entry.hits == 0 {
            return Texel::default();
        }
        let sum = u64::from(entry.speeds[1]) << 32 | u64::from(entry.speeds[0]);
        Texel {
            hits: entry.hits,
            collider: self.entry.collider,
            time: clock.time([entry.time_low, entry.time_high ^ 1 << 31]),
            speed: match self.blend {
                Blend::Latest => f64::from(entry.speed),
                Blend::Additive => sum as f64 / f64::from(self.entry.fixed_per_speed),
            },
        }
    }
}

/// Fixed-point units per unit of speed: a power of two such that the fastest birth is about 2^22 units.
fn fixed(particles: &Particles) -> f32 {
    let norm = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let fastest = particles.iter().map(|p| norm(p.velocity).max(norm(p.acceleration))).fold(0.0, f64::max);
    let exponent = if fastest > 0.0 { fastest.log2().ceil() as i32 } else { 0 };
    2.0f32.powi((SPEED_BITS - exponent).clamp(-60, 60))
}

fn of(collider: &Collider, layout: Layout) -> MapEntry {
    let mut entry = MapEntry {
        row_x: [1.0, 0.0, 0.0, 0.0],
        row_y: [0.0, 1.0, 0.0, 0.0],
        row_z: [0.0, 0.0, 1.0, 0.0],
        ..MapEntry::default()
    };
    if let Some(from_world) = collider.from_world() {
        [entry.row_x, entry.row_y, entry.row_z] = std::array::from_fn(|k| {
            let [x, y, z] = from_world.linear[k];
            [x, y, z, from_world.origin[k]].map(|c| c as f32)
        });
    }
    let float = |v: [f64; 3]| v.map(|c| c as f32);
    let flat = |v: [f64; 2]| float([v[0], v[1], 0.0]);
    (entry.kind, entry.low, entry.high) = match layout {
        Layout::Flat { min, max } => (0, flat(min), flat(max)),
        Layout::Faces { half } => (1, float(half.map(|h| -h)), float(half)),
        Layout::Unrolled { radii: [x, y], z: [low, high], .. } => {
            (2, float([x, y, low]), float([0.0, 0.0, high]))
        }
        Layout::Directions { centre, .. } => (3, float(centre), [0.0; 3]),
    };
    entry
}
