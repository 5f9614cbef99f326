//! Vectors in every lane. Written out without closures: what a closure holds is not always compiled for the lanes
//! of the kernel around it, and then every operation is a call.

use super::Lanes;

/// Eight vectors, coordinate by coordinate.
pub(crate) type Wide3<L> = [<L as Lanes>::F; 3];

#[inline(always)]
pub(crate) fn splat<L: Lanes>(lanes: L, p: [f32; 3]) -> Wide3<L> {
    [lanes.splat(p[0]), lanes.splat(p[1]), lanes.splat(p[2])]
}

#[inline(always)]
pub(crate) fn load<L: Lanes>(lanes: L, p: &[[f32; 8]; 3]) -> Wide3<L> {
    [lanes.load(&p[0]), lanes.load(&p[1]), lanes.load(&p[2])]
}

#[inline(always)]
pub(crate) fn add<L: Lanes>(lanes: L, a: Wide3<L>, b: Wide3<L>) -> Wide3<L> {
    [lanes.add(a[0], b[0]), lanes.add(a[1], b[1]), lanes.add(a[2], b[2])]
}

#[inline(always)]
pub(crate) fn minus<L: Lanes>(lanes: L, a: Wide3<L>, b: Wide3<L>) -> Wide3<L> {
    [lanes.sub(a[0], b[0]), lanes.sub(a[1], b[1]), lanes.sub(a[2], b[2])]
}

#[inline(always)]
pub(crate) fn cross<L: Lanes>(lanes: L, u: Wide3<L>, v: Wide3<L>) -> Wide3<L> {
    [
        lanes.mul_sub(u[1], v[2], lanes.mul(u[2], v[1])),
        lanes.mul_sub(u[2], v[0], lanes.mul(u[0], v[2])),
        lanes.mul_sub(u[0], v[1], lanes.mul(u[1], v[0])),
    ]
}

#[inline(always)]
pub(crate) fn dot<L: Lanes>(lanes: L, u: Wide3<L>, v: Wide3<L>) -> L::F {
    lanes.mul_add(u[2], v[2], lanes.mul_add(u[1], v[1], lanes.mul(u[0], v[0])))
}

/// Largest absolute coordinate.
#[inline(always)]
pub(crate) fn size<L: Lanes>(lanes: L, u: Wide3<L>) -> L::F {
    lanes.max(lanes.max(lanes.abs(u[0]), lanes.abs(u[1])), lanes.abs(u[2]))
}

/// Smallest of eight.
#[inline(always)]
pub(crate) fn least<L: Lanes>(lanes: L, x: L::F) -> f32 {
    let x = lanes.store(x);
    let less = |a: f32, b: f32| if a < b { a } else { b };
    less(less(less(x[0], x[4]), less(x[1], x[5])), less(less(x[2], x[6]), less(x[3], x[7])))
}

/// Largest of eight.
#[inline(always)]
pub(crate) fn greatest<L: Lanes>(lanes: L, x: L::F) -> f32 {
    -least(lanes, lanes.sub(lanes.splat(0.0), x))
}
