// Headless Chromium, and a page of which every error counts.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import assert from "node:assert/strict";
import { type Browser, chromium, type Page } from "playwright-core";
import { pictures } from "./program.js";

const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--enable-precise-memory-info",
];

export function launch(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: FLAGS });
}

export interface Watched {
  page: Page;
  /** Errors, warnings of the console, requests that leave the page's own address. */
  complaints: string[];
}

/** Opens an address and waits until the scene is there. */
export async function open(
  browser: Browser,
  url: string,
  dark = false,
  viewport = { width: 1280, height: 720 },
): Promise<Watched> {
  const page = await browser.newPage({
    viewport,
    colorScheme: dark ? "dark" : "light",
  });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // Software rendering says that it is slow; that is no fault of the page.
    if (/GPU stall|swiftshader|software/i.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  const own = new URL(url);
  page.on("request", (request) => {
    const asked = new URL(request.url());
    const inside = asked.protocol === "blob:" || asked.protocol === "data:";
    const same = own.protocol === "file:" ? asked.href === own.href : asked.origin === own.origin;
    if (!inside && !same) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready=true]", { timeout: 60_000 });
  await settled(page);
  return { page, complaints };
}

/** Until the camera rests and the picture is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLElement>("#canvas");
    return canvas?.dataset["flying"] === "false";
  });
  await page.waitForTimeout(350);
}

export const camera = (page: Page): Promise<string | undefined> =>
  page.$eval("#canvas", (canvas) => (canvas as HTMLElement).dataset["camera"]);

/** Where points are on the screen, in pixels from the top left. They are given as the page has them, within -1 to 1. */
export async function onScreen(page: Page, points: number[][]): Promise<[number, number][]> {
  const [eye, target] = await page.$eval("#canvas", (canvas) => {
    const { camera = "", target = "" } = (canvas as HTMLElement).dataset;
    return [camera, target].map((text) => text.split(" ").map(Number));
  });
  const canvas = await page.locator("#canvas").boundingBox();
  assert.ok(eye && target && canvas);
  const minus = (p: number[], q: number[]): number[] => p.map((c, k) => c - (q[k] ?? 0));
  const dot = (p: number[], q: number[]): number => p.reduce((sum, c, k) => sum + c * (q[k] ?? 0), 0);
  const unit = (p: number[]): number[] => p.map((c) => c / Math.sqrt(dot(p, p)));
  const cross = (p: number[], q: number[]): number[] =>
    [0, 1, 2].map((k) => (p[(k + 1) % 3] ?? 0) * (q[(k + 2) % 3] ?? 0) - (p[(k + 2) % 3] ?? 0) * (q[(k + 1) % 3] ?? 0));
  // Meshes in OBJ are shown with y up, and the camera sees 32 degrees from its top to its bottom.
  const ahead = unit(minus(target, eye));
  const right = unit(cross(ahead, [0, 1, 0]));
  const up = cross(right, ahead);
  const focal = canvas.height / 2 / Math.tan((16 * Math.PI) / 180);
  return points.map((point) => {
    const from = minus(point, eye);
    const scale = focal / dot(from, ahead);
    return [canvas.x + canvas.width / 2 + scale * dot(from, right), canvas.y + canvas.height / 2 - scale * dot(from, up)];
  });
}

export const mark = (page: Page, name: string): Promise<string | undefined> =>
  page.evaluate((name) => document.documentElement.dataset[name], name);

export const contacts = async (page: Page): Promise<number> =>
  Number(await page.$eval("#answer", (answer) => (answer as HTMLElement).dataset["contacts"]));

/** Keeps a screenshot to be looked at. */
export async function picture(page: Page, name: string): Promise<Picture> {
  mkdirSync(pictures, { recursive: true });
  return new Picture(await page.screenshot({ path: join(pictures, `${name}.png`) }));
}

/** The scene as pixels, between what lies over it at the top and at the bottom. */
export async function scene(page: Page): Promise<Picture> {
  const box = await page.locator("#canvas").boundingBox();
  assert.ok(box);
  const clip = { x: box.x + 8, y: box.y + 56, width: box.width - 16, height: box.height - 56 - 110 };
  return new Picture(await page.screenshot({ clip }));
}

/** A PNG of eight bits a channel, without interlacing, as browsers make them. */
export class Picture {
  readonly width: number;
  readonly height: number;
  private readonly channels: number;
  private readonly pixels: Uint8Array;

  constructor(png: Buffer) {
    this.width = png.readUInt32BE(16);
    this.height = png.readUInt32BE(20);
    assert.equal(png[24], 8);
    this.channels = png[25] === 6 ? 4 : 3;
    const parts: Buffer[] = [];
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at);
      if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
      at += 12 + length;
    }
    this.pixels = unfilter(inflateSync(Buffer.concat(parts)), this.width * this.channels, this.height, this.channels);
  }

  /** How many pixels are such. */
  count(is: (red: number, green: number, blue: number) => boolean): number {
    let found = 0;
    for (let at = 0; at < this.pixels.length; at += this.channels) {
      if (is(this.pixels[at] ?? 0, this.pixels[at + 1] ?? 0, this.pixels[at + 2] ?? 0)) found++;
    }
    return found;
  }

  differsFrom(other: Picture): number {
    let found = 0;
    for (let at = 0; at < this.pixels.length; at += this.channels) {
      if (Math.abs((this.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > 24) found++;
    }
    return found;
  }
}

export const isRed = (red: number, green: number, blue: number): boolean => red > 190 && green < 90 && blue < 130;
export const isBlue = (red: number, green: number, blue: number): boolean => blue > red + 40 && blue > green + 15;

function unfilter(data: Buffer, stride: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const raw = data[y * (stride + 1) + 1 + x] ?? 0;
      const at = y * stride + x;
      const left = x >= step ? (out[at - step] ?? 0) : 0;
      const up = y > 0 ? (out[at - stride] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[at - stride - step] ?? 0) : 0;
      const paeth = (): number => {
        const p = left + up - corner;
        const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
        return a <= b && a <= c ? left : b <= c ? up : corner;
      };
      const guess = [0, left, up, (left + up) >> 1, filter === 4 ? paeth() : 0][filter ?? 0] ?? 0;
      out[at] = raw + guess;
    }
  }
  return out;
}
