//! Bodies whose positions exist in a GPU buffer alone, made there by a shader: contacts, corners, normals and tags.

mod common;

use impinge::contacts::PeelOptions;
use impinge::{Collider, Element, Mesh, Method, Pose, Scene};
use impinge_gpu::wgpu::{self, Buffer, BufferUsages};
use impinge_gpu::{Context, GpuBody, GpuCollider, GpuError};

/// A closed surface over a square grid whose ends are glued: a torus, its tube waving.
const TORUS: &str = "
struct Torus { columns: u32, rows: u32, time: f32, shift: f32 }
@group(0) @binding(0) var<storage, read> torus: Torus;
@group(0) @binding(1) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> triangles: array<u32>;
@group(0) @binding(3) var<storage, read_write> tags: array<u32>;

fn vertex(column: u32, row: u32) -> u32 {
    return (row % torus.rows) * torus.columns + column % torus.columns;
}

@compute @workgroup_size(64)
fn make(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= torus.columns * torus.rows) { return; }
    let column = id.x % torus.columns;
    let row = id.x / torus.columns;
    let u = 6.2831853 * f32(column) / f32(torus.columns);
    let v = 6.2831853 * f32(row) / f32(torus.rows);
    let tube = 0.35 + 0.08 * sin(5.0 * u + torus.time);
    let out = 1.0 + tube * cos(v);
    positions[id.x] = vec4(out * cos(u) + torus.shift, out * sin(u), tube * sin(v), 77.0);
    let a = vertex(column, row);
    let b = vertex(column + 1u, row);
    let c = vertex(column + 1u, row + 1u);
    let d = vertex(column, row + 1u);
    let first = 6u * id.x;
    triangles[first] = a;
    triangles[first + 1u] = b;
    triangles[first + 2u] = c;
    triangles[first + 3u] = a;
    triangles[first + 4u] = c;
    triangles[first + 5u] = d;
    tags[2u * id.x] = 1000u + column;
    tags[2u * id.x + 1u] = 1000u + column;
}
";

struct Torus {
    columns: u32,
    rows: u32,
    shape: Buffer,
    positions: Buffer,
    triangles: Buffer,
    tags: Buffer,
}

fn buffer(context: &Context, bytes: u64) -> Buffer {
    context.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl Torus {
    fn new(context: &Context, columns: u32, rows: u32) -> Self {
        let cells = u64::from(columns * rows);
        Self {
            columns,
            rows,
            shape: buffer(context, 16),
            positions: buffer(context, cells * 16),
            triangles: buffer(context, cells * 24),
            tags: buffer(context, cells * 8),
        }
    }

    /// Makes the geometry, on the device.
    fn make(&self, context: &Context, time: f32, shift: f32) {
        let words = [self.columns, self.rows, time.to_bits(), shift.to_bits()];
        context.queue.write_buffer(&self.shape, 0, &words.map(u32::to_le_bytes).concat());
        let module = context.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(TORUS.into()),
        });
        let pipeline = context.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffers = [&self.shape, &self.positions, &self.triangles, &self.tags];
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let group = context.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((self.columns * self.rows).div_ceil(64), 1, 1);
        drop(pass);
        context.queue.submit([encoder.finish()]);
    }

    fn body(&self) -> GpuBody {
        let cells = self.columns * self.rows;
        GpuBody {
            position_stride: 16,
            tags: Some((self.tags.clone(), 0)),
            ..GpuBody::new(self.positions.clone(), cells, self.triangles.clone(), 2 * cells)
        }
    }

    /// What the buffers hold, for the oracle alone.
    fn mesh(&self, context: &Context) -> Mesh {
        let floats: Vec<[f32; 4]> = read(context, &self.positions);
        let triangles: Vec<[u32; 3]> = read(context, &self.triangles);
        let positions: Vec<[f32; 3]> = floats.into_iter().map(|[x, y, z, _]| [x, y, z]).collect();
        Mesh::new(positions, triangles).unwrap()
    }
}

