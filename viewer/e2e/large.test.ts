// Half a million triangles: seen and turned within seconds, in a small multiple of their memory.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { camera, isBlue, launch, open, picture, scene } from "./browser.js";
import { demo, view } from "./program.js";

/** Software rendering on a busy machine; a real GPU needs a hundredth of it. */
const SECONDS_TO_SEE = 30;
const SECONDS_TO_TURN = 10;

/** Bytes that the page may hold, as a multiple of those it was sent, beside what any page takes. */
const MULTIPLE = 4;
const ANY_PAGE = 24 << 20;

let browser: Browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("500,000 triangles", async () => {
  const file = demo("knots", 500_000);
  const server = await view(file);
  try {
    const start = performance.now();
    const { page, complaints } = await open(browser, server.url);
    const seen = (performance.now() - start) / 1000;
    assert.ok((await scene(page)).count(isBlue) > 20_000, "it is there");
    assert.match((await page.textContent("#numbers")) ?? "", /500,140 triangles/);

    const at = await camera(page);
    const turning = performance.now();
    await page.mouse.move(650, 300);
    await page.mouse.down();
    for (let k = 1; k <= 4; k++) await page.mouse.move(650 + 30 * k, 300);
    await page.mouse.up();
    await page.waitForFunction((at) => document.querySelector<HTMLElement>("#canvas")?.dataset["camera"] !== at, at);
    const turned = (performance.now() - turning) / 1000;

    // Other frames must not pile up.
    for (let k = 0; k < 6; k++) await page.keyboard.press(".");
    await page.waitForSelector('html[data-frame="6"]', { timeout: 60_000 });
    await page.waitForTimeout(1000);
    await picture(page, "large");
    const sizes = await page.evaluate(async () => {
      const size = async (path: string): Promise<number> => (await (await fetch(path)).arrayBuffer()).byteLength;
      return [await size("/scene"), await size("/frame?number=6&data=1")];
    });
    const data = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    await session.send("HeapProfiler.collectGarbage");
    const heap = (await session.send("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize?: number };
    assert.ok(heap.backingStorageSize !== undefined, "this Chromium counts typed arrays");
    const held = heap.usedSize + heap.backingStorageSize;
    const megabytes = (bytes: number): string => `${(bytes / (1 << 20)).toFixed(1)} MB`;
    console.log(
      `500,140 triangles: seen in ${seen.toFixed(1)} s, turned in ${turned.toFixed(1)} s, ` +
        `sent ${megabytes(data)}, held ${megabytes(held)}`,
    );
    assert.ok(seen < SECONDS_TO_SEE, `seen after ${seen} s`);
    assert.ok(turned < SECONDS_TO_TURN, `turned after ${turned} s`);
    assert.ok(held < MULTIPLE * data + ANY_PAGE, `${megabytes(held)} held of ${megabytes(data)}`);
    assert.deepEqual(complaints, []);
    await page.close();
  } finally {
    await server.stop();
  }
});
