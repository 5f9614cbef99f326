// The table of body pairs: what matters first, then the most contacts; or the deepest. One row is reached by Tab, the others by arrows.

import type { BodyFacts, FrameData, Pair } from "../data/types";
import { byId, coordinate, count, counted, element, swatch } from "../dom";
import { bodyColour } from "../stage/colours";

type Column = "count" | "depth";

/** Rows that are made; there may be a million pairs. */
const MAX_ROWS = 300;

/** What tells a pair from others, in this frame and the next. */
export function keyOf(pair: Pair): string {
  return `${pair.kind === "inside" ? "inside" : "pair"} ${pair.a} ${pair.b}`;
}

const COUNTED: Record<string, string> = {
  interferes: "Pixels",
  meets: "Cells",
  may_meet: "Cells",
};

export class PairTable {
  private readonly body = byId("pairs", HTMLTableSectionElement);
  private readonly none = byId("pairs-none", HTMLParagraphElement);
  private readonly table = byId("pairs-table", HTMLTableElement);
  private column: Column = "count";
  private pairs: Pair[] = [];
  private bodies: BodyFacts[] = [];
  private selected: string | null = null;

  constructor(private readonly choose: (pair: Pair) => void) {
    for (const button of this.table.querySelectorAll<HTMLButtonElement>("button[data-sort]")) {
      button.addEventListener("click", () => this.sortBy(button.dataset["sort"] as Column));
    }
    this.body.addEventListener("click", (event) => {
      const pair = this.pairOf(event.target);
      if (pair) this.choose(pair);
    });
    this.body.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** In the order of the table. */
  get sorted(): readonly Pair[] {
    return this.pairs;
  }

  show(frame: FrameData, bodies: BodyFacts[], selected: string | null): void {
    this.pairs = [...frame.pairs];
    this.bodies = bodies;
    this.selected = selected;
    const kinds = new Set(frame.pairs.map((pair) => COUNTED[pair.kind] ?? "Contacts"));
    byId("count-title", HTMLSpanElement).textContent = kinds.size === 1 ? ([...kinds][0] ?? "Contacts") : "Contacts";
    this.none.hidden = this.pairs.length > 0;
    const sampled = frame.report.complete ? "" : " that the method saw";
    this.none.textContent = `Nothing collides${sampled} in this frame.`;
    this.table.hidden = this.pairs.length === 0;
    this.draw();
  }

  private sortBy(column: Column): void {
    this.column = column;
    this.draw();
  }

  private draw(): void {
    const column = this.column;
    const value = (pair: Pair): number => (column === "depth" ? (pair.depth ?? -1) : pair.count);
    // A clash stands above what only touches, however many contacts that has.
    const weight = (pair: Pair): number => (column === "count" && pair.relation === "touching" ? 0 : 1);
    this.pairs.sort((p, q) => weight(q) - weight(p) || value(q) - value(p) || p.a - q.a || p.b - q.b);
    for (const button of this.table.querySelectorAll<HTMLButtonElement>("button[data-sort]")) {
      const cell = button.parentElement;
      cell?.setAttribute("aria-sort", button.dataset["sort"] === column ? "descending" : "none");
    }
    const focused = this.body.contains(document.activeElement);
    this.body.replaceChildren(...this.pairs.slice(0, MAX_ROWS).map((pair) => this.row(pair)));
    const left = this.pairs.length - MAX_ROWS;
    if (left > 0) {
      const cell = element("td", { colSpan: 3, className: "quiet" }, `${counted(left, "more pair", "more pairs")}`);
      this.body.append(element("tr", {}, cell));
    }
    this.reachable(focused);
  }

  private row(pair: Pair): HTMLTableRowElement {
    const name = (index: number): string => this.bodies[index]?.name ?? `body ${index}`;
    const [a, b] = [name(pair.a), name(pair.b)];
    const [first, second, what] =
      pair.kind === "inside"
        ? [`${a} inside `, b, "lies inside"]
        : pair.a === pair.b
          ? [`${a} `, "with itself", "touches itself"]
          : [`${a}, `, b, pair.kind === "may_meet" ? "may meet" : (pair.relation ?? "")];
    // A line for each, whole: what tells two pairs apart may be the end of a name.
    const line = (index: number, text: string): HTMLElement =>
      element("span", { className: "line" }, swatch(bodyColour(index)), element("span", {}, text));
    const names = element("span", { className: "names" }, line(pair.a, first), line(pair.b, second));
    const amount = element("td", { className: "number" }, pair.kind === "inside" ? "inside" : count(pair.count));
    if (pair.relation) amount.append(element("span", { className: "relation" }, pair.relation));
    const row = element(
      "tr",
      { tabIndex: -1 },
      element("th", { scope: "row", className: "name" }, names),
      amount,
      element("td", { className: "number" }, pair.depth === undefined ? "–" : coordinate(pair.depth)),
    );
    row.dataset["key"] = keyOf(pair);
    const marked = keyOf(pair) === this.selected;
    row.setAttribute("aria-selected", String(marked));
    if (what) row.title = what;
    return row;
  }

  /** One row is in the order of Tab: the chosen one, or the first. */
  private reachable(focus: boolean): void {
    const row = this.body.querySelector<HTMLElement>('tr[aria-selected="true"]') ?? this.body.querySelector("tr[data-key]");
    if (!(row instanceof HTMLElement)) return;
    row.tabIndex = 0;
    if (focus) row.focus({ preventScroll: true });
  }

  private pairOf(target: EventTarget | null): Pair | null {
    const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-key]") : null;
    return this.pairs.find((pair) => keyOf(pair) === row?.dataset["key"]) ?? null;
  }

  private onKey(event: KeyboardEvent): void {
    const row = event.target instanceof HTMLElement ? event.target.closest("tr") : null;
    if (!row) return;
    if (event.key === "Enter") {
      const pair = this.pairOf(row);
      if (pair) this.choose(pair);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling;
      if (next instanceof HTMLElement && next.dataset["key"]) {
        row.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Marks the chosen row without making the table again. */
  mark(selected: string | null): void {
    this.selected = selected;
    for (const row of this.body.querySelectorAll<HTMLElement>("tr[data-key]")) {
      const marked = row.dataset["key"] === selected;
      row.setAttribute("aria-selected", String(marked));
      if (marked) {
        for (const other of this.body.querySelectorAll<HTMLElement>('tr[tabindex="0"]')) other.tabIndex = -1;
        row.tabIndex = 0;
        row.scrollIntoView({ block: "nearest" });
      }
    }
  }
}