fn read<T: Copy + FromWords>(context: &Context, buffer: &Buffer) -> Vec<T> {
    let staging = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    context.queue.submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = staging.get_mapped_range(..).unwrap();
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    words.chunks_exact(T::WORDS).map(T::from_words).collect()
}

trait FromWords {
    const WORDS: usize;
    fn from_words(words: &[u32]) -> Self;
}

impl FromWords for [f32; 4] {
    const WORDS: usize = 4;
    fn from_words(words: &[u32]) -> Self {
        [0, 1, 2, 3].map(|k| f32::from_bits(words[k]))
    }
}

impl FromWords for [u32; 3] {
    const WORDS: usize = 3;
    fn from_words(words: &[u32]) -> Self {
        [0, 1, 2].map(|k| words[k])
    }
}

fn nothing() -> Mesh {
    Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap()
}

#[test]
fn what_only_the_gpu_holds_collides_and_its_corners_come_back() {
    let Some(context) = common::context() else { return };
    let tori = [Torus::new(&context, 60, 30), Torus::new(&context, 50, 20)];
    let mut scene = Scene::new();
    let a = scene.add("made on the GPU", nothing());
    let ball = scene.add("ball", impinge_lab::shapes::sphere(500).mesh_f32());
    let b = scene.add("made there too", nothing());
    scene.set_pose(b, Pose::from_axis_angle([1.0, 0.2, 0.0], 1.5, [0.3, 0.1, 0.2]).unwrap()).unwrap();
    scene.set_pose(ball, Pose::from_translation([1.5, 0.0, 0.0]).unwrap()).unwrap();
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    collider.attach(&scene, a, tori[0].body()).unwrap();
    collider.attach(&scene, b, tori[1].body()).unwrap();
    collider.options.shapes = true;
    collider.options.responses = true;

    let mut touching = 0;
    for frame in 0..3 {
        let time = frame as f32;
        tori[0].make(&context, time, 0.0);
        tori[1].make(&context, -time, 0.4);
        // The oracle holds what the scene does not.
        let mut held = scene.clone();
        held.set_mesh(a, tori[0].mesh(&context)).unwrap();
        held.set_mesh(b, tori[1].mesh(&context)).unwrap();
        let exact = Collider::default().collide(&held).unwrap().clone();

        let report = collider.collide(&scene).unwrap().clone();
        assert!(!report.complete);
        assert!(report.contacts.iter().all(|contact| exact.contacts.contains(contact)), "only true contacts");
        let found = report.contacts.len() as f64 / exact.contacts.len() as f64;
        assert!(found > 0.99, "{} of {} contacts", report.contacts.len(), exact.contacts.len());
        assert_eq!(report.shapes.len(), report.contacts.len());
        assert!(report.responses.iter().all(|response| response.direction != [0.0; 3]));
        touching += report.contacts.len();

        let of_gpu = |element: &Element| element.body != ball;
        for element in report.contacts.iter().flat_map(|contact| [contact.a, contact.b]).filter(of_gpu) {
            let triangle = collider.triangle(element).expect("every contact's triangle came back");
            let body = held.body(element.body).unwrap();
            assert_eq!(triangle.corners, body.world_corners(element.triangle as usize));
            assert_eq!(triangle.vertices, body.mesh().triangles()[element.triangle as usize]);
            let torus = if element.body == a { &tori[0] } else { &tori[1] };
            assert_eq!(triangle.tag, 1000 + element.triangle / 2 % torus.columns);
            let length = triangle.normal.iter().map(|c| c * c).sum::<f32>();
            assert!((length - 1.0).abs() < 1e-4, "{:?}", triangle.normal);
        }
        assert!(collider.triangles().len() < 2 * (60 * 30 + 50 * 20), "only what may collide comes back");
    }
    assert!(touching > 300, "the test must see contacts, saw {touching}");
}

