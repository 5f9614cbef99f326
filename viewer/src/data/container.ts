// Bytes from the program -> JSON and typed arrays that look at them without a copy. `container.rs` has the format.

import type { FrameData, FrameHead, SceneData, SceneHead, SeenData, SeenImage, Overlay } from "./types";

const MAGIC = "impinge1";

interface ArrayHead {
  name: string;
  type: "f32" | "u32" | "u8";
  count: number;
}

interface Content {
  head: unknown;
  arrays: Map<string, Float32Array | Uint32Array | Uint8Array>;
}

function open(bytes: ArrayBuffer): Content {
  const start = new Uint8Array(bytes, 0, Math.min(12, bytes.byteLength));
  const magic = String.fromCharCode(...start.subarray(0, 8));
  if (magic !== MAGIC || start.length < 12) throw new Error("these are not data of impinge");
  const length = new DataView(bytes).getUint32(8, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 12, length))) as { arrays: ArrayHead[] };
  const arrays = new Map<string, Float32Array | Uint32Array | Uint8Array>();
  let offset = 12 + length;
  for (const { name, type, count } of head.arrays) {
    if (type === "u8") {
      arrays.set(name, new Uint8Array(bytes, offset, count));
      offset += Math.ceil(count / 4) * 4;
    } else {
      arrays.set(name, type === "f32" ? new Float32Array(bytes, offset, count) : new Uint32Array(bytes, offset, count));
      offset += 4 * count;
    }
  }
  return { head, arrays };
}

function array<T extends Float32Array | Uint32Array>(content: Content, name: string, kind: new () => T): T {
  const found = content.arrays.get(name);
  if (!(found instanceof kind)) throw new Error(`the data have no ${name}`);
  return found;
}

const floats = (content: Content, name: string): Float32Array => array(content, name, Float32Array);
const integers = (content: Content, name: string): Uint32Array => array(content, name, Uint32Array);

export function readScene(bytes: ArrayBuffer): SceneData {
  const content = open(bytes);
  const triangles = integers(content, "triangles");
  return { ...(content.head as SceneHead), triangles, positions: floats(content, "positions") };
}

export function readFrame(bytes: ArrayBuffer): FrameData {
  const content = open(bytes);
  return {
    ...(content.head as FrameHead),
    poses: floats(content, "poses"),
    positions: floats(content, "positions"),
    contacts: integers(content, "contacts"),
    lines: floats(content, "lines"),
  };
}

export function readSeen(bytes: ArrayBuffer): SeenData {
  const content = open(bytes);
  const head = content.head as SeenData;
  const images = head.images.map((image): SeenImage => {
    const png = content.arrays.get(`image:${image.id}`);
    return { ...image, png: png instanceof Uint8Array ? png : new Uint8Array() };
  });
  const overlays = head.overlays.map((overlay): Overlay => {
    return { ...overlay, points: floats(content, `overlay:${overlay.id}`) };
  });
  return { ...head, images, overlays };
}

export function readHead<T>(bytes: ArrayBuffer): T {
  return open(bytes).head as T;
}
