// What the program tells the page. `docs/json.md` has the meaning of everything in a report.

export type Vector = [number, number, number];

/** A body, as a report refers to it: names may repeat. */
export interface NamedIndex {
  index: number;
  name: string;
}

export interface BodyFacts {
  name: string;
  vertices: number;
  triangles: number;
  closed: boolean;
  open_reason?: string;
}

export interface SceneHead {
  name: string;
  program: string;
  up: "y" | "z";
  /** Frames that can be asked for: the first, and one after the last. */
  first: number;
  end: number;
  /** World coordinates are page coordinates times the scale, plus the centre. */
  centre: Vector;
  scale: number;
  bodies: BodyFacts[];
}

export interface SceneData extends SceneHead {
  /** Three corners each, numbered within the body; all bodies one after the other. */
  triangles: Uint32Array;
  /** Around the middle of each body; all bodies one after the other. */
  positions: Float32Array;
}

export type Numbers = Record<string, number | boolean | number[] | null>;

export interface Report {
  frame: number;
  method: string;
  complete: boolean;
  contact_count: number;
  containments: { inner: NamedIndex; outer: NamedIndex }[];
  stages: Record<string, number>;
  adapter: string | null;
  image: Numbers | null;
  interference: { stages: Numbers; any: boolean } | null;
  sliced: { stages: Numbers } | null;
  sifted: Numbers | null;
  culled: { stages: Numbers; distance: number | null; pairs: { a: NamedIndex; b: NamedIndex }[] } | null;
}

export type PairKind = "contacts" | "inside" | "interferes" | "meets" | "may_meet";

export interface Range {
  start: number;
  end: number;
}

export interface Pair {
  a: number;
  b: number;
  kind: PairKind;
  count: number;
  relation?: "overlapping" | "inside" | "equal" | "crossing" | "touching";
  contacts: Range;
  lines: Range;
  region?: [Vector, Vector];
  depth?: number;
}

export interface FrameHead {
  report: Report;
  remarks: string[];
  pairs: Pair[];
  moved: number[];
  cut?: { contacts: number; lines: number };
}

export interface FrameData extends FrameHead {
  /** Three rows of four numbers for each body. */
  poses: Float32Array;
  /** Of the bodies that moved, one after the other. */
  positions: Float32Array;
  /** Body, triangle, body, triangle. */
  contacts: Uint32Array;
  /** Two points each; a point is a line without length. */
  lines: Float32Array;
}

export interface SeenImage {
  id: string;
  title: string;
  about: string;
  width: number;
  height: number;
  corners: [Vector, Vector, Vector, Vector] | null;
  png: Uint8Array;
}

export interface Overlay {
  id: string;
  title: string;
  about: string;
  kind: "segments" | "boxes";
  truncated: number | null;
  points: Float32Array;
}

export interface SeenData {
  frame: number;
  images: SeenImage[];
  overlays: Overlay[];
  problem?: string;
}

/** How much every frame has; null of frames that nobody has looked at yet. */
export interface Counts {
  unit: string;
  counts: (number | null)[];
  collides: (boolean | null)[];
  /** How deep the deepest pair is, in world units. */
  depths: (number | null)[];
}
