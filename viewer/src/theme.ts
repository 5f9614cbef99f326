// Light and dark: what the system says, until somebody chooses.

import { byId } from "./dom";

const KEPT = "impinge-theme";

export class Theme {
  private readonly button = byId("theme", HTMLButtonElement);
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen: string | null = null;

  constructor(private readonly changed: (dark: boolean) => void) {
    try {
      this.chosen = localStorage.getItem(KEPT);
    } catch {
      // Pages from disk may not be allowed to remember anything.
    }
    this.button.addEventListener("click", () => this.toggle());
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.chosen ? this.chosen === "dark" : this.system.matches;
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    try {
      localStorage.setItem(KEPT, this.chosen);
    } catch {
      // As above.
    }
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
    this.button.textContent = this.dark ? "Light" : "Dark";
    this.changed(this.dark);
  }
}
