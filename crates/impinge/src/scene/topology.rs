//! From vertex indices to edges, neighbours, boundary, orientation, components: purely combinatorial, positions
//! play no part. One counting sort of the triangles' sides by their lower vertex, then short sorts.

use super::Mesh;
use std::ops::Range;

/// Why a mesh is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Open {
    /// There is nothing to enclose anything.
    #[error("it has no triangles")]
    NoTriangles,
    /// Every triangle repeats a vertex.
    #[error("{}", match triangles { 1 => "its only triangle repeats a vertex".into(), n => format!("all {n} triangles repeat a vertex") })]
    AllDegenerate {
        /// How many there are.
        triangles: usize,
    },
    /// Some edges have a triangle on one side only.
    #[error(
        "{}between vertices {} and {} of triangle {triangle}",
        count(*edges, "boundary edge,", "boundary edges, the first"), first[0], first[1]
    )]
    Boundary {
        /// How many such edges.
        edges: usize,
        /// The vertices of the first.
        first: [u32; 2],
        /// Its triangle.
        triangle: u32,
    },
    /// No edge has one triangle, but some have three, five, ...
    #[error(
        "{}between vertices {} and {} ({triangles} triangles)",
        count(*edges, "edge with an odd number of triangles,", "edges with an odd number of triangles, the first"),
        first[0], first[1]
    )]
    OddEdges {
        /// How many such edges.
        edges: usize,
        /// The vertices of the first.
        first: [u32; 2],
        /// How many triangles the first one has.
        triangles: usize,
    },
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {} ", if number == 1 { one } else { many })
}

/// Stands for "no edge" in the list of a triangle that repeats an index.
const NO_EDGE: usize = usize::MAX;

/// The edges of a mesh and what follows from them, by vertex index; positions play no part.
///
/// A triangle that repeats an index has no area and its sides cancel: as part of a surface it is nothing. So only
/// the other, *proper*, triangles have edges and neighbours here and count for what follows.
///
/// A mesh is **closed** when it has a proper triangle and every edge is used by an even number of them: then it
/// is defined whether a ray that leaves a point crosses the surface an even or an odd number of times. It is
/// **oriented** when, besides, every edge is used as often in one direction as in the other: then the winding
/// number about a point is defined too.
///
/// ```
/// let sheet = impinge::Mesh::new(vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]])?;
/// let topology = sheet.topology();
/// assert_eq!(
///     topology.open().unwrap().to_string(),
///     "3 boundary edges, the first between vertices 0 and 1 of triangle 0"
/// );
/// # Ok::<(), impinge::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Topology {
    /// Lower vertex, higher vertex; sorted, unique.
    edges: Vec<[u32; 2]>,
    /// `incident[first[e]..first[e + 1]]` are the triangles of edge `e`, ascending.
    first: Vec<usize>,
    incident: Vec<u32>,
    /// Edges of the sides 01, 12, 20 of every triangle.
    triangle_edges: Vec<[usize; 3]>,
    proper_triangles: usize,
    /// Vertices that some proper triangle uses.
    used_vertices: usize,
    oriented: bool,
    open: Option<Open>,
}

/// Which triangles hang together through edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// For every triangle the number of its component, in order of their first triangles;
    /// [`Components::NONE`] for a triangle that repeats an index.
    pub labels: Vec<u32>,
    /// How many components there are.
    pub count: usize,
}

impl Components {
    /// The label of a triangle that has no edges.
    pub const NONE: u32 = u32::MAX;
}

