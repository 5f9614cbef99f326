// Small words for the document, and numbers as people read them.

import type { Vector } from "./data/types";

/** An element that is in index.html. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Omit<HTMLElementTagNameMap[K], "style" | "dataset">> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function swatch(colour: string): HTMLElement {
  const made = element("span", { className: "swatch" });
  made.style.background = colour;
  made.setAttribute("aria-hidden", "true");
  return made;
}

const grouped = new Intl.NumberFormat("en-US");

export function count(n: number): string {
  return grouped.format(n);
}

export function counted(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function milliseconds(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 100) return `${ms.toFixed(0)} ms`;
  if (ms >= 10) return `${ms.toFixed(1)} ms`;
  return `${ms.toFixed(ms >= 0.1 ? 2 : 3)} ms`;
}

/** Four digits that matter. */
export function coordinate(value: number): string {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < -4 || magnitude > 5) return value.toExponential(2);
  return String(Number(value.toFixed(Math.max(0, 3 - magnitude))));
}

export function point(p: Vector): string {
  return `(${p.map(coordinate).join(", ")})`;
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
