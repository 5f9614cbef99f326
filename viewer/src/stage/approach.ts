// Where the camera goes to see something, and what stands in its way there.

import { type Box3, type PerspectiveCamera, type Plane, Raycaster, Sphere, Vector3 } from "three";
import type { Bodies, BodyObject } from "./bodies";

/** A part of the picture, in normalised device coordinates: -1 at the left and at the bottom, 1 at the right and at the top. */
export interface Frame {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** Part of the frame that the contacts of a pair may fill: what is around them tells where they are. */
const CLOSE = 0.5;

/** Half of that part is never less than this part of the smaller body of a pair. */
const LEAST = 0.15;

/** A body hides another that is seen by less than this part of the rays that meet either. */
const ENOUGH = 0.25;

/** Rays to a side of the picture, at most, and triangles that all of them together may look at. */
const MAX_RAYS_A_SIDE = 7;
const MAX_RAY_TRIANGLES = 2_000_000;

export interface Standpoint {
  eye: Vector3;
  target: Vector3;
}

/** A smaller frame about the same middle. */
function within({ left, right, bottom, top }: Frame, part: number): Frame {
  const [x, y, wide, tall] = [(left + right) / 2, (bottom + top) / 2, ((right - left) / 2) * part, ((top - bottom) / 2) * part];
  return { left: x - wide, right: x + wide, bottom: y - tall, top: y + tall };
}

export function corners({ min, max }: Box3): Vector3[] {
  return Array.from({ length: 8 }, (_, k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
}

/** From a side, as near as all points are within a frame, and the nearest at least so far away. */
export function standpoint(camera: PerspectiveCamera, toward: Vector3, frame: Frame, points: Vector3[], least = 0): Standpoint {
  const across = new Vector3().crossVectors(camera.up, toward);
  // Along the axis that is up, any direction is across.
  if (across.lengthSq() < 1e-9) across.set(1, 0, 0);
  across.normalize();
  const up = new Vector3().crossVectors(toward, across);
  const tall = Math.tan((camera.fov * Math.PI) / 360);
  const wide = tall * camera.aspect;
  // From (x0, y0, d), a point (x, y, z) is seen at (x - x0) / (wide (d - z)). It is in the frame, left <= ... <= right, when
  // x + right wide z <= x0 + right wide d and x0 + left wide d <= x + left wide z; upward alike.
  const [xs, ys] = [new Span(frame.left * wide, frame.right * wide), new Span(frame.bottom * tall, frame.top * tall)];
  let [nearest, farthest] = [-Infinity, Infinity];
  for (const p of points) {
    const z = p.dot(toward);
    xs.add(p.dot(across), z);
    ys.add(p.dot(up), z);
    nearest = Math.max(nearest, z);
    farthest = Math.min(farthest, z);
  }
  const room = Math.max(least / Math.min(xs.half, ys.half), 1e-3);
  const distance = Math.max(xs.distance, ys.distance, nearest + room);
  const foot = across.multiplyScalar(xs.middle(distance)).addScaledVector(up, ys.middle(distance));
  const eye = foot.clone().addScaledVector(toward, distance);
  return { eye, target: foot.addScaledVector(toward, (nearest + farthest) / 2) };
}

/** One axis of the picture: where an eye at a distance d may be, between `most - to d` and `least - from d`, for all points. */
class Span {
  private most = -Infinity;
  private least = Infinity;

  /** From which slope of a line of sight to which. */
  constructor(
    private readonly from: number,
    private readonly to: number,
  ) {}

  add(x: number, z: number): void {
    this.most = Math.max(this.most, x + this.to * z);
    this.least = Math.min(this.least, x + this.from * z);
  }

  get half(): number {
    return (this.to - this.from) / 2;
  }

  /** The least from which all points are in the frame. */
  get distance(): number {
    return (this.most - this.least) / (this.to - this.from);
  }

  middle(distance: number): number {
    return (this.most - this.to * distance + this.least - this.from * distance) / 2;
  }
}

/** To where two bodies meet: as close as there is room, never farther away than to see both whole, never inside one. */
export function approach(
  camera: PerspectiveCamera,
  toward: Vector3,
  frame: Frame,
  where: Vector3[],
  both: BodyObject[],
  bodies: Bodies,
): Standpoint {
  const whole = standpoint(camera, toward, frame, corners(bodies.extent()));
  const radii = both.map(({ bounds }) => bounds.getBoundingSphere(new Sphere()).radius);
  const close = standpoint(camera, toward, within(frame, CLOSE), where, LEAST * Math.min(...radii));
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
export function hiding(
  camera: PerspectiveCamera,
  from: Standpoint,
  frame: Frame,
  both: BodyObject[],
  planes: Plane[],
): number | null {
  if (both.length < 2) return null;
  const eye = camera.clone();
  eye.position.copy(from.eye);
  eye.lookAt(from.target);
  eye.updateMatrixWorld();
  const triangles = both.reduce((sum, { mesh }) => sum + (mesh.geometry.getIndex()?.count ?? 0) / 3, 0);
  const side = Math.min(MAX_RAYS_A_SIDE, Math.max(1, Math.floor(Math.sqrt(MAX_RAY_TRIANGLES / triangles))));
  const { left, right, bottom, top } = within(frame, CLOSE);
  const seen = new Map(both.map(({ index }) => [index, 0]));
  const ray = new Raycaster();
  for (let k = 0; k < side * side; k++) {
    // The middle of the frame, where the contacts are.
    const at = (from: number, to: number, place: number): number => from + ((to - from) * (2 * place + 1)) / (2 * side);
    ray.ray.origin.copy(eye.position);
    const [x, y] = [at(left, right, k % side), at(bottom, top, Math.floor(k / side))];
    ray.ray.direction.set(x, y, 0.5).unproject(eye).sub(eye.position).normalize();
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
