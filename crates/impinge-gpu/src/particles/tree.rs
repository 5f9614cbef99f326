//! A bounding volume tree over the triangles of a mesh, as words: nodes in preorder, each with the index
//! after its subtree, so that a shader traverses them without a stack.

/// Triangles of a leaf, at most.
const MAX_LEAF_TRIANGLES: usize = 4;

/// Nodes (two rows each) and triangles (three rows each) of a mesh.
pub(super) struct Tree {
    /// Corners of the box as floats; then, for a leaf, eight times its first triangle plus its number of
    /// triangles (0 for inner nodes), and the index after the subtree.
    pub(super) nodes: Vec<[u32; 4]>,
    /// Corners as floats, and the triangle's number beside the first.
    pub(super) triangles: Vec<[u32; 4]>,
}

pub(super) fn tree(corners: &[[[f32; 3]; 3]]) -> Tree {
    let mut order: Vec<u32> = (0..corners.len() as u32).collect();
    let mut tree = Tree { nodes: Vec::new(), triangles: Vec::with_capacity(3 * corners.len()) };
    build(corners, &mut order, 0, &mut tree.nodes);
    for &number in &order {
        for (k, corner) in corners[number as usize].iter().enumerate() {
            let [x, y, z] = corner.map(f32::to_bits);
            tree.triangles.push([x, y, z, if k == 0 { number } else { 0 }]);
        }
    }
    tree
}

/// Splits at the median along the longest side, and appends the nodes. Depth is logarithmic.
fn build(corners: &[[[f32; 3]; 3]], order: &mut [u32], begin: usize, nodes: &mut Vec<[u32; 4]>) {
    let place = nodes.len();
    nodes.extend([[0; 4]; 2]);
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for corner in order.iter().flat_map(|&t| corners[t as usize]) {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(corner[k]), high[k].max(corner[k]));
        }
    }
    let mut leaf = 0;
    if order.len() <= MAX_LEAF_TRIANGLES {
        leaf = (begin * 8 + order.len()) as u32;
    } else {
        let size: [f32; 3] = std::array::from_fn(|k| high[k] - low[k]);
        let axis = (0..3).fold(0, |most, k| if size[k] > size[most] { k } else { most });
        let middle = |t: u32| corners[t as usize].iter().map(|c| f64::from(c[axis])).sum::<f64>();
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        let (left, right) = order.split_at_mut(half);
        build(corners, left, begin, nodes);
        build(corners, right, begin + half, nodes);
    }
    let next = (nodes.len() / 2) as u32;
    let [low, high] = [low, high].map(|corner| corner.map(f32::to_bits));
    nodes[place] = [low[0], low[1], low[2], leaf];
    nodes[place + 1] = [high[0], high[1], high[2], next];
}
