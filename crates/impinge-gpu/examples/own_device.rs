//! A program with a device and buffers of its own: a wave of triangles made by a compute shader hits a ball, and the
//! triangles that collide come back with their corners.
//!
//! `cargo run --release -p impinge-gpu --example own_device`

use impinge::Direction;
use impinge::contacts::PeelOptions;
use impinge::{Mesh, Method, Pose, Scene};
use impinge_gpu::wgpu::{self, BufferUsages};
use impinge_gpu::{Context, GpuBody, GpuCollider};

/// An open sheet of `SIDE` by `SIDE` vertices that moves up and down.
const SHEET: &str = "
@group(0) @binding(0) var<uniform> time: vec4<f32>;
@group(0) @binding(1) var<storage, read_write> positions: array<f32>;
const SIDE = 128u;

@compute @workgroup_size(64)
fn wave(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= SIDE * SIDE) { return; }
    let at = 4.0 * vec2(f32(id.x % SIDE), f32(id.x / SIDE)) / f32(SIDE - 1u) - 2.0;
    positions[3u * id.x] = at.x;
    positions[3u * id.x + 1u] = at.y;
    positions[3u * id.x + 2u] = 0.6 * sin(2.0 * at.x + time.x) * cos(at.y) - 0.9;
}
";
const SIDE: u32 = 128;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Any device does; a program that draws would hand over the one it draws with (`Context::from_device`).
    let context = Context::new()?;
    println!("on {}", context.adapter);
    let buffer = |size: u32, usage| {
        let size = u64::from(size);
        context.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    };
    let time = buffer(16, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
    let positions = buffer(SIDE * SIDE * 12, BufferUsages::STORAGE);
    let cells = SIDE - 1;
    let triangles = buffer(cells * cells * 24, BufferUsages::STORAGE | BufferUsages::COPY_DST);
    let corners = (0..cells * cells).flat_map(|cell| {
        let a = cell / cells * SIDE + cell % cells;
        [a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE]
    });
    context.queue.write_buffer(&triangles, 0, &corners.flat_map(u32::to_le_bytes).collect::<Vec<_>>());

    let module = context.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHEET.into()),
    });
    let pipeline = context.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let group = context.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: time.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: positions.as_entire_binding() },
        ],
    });

    // The sheet has no mesh in the scene: its triangles are in the buffers. It is open, so distance tells collisions.
    let mut scene = Scene::new();
    let sheet = scene.add("sheet", Mesh::new(Vec::<[f32; 3]>::new(), Vec::new())?);
    let ball = scene.add("ball", octahedron()?);
    let mut collider = GpuCollider::new(context.clone())?;
    let body = GpuBody::new(positions, SIDE * SIDE, triangles, 2 * cells * cells);
    collider.attach(&scene, sheet, GpuBody { closed: false, ..body })?;
    collider.options.responses = true;
    collider.options.method = Method::DepthPeel(PeelOptions {
        resolution: [512, 512],
        direction: Direction::Along([0.0, 0.0, 1.0]),
        ..PeelOptions::default()
    });

    for frame in 0..5u8 {
        let seconds = f32::from(frame);
        context.queue.write_buffer(&time, 0, &seconds.to_le_bytes());
        let mut commands = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((SIDE * SIDE).div_ceil(64), 1, 1);
        drop(pass);
        context.queue.submit([commands.finish()]);

        scene.set_pose(ball, Pose::from_translation([0.3 * f64::from(seconds) - 0.6, 0.0, 0.0])?)?;
        let report = collider.collide(&scene)?.clone();
        println!("frame {frame}: {} contacts (sampled)", report.contacts.len());
        if let Some(contact) = report.contacts.first() {
            let triangle = collider.triangle(contact.a).ok_or("every contact's triangle came back")?;
            println!("  triangle {} of the sheet, corners {:.2?}", contact.a.triangle, triangle.corners);
            println!("  should go along {:.2?}", report.responses[0].direction);
        }
    }
    Ok(())
}

fn octahedron() -> Result<Mesh, impinge::MeshError> {
    let positions = vec![
        [1.0f32, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    Mesh::new(positions, triangles)
}
