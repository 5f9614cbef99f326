//! Scenes of particles: what a file says is what is simulated, and what cannot be is named.

use impinge::particles::{Blend, Response, Shape, Spread};
use impinge_io::{
    ColliderDescription, EmitterDescription, ParticlesDescription, StepsDescription, load_particles,
    parse_particles, write_particles,
};
use std::path::{Path, PathBuf};

fn write(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    path
}

const EVERYTHING: &str = r#"
name = "everything"
[steps]
count = 3
duration = 0.5
latency = 0.25
hop = 0.01
most_events = 100
[rebirth]
seed = 9
position = { ball = 0.5 }
velocity = { box = [1, 2, 3] }
generations = 4
[[emitter]]
name = "cloud"
count = 5
seed = 1
position = [1, 2, 3]
position_spread = { box = [1, 1, 0] }
velocity = [0, 0, -1]
velocity_spread = { ball = 0.1 }
acceleration = [0, 0, -9.81]
start = 1
start_spread = 2
life = 3
[[particle]]
position = [0, 0, 9]
[[collider]]
name = "plane"
shape = "plane"
normal = [0, 0, 1]
holes = [{ disc = [0, 0, 1] }, { rectangle = [[2, 2], [3, 3]] }, { polygon = [[5, 5], [6, 5], [5, 6]] }]
[[collider]]
name = "rectangle"
shape = "rectangle"
at = [0, 0, 1]
normal = [0, 1, 1]
size = [2, 3]
response = "bounce"
restitution = 0.5
friction = 0.1
material = "wood"
map = [64, 32]
blend = "additive"
[[collider]]
name = "disc"
shape = "disc"
normal = [1, 0, 0]
radius = 2
response = "stick"
[[collider]]
name = "polygon"
shape = "polygon"
normal = [0, 0, 1]
corners = [[0, 0], [1, 0], [0, 1]]
[[collider]]
name = "sphere"
shape = "sphere"
at = [1, 1, 1]
radius = 0.5
map = [8, 8]
[[collider]]
name = "ellipsoid"
shape = "ellipsoid"
radii = [1, 2, 3]
axis = [0, 0, 2]
angle = 90
[[collider]]
name = "cylinder"
shape = "cylinder"
radius = 1
half_height = 2
[[collider]]
name = "cone"
shape = "cone"
radius = 1
height = 2
[[collider]]
name = "bowl"
shape = "paraboloid"
radius = 1
height = 2
[[collider]]
name = "hyperboloid"
shape = "hyperboloid"
radii = [1, 1, 1]
sheets = 2
half_height = 3
[[collider]]
name = "quadric"
shape = "quadric"
matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, -1]]
clips = [{ half_space = [0, 0, 1, 0.5] }, { box = [[-1, -1, -1], [1, 1, 1]] }]
[[collider]]
name = "box"
shape = "box"
size = [1, 2, 3]
[[collider]]
name = "mesh"
shape = "mesh"
mesh = "leaf.obj"
at = [0, 0, -5]
"#;

#[test]
fn a_file_says_everything() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("leaf.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let scene = load_particles(&write(folder.path(), EVERYTHING)).unwrap();
    assert_eq!((scene.name.as_str(), scene.steps, scene.duration), ("everything", 3, 0.5));
    assert_eq!((scene.options.latency, scene.options.hop, scene.options.most_events), (0.25, 0.01, 100));
    assert_eq!(scene.particles.len(), 6);
    let rebirth = scene.particles.rebirth();
    assert_eq!((rebirth.seed, rebirth.generations), (9, Some(4)));
    assert_eq!((rebirth.position, rebirth.velocity), (Spread::Ball(0.5), Spread::Box([1.0, 2.0, 3.0])));
    for particle in scene.particles.iter().take(5) {
        assert!((1.0..=3.0).contains(&particle.start) && particle.life == 3.0);
        assert!((particle.position[0] - 1.0).abs() <= 1.0 && particle.position[2] == 3.0);
        assert_eq!(particle.acceleration, [0.0, 0.0, -9.81]);
    }
    assert_ne!(scene.particles.get(0), scene.particles.get(1), "each is another");
    let single = scene.particles.get(5).unwrap();
    assert_eq!((single.position, single.life), ([0.0, 0.0, 9.0], f64::INFINITY));
    let names: Vec<&str> = scene.colliders.iter().map(impinge::particles::Collider::name).collect();
    assert_eq!(names.len(), 13);
    assert_eq!(names[12], "mesh");
    assert!(matches!(scene.colliders[12].shape(), Shape::Mesh(mesh) if mesh.triangles().len() == 1));
    assert!(matches!(scene.colliders[0].shape(), Shape::Plane(bounds) if bounds.len() == 3));
    assert_eq!(*scene.colliders[1].response(), Response::Bounce { restitution: 0.5, friction: 0.1 });
    assert_eq!(*scene.colliders[2].response(), Response::Stick);
    assert_eq!(*scene.colliders[3].response(), Response::Eliminate);
    assert_eq!(scene.materials[1].as_deref(), Some("wood"));
    let maps: Vec<_> = scene.maps.iter().map(|map| (map.collider, map.size, map.blend)).collect();
    assert_eq!(maps, [(1, [64, 32], Blend::Additive), (4, [8, 8], Blend::Latest)]);
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.toml");
    let description = parse_particles(EVERYTHING.as_bytes()).unwrap();
    write_particles(&path, &description).unwrap();
    assert_eq!(parse_particles(&std::fs::read(&path).unwrap()).unwrap(), description);
    let small = ParticlesDescription {
        steps: StepsDescription { duration: 1.0, ..StepsDescription::default() },
        emitters: vec![EmitterDescription { count: 3, position: [0.1; 3], ..EmitterDescription::default() }],
        colliders: vec![ColliderDescription {
            name: "b".into(),
            shape: "sphere".into(),
            radius: Some(0.3),
            ..ColliderDescription::default()
        }],
        ..ParticlesDescription::default()
    };
    write_particles(&path, &small).unwrap();
    let scene = load_particles(&path).unwrap();
    assert_eq!((scene.name.as_str(), scene.particles.len(), scene.steps), ("again", 3, 1));
}

