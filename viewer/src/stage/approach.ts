// Where the camera goes to see something, and what stands in its way there.

import { type PerspectiveCamera, type Plane, Raycaster, Sphere, Vector3 } from "three";
import type { Bodies, BodyObject } from "./bodies";

/** Part of the picture that the scene may fill, and how far its middle is above that of the canvas. */
export const FILL = 0.86;
const LIFT = 0.06;

/** Part of the picture that the contacts of a pair may fill: what is around them tells where they are. */
const CLOSE = 0.5;

/** Half of that part is never less than this part of the smaller body of a pair. */
const LEAST = 0.15;

/** A body hides another that is seen by less than this part of the rays that meet either. */
const ENOUGH = 0.25;

/** Rays to a side of the picture, at most, and triangles that all of them together may look at. */
const MOST_RAYS = 7;
const MOST_TRIANGLES = 2_000_000;

export interface Standpoint {
  eye: Vector3;
  target: Vector3;
}

/** From a side, so that points fill a part of the picture, a little above its middle: the tools are below. */
export function standpoint(
  camera: PerspectiveCamera,
  toward: Vector3,
  fill: number,
  each: (see: (point: Vector3) => void) => void,
  least = 0,
): Standpoint {
  const across = new Vector3().crossVectors(camera.up, toward);
  // Along the axis that is up, any direction is across.
  if (across.lengthSq() < 1e-9) across.set(1, 0, 0);
  across.normalize();
  const up = new Vector3().crossVectors(toward, across);
  const tangent = Math.tan((camera.fov * Math.PI) / 360) * fill;
  const [wide, tall] = [tangent * camera.aspect, tangent];
  // A point is in the picture when |x| <= t (d - z): the camera's place follows from the extremes of t z + x and
  // t z - x, and the same upward.
  const most = [-Infinity, -Infinity, -Infinity, -Infinity];
  let [nearest, farthest] = [-Infinity, Infinity];
  each((p) => {
    const [x, y, z] = [p.dot(across), p.dot(up), p.dot(toward)];
    const reach = [wide * z + x, wide * z - x, tall * z + y, tall * z - y];
    reach.forEach((r, k) => (most[k] = Math.max(most[k] ?? r, r)));
    nearest = Math.max(nearest, z);
    farthest = Math.min(farthest, z);
  });
  const [right = 0, left = 0, top = 0, bottom = 0] = most;
  const room = Math.max(least / Math.min(wide, tall), 1e-3);
  const distance = Math.max((right + left) / (2 * wide), (top + bottom) / (2 * tall), nearest + room);
  const target = across.multiplyScalar((right - left) / 2).addScaledVector(up, (top - bottom) / 2);
  target.addScaledVector(up, -LIFT * tangent * (distance - nearest));
  const eye = target.clone().addScaledVector(toward, distance);
  target.addScaledVector(toward, (nearest + farthest) / 2);
  return { eye, target };
}

/** To where two bodies meet: as close as there is room, never farther away than to see both whole, never inside one. */
export function approach(
  camera: PerspectiveCamera,
  toward: Vector3,
  where: Vector3[],
  both: BodyObject[],
  bodies: Bodies,
): Standpoint {
  const whole = standpoint(camera, toward, FILL, (see) => bodies.eachPoint(see));
  const radii = both.map(({ bounds }) => bounds.getBoundingSphere(new Sphere()).radius);
  const close = standpoint(camera, toward, CLOSE, (see) => where.forEach(see), LEAST * Math.min(...radii));
  const farthest = whole.eye.dot(toward);
  if (where.length === 0 || close.eye.dot(toward) >= farthest) return whole;
  // From inside a closed body, a ray leaves it once more often than it enters it.
  bodies.group.updateMatrixWorld();
  const behind = new Raycaster(close.eye, toward);
  const out = both.map(({ mesh }) => behind.intersectObject(mesh, false)).filter((hits) => hits.length % 2 === 1);
  if (out.length > 0) {
    const last = Math.max(...out.map((hits) => hits.at(-1)?.distance ?? 0));
    close.eye.addScaledVector(toward, last + LEAST * Math.min(...radii));
  }
  return close.eye.dot(toward) >= farthest ? whole : close;
}

/** The body of two that leaves next to nothing to be seen of the other. */
export function hiding(camera: PerspectiveCamera, from: Standpoint, both: BodyObject[], planes: Plane[]): number | null {
  if (both.length < 2) return null;
  const eye = camera.clone();
  eye.position.copy(from.eye);
  eye.lookAt(from.target);
  eye.updateMatrixWorld();
  const triangles = both.reduce((sum, { mesh }) => sum + (mesh.geometry.getIndex()?.count ?? 0) / 3, 0);
  const side = Math.min(MOST_RAYS, Math.max(1, Math.floor(Math.sqrt(MOST_TRIANGLES / triangles))));
  const seen = new Map(both.map(({ index }) => [index, 0]));
  const ray = new Raycaster();
  for (let k = 0; k < side * side; k++) {
    // The middle of the picture, where the contacts are.
    const at = (place: number): number => CLOSE * ((2 * place + 1) / side - 1);
    ray.ray.origin.copy(eye.position);
    ray.ray.direction.set(at(k % side), at(Math.floor(k / side)), 0.5).unproject(eye).sub(eye.position).normalize();
    const met = both.filter(({ bounds }) => ray.ray.intersectsBox(bounds)).map(({ mesh }) => mesh);
    const hit = ray.intersectObjects(met, false).find(({ point }) => planes.every((plane) => plane.distanceToPoint(point) >= 0));
    if (!hit) continue;
    const index = hit.object.userData["body"] as number;
    seen.set(index, (seen.get(index) ?? 0) + 1);
  }
  const all = [...seen.values()].reduce((sum, n) => sum + n, 0);
  const [[first, most], [, least]] = [...seen].sort(([, p], [, q]) => q - p) as [[number, number], [number, number]];
  return most > 0 && least < ENOUGH * all ? first : null;
}
