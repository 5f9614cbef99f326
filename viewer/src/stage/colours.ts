// Colours of bodies and marks, those of the pictures that `check --png` draws, and what changes between light and dark.

import { Color } from "three";

const BODIES = ["#5b8fd0", "#e0b462", "#74b083", "#a586c6", "#4fadb5", "#c3bfb4", "#93a452", "#7d8ba8"];

export const CONTACT = "#f51d48";
/** What the method saw, in the scene. */
export const OVERLAY = "#0a9e7a";

export interface Palette {
  outline: Color;
  /** Light from above and from below. */
  sky: Color;
  ground: Color;
  contact: Color;
  overlay: Color;
  lamp: number;
}

export function bodyColour(index: number): string {
  return BODIES[index % BODIES.length] ?? "#888888";
}

export function palette(dark: boolean): Palette {
  return {
    outline: new Color(dark ? "#05070a" : "#1c2430"),
    sky: new Color(dark ? "#dfe8f5" : "#ffffff"),
    ground: new Color(dark ? "#4a5260" : "#8d939c"),
    contact: new Color(dark ? "#ff3d63" : CONTACT),
    overlay: new Color(dark ? "#2fe0b0" : OVERLAY),
    lamp: dark ? 1.6 : 1.9,
  };
}