#[test]
fn what_cannot_be_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let steps = "[steps]\nduration = 1\n";
    let collider = |rest: &str| format!("{steps}[[collider]]\nname = \"roof\"\n{rest}\n");
    let cases = [
        (collider("shape = \"plane\"\nnormal = [0, 0, 0]"), "collider 'roof': the normal is zero"),
        (collider("shape = \"plane\"\nnormal = [0, nan, 1]"), "collider 'roof': the point or normal is NaN"),
        (
            collider("shape = \"quadric\"\nmatrix = [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,1]]"),
            "collider 'roof': the quadric is degenerate",
        ),
        (
            collider("shape = \"quadric\"\nmatrix = [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"),
            "collider 'roof': the quadric is degenerate",
        ),
        (
            collider("shape = \"quadric\"\nmatrix = [[1,2,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,-1]]"),
            "collider 'roof': the matrix is not symmetric",
        ),
        (collider("shape = \"sphere\"\nradius = -1"), "collider 'roof': "),
        (collider("shape = \"sphere\""), "collider 'roof': a sphere needs 'radius'"),
        (
            collider("shape = \"sphere\"\nradius = 1\nnormal = [0,0,1]"),
            "a sphere has no 'normal'; it has at, radius",
        ),
        (collider("shape = \"ball\"\nradius = 1"), "there is no shape 'ball'"),
        (collider("shape = \"box\"\nsize = [1, 2]"), "'size' has 2 numbers; it needs 3"),
        (collider("shape = \"box\"\nsize = [1, 2, 3]\naxis = [0,0,0]\nangle = 5"), "the axis is zero"),
        (collider("shape = \"sphere\"\nradius = 1\nresponse = \"jump\""), "response is 'jump'"),
        (collider("shape = \"sphere\"\nradius = 1\nrestitution = 0.5"), "of response = \"bounce\""),
        (
            collider("shape = \"sphere\"\nradius = 1\nresponse = \"bounce\"\nrestitution = 1.5"),
            "collider 'roof': restitution is 1.5",
        ),
        (collider("shape = \"sphere\"\nradius = 1\nmap = [0, 4]"), "map is 0 x 4"),
        (collider("shape = \"sphere\"\nradius = 1\nmap = [4, 4]\nblend = \"soft\""), "blend is 'soft'"),
        (
            collider(
                "shape = \"sphere\"\nradius = 1\n[[collider]]\nname = \"roof\"\nshape = \"sphere\"\nradius = 1",
            ),
            "taken",
        ),
        (collider("shape = \"mesh\"\nmesh = \"none.obj\""), "none.obj"),
        (
            format!("{steps}[[particle]]\nposition = [0,0,0]\nvelocity = [0, nan, 0]"),
            "particle 0 has velocity y = NaN",
        ),
        (format!("{steps}[[particle]]\nposition = [0,inf,0]"), "particle 0 has position y = inf"),
        (format!("{steps}[[particle]]\nposition = [0,0,0]\nlife = 0"), "particle 0 has the life 0"),
        (
            format!(
                "{steps}[[emitter]]\nname = \"cloud\"\ncount = 2\nposition = [0,0,0]\nvelocity = [0,0,nan]"
            ),
            "emitter 'cloud': particle 0 has velocity z = NaN",
        ),
        (
            format!("{steps}[[emitter]]\ncount = 2\nposition = [0,0,0]\nposition_spread = {{ ball = -1 }}"),
            "emitter 0: the spread of position",
        ),
        (
            format!("{steps}[[emitter]]\ncount = 2\nposition = [0,0,0]\nposition_spread = {{ }}"),
            "one of box and ball",
        ),
        (format!("{steps}[[emitter]]\ncount = 4000000000\nposition = [0,0,0]"), "4000000000 particles"),
        ("[steps]\nduration = 0\n".into(), "duration is 0"),
        ("[steps]\nduration = 1\ncount = 0\n".into(), "count is 0"),
        ("[steps]\nduration = 1\nhop = -1\n".into(), "the option hop is -1"),
        ("name = 3\n".into(), "line 1"),
        (format!("{steps}[[collider]]\nname = \"a\"\nshape = \"sphere\"\nradius = 1\ncolour = 3"), "colour"),
    ];
    for (text, expected) in cases {
        let path = write(folder.path(), &text);
        let error = load_particles(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\n{error}");
        let named = if expected == "none.obj" { "none.obj" } else { "scene.toml" };
        assert!(error.contains(named) && error.lines().count() == 1, "{error}");
    }
}
