// Bodies as meshes. Positions and triangles are the arrays that came over the wire: nothing is copied.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  type Plane,
  Vector3,
} from "three";
import type { FrameData, SceneData } from "../data/types";
import { bodyColour } from "./colours";

/** A corner is round where none of its surfaces is farther from their mean than this, else they keep their edges (cosine). */
const CREASE = 0.84;

/** The normal of a fragment: the mean of a round corner's surfaces, else its own. `round` is 1 at round corners. */
export const NORMAL = `
  vec3 flatNormal = normalize(cross(dFdx(vViewPosition), dFdy(vViewPosition)));
  if (!(rounded > 0.98)) normal = flatNormal;`;

/** Nothing of a body that holds others is more opaque than this, so that they are seen. */
const GLASS = 0.3;

export interface BodyObject {
  mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  index: number;
  /** Box of its positions, in its own coordinates. */
  local: Box3;
  /** Box in page coordinates. */
  bounds: Box3;
  wanted: boolean;
}

export class Bodies {
  readonly group = new Group();
  readonly all: BodyObject[] = [];
  private readonly cut = { value: 0 };
  private opacity = 1;
  private holding = new Set<number>();
  private alone: Set<number> | null = null;
  /** The one of those alone that would hide another. */
  private glass: number | null = null;

