//! The node hierarchy to a list of meshes and where each stands, without recursion: a chain of nodes may be as
//! long as the file.

use super::document::{Document, Node};
use super::element;
use crate::error::{Place, Problem, ReadError};
use impinge::{Pose, PoseError};

/// One use of a mesh.
pub(super) struct Instance {
    /// The node that uses it; `None` when the document has no nodes at all.
    pub(super) node: Option<usize>,
    pub(super) mesh: usize,
    /// `None` is the identity, which leaves `f32` coordinates as they are.
    pub(super) world_from_mesh: Option<Pose>,
}

impl Instance {
    /// What refers to the mesh.
    pub(super) fn place(&self) -> Place {
        self.node.map_or(Place::Element("mesh", self.mesh), |node| Place::Element("node", node))
    }
}

/// The meshes of the default scene, or of the first, or of all nodes where there is no scene, in the order of
/// the hierarchy.
pub(super) fn instances(document: &Document) -> Result<Vec<Instance>, ReadError> {
    if document.nodes.is_empty() {
        let all = (0..document.meshes.len()).map(|mesh| Instance { node: None, mesh, world_from_mesh: None });
        return Ok(all.collect());
    }
    let scene = document.scene.unwrap_or(0);
    let roots: &[usize] = if document.scenes.is_empty() {
        &roots(document)
    } else {
        &element(&document.scenes, "scene", scene, Place::File)?.nodes
    };
    let mut seen = vec![false; document.nodes.len()];
    let mut instances = Vec::new();
    // From the root down: the children still to visit, their parent, and where that stands.
    let mut path = vec![(roots.iter(), Place::Element("scene", scene), None)];
    while let Some((children, parent, world_from_parent)) = path.last_mut() {
        let Some(&index) = children.next() else {
            path.pop();
            continue;
        };
        let node = element(&document.nodes, "node", index, parent.clone())?;
        let place = Place::Element("node", index);
        if std::mem::replace(&mut seen[index], true) {
            let problem = "is reached twice; nodes must form a tree, without cycles or shared children";
            return Err(Problem::Malformed(problem.into()).at(place));
        }
        let parent_from_node = local(node).map_err(|problem| problem.at(place.clone()))?;
        let world_from_node = compose(*world_from_parent, parent_from_node)
            .map_err(|error| Problem::from(error).at(place.clone()))?;
        if let Some(mesh) = node.mesh {
            // The format's rule: a skinned mesh stands where its joints are, not where its node is. Joints at
            // rest leave it as it was modelled.
            let world_from_mesh = if node.skin.is_some() { None } else { world_from_node };
            instances.push(Instance { node: Some(index), mesh, world_from_mesh });
        }
        path.push((node.children.iter(), place, world_from_node));
    }
    Ok(instances)
}

/// Nodes that are nobody's child; all of them where every node is one, so that the cycle is reported.
fn roots(document: &Document) -> Vec<usize> {
    let mut is_child = vec![false; document.nodes.len()];
    for &child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(is_child) = is_child.get_mut(child) {
            *is_child = true;
        }
    }
    let roots: Vec<usize> = (0..is_child.len()).filter(|&node| !is_child[node]).collect();
    if roots.is_empty() { (0..is_child.len()).collect() } else { roots }
}

/// `parent_from_node`: a matrix by columns, or translation * rotation * scale.
fn local(node: &Node) -> Result<Option<Pose>, Problem> {
    if let Some(m) = &node.matrix {
        let row = |row: usize| [m[row], m[4 + row], m[8 + row], m[12 + row]];
        let pose = Pose::from_matrix([row(0), row(1), row(2), row(3)])?;
        return Ok(Some(pose).filter(|pose| *pose != Pose::IDENTITY));
    }
    let t = node.translation.as_deref().copied().unwrap_or([0.0; 3]);
    let s = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
    let q = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
    // Written in few digits, a quaternion is never quite of length one; left so, it would scale the mesh.
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length == 0.0 || !length.is_finite() {
        return Err(Problem::Malformed(format!("rotation {q:?} is not a quaternion")));
    }
    let [x, y, z, w] = q.map(|c| c / length);
    let rotation = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let row = |i: usize| [rotation[i][0] * s[0], rotation[i][1] * s[1], rotation[i][2] * s[2], t[i]];
    let pose = Pose::from_rows([row(0), row(1), row(2)])?;
    Ok(Some(pose).filter(|pose| *pose != Pose::IDENTITY))
}

/// `a_from_c = a_from_b * b_from_c`, where `None` is the identity.
fn compose(a_from_b: Option<Pose>, b_from_c: Option<Pose>) -> Result<Option<Pose>, PoseError> {
    let (Some(a), Some(b)) = (a_from_b, b_from_c) else { return Ok(a_from_b.or(b_from_c)) };
    let b = b.rows();
    let product = a.rows().map(|[x, y, z, t]| {
        let mut row = [0, 1, 2, 3].map(|column| x * b[0][column] + y * b[1][column] + z * b[2][column]);
        row[3] += t;
        row
    });
    Pose::from_rows(product).map(Some)
}

/// Whether the transform turns the surface inside out, so that the corners' order must be reversed.
pub(super) fn mirrors(pose: &Pose) -> bool {
    let [a, b, c] = pose.rows();
    let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    determinant < 0.0
}