impl Topology {
    /// Everything from scratch: linear in the triangles, but for the sorting of the edges at each vertex.
    pub fn new(mesh: &Mesh) -> Self {
        let triangles = mesh.triangles();
        let (starts, mut sides) = sides_by_lower_vertex(triangles, mesh.positions().len());
        let mut edges = Vec::with_capacity(sides.len() / 2 + 1);
        let mut first = Vec::with_capacity(sides.len() / 2 + 2);
        let mut incident = Vec::with_capacity(sides.len());
        let mut triangle_edges = vec![[NO_EDGE; 3]; triangles.len()];
        let mut used = vec![false; mesh.positions().len()];
        let mut oriented = true;
        // How many, and the first.
        let (mut boundary, mut odd) = ((0, 0), (0, 0));
        for lower in 0..mesh.positions().len() {
            let sides = &mut sides[starts[lower]..starts[lower + 1]];
            sides.sort_unstable();
            for edge in sides.chunk_by(|p, q| p >> 32 == q >> 32) {
                let [lower, higher] = [lower as u32, (edge[0] >> 32) as u32];
                used[lower as usize] = true;
                used[higher as usize] = true;
                let mut balance = 0i64;
                for &side in edge {
                    let triangle = side as u32;
                    let corners = triangles[triangle as usize];
                    // A proper triangle has the edge once: from the lower vertex to the higher, or back.
                    for corner in 0..3 {
                        let ends = [corners[corner], corners[(corner + 1) % 3]];
                        if ends == [lower, higher] || ends == [higher, lower] {
                            triangle_edges[triangle as usize][corner] = edges.len();
                            balance += if ends[0] == lower { 1 } else { -1 };
                        }
                    }
                    incident.push(triangle);
                }
                oriented &= balance == 0;
                if edge.len() % 2 == 1 {
                    let (count, first) = if edge.len() == 1 { &mut boundary } else { &mut odd };
                    *first = if *count == 0 { edges.len() } else { *first };
                    *count += 1;
                }
                first.push(incident.len() - edge.len());
                edges.push([lower, higher]);
            }
        }
        first.push(incident.len());
        let proper_triangles = incident.len() / 3;
        let used_vertices = used.iter().filter(|&&used| used).count();
        let open = if triangles.is_empty() {
            Some(Open::NoTriangles)
        } else if proper_triangles == 0 {
            Some(Open::AllDegenerate { triangles: triangles.len() })
        } else if let (1.., e) = boundary {
            Some(Open::Boundary { edges: boundary.0, first: edges[e], triangle: incident[first[e]] })
        } else if let (1.., e) = odd {
            Some(Open::OddEdges { edges: odd.0, first: edges[e], triangles: first[e + 1] - first[e] })
        } else {
            None
        };
        oriented &= open.is_none();
        Self { edges, first, incident, triangle_edges, proper_triangles, used_vertices, oriented, open }
    }

    /// Whether the mesh encloses something; when not, [`Self::open`] says why.
    pub fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// Why the mesh is not closed.
    pub fn open(&self) -> Option<&Open> {
        self.open.as_ref()
    }

    /// Whether the mesh is closed and every edge is used as often in one direction as in the other.
    pub fn is_oriented(&self) -> bool {
        self.oriented
    }

    /// The vertices of every edge, lower first; sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The number of the edge between two vertices.
    pub fn edge_between(&self, a: u32, b: u32) -> Option<usize> {
        self.edges.binary_search(&[a.min(b), a.max(b)]).ok()
    }

    /// The triangles that use an edge, ascending.
    pub fn edge_triangles(&self, edge: usize) -> &[u32] {
        &self.incident[self.range(edge)]
    }

    /// The edges of the sides 01, 12, 20 of a triangle; `None` when it repeats an index.
    pub fn triangle_edges(&self, triangle: usize) -> Option<[usize; 3]> {
        Some(self.triangle_edges[triangle]).filter(|edges| edges[0] != NO_EDGE)
    }