  constructor(scene: SceneData, planes: Plane[]) {
    let [vertex, triangle] = [0, 0];
    scene.bodies.forEach((facts, index) => {
      const positions = scene.positions.subarray(3 * vertex, 3 * (vertex + facts.vertices));
      const triangles = scene.triangles.subarray(3 * triangle, 3 * (triangle + facts.triangles));
      vertex += facts.vertices;
      triangle += facts.triangles;
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(positions, 3));
      geometry.setIndex(new BufferAttribute(triangles, 1));
      const normals = new InterleavedBuffer(new Int8Array(4 * facts.vertices), 4);
      geometry.setAttribute("normal", new InterleavedBufferAttribute(normals, 3, 0, true));
      geometry.setAttribute("round", new InterleavedBufferAttribute(normals, 1, 3, true));
      const mesh = new Mesh(geometry, this.material(bodyColour(index), planes));
      mesh.matrixAutoUpdate = false;
      mesh.name = facts.name;
      // Its own box is kept below; that of the geometry would be computed from all positions again.
      mesh.frustumCulled = false;
      mesh.userData["body"] = index;
      const body = { mesh, index, local: new Box3(), bounds: new Box3(), wanted: true };
      this.reshape(body);
      this.all.push(body);
      this.group.add(mesh);
    });
    this.group.matrixAutoUpdate = false;
  }

  private material(colour: string, clippingPlanes: Plane[]): MeshLambertMaterial {
    const material = new MeshLambertMaterial({
      color: colour,
      side: DoubleSide,
      clippingPlanes,
      // Lines that lie on a surface are in front of it.
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
    material.onBeforeCompile = (shader) => {
      shader.uniforms["cut"] = this.cut;
      shader.vertexShader = shader.vertexShader
        .replace("#define LAMBERT", "#define LAMBERT\nattribute float round;\nvarying float rounded;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nrounded = round;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#define LAMBERT", "#define LAMBERT\nuniform float cut;\nvarying float rounded;")
        .replace("#include <normal_fragment_begin>", `#include <normal_fragment_begin>\n${NORMAL}`)
        // Through a cut one looks at the inside of a body: without light it looks filled.
        .replace(
          "#include <opaque_fragment>",
          `if (cut > 0.5 && !gl_FrontFacing) outgoingLight = diffuseColor.rgb * 0.62;
          #include <opaque_fragment>`,
        );
    };
    return material;
  }

  /** After its positions changed: normals and box. */
  private reshape(body: BodyObject): void {
    const { geometry } = body.mesh;
    const position = geometry.getAttribute("position").array as Float32Array;
    const index = geometry.getIndex()?.array as Uint32Array;
    const normal = (geometry.getAttribute("normal") as InterleavedBufferAttribute).data;
    vertexNormals(position, index, normal.array as Int8Array);
    normal.needsUpdate = true;
    body.local.setFromArray(position);
    // Rays ask for it.
    geometry.boundingSphere = null;
  }

  /** Bodies to where they are in a frame. */
  show(frame: FrameData): void {
    let from = 0;
    for (const index of frame.moved) {
      const body = this.all[index];
      if (!body) continue;
      const attribute = body.mesh.geometry.getAttribute("position") as BufferAttribute;
      const length = attribute.array.length;
      attribute.array.set(frame.positions.subarray(from, from + length));
      attribute.needsUpdate = true;
      from += length;
      this.reshape(body);
    }
    const pose = new Matrix4();
    for (const body of this.all) {
      const m = frame.poses.subarray(12 * body.index, 12 * body.index + 12) as unknown as number[];
      const at = (k: number): number => m[k] ?? 0;
      pose.set(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), 0, 0, 0, 1);
      body.mesh.matrix.copy(pose);
      body.mesh.matrixWorldNeedsUpdate = true;
      body.bounds.copy(body.local).applyMatrix4(pose);
    }
    this.holding = new Set(frame.pairs.filter((pair) => pair.kind === "inside").map((pair) => pair.b));
    this.refresh();
  }

  setOpacity(opacity: number): void {
    this.opacity = opacity;
    this.refresh();
  }

  setCut(on: boolean): void {
    this.cut.value = on ? 1 : 0;
  }

  setWanted(indices: number[], wanted: boolean): void {
    for (const index of indices) {
      const body = this.all[index];
      if (body) body.wanted = wanted;
    }
    this.refresh();
  }

  /** Shows these only, or all that are wanted. */
  isolate(indices: number[] | null): void {
    this.alone = indices ? new Set(indices) : null;
    if (!indices) this.glass = null;
    for (const { mesh, index } of this.all) mesh.material.color.set(bodyColour(index));
    // Colours repeat; two alone always differ.
    const [first, second] = indices ?? [];
    if (first !== undefined && second !== undefined && first !== second && bodyColour(first) === bodyColour(second)) {
      this.all[second]?.mesh.material.color.set(bodyColour(second + 1));
    }
    this.refresh();
  }

  /** Lets others be seen through a body, as long as some are alone. */
  setGlass(index: number | null): void {
    this.glass = index;
    this.refresh();
  }

  /** Whether it is neither hidden nor left out; it may be too clear to be seen. */
  isWanted(index: number): boolean {
    return this.alone ? this.alone.has(index) : (this.all[index]?.wanted ?? false);
  }

  anyWanted(): boolean {
    return this.all.some(({ index }) => this.isWanted(index));
  }

  isShown(index: number): boolean {
    return this.all[index]?.mesh.visible ?? false;
  }

  private refresh(): void {
    for (const { mesh, index } of this.all) {
      mesh.visible = this.isWanted(index);
      const opacity = this.holding.has(index) || this.glass === index ? Math.min(this.opacity, GLASS) : this.opacity;
      const { material } = mesh;
      const transparent = opacity < 1;
      if (material.transparent !== transparent) {
        material.transparent = transparent;
        material.depthWrite = !transparent;
        material.needsUpdate = true;
      }
      material.opacity = opacity;
      mesh.visible &&= opacity > 0;
    }
  }

  /** Box of everything that is wanted, or of these bodies. */
  bounds(indices?: number[]): Box3 {
    const box = new Box3();
    for (const body of this.all) {
      if (indices ? indices.includes(body.index) : this.isWanted(body.index)) box.union(body.bounds);
    }
    return box;
  }

  /** Box of all vertices of everything that is wanted: tighter than `bounds`, which holds the boxes of bodies that are turned. */
  extent(): Box3 {
    const box = new Box3();
    const point = new Vector3();
    for (const { mesh, index } of this.all) {
      if (!this.isWanted(index)) continue;
      const position = mesh.geometry.getAttribute("position") as BufferAttribute;
      for (let k = 0; k < position.count; k++) box.expandByPoint(point.fromBufferAttribute(position, k).applyMatrix4(mesh.matrix));
    }
    return box;
  }

  dispose(): void {
    for (const { mesh } of this.all) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

/** Sums of the normals of the triangles around each vertex, each as long as its triangle is large, and whether the vertex
 * is round: four bytes. */
function vertexNormals(position: Float32Array, index: Uint32Array, normal: Int8Array): void {
  const sums = new Float32Array(position.length);
  for (let t = 0; t < index.length; t += 3) {
    const [i, j, k] = [3 * index[t]!, 3 * index[t + 1]!, 3 * index[t + 2]!];
    faceNormal(position, i, j, k);
    for (const v of [i, j, k]) {
      sums[v]! += FACE.x;
      sums[v + 1]! += FACE.y;
      sums[v + 2]! += FACE.z;
    }
  }
  for (let v = 0; v < sums.length; v += 3) {
    const scale = 1 / (Math.hypot(sums[v]!, sums[v + 1]!, sums[v + 2]!) || 1);
    for (let axis = 0; axis < 3; axis++) sums[v + axis]! *= scale;
  }
  normal.fill(127);
  for (let t = 0; t < index.length; t += 3) {
    const [i, j, k] = [3 * index[t]!, 3 * index[t + 1]!, 3 * index[t + 2]!];
    faceNormal(position, i, j, k);
    const least = CREASE * FACE.length();
    for (const v of [i, j, k]) {
      const along = FACE.x * sums[v]! + FACE.y * sums[v + 1]! + FACE.z * sums[v + 2]!;
      if (along < least) normal[(4 * v) / 3 + 3] = 0;
    }
  }
  for (let v = 0, to = 0; v < sums.length; v += 3, to += 4) {
    for (let axis = 0; axis < 3; axis++) normal[to + axis] = 127 * sums[v + axis]!;
  }
}

const FACE = new Vector3();

/** As long as the triangle is large. */
function faceNormal(position: Float32Array, i: number, j: number, k: number): void {
  const [ax, ay, az] = [position[i]!, position[i + 1]!, position[i + 2]!];
  const [ux, uy, uz] = [position[j]! - ax, position[j + 1]! - ay, position[j + 2]! - az];
  const [vx, vy, vz] = [position[k]! - ax, position[k + 1]! - ay, position[k + 2]! - az];
  FACE.set(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
