// What was found, over the bodies: contacts as bright lines, seen through bodies as pale ones, and their triangles.

import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Plane,
  Points,
  PointsMaterial,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { FrameData, Pair } from "../data/types";
import type { Bodies } from "./bodies";

/** More lines than this are drawn one pixel wide: wide ones are eight triangles each. */
const MAX_WIDE_SEGMENTS = 100_000;

/** Pixels. */
const WIDTH = 2.6;
const DOT = 5;

/** Of a line behind something. */
const HIDDEN = 0.28;

export class Marks {
  readonly group = new Group();
  private readonly wide: [LineMaterial, LineMaterial];
  private readonly thin: [LineBasicMaterial, LineBasicMaterial];
  private readonly dots: [PointsMaterial, PointsMaterial];
  private readonly triangle: MeshBasicMaterial;
  /** Lines that are drawn now. */
  drawn = 0;

  constructor(clippingPlanes: Plane[]) {
    const front = { clippingPlanes, depthWrite: false, transparent: true };
    const behind = { ...front, depthTest: false, opacity: HIDDEN };
    this.wide = [
      new LineMaterial({ ...front, linewidth: WIDTH }),
      new LineMaterial({ ...behind, linewidth: WIDTH * 0.7 }),
    ];
    this.thin = [new LineBasicMaterial(front), new LineBasicMaterial(behind)];
    this.dots = [
      new PointsMaterial({ ...front, size: DOT, sizeAttenuation: false }),
      new PointsMaterial({ ...behind, size: DOT * 0.7, sizeAttenuation: false }),
    ];
    this.triangle = new MeshBasicMaterial({
      ...front,
      side: DoubleSide,
      opacity: 0.34,
    });
  }

  setColour(colour: Color): void {
    for (const material of [...this.wide, ...this.thin, ...this.dots, this.triangle]) material.color.copy(colour);
  }

  setSize(width: number, height: number, ratio: number): void {
    for (const material of this.wide) material.resolution.set(width, height);
    this.dots[0].size = DOT * ratio;
    this.dots[1].size = DOT * 0.7 * ratio;
  }

  /** Of a frame, but for bodies that are hidden, or of one pair of it. */
  show(frame: FrameData, bodies: Bodies, pair: Pair | null): void {
    this.clear();
    const pairs = pair ? [pair] : frame.pairs.filter(({ a, b }) => bodies.isWanted(a) && bodies.isWanted(b));
    const isWhole = pairs.length === frame.pairs.length && bodies.anyWanted();
    const lines = isWhole ? frame.lines : joined(pairs.map(({ lines }) => frame.lines.subarray(6 * lines.start, 6 * lines.end)), Float32Array);
    const contacts = isWhole
      ? frame.contacts
      : joined(pairs.map(({ contacts }) => frame.contacts.subarray(4 * contacts.start, 4 * contacts.end)), Uint32Array);
    this.drawn = lines.length / 6;
    this.highlight(contacts, bodies);
    this.trace(lines);
  }

  private trace(lines: Float32Array): void {
    const [segments, points] = apart(lines);
    if (segments.length > 0) {
      if (segments.length / 6 > MAX_WIDE_SEGMENTS) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(segments, 3));
        for (const material of this.thin) this.add(new LineSegments(geometry, material));
      } else {
        const geometry = new LineSegmentsGeometry();
        geometry.setPositions(segments);
        for (const material of this.wide) this.add(new LineSegments2(geometry, material));
      }
    }
    if (points.length > 0) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(points, 3));
      for (const material of this.dots) this.add(new Points(geometry, material));
    }
  }

  /** The triangles in contact, each once, drawn over their bodies from the same positions. */
  private highlight(contacts: Uint32Array, bodies: Bodies): void {
    const chosen = new Map<number, Set<number>>();
    for (let k = 0; k < contacts.length; k += 2) {
      const body = contacts[k] ?? 0;
      let set = chosen.get(body);
      if (!set) chosen.set(body, (set = new Set()));
      set.add(contacts[k + 1] ?? 0);
    }
    for (const [index, triangles] of chosen) {
      const body = bodies.all[index];
      const corners = body?.mesh.geometry.getIndex()?.array;
      if (!body || !corners) continue;
      const picked = new Uint32Array(3 * triangles.size);
      let to = 0;
      for (const triangle of triangles) {
        for (let k = 0; k < 3; k++) picked[to++] = corners[3 * triangle + k] ?? 0;
      }
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", body.mesh.geometry.getAttribute("position"));
      geometry.setIndex(new BufferAttribute(picked, 1));
      const mesh = new Mesh(geometry, this.triangle);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(body.mesh.matrix);
      mesh.userData["body"] = index;
      this.add(mesh);
    }
  }

  /** Triangles of bodies that are not shown are not shown either. */
  follow(bodies: Bodies): void {
    for (const object of this.group.children) {
      const index: unknown = object.userData["body"];
      if (typeof index === "number") object.visible = bodies.isShown(index);
    }
  }

  private add(object: Object3D): void {
    object.frustumCulled = false;
    this.group.add(object);
  }

  private clear(): void {
    for (const object of this.group.children) {
      // Positions of a body stay: disposing of the index alone is what happens to shared attributes.
      if (object instanceof Mesh || object instanceof LineSegments || object instanceof Points) {
        if (typeof object.userData["body"] === "number") object.geometry.deleteAttribute("position");
        object.geometry.dispose();
      }
    }
    this.group.clear();
  }
}

function joined<T extends Float32Array | Uint32Array>(parts: T[], kind: new (length: number) => T): T {
  const all = new kind(parts.reduce((length, part) => length + part.length, 0));
  let to = 0;
  for (const part of parts) {
    all.set(part, to);
    to += part.length;
  }
  return all;
}

/** Lines with a length, and points. */
function apart(lines: Float32Array): [Float32Array, Float32Array] {
  let count = 0;
  const isPoint = (k: number): boolean =>
    lines[k] === lines[k + 3] && lines[k + 1] === lines[k + 4] && lines[k + 2] === lines[k + 5];
  for (let k = 0; k < lines.length; k += 6) if (isPoint(k)) count++;
  if (count === 0) return [lines, new Float32Array()];
  const segments = new Float32Array(lines.length - 6 * count);
  const points = new Float32Array(3 * count);
  let [s, p] = [0, 0];
  for (let k = 0; k < lines.length; k += 6) {
    if (isPoint(k)) {
      points.set(lines.subarray(k, k + 3), p);
      p += 3;
    } else {
      segments.set(lines.subarray(k, k + 6), s);
      s += 6;
    }
  }
  return [segments, points];
}
