//! A house and a gazebo with metal roofs, a picnic table with benches, a can, and a lawn (Knott 2003, figure 3.7): what
//! hail hits, and what it looks like. Metres and seconds, z up.

use super::sound::{Material, Strike};
use crate::shapes::Shape;
use crate::vector::{Point, add, cross, scale, unit};
use impinge::particles::Impact;
use impinge_io::{
    ColliderDescription, EmitterDescription, ParticlesDescription, RebirthDescription, SpreadDescription,
    StepsDescription,
};

/// What is to fall, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HailOptions {
    /// Stones in the air or at rest at any time.
    pub stones: u32,
    /// How long it hails.
    pub seconds: f64,
    /// Another seed gives other stones.
    pub seed: u32,
    /// Whether stones bounce off roofs, wood and tin; in the thesis they are gone with the first impact.
    pub bounces: bool,
}

impl Default for HailOptions {
    fn default() -> Self {
        Self { stones: 2_000, seconds: 4.0, seed: 1, bounces: true }
    }
}

/// Steps a second: frames of a film.
const STEPS_PER_SECOND: f64 = 30.0;

/// How long a stone lives, from the cloud on.
const LIFE: f64 = 2.0;

/// Half the size of the lawn.
const LAWN: [f64; 2] = [7.0, 5.5];

/// The two halves of the house's roof: middle, normal, and size across and up.
const ROOF_RISE: f64 = 1.5;
const ROOF_RUN: f64 = 2.3;
const ROOF_LENGTH: f64 = 5.4;
const EAVES: f64 = 2.7;
const HOUSE: [f64; 2] = [-3.2, 1.6];

const GAZEBO: [f64; 2] = [3.6, 2.2];
const GAZEBO_RADIUS: f64 = 2.1;
const GAZEBO_HEIGHT: f64 = 1.3;
const GAZEBO_EAVES: f64 = 2.3;

const TABLE: [f64; 3] = [0.6, -2.6, 0.76];
const TABLE_SIZE: [f64; 3] = [2.6, 1.1, 0.08];

const CAN: [f64; 2] = [3.9, -2.9];
const CAN_RADIUS: f64 = 0.42;
const CAN_HEIGHT: f64 = 1.1;

fn roof_normal(side: f64) -> Point {
    unit([0.0, side * ROOF_RISE, ROOF_RUN])
}

fn roof_middle(side: f64) -> Point {
    [HOUSE[0], HOUSE[1] + side * 0.5 * ROOF_RUN, EAVES + 0.5 * ROOF_RISE]
}