    /// The triangles on the other side of the triangle's edges: by side, then ascending; one that shares two
    /// edges comes twice.
    pub fn neighbours(&self, triangle: usize) -> impl Iterator<Item = u32> + '_ {
        let edges = self.triangle_edges(triangle).into_iter().flatten();
        edges
            .flat_map(|edge| self.edge_triangles(edge))
            .copied()
            .filter(move |&other| other as usize != triangle)
    }

    /// Edges with one triangle, ascending.
    pub fn boundary_edges(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.edges.len()).filter(|&edge| self.range(edge).len() == 1)
    }

    /// Edges with three triangles or more, ascending.
    pub fn non_manifold_edges(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.edges.len()).filter(|&edge| self.range(edge).len() > 2)
    }

    /// How many pieces the boundary edges form when they are joined at their vertices: the number of holes, where
    /// no two holes touch.
    pub fn boundary_loops(&self) -> usize {
        let mut vertices: Vec<u32> = self.boundary_edges().flat_map(|edge| self.edges[edge]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut sets = DisjointSets::new(vertices.len());
        // Every end of a boundary edge was put into the list above.
        let place = |vertex: u32| vertices.partition_point(|&v| v < vertex);
        self.boundary_edges().map(|edge| self.edges[edge]).for_each(|[a, b]| sets.join(place(a), place(b)));
        sets.count
    }

    /// Which triangles hang together through edges.
    pub fn components(&self) -> Components {
        let mut sets = DisjointSets::new(self.triangle_edges.len());
        for edge in 0..self.edges.len() {
            self.edge_triangles(edge)
                .windows(2)
                .for_each(|pair| sets.join(pair[0] as usize, pair[1] as usize));
        }
        let mut labels = vec![Components::NONE; self.triangle_edges.len()];
        let mut count = 0;
        for triangle in 0..labels.len() {
            if self.triangle_edges[triangle][0] != NO_EDGE {
                // The root is the smallest member, so it got its label before.
                let root = sets.root(triangle);
                if root == triangle {
                    labels[triangle] = count as u32;
                    count += 1;
                } else {
                    labels[triangle] = labels[root];
                }
            }
        }
        Components { labels, count }
    }

    /// Vertices - edges + triangles, of the proper triangles: 2 for a sphere, 0 for a torus, 1 for a disc.
    pub fn euler_characteristic(&self) -> i64 {
        self.used_vertices as i64 - self.edges.len() as i64 + self.proper_triangles as i64
    }

    /// How many vertices stand exactly where another one stands. In an open mesh these hint at edges that would
    /// close if such vertices were made one.
    pub fn coincident_vertices(mesh: &Mesh) -> usize {
        // Adding zero makes the two zeros one; after that, equal numbers have equal bits.
        let mut positions: Vec<[u64; 3]> =
            mesh.positions().iter().map(|p| p.map(|x| (x + 0.0).to_bits())).collect();
        positions.sort_unstable();
        positions.chunk_by(|p, q| p == q).map(<[_]>::len).filter(|&n| n > 1).sum()
    }

    fn range(&self, edge: usize) -> Range<usize> {
        self.first[edge]..self.first[edge + 1]
    }
}

/// The sides of all proper triangles as `higher vertex << 32 | triangle`, in one bucket per lower vertex;
/// bucket `v` is `starts[v]..starts[v + 1]`.
fn sides_by_lower_vertex(triangles: &[[u32; 3]], vertices: usize) -> (Vec<usize>, Vec<u64>) {
    let proper = || triangles.iter().enumerate().filter(|(_, [a, b, c])| a != b && b != c && c != a);
    let mut starts = vec![0; vertices + 2];
    for (_, &[a, b, c]) in proper() {
        for lower in [a.min(b), b.min(c), c.min(a)] {
            starts[lower as usize + 2] += 1;
        }
    }
    for vertex in 2..starts.len() {
        starts[vertex] += starts[vertex - 1];
    }
    // Filling bucket v moves starts[v + 1] from its begin to its end, which is where bucket v + 1 begins.
    let mut sides = vec![0; starts[vertices + 1]];
    for (triangle, &[a, b, c]) in proper() {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            let next = &mut starts[p.min(q) as usize + 1];
            sides[*next] = u64::from(p.max(q)) << 32 | triangle as u64;
            *next += 1;
        }
    }
    (starts, sides)
}

/// Disjoint sets of the numbers below a bound; the root of a set is its smallest member.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisjointSets {
    parent: Vec<usize>,
    /// How many sets there are.
    pub(crate) count: usize,
}