#[test]
fn a_body_collides_with_itself_and_neighbours_do_not() {
    let Some(context) = common::context() else { return };
    let torus = Torus::new(&context, 60, 30);
    torus.make(&context, 0.0, 0.0);
    let mut scene = Scene::new();
    let id = scene.add("torus", nothing());
    scene.set_self_collision(id, true).unwrap();
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    collider.attach(&scene, id, torus.body()).unwrap();
    // Whatever rays find, no neighbours are in contact on a smooth surface.
    assert_eq!(collider.collide(&scene).unwrap().contacts.len(), 0);
}

#[test]
fn only_live_triangles_take_part() {
    let Some(context) = common::context() else { return };
    let torus = Torus::new(&context, 60, 30);
    torus.make(&context, 0.0, 0.0);
    let live = buffer(&context, 64);
    let mut scene = Scene::new();
    let id = scene.add("torus", nothing());
    scene.add("ball", impinge_lab::shapes::sphere(500).mesh_f32());
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    let body = GpuBody { live: Some((live.clone(), 8)), closed: false, ..torus.body() };
    collider.attach(&scene, id, body).unwrap();
    let mut contacts = Vec::new();
    for count in [3600u32, 1800, 0] {
        context.queue.write_buffer(&live, 8, &count.to_le_bytes());
        let report = collider.collide(&scene).unwrap();
        assert!(
            report.contacts.iter().all(|c| [c.a, c.b].iter().all(|e| e.body != id || e.triangle < count))
        );
        contacts.push(report.contacts.len());
    }
    assert!(contacts[0] > contacts[1] && contacts[1] > contacts[2] && contacts[2] == 0, "{contacts:?}");
    context.queue.write_buffer(&live, 8, &3601u32.to_le_bytes());
    let error = collider.collide(&scene).unwrap_err();
    assert_eq!(error, GpuError::TooManyLive { body: "torus".into(), most: 3600 });
}

#[test]
fn what_is_wrong_with_a_buffer_is_named() {
    let Some(context) = common::context() else { return };
    let torus = Torus::new(&context, 60, 30);
    torus.make(&context, 0.0, 0.0);
    let mut scene = Scene::new();
    let id = scene.add("torus", nothing());
    scene.add("ball", impinge_lab::shapes::sphere(500).mesh_f32());
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());

    let refused = |body: GpuBody, collider: &mut GpuCollider| {
        collider.attach(&scene, id, body).unwrap_err().to_string()
    };
    let long = GpuBody { vertices: 5000, ..torus.body() };
    assert_eq!(
        refused(long, &mut collider),
        "body 'torus': its buffer of positions has 28800 bytes, but 79996 are needed"
    );
    let odd = GpuBody { position_stride: 13, ..torus.body() };
    assert!(refused(odd, &mut collider).contains("stride of 13 bytes"));
    let unusable = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 1 << 20,
        usage: BufferUsages::VERTEX,
        mapped_at_creation: false,
    });
    assert!(
        refused(GpuBody { positions: unusable, ..torus.body() }, &mut collider)
            .contains("BufferUsages::STORAGE")
    );

    collider.attach(&scene, id, torus.body()).unwrap();
    context.queue.write_buffer(&torus.positions, 16 * 1234 + 4, &f32::NAN.to_le_bytes());
    let error = collider.collide(&scene).unwrap_err();
    assert_eq!(error, GpuError::NotFinite { body: "torus".into(), vertex: 1234 });
    torus.make(&context, 0.0, 0.0);
    assert!(collider.collide(&scene).unwrap().collides(), "an error does not stay");
    context.queue.write_buffer(&torus.triangles, 12 * 77 + 4, &9999u32.to_le_bytes());
    let error = collider.collide(&scene).unwrap_err();
    assert_eq!(error, GpuError::IndexOutOfRange { body: "torus".into(), triangle: 77, vertices: 1800 });
}