/// The scene as a file has it.
pub fn description(options: &HailOptions) -> ParticlesDescription {
    let slope = ROOF_RUN.hypot(ROOF_RISE);
    let collider = |name: &str, shape: &str, material: Material| ColliderDescription {
        name: name.into(),
        shape: shape.into(),
        material: Some(material.name().into()),
        ..ColliderDescription::default()
    };
    let roof = |name: &str, side: f64| ColliderDescription {
        at: Some(roof_middle(side)),
        normal: Some(roof_normal(side)),
        size: Some(vec![ROOF_LENGTH, slope]),
        map: Some([540, 276]),
        ..collider(name, "rectangle", Material::MetalRoof)
    };
    let bench = |name: &str, side: f64| ColliderDescription {
        at: Some([TABLE[0], TABLE[1] + side * 1.0, 0.46]),
        size: Some(vec![TABLE_SIZE[0], 0.34, 0.06]),
        ..collider(name, "box", Material::Wood)
    };
    let mut colliders = vec![
        roof("house roof, south", -1.0),
        roof("house roof, north", 1.0),
        ColliderDescription {
            at: Some([HOUSE[0], HOUSE[1], 0.5 * EAVES]),
            size: Some(vec![4.6, 3.6, EAVES]),
            ..collider("house walls", "box", Material::Wood)
        },
        ColliderDescription {
            at: Some([GAZEBO[0], GAZEBO[1], GAZEBO_EAVES]),
            radius: Some(GAZEBO_RADIUS),
            height: Some(GAZEBO_HEIGHT),
            map: Some([720, 180]),
            ..collider("gazebo roof", "cone", Material::MetalRoof)
        },
        ColliderDescription {
            at: Some([TABLE[0], TABLE[1], TABLE[2] + 0.5 * TABLE_SIZE[2]]),
            normal: Some([0.0, 0.0, 1.0]),
            size: Some(TABLE_SIZE[..2].to_vec()),
            map: Some([390, 165]),
            ..collider("table", "rectangle", Material::Wood)
        },
        bench("bench, south", -1.0),
        bench("bench, north", 1.0),
        ColliderDescription {
            at: Some([CAN[0], CAN[1], 0.5 * CAN_HEIGHT]),
            radius: Some(CAN_RADIUS),
            half_height: Some(0.5 * CAN_HEIGHT),
            ..collider("can", "cylinder", Material::Tin)
        },
        ColliderDescription {
            at: Some([CAN[0], CAN[1], CAN_HEIGHT]),
            normal: Some([0.0, 0.0, 1.0]),
            radius: Some(CAN_RADIUS),
            map: Some([128, 128]),
            ..collider("lid of the can", "disc", Material::Tin)
        },
    ];
    if options.bounces {
        for collider in &mut colliders {
            let (restitution, friction) = match collider.material.as_deref() {
                Some("tin") => (0.45, 0.15),
                Some("metal roof") => (0.38, 0.08),
                _ => (0.22, 0.3),
            };
            collider.response = Some("bounce".into());
            (collider.restitution, collider.friction) = (Some(restitution), Some(friction));
        }
    }
    colliders.push(ColliderDescription {
        at: Some([0.0; 3]),
        normal: Some([0.0, 0.0, 1.0]),
        size: Some(LAWN.map(|half| 2.0 * half).to_vec()),
        map: Some([700, 550]),
        ..collider("lawn", "rectangle", Material::Lawn)
    });
    let spread = |half_size| Some(SpreadDescription { half_size: Some(half_size), ball: None });
    ParticlesDescription {
        name: Some("hail".into()),
        steps: StepsDescription {
            count: Some((options.seconds * STEPS_PER_SECOND).round().max(1.0) as u32),
            duration: 1.0 / STEPS_PER_SECOND,
            hop: Some(0.02),
            ..StepsDescription::default()
        },
        rebirth: Some(RebirthDescription {
            seed: options.seed,
            position: spread([1.0, 1.0, 0.0]),
            velocity: spread([0.4, 0.4, 0.8]),
            generations: None,
        }),
        emitters: vec![EmitterDescription {
            name: Some("cloud".into()),
            count: options.stones,
            seed: options.seed,
            position: [-1.2, -0.3, 7.0],
            position_spread: spread([LAWN[0] - 0.6, LAWN[1] - 0.6, 0.0]),
            velocity: [1.6, 0.4, -9.0],
            velocity_spread: spread([0.5, 0.5, 1.5]),
            acceleration: [0.0, 0.0, -9.81],
            start: 0.0,
            start_spread: LIFE,
            life: Some(LIFE),
        }],
        particles: Vec::new(),
        colliders,
    }
}

/// What is heard of impacts: those of colliders whose material is known.
pub fn strikes(impacts: &[Impact], materials: &[Option<Material>]) -> Vec<Strike> {
    let strike = |impact: &Impact| {
        let material = (*materials.get(impact.collider as usize)?)?;
        Some(Strike { time: impact.time, strength: impact.strength(), material })
    };
    impacts.iter().filter_map(strike).collect()
}

/// Something to look at.
#[derive(Clone, Debug)]
pub struct Prop {
    /// Its triangles.
    pub shape: Shape,
    /// Its colour, sRGB.
    pub colour: [u8; 3],
    /// The collider whose impacts show on it.
    pub collider: Option<&'static str>,
}

fn slab(middle: Point, axes: [Point; 3], half: Point) -> Shape {
    let corner = |k: usize| {
        (0..3).fold(middle, |p, axis| {
            add(p, scale(axes[axis], if k >> axis & 1 == 0 { -half[axis] } else { half[axis] }))
        })
    };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape { positions: (0..8).map(corner).collect(), triangles }
}

fn block(middle: Point, size: Point) -> Shape {
    slab(middle, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], size.map(|s| 0.5 * s))
}