impl DisjointSets {
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count).collect(), count }
    }

    pub(crate) fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent[a.max(b)] = a.min(b);
            self.count -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    fn mesh(triangles: &[[u32; 3]]) -> Mesh {
        let vertices = triangles.as_flattened().iter().max().map_or(0, |&v| v + 1);
        Mesh::new((0..vertices).map(|v| [v as f32, 0.0, 0.0]).collect::<Vec<_>>(), triangles.to_vec())
            .unwrap()
    }

    fn topology(triangles: &[[u32; 3]]) -> Topology {
        mesh(triangles).topology()
    }

    fn reason(triangles: &[[u32; 3]]) -> String {
        topology(triangles).open().unwrap().to_string()
    }

    #[test]
    fn a_tetrahedron_is_closed_and_oriented() {
        let t = topology(&TETRAHEDRON);
        assert!(t.is_closed() && t.is_oriented() && t.open().is_none());
        assert_eq!(t.edges(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(t.edge_triangles(4), [1, 3]);
        assert_eq!(t.edge_between(3, 1), Some(4));
        assert_eq!(t.neighbours(0).collect::<Vec<_>>(), [2, 3, 1]);
        assert_eq!(t.euler_characteristic(), 2);
        assert_eq!(
            (t.boundary_loops(), t.boundary_edges().count(), t.non_manifold_edges().count()),
            (0, 0, 0)
        );
    }

    #[test]
    fn an_open_mesh_says_why() {
        assert_eq!(reason(&[]), "it has no triangles");
        assert_eq!(reason(&[[0, 1, 1]]), "its only triangle repeats a vertex");
        assert_eq!(reason(&[[0, 0, 0], [0, 1, 1]]), "all 2 triangles repeat a vertex");
        assert_eq!(
            reason(&TETRAHEDRON[1..]),
            "3 boundary edges, the first between vertices 0 and 1 of triangle 0"
        );
        // A doubled triangle with a third sheet over the same vertices: three triangles at each edge.
        assert_eq!(
            reason(&[[0, 1, 2], [0, 2, 1], [0, 1, 2]]),
            "3 edges with an odd number of triangles, the first between vertices 0 and 1 (3 triangles)"
        );
        // A fifth triangle that stands on an edge: that edge has three, the two others one each.
        let fin = [&TETRAHEDRON[..], &[[0, 1, 4]]].concat();
        assert_eq!(reason(&fin), "2 boundary edges, the first between vertices 0 and 4 of triangle 4");
        assert_eq!(topology(&fin).boundary_loops(), 1);
        assert_eq!(topology(&fin).non_manifold_edges().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn triangles_that_repeat_an_index_change_nothing() {
        let more = [&[[1, 1, 2], [7, 7, 7]][..], &TETRAHEDRON, &[[0, 5, 0]]].concat();
        let t = topology(&more);
        assert!(t.is_closed() && t.is_oriented());
        assert_eq!((t.edges().len(), t.euler_characteristic()), (6, 2));
        assert_eq!(t.neighbours(0).count(), 0);
        let components = t.components();
        assert_eq!(components.count, 1);
        assert_eq!(components.labels, [Components::NONE, Components::NONE, 0, 0, 0, 0, Components::NONE]);
    }

    #[test]
    fn a_flipped_triangle_leaves_the_mesh_closed_but_not_oriented() {
        let mut triangles = TETRAHEDRON;
        triangles[2].reverse();
        let t = topology(&triangles);
        assert!(t.is_closed() && !t.is_oriented());
    }

    #[test]
    fn a_moebius_strip_is_open_with_one_boundary_loop() {
        let strip: Vec<[u32; 3]> = (0..5).map(|i| [i, (i + 1) % 5, (i + 2) % 5]).collect();
        let t = topology(&strip);
        assert!(!t.is_closed() && !t.is_oriented());
        assert_eq!((t.boundary_edges().count(), t.boundary_loops(), t.euler_characteristic()), (5, 1, 0));
        assert_eq!(t.components().count, 1);
    }

    #[test]
    fn a_tube_has_two_boundary_loops() {
        let tube = (0..6).flat_map(|i| {
            let [a, b] = [i, (i + 1) % 6];
            [[a, b, a + 6], [b, b + 6, a + 6]]
        });
        let t = topology(&tube.collect::<Vec<_>>());
        assert_eq!((t.boundary_edges().count(), t.boundary_loops(), t.euler_characteristic()), (12, 2, 0));
    }

    #[test]
    fn bodies_that_share_an_edge_are_closed_with_a_non_manifold_edge() {
        let other = TETRAHEDRON.map(|t| t.map(|v| if v < 2 { v } else { v + 2 }));
        let t = topology(&[TETRAHEDRON, other].concat());
        assert!(t.is_closed() && t.is_oriented());
        assert_eq!(t.non_manifold_edges().map(|e| t.edges()[e]).collect::<Vec<_>>(), [[0, 1]]);
        assert_eq!(t.components().count, 1);
    }

    #[test]
    fn components_hang_together_through_edges_not_vertices() {
        let touching = TETRAHEDRON.map(|t| t.map(|v| if v == 0 { 0 } else { v + 3 }));
        let components = topology(&[TETRAHEDRON, touching].concat()).components();
        assert_eq!(components, Components { labels: vec![0, 0, 0, 0, 1, 1, 1, 1], count: 2 });
    }

    #[test]
    fn vertices_in_the_same_place_are_counted() {
        let at = [[0.0, 1.0, 2.0], [3.0; 3], [-0.0, 1.0, 2.0], [3.0; 3], [3.0; 3], [4.0; 3]];
        let mesh = Mesh::new(at.to_vec(), vec![[0, 1, 5]]).unwrap();
        assert_eq!(Topology::coincident_vertices(&mesh), 5);
    }
}
