// What the method saw, in the scene: its images where they were taken, and lines or boxes.

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
  SRGBColorSpace,
  Texture,
} from "three";
import type { Overlay, SeenImage } from "../data/types";

export class Sights {
  readonly group = new Group();
  private readonly shown = new Map<string, Object3D>();
  private readonly line: LineBasicMaterial;
  /** Of lines behind something: most of what rays see is inside bodies. */
  private readonly hidden: LineBasicMaterial;

  constructor(private readonly planes: Plane[]) {
    const line = { transparent: true, depthWrite: false, clippingPlanes: planes };
    this.line = new LineBasicMaterial({ ...line, opacity: 0.7 });
    this.hidden = new LineBasicMaterial({ ...line, opacity: 0.16, depthTest: false });
  }

  setColour(colour: Color): void {
    this.line.color.copy(colour);
    this.hidden.color.copy(colour);
  }

  clear(): void {
    for (const id of [...this.shown.keys()]) this.hide(id);
  }

  hide(id: string): void {
    const object = this.shown.get(id);
    if (!object) return;
    this.group.remove(object);
    if (object instanceof Mesh || object instanceof LineSegments) object.geometry.dispose();
    if (object instanceof Mesh) {
      const material = object.material as MeshBasicMaterial;
      material.map?.dispose();
      material.dispose();
    }
    this.shown.delete(id);
  }

  showImage(image: SeenImage, picture: ImageBitmap): void {
    this.hide(`image:${image.id}`);
    if (!image.corners) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(image.corners.flat()), 3));
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array([0, 1, 1, 1, 1, 0, 0, 0]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const map = new Texture(picture);
    map.flipY = false;
    map.colorSpace = SRGBColorSpace;
    map.needsUpdate = true;
    const material = new MeshBasicMaterial({
      map,
      side: DoubleSide,
      transparent: true,
      opacity: 0.85,
      depthWrite: false,
      clippingPlanes: this.planes,
    });
    this.add(`image:${image.id}`, new Mesh(geometry, material));
  }

  showOverlay(overlay: Overlay): void {
    this.hide(`overlay:${overlay.id}`);
    const geometry = new BufferGeometry();
    const positions = overlay.kind === "boxes" ? boxLines(overlay.points) : overlay.points;
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    const lines = new LineSegments(geometry, this.line);
    const behind = new LineSegments(geometry, this.hidden);
    behind.frustumCulled = false;
    this.add(`overlay:${overlay.id}`, lines.add(behind));
  }

  private add(id: string, object: Object3D): void {
    object.frustumCulled = false;
    this.shown.set(id, object);
    this.group.add(object);
  }
}

/** The twelve edges of each box. */
function boxLines(corners: Float32Array): Float32Array {
  const lines = new Float32Array((corners.length / 6) * 72);
  let to = 0;
  for (let k = 0; k < corners.length; k += 6) {
    for (let corner = 0; corner < 8; corner++) {
      for (const bit of [1, 2, 4]) {
        if (corner & bit) continue;
        for (const end of [corner, corner | bit]) {
          for (let axis = 0; axis < 3; axis++) lines[to++] = corners[k + (end & (1 << axis) ? 3 : 0) + axis] ?? 0;
        }
      }
    }
  }
  return lines;
}
