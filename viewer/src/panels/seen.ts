// What the method saw: its images beside the scene, and boxes that draw them and its lines in it.

import type { Overlay, SeenData, SeenImage } from "../data/types";
import { byId, count, element } from "../dom";
import type { Sights } from "../stage/sights";

export class SeenPanel {
  private readonly panel = byId("seen", HTMLDivElement);
  /** What is drawn in the scene, kept from frame to frame. */
  private readonly wanted = new Map<string, boolean>();
  private addresses: string[] = [];

  constructor(
    private readonly sights: () => Sights | null,
    private readonly changed: () => void,
  ) {}

  say(text: string): void {
    this.empty();
    this.panel.replaceChildren(element("p", { className: "quiet" }, text));
  }

  show(seen: SeenData, method: string): void {
    this.empty();
    if (seen.problem) {
      this.say(seen.problem);
      return;
    }
    if (seen.images.length + seen.overlays.length === 0) {
      this.say(`There is nothing to show of what ${method} saw in this frame.`);
      return;
    }
    const parts: HTMLElement[] = [];
    if (seen.overlays.length > 0) {
      const rows = seen.overlays.map((overlay, k) => this.overlay(overlay, k === 0));
      parts.push(element("section", { className: "seen" }, element("h3", {}, "In the scene"), ...rows));
    }
    parts.push(...seen.images.map((image) => this.figure(image)));
    this.panel.replaceChildren(...parts);
  }

  /** A line with a box; what it means unfolds when it is drawn. */
  private overlay(overlay: Overlay, first: boolean): HTMLElement {
    const left = overlay.truncated ? ` ${count(overlay.truncated)} more are left out.` : "";
    const about = element("p", { className: "quiet", textContent: overlay.about + left });
    const id = `overlay:${overlay.id}`;
    const box = this.box(id, overlay.title, first, (on) => {
      about.hidden = !on;
      if (on) this.sights()?.showOverlay(overlay);
      else this.sights()?.hide(id);
    });
    about.hidden = !(this.wanted.get(id) ?? first);
    box.title = about.textContent ?? "";
    return element("div", {}, box, about);
  }

  private figure(image: SeenImage): HTMLElement {
    const blob = new Blob([image.png as Uint8Array<ArrayBuffer>], { type: "image/png" });
    const address = URL.createObjectURL(blob);
    this.addresses.push(address);
    const picture = element("img", { src: address, alt: `${image.title}. ${image.about}`, width: image.width, height: image.height });
    // A chart is drawn for the panel, everything else for the scene.
    picture.classList.toggle("chart", image.corners === null);
    const figure = element("figure", { className: "seen" }, element("figcaption", {}, image.title), picture);
    if (image.corners) {
      const id = `image:${image.id}`;
      figure.append(
        this.box(id, "Draw it in the scene", false, (on) => {
          if (!on) {
            this.sights()?.hide(id);
            this.changed();
          } else {
            void createImageBitmap(blob).then((bitmap) => {
              this.sights()?.showImage(image, bitmap);
              this.changed();
            });
          }
        }),
      );
    }
    figure.append(element("p", { className: "quiet" }, image.about));
    return figure;
  }

  private box(id: string, title: string, first: boolean, set: (on: boolean) => void): HTMLElement {
    const on = this.wanted.get(id) ?? first;
    const box = element("input", { type: "checkbox", checked: on });
    box.addEventListener("change", () => {
      this.wanted.set(id, box.checked);
      set(box.checked);
      this.changed();
    });
    if (on) set(true);
    return element("label", {}, box, ` ${title}`);
  }

  private empty(): void {
    this.sights()?.clear();
    for (const address of this.addresses) URL.revokeObjectURL(address);
    this.addresses = [];
    this.changed();
  }
}
