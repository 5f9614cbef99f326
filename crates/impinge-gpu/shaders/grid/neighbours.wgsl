// Triangles of one body that share vertices: whether they share nothing else. The twin of `grid::neighbours`,
// which has the proofs.

fn unit(x: vec3<f32>) -> vec3<f32> {
    return x * inverseSqrt(max(dot(x, x), 1e-36));
}

// Whether two wedges are strictly on either side of a plane.
fn wedges_apart(e0: vec3<f32>, e1: vec3<f32>, f0: vec3<f32>, f1: vec3<f32>, d: f32) -> bool {
    let a0 = unit(e0);
    let a1 = unit(e1);
    let b0 = unit(f0);
    let b1 = unit(f1);
    let c00 = dot(a0, b0);
    let c01 = dot(a0, b1);
    let c10 = dot(a1, b0);
    let c11 = dot(a1, b1);
    let first = max(c00, c01) >= max(c10, c11);
    let second = select(c10 >= c11, c00 >= c01, first);
    let from_a = select(a1, a0, first);
    let from_b = select(b1, b0, second);
    let normal_a = cross(a0, a1);
    let normal_b = cross(b0, b1);
    let up = normal_a + select(normal_b, -normal_b, dot(normal_a, normal_b) < 0.0);
    let across = cross(up, from_a + from_b);
    let n = select(across, -across, dot(across, from_a) < dot(across, from_b));
    let size = norm(n);
    return dot(n, e0) > size * (d + ROUNDING * norm(e0)) + LOST_BELOW
        && dot(n, e1) > size * (d + ROUNDING * norm(e1)) + LOST_BELOW
        && -dot(n, f0) > size * (d + ROUNDING * norm(f0)) + LOST_BELOW
        && -dot(n, f1) > size * (d + ROUNDING * norm(f1)) + LOST_BELOW;
}

// Whether two triangles on an edge `u`, with other corners `s` and `t`, certainly have a dihedral angle above a
// right angle.
fn unfolded(u: vec3<f32>, s: vec3<f32>, t: vec3<f32>, d: f32) -> bool {
    let h = dot(cross(u, s), cross(u, t));
    let nu = norm(u) + 3.0 * d;
    let ns = norm(s) + 3.0 * d;
    let nt = norm(t) + 3.0 * d;
    let off = d * (2.0 * nu * ns * nt + nu * nu * (ns + nt));
    return max(max(nu, ns), nt) < MAX_QUARTIC_DIFFERENCE && h < -(off + ROUNDING * (nu * nu * ns * nt) + LOST_BELOW);
}

// The corners in order, beginning with the marked one.
fn turned(a: Corners, at: vec3<bool>) -> array<vec3<f32>, 3> {
    if (at.x) {
        return array(a.p, a.q, a.r);
    }
    if (at.y) {
        return array(a.q, a.r, a.p);
    }
    return array(a.r, a.p, a.q);
}