/// From rings of a radius at a height, one after the other, about a vertical axis.
fn turned(middle: [f64; 2], rings: &[[f64; 2]]) -> Shape {
    const SIDES: u32 = 48;
    let mut shape = Shape::default();
    for &[radius, height] in rings {
        shape.positions.extend((0..SIDES).map(|k| {
            let (s, c) = (f64::from(k) / f64::from(SIDES) * std::f64::consts::TAU).sin_cos();
            [middle[0] + radius * c, middle[1] + radius * s, height]
        }));
    }
    for ring in 1..rings.len() as u32 {
        for k in 0..SIDES {
            let [a, b] = [(ring - 1) * SIDES + k, (ring - 1) * SIDES + (k + 1) % SIDES];
            let [c, d] = [a + SIDES, b + SIDES];
            shape.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    shape
}

/// All there is to be seen but the hail.
pub fn props() -> Vec<Prop> {
    let prop = |shape, colour, collider| Prop { shape, colour, collider };
    let (metal, wood, wall, tin) =
        ([0x9a, 0xab, 0xb8], [0xb9, 0x8a, 0x58], [0xe9, 0xdf, 0xcb], [0x8d, 0x93, 0x99]);
    let slope = ROOF_RUN.hypot(ROOF_RISE);
    let roof = |side: f64| {
        let normal = roof_normal(side);
        let x = [1.0, 0.0, 0.0];
        // Its upper face is the collider.
        let middle = add(roof_middle(side), scale(normal, -0.04));
        slab(middle, [x, cross(normal, x), normal], [0.5 * ROOF_LENGTH, 0.5 * slope, 0.04])
    };
    let gable = |side: f64| Shape {
        positions: vec![
            [HOUSE[0] + side * 2.3, HOUSE[1] - 1.8, EAVES],
            [HOUSE[0] + side * 2.3, HOUSE[1] + 1.8, EAVES],
            [HOUSE[0] + side * 2.3, HOUSE[1], EAVES + ROOF_RISE - 0.08],
        ],
        triangles: vec![[0, 1, 2]],
    };
    let walls =
        block([HOUSE[0], HOUSE[1], 0.5 * EAVES], [4.6, 3.6, EAVES]).and(&gable(-1.0)).and(&gable(1.0));
    let window = |x: f64| block([HOUSE[0] + x, HOUSE[1] - 1.81, 1.55], [0.9, 0.04, 1.0]);
    let door = block([HOUSE[0] + 0.1, HOUSE[1] - 1.81, 1.0], [0.9, 0.05, 2.0]);
    let [x, y] = GAZEBO;
    let posts = (0..6).fold(Shape::default(), |posts, k| {
        let (s, c) = (f64::from(k) * std::f64::consts::TAU / 6.0).sin_cos();
        let r = GAZEBO_RADIUS - 0.3;
        posts.and(&block([x + r * c, y + r * s, 0.5 * GAZEBO_EAVES + 0.1], [0.12, 0.12, GAZEBO_EAVES + 0.2]))
    });
    let legs = [-0.9, 0.9].into_iter().fold(Shape::default(), |legs, along| {
        let beam = block([TABLE[0] + along, TABLE[1], 0.42], [0.1, 2.2, 0.07]);
        let foot = |side: f64| block([TABLE[0] + along, TABLE[1] + side * 0.42, 0.37], [0.1, 0.1, 0.74]);
        let outer = |side: f64| block([TABLE[0] + along, TABLE[1] + side * 1.0, 0.21], [0.1, 0.1, 0.42]);
        legs.and(&beam).and(&foot(-1.0)).and(&foot(1.0)).and(&outer(-1.0)).and(&outer(1.0))
    });
    let bench = |side: f64| block([TABLE[0], TABLE[1] + side, 0.46], [TABLE_SIZE[0], 0.34, 0.06]);
    let can = turned(CAN, &[[CAN_RADIUS, 0.0], [CAN_RADIUS, CAN_HEIGHT]])
        .and(&turned(CAN, &[[CAN_RADIUS + 0.015, 0.3], [CAN_RADIUS + 0.015, 0.34]]))
        .and(&turned(CAN, &[[CAN_RADIUS + 0.015, 0.76], [CAN_RADIUS + 0.015, 0.8]]));
    vec![
        prop(block([0.0, 0.0, -0.1], [2.0 * LAWN[0], 2.0 * LAWN[1], 0.2]), [0x7f, 0xa8, 0x5b], Some("lawn")),
        prop(walls, wall, None),
        prop(window(-1.4).and(&window(1.5)), [0x5c, 0x74, 0x8c], None),
        prop(door, [0x8a, 0x4b, 0x3a], None),
        prop(roof(-1.0), metal, Some("house roof, south")),
        prop(roof(1.0), metal, Some("house roof, north")),
        prop(posts, [0xd8, 0xd3, 0xc6], None),
        prop(
            turned(GAZEBO, &[[GAZEBO_RADIUS, GAZEBO_EAVES], [0.0, GAZEBO_EAVES + GAZEBO_HEIGHT]]),
            [0xb0, 0x6f, 0x5c],
            Some("gazebo roof"),
        ),
        prop(block(TABLE, TABLE_SIZE), wood, Some("table")),
        prop(legs, [0x9c, 0x72, 0x47], None),
        prop(bench(-1.0).and(&bench(1.0)), wood, None),
        prop(can, tin, None),
        prop(
            turned(CAN, &[[CAN_RADIUS, CAN_HEIGHT], [0.0, CAN_HEIGHT]]),
            [0xb4, 0xba, 0xbf],
            Some("lid of the can"),
        ),
    ]
}
