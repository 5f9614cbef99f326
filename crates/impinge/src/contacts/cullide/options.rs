//! The choices of the method, all with a default.

/// Choices of [`crate::Method::Cullide`].
///
/// ```
/// use impinge::contacts::CullideOptions;
/// use impinge::{Collider, Mesh, Method, Options, Scene};
///
/// let triangle = |z: f32| Mesh::new(vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], vec![[0, 1, 2]]);
/// let mut scene = Scene::new();
/// let (a, b) = (scene.add("a", triangle(0.0)?), scene.add("b", triangle(0.5)?));
/// scene.add("c", triangle(5.0)?);
///
/// // Which bodies may be nearer to each other than 1?
/// let cullide = CullideOptions { distance: Some(1.0), ..CullideOptions::default() };
/// let mut collider = Collider::new(Options { method: Method::Cullide(cullide), ..Options::default() });
/// let report = collider.collide(&scene)?;
/// assert_eq!(report.culled().unwrap().body_pairs, [[a, b]]);
/// assert!(report.contacts.is_empty() && report.complete);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CullideOptions {
    /// Pixels across and down, at most; each between 16 and 4096, and brought into that range. An image has the shape of what
    /// it shows, so one of the two is usually smaller.
    pub resolution: [u32; 2],
    /// How many of the three axes are looked along, between 1 and 3, and brought into that range (3.1).
    pub views: u32,
    /// How often all views are looked from, at most, for bodies and again for their parts; it ends before when nothing more is
    /// culled.
    pub rounds: u32,
    /// Whether triangles are drawn as boxes around them (3.3), so that nothing that collides is culled, whatever the
    /// resolution: FAR. Else as they are: CULLIDE, which misses contacts between pixels.
    pub reliable: bool,
    /// Keep what may be nearer than this, and not only what touches (5, "localized distance culling"). What is not positive
    /// counts as nothing.
    pub distance: Option<f64>,
    /// Triangles of a part of a body, at most: runs of so many are culled one by one (3.1).
    pub sub_body: u32,
    /// Whether pairs of triangles that may collide, or be nearer than the distance, are listed and not only counted.
    pub list_triangles: bool,
}

impl Default for CullideOptions {
    fn default() -> Self {
        Self {
            resolution: [1024, 1024],
            views: 3,
            rounds: 2,
            reliable: true,
            distance: None,
            sub_body: 32,
            list_triangles: false,
        }
    }
}

impl CullideOptions {
    /// Most pixels across and down, brought into the range.
    pub fn pixels(&self) -> [u32; 2] {
        self.resolution.map(|n| n.clamp(16, 4096))
    }

    /// How far apart surfaces may be and still count.
    pub(crate) fn apart(&self) -> f64 {
        self.distance.filter(|distance| *distance > 0.0).unwrap_or(0.0)
    }

    /// Whether boxes are drawn, and not triangles.
    pub(crate) fn offsets(&self) -> bool {
        self.reliable || self.apart() > 0.0
    }
}
