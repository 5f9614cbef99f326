// The list of bodies, each with a box that shows or hides it.

import type { BodyFacts } from "../data/types";
import { byId, count, counted, element, swatch } from "../dom";
import { bodyColour } from "../stage/colours";

/** Rows that are made; the buttons above reach all bodies. */
const MAX_ROWS = 400;

export class BodyList {
  private readonly list = byId("bodies", HTMLUListElement);
  private boxes: HTMLInputElement[] = [];

  constructor(
    private readonly setWanted: (index: number, wanted: boolean) => void,
    setAll: (wanted: boolean) => void,
  ) {
    const all = (wanted: boolean): void => {
      for (const box of this.boxes) box.checked = wanted;
      setAll(wanted);
    };
    byId("bodies-all", HTMLButtonElement).addEventListener("click", () => all(true));
    byId("bodies-none", HTMLButtonElement).addEventListener("click", () => all(false));
  }

  show(bodies: BodyFacts[]): void {
    byId("bodies-title", HTMLHeadingElement).textContent = counted(bodies.length, "body", "bodies");
    this.boxes = [];
    const rows = bodies.slice(0, MAX_ROWS).map((body, index) => {
      const box = element("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => this.setWanted(index, box.checked));
      this.boxes.push(box);
      const open = body.closed ? "" : ` Open: ${body.open_reason ?? "it encloses nothing"}.`;
      const label = element(
        "label",
        { title: `${body.name}: ${counted(body.triangles, "triangle", "triangles")}.${open}` },
        box,
        swatch(bodyColour(index)),
        element("span", { className: "names" }, body.name),
        element("span", { className: "quiet number" }, body.closed ? count(body.triangles) : `open, ${count(body.triangles)}`),
      );
      return element("li", {}, label);
    });
    this.list.replaceChildren(...rows);
    const left = bodies.length - rows.length;
    if (left > 0) this.list.append(element("li", { className: "quiet" }, counted(left, "more body", "more bodies")));
  }
}
