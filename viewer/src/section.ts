// The section plane: an axis, a place along it, and which side stays.

import { type Box3, Plane, Vector3 } from "three";
import type { SceneData } from "./data/types";
import { byId, coordinate } from "./dom";

export class Section {
  private readonly axis = byId("section", HTMLSelectElement);
  private readonly at = byId("section-at", HTMLInputElement);
  private readonly value = byId("section-value", HTMLOutputElement);
  private readonly more = byId("section-more", HTMLSpanElement);
  private flipped = false;

  constructor(
    private readonly bounds: () => Box3,
    private readonly scene: () => SceneData | null,
    private readonly set: (plane: Plane | null) => void,
  ) {
    this.axis.addEventListener("change", () => this.apply());
    this.at.addEventListener("input", () => this.apply());
    byId("section-flip", HTMLButtonElement).addEventListener("click", () => this.flip());
  }

  /** Cuts along an axis, or not if that is how it is cut. */
  toggle(axis: number): void {
    this.axis.value = this.axis.value === String(axis) ? "" : String(axis);
    this.apply();
  }

  flip(): void {
    if (this.axis.value === "") return;
    this.flipped = !this.flipped;
    this.apply();
  }

  /** Again, after the scene changed. */
  apply(): void {
    const chosen = this.axis.value;
    this.more.hidden = chosen === "";
    const box = this.bounds();
    const scene = this.scene();
    if (chosen === "" || box.isEmpty() || !scene) {
      this.set(null);
      return;
    }
    const axis = Number(chosen);
    const [low, high] = [box.min.getComponent(axis), box.max.getComponent(axis)];
    const place = low + ((high - low) * this.at.valueAsNumber) / 1000;
    const side = this.flipped ? 1 : -1;
    const normal = new Vector3().setComponent(axis, side);
    this.set(new Plane(normal, -side * place));
    const world = place * scene.scale + (scene.centre[axis] ?? 0);
    this.value.textContent = `${"xyz"[axis] ?? ""} = ${coordinate(world)}`;
  }
}
