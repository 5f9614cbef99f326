// Two tabs, as screen readers and keyboards expect them.

import { byId } from "../dom";

export type Tab = "numbers" | "seen";

export class Tabs {
  private readonly buttons: Record<Tab, HTMLButtonElement> = {
    numbers: byId("tab-numbers", HTMLButtonElement),
    seen: byId("tab-seen", HTMLButtonElement),
  };
  selected: Tab = "numbers";

  constructor(private readonly changed: () => void) {
    for (const tab of ["numbers", "seen"] as const) {
      this.buttons[tab].addEventListener("click", () => this.select(tab));
      this.buttons[tab].addEventListener("keydown", (event) => {
        if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
        this.select(tab === "numbers" ? "seen" : "numbers");
        this.buttons[this.selected].focus();
      });
    }
  }

  select(chosen: Tab): void {
    this.selected = chosen;
    for (const tab of ["numbers", "seen"] as const) {
      this.buttons[tab].setAttribute("aria-selected", String(tab === chosen));
      this.buttons[tab].tabIndex = tab === chosen ? 0 : -1;
      byId(tab, HTMLDivElement).hidden = tab !== chosen;
    }
    this.changed();
  }
}
