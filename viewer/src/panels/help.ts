// Keys and mouse, in a dialog.

import { byId, element } from "../dom";

const MOUSE: [string, string][] = [
  ["Drag", "turn"],
  ["Right drag", "move"],
  ["Wheel", "closer, farther"],
  ["Click", "which body and triangle, and where"],
  ["Double-click", "turn about that point"],
];

const KEYS: [string, string][] = [
  ["]  [", "next and previous collision"],
  ["Esc", "everything again"],
  ["Space", "play or pause"],
  [".  ,  or  →  ←", "one frame on, one back"],
  ["M", "frame with the most"],
  ["Shift+M", "frame with the deepest pair"],
  ["F", "everything in view"],
  ["1  2  3", "look along x, y, z"],
  ["X  Y  Z", "section along an axis, or none"],
  ["Shift+X", "the other side of the section"],
  ["O  Shift+O", "bodies more or less see-through"],
  ["L", "outlines"],
  ["D", "light or dark"],
  ["?", "this help"],
];

const SCENE: [string, string][] = [
  ["Arrows", "move"],
  ["Shift+arrows", "turn"],
  ["+  −", "closer, farther"],
];

export class Help {
  private readonly dialog = byId("help", HTMLDialogElement);

  constructor() {
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(
      element("h2", { id: "help-title" }, "Keys and mouse"),
      element(
        "div",
        { className: "columns" },
        element("div", {}, element("h3", {}, "Mouse"), list(MOUSE), element("h3", {}, "Keys, with the scene in focus"), list(SCENE)),
        element("div", {}, element("h3", {}, "Keys"), list(KEYS)),
      ),
      element(
        "p",
        { className: "quiet" },
        "A contact is a pair of triangles that share a point. Depth is how thick the space is that two closed bodies share: the least of several directions, measured along rays, not exact.",
      ),
      close,
    );
    byId("help-button", HTMLButtonElement).addEventListener("click", () => this.open());
  }

  open(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }
}

function list(rows: [string, string][]): HTMLElement {
  const made = element("dl", {});
  for (const [keys, what] of rows) {
    const parts = keys.split("  ").map((key) => (key === "or" ? "or" : element("kbd", {}, key)));
    made.append(element("dt", {}, ...parts.flatMap((part, k) => (k ? [" ", part] : [part]))), element("dd", {}, what));
  }
  return made;
}
