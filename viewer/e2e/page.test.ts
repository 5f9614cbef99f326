// What the page shows, and what happens when one clicks.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { camera, contacts, isBlue, isRed, launch, mark, onScreen, open, picture, scene, settled } from "./browser.js";
import { box, check, demo, report, view } from "./program.js";

let browser: Browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** The page that a demo wrote beside its scene. */
const written = (scene: string): string => pathToFileURL(join(dirname(scene), "report.html")).href;

test("a demo scene is shown without a complaint, with the contacts of check --json", async () => {
  const file = demo("chain", 6000);
  const frames = check(file);
  const server = await view(file);
  const { page, complaints } = await open(browser, server.url);
  try {
    assert.ok(frames.length > 3);
    for (const [k, frame] of frames.entries()) {
      if (k > 0) await page.keyboard.press(".");
      await page.waitForSelector(`html[data-frame="${frame.frame}"]`);
      assert.equal(await contacts(page), frame.contact_count, `frame ${k}`);
      // What is drawn is counted apart from what is told.
      const lines = frame.contacts.reduce((sum, c) => sum + (c.polygon ? c.polygon.length : 1), 0);
      assert.equal(Number(await mark(page, "lines")), lines, `lines of frame ${k}`);
      const rows = await page.$$eval("#pairs tr[data-key]", (rows) => rows.map((row) => row.textContent));
      assert.equal(rows.length, frame.pairs.length + frame.containments.length);
      for (const pair of frame.pairs) {
        const row = `${pair.a.name}, ${pair.b.name}${pair.contacts.toLocaleString("en-US")}`;
        assert.ok(rows.some((text) => text?.startsWith(row)), `${row} in ${rows.join("; ")}`);
      }
    }
    await picture(page, "chain");
    const seen = await scene(page);
    assert.ok(seen.count(isRed) > 100, "contacts are red");
    assert.ok(seen.count(isBlue) > 2000, "bodies are there");
    const cut = await page.$$eval("#pairs .line span", (names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).length);
    assert.equal(cut, 0, "names are whole");
    assert.deepEqual(complaints, []);

    await server.stop();
    await page.keyboard.press(",");
    await page.waitForFunction(() => /stopped: frame \d+ cannot be shown/.test(document.querySelector("#alert")?.textContent ?? ""));
    // Nor is it taken back while nobody answers.
    await page.waitForTimeout(2000);
    assert.match((await page.textContent("#alert")) ?? "", /stopped: frame \d+ cannot be shown/);
    assert.equal(await mark(page, "frame"), String(frames.at(-1)?.frame));
  } finally {
    await page.close();
    await server.stop();
  }
});

test("clicking a pair flies there and shows it alone; Escape brings everything back", async () => {
  const url = written(demo("chain", 6000));
  const { page, complaints } = await open(browser, url, true);
  const [start, wide] = [await camera(page), await scene(page)];
  await page.click("#pairs tr[data-key] >> nth=2");
  await settled(page);
  const near = await camera(page);
  assert.notEqual(near, start, "the camera flew");
  assert.match((await mark(page, "alone")) ?? "", /^pair \d+ \d+$/);
  const names = (await page.textContent("#pairs tr[aria-selected=true] .names")) ?? "";
  const [a, b] = names.split(", ");
  assert.equal(await page.textContent("#alone-names"), `Only ${a} and ${b}`);
  const lines = Number(await mark(page, "lines"));
  await picture(page, "pair");
  const closer = await scene(page);
  assert.ok(closer.count(isRed) > wide.count(isRed), "the contact is larger");
  assert.ok(closer.differsFrom(wide) > 10_000);
  assert.ok(wide.count(isBlue) > 300 && closer.count(isBlue) === 0, "the blue ring is of another pair");
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await mark(page, "alone"), "");
  assert.equal(await camera(page), start);
  assert.equal(Number(await mark(page, "lines")), lines, "counts of the frame stay");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("playing the timeline changes the contacts, and pausing stops it", async () => {
  const { page, complaints } = await open(browser, written(demo("chain", 6000)));
  const seen = new Set<string>();
  await page.click("#play");
  const end = Date.now() + 20_000;
  const numbers = (): number => new Set([...seen].map((text) => text.split(": ")[1])).size;
  while ((seen.size < 5 || numbers() < 2) && Date.now() < end) {
    seen.add(`${await mark(page, "frame")}: ${await contacts(page)}`);
    await page.waitForTimeout(40);
  }
  assert.ok(seen.size >= 5, [...seen].join("; "));
  assert.ok(numbers() >= 2, "contacts change");
  await page.click("#play");
  await page.waitForTimeout(300);
  const frame = await mark(page, "frame");
  await page.waitForTimeout(500);
  assert.equal(await mark(page, "frame"), frame);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("without a mouse: help, pairs, frames, section, opacity, theme", async () => {
  const { page, complaints } = await open(browser, written(demo("chain", 6000)));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
  // To the first row of the table by Tab alone, then down and in.
  for (let k = 0; k < 12; k++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.matches("#pairs tr"))) break;
  }
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.$eval("#pairs tr[aria-selected=true]", (row) => [...(row.parentElement?.children ?? [])].indexOf(row)), 1);
  const alone = await mark(page, "alone");
  await page.keyboard.press("]");
  await settled(page);
  assert.notEqual(await mark(page, "alone"), alone);
  await page.keyboard.press("Escape");
  await settled(page);

  const frame = await mark(page, "frame");
  await page.keyboard.press(",");
  await page.waitForFunction((frame) => document.documentElement.dataset["frame"] !== frame, frame);
  await page.keyboard.press("m");
  await page.waitForFunction((frame) => document.documentElement.dataset["frame"] === frame, frame);
  assert.match((await page.textContent("#news")) ?? "", /^Frame \d+: [\d,]+ contacts in \d+ pairs/);

  const whole = await scene(page);
  await page.keyboard.press("x");
  await settled(page);
  const cut = await scene(page);
  assert.ok(cut.differsFrom(whole) > 2000, "half is cut away");
  await page.keyboard.press("Shift+X");
  await settled(page);
  assert.ok((await scene(page)).differsFrom(cut) > 2000, "the other half");
  await picture(page, "section");
  await page.keyboard.press("x");
  await settled(page);
  for (let k = 0; k < 10; k++) await page.keyboard.press("o");
  await settled(page);
  const clear = await scene(page);
  assert.equal(clear.count(isBlue), 0, "bodies are gone");
  assert.ok(clear.count(isRed) > 30, "contacts stay");
  await page.keyboard.press("d");
  assert.equal(await mark(page, "theme"), "dark");

  await page.focus("#canvas");
  const from = await camera(page);
  await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  const turned = await camera(page);
  assert.notEqual(turned, from);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notEqual(await camera(page), turned);

  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help"));
  await picture(page, "help");
  await page.keyboard.press("Escape");
  assert.ok(!(await page.isVisible("#help")));
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the deepest collision comes first when the table is sorted by depth", async () => {
  // One long box; three others reach into it from above, by 0.1, 0.4 and 0.2. The shallow ones touch more triangles.
  const files = [
    box("beam.obj", [0, 0, 0], [10, 1, 1]),
    box("shallow.obj", [1, 0.9, -1], [2, 2, 2]),
    box("deep.obj", [4, 0.6, 0.2], [5, 2, 0.8]),
    box("middle.obj", [7, 0.8, -1], [8, 2, 2]),
  ];
  const { page, complaints } = await open(browser, pathToFileURL(report(...files)).href);
  await page.click("button[data-sort=depth]");
  const rows = await page.$$eval("#pairs tr[data-key]", (rows) => rows.map((row) => [...row.children].map((c) => c.textContent)));
  const byDepth = rows.map((row) => [row[0]?.split(", ")[1], Number(row[2])] as const);
  assert.deepEqual(byDepth.map(([name]) => name), ["deep", "middle", "shallow"]);
  for (const [k, depth] of [0.4, 0.2, 0.1].entries()) {
    assert.ok(Math.abs((byDepth[k]?.[1] ?? 0) - depth) < 0.002, `${byDepth[k]}`);
  }
  await page.keyboard.press("]");
  await settled(page);
  assert.equal(await page.textContent("#alone-names"), "Only beam and deep");
  assert.deepEqual(complaints, []);
  await page.close();
});

const isAmber = (red: number, green: number, blue: number): boolean => red > blue + 25 && green > blue + 10;

test("flying to a pair comes no less close than everything in view, and shows both bodies", async () => {
  const knots = await open(browser, written(demo("knots", 3000)));
  const bodies = (red: number, green: number, blue: number): boolean => isBlue(red, green, blue) || isAmber(red, green, blue);
  const fit = (await scene(knots.page)).count(bodies);
  await knots.page.click("#pairs tr[data-key]");
  await settled(knots.page);
  await picture(knots.page, "knots-pair");
  assert.ok((await scene(knots.page)).count(bodies) > 0.9 * fit, "it is not smaller");
  assert.equal(await knots.page.getAttribute("#canvas", "data-glass"), "", "both are seen");
  assert.deepEqual(knots.complaints, []);
  await knots.page.close();

  // The lid lies on the table, and hides most of it from above; from below the table hides the lid.
  const files = [box("table.obj", [-3, 0, -3], [3, 1, 3]), box("lid.obj", [-2.9, 1, -2.9], [2.9, 3, 2.9])];
  const { page, complaints } = await open(browser, pathToFileURL(report(...files)).href);
  for (const [key, glass] of [["Shift+ArrowUp", "1"], ["Shift+ArrowDown", "0"]] as const) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    await settled(page);
    await page.focus("#canvas");
    for (let k = 0; k < 16; k++) await page.keyboard.press(key);
    await page.click("#pairs tr[data-key]");
    await settled(page);
    await picture(page, `lid-${glass}`);
    assert.equal(await page.getAttribute("#canvas", "data-glass"), glass, "the nearer one is seen through");
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the deepest frame is the one in which a pair is deepest, and hidden bodies take their contacts along", async () => {
  const { page, complaints } = await open(browser, written(demo("knots", 3000)));
  const depths = new Map<number, number>();
  const last = Number(await page.getAttribute("#frame", "max"));
  for (let place = 0; place <= last; place++) {
    await page.fill("#frame", String(place));
    await page.waitForSelector(`html[data-frame="${place}"]`);
    const deep = await page.$$eval("#pairs tr[data-key] td:last-child", (cells) => cells.map((cell) => Number(cell.textContent) || 0));
    depths.set(place, Math.max(0, ...deep));
  }
  await page.click("#deepest");
  await page.waitForTimeout(500);
  const deepest = depths.get(Number(await mark(page, "frame"))) ?? 0;
  assert.ok(deepest > 0);
  assert.equal(deepest, Math.max(...depths.values()), JSON.stringify([...depths]));
  await settled(page);
  assert.ok((await scene(page)).count(isRed) > 100);
  await page.click("#bodies-none");
  await settled(page);
  assert.equal((await scene(page)).count(isRed), 0, "no contact is left");
  await page.click("#bodies-all");
  await settled(page);
  assert.ok((await scene(page)).count(isRed) > 100);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("in a narrow window the bars wrap, and nothing of them is cut", async () => {
  const { page, complaints } = await open(browser, written(demo("knots", 3000)));
  await page.setViewportSize({ width: 420, height: 760 });
  await settled(page);
  await picture(page, "narrow");
  const parts = ["#answer", "#worth", "#theme", "#help-button", "#back", "#play", "#forth", "#frame-name", "#speed", "#frame", "#busiest", "#deepest"];
  for (const part of parts) {
    const inside = await page.$eval(part, (part) => {
      const { left, right, top, bottom, width } = part.getBoundingClientRect();
      return width > 12 && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight && part.scrollWidth <= part.clientWidth + 1;
    });
    assert.ok(inside, part);
  }
  const name = await page.locator("#scene-name").boundingBox();
  assert.ok(name && name.width > 30 && name.x + name.width <= 420, "the title");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a body inside another is a row, and is seen through it", async () => {
  const files = [box("outer.obj", [-2, -2, -2], [2, 2, 2]), box("inner.obj", [-1, -1, -1], [1, 1, 1])];
  const { page, complaints } = await open(browser, pathToFileURL(report(...files)).href);
  assert.equal(await page.textContent("#pairs .names"), "inner inside outer");
  assert.match((await page.textContent("#answer")) ?? "", /^1 inside others$/);
  assert.ok((await scene(page)).count(isAmber) > 1000, "the inner body shows");
  await picture(page, "inside");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a sampled method says so, and shows what it saw", async () => {
  const file = demo("knots", 3000);
  const server = await view(file, "--method", "depth_peel", "--adapter", "none", "--resolution", "256", "--frames", "0..2");
  const { page, complaints } = await open(browser, server.url);
  try {
    assert.match((await page.textContent("#worth")) ?? "", /^depth_peel, sampled: some may be missing$/);
    await page.waitForSelector("#seen img");
    const sizes = await page.$$eval("#seen img", async (images) => {
      await Promise.all(images.map((image) => (image as HTMLImageElement).decode()));
      return images.map((image) => (image as HTMLImageElement).naturalWidth);
    });
    assert.ok(sizes.length > 1 && sizes.every((width) => width >= 64), `${sizes}`);
    await settled(page);
    const before = await scene(page);
    // The first overlay is drawn from the start; an image of its own joins it.
    const boxes = page.locator("#seen input[type=checkbox]");
    assert.ok(await boxes.first().isChecked());
    await boxes.first().uncheck();
    await settled(page);
    assert.ok((await scene(page)).differsFrom(before) > 100, "lines go");
    const draw = page.locator("#seen figure input[type=checkbox]").first();
    const without = await scene(page);
    await draw.check();
    await page.waitForTimeout(600);
    assert.ok((await scene(page)).differsFrom(without) > 1000, "the image is in the scene");
    await picture(page, "seen");
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("every method is shown: its answer, what it is worth, and what it saw", async () => {
  const files = [box("plate.obj", [0, 0, 0], [4, 4, 1]), box("pin.obj", [1, 1, -1], [2, 2.2, 2])];
  const methods: [string, RegExp, RegExp][] = [
    ["brute_force", /^\d+ contacts in 1 pair$/, /, complete$/],
    ["grid", /^\d+ contacts in 1 pair$/, /, complete$/],
    ["cullide", /^\d+ contacts in 1 pair$/, /, complete$/],
    ["depth_slices", /^1 pair of bodies$/, /, complete$/],
    ["a_buffer", /^(\d+ contacts in 1 pair|no collision seen)$/, /sampled/],
    ["ray_cast", /^1 pair of bodies$/, /sampled/],
  ];
  for (const [method, answer, worth] of methods) {
    const adapter = method === "brute_force" ? [] : ["--adapter", "none"];
    const url = pathToFileURL(report(...files, "--method", method, ...adapter)).href;
    const { page, complaints } = await open(browser, url);
    assert.match((await page.textContent("#answer")) ?? "", answer, method);
    assert.match((await page.textContent("#worth")) ?? "", worth, method);
    assert.ok((await page.textContent("#worth"))?.startsWith(method), method);
    await page.click("#tab-seen");
    await page.waitForSelector("#seen > *");
    await page.waitForTimeout(300);
    const shown = await page.$$eval("#seen img, #seen input", (parts) => parts.length);
    if (method !== "brute_force") assert.ok(shown > 0, `${method} saw something`);
    if (method !== "a_buffer") {
      await page.click("#pairs tr[data-key]");
      await settled(page);
      assert.equal(await page.textContent("#alone-names"), "Only plate and pin", method);
    }
    await picture(page, `method-${method}`);
    assert.deepEqual(complaints, [], method);
    await page.close();
  }
});

test("the first view has the whole scene in it, clear of what lies around and over it", async () => {
  // Wide, tall, and deep: each from the largest coordinate, -1, to 1.
  const scenes: [string, number[]][] = [["cube", [1, 1, 1]], ["wide", [1, 0.2, 0.3]], ["tall", [0.2, 1, 0.2]], ["deep", [0.3, 0.1, 1]]];
  const sizes = [{ width: 1400, height: 900 }, { width: 1024, height: 640 }, { width: 820, height: 1100 }];
  for (const [name, half] of scenes) {
    const minus = half.map((c) => -c);
    // Two halves that overlap in the middle.
    const files = [box("low.obj", minus, half.map((c, k) => (k === 0 ? 0.1 : c))), box("high.obj", minus.map((c, k) => (k === 0 ? -0.1 : c)), half)];
    const corners = Array.from({ length: 8 }, (_, k) => half.map((c, axis) => (k & (1 << axis) ? c : -c)));
    const url = pathToFileURL(report(...files)).href;
    for (const viewport of sizes) {
      const { page, complaints } = await open(browser, url, false, viewport);
      const check = async (when: string): Promise<void> => {
        const [canvas, tools] = [await page.locator("#canvas").boundingBox(), await page.locator("#tools").boundingBox()];
        assert.ok(canvas && tools);
        const seen = await onScreen(page, corners);
        const what = `${name} at ${viewport.width} x ${viewport.height}, ${when}: ${seen.map((p) => p.map(Math.round).join(" ")).join(", ")}`;
        for (const [x, y] of seen) {
          assert.ok(x > canvas.x + 8 && x < canvas.x + canvas.width - 8, what);
          assert.ok(y > canvas.y + 8 && y < tools.y - 8, what);
        }
        // And no larger than it has to be far: one way or the other the room is used.
        const spread = (k: 0 | 1): number => Math.max(...seen.map((p) => p[k])) - Math.min(...seen.map((p) => p[k]));
        assert.ok(spread(0) > 0.8 * canvas.width || spread(1) > 0.8 * (tools.y - canvas.y), what);
      };
      await picture(page, `first-${name}-${viewport.width}`);
      await check("at first");
      await page.setViewportSize({ width: viewport.width - 90, height: viewport.height - 130 });
      await settled(page);
      await check("when the window gets smaller");
      assert.deepEqual(complaints, []);
      await page.close();
    }
  }
});

test("near boxes are told as candidates, not as collisions", async () => {
  const files = [box("left.obj", [0, 0, 0], [1, 1, 1]), box("right.obj", [1.2, 0, 0], [2, 1, 1])];
  const url = pathToFileURL(report(...files, "--method", "cullide", "--adapter", "none", "--distance", "0.5")).href;
  const { page, complaints } = await open(browser, url);
  assert.equal(await page.textContent("#answer"), "no collision");
  const told = await page.textContent("#candidates");
  assert.equal(told, "1 pair of bodies with parts whose boxes are nearer than 0.5. These are candidates: distances are not computed.left, right");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a changed file is read again, a broken one is told, and the program may stop", async () => {
  const a = box("still.obj", [0, 0, 0], [1, 1, 1]);
  const b = box("moved.obj", [5, 0, 0], [6, 1, 1]);
  const server = await view(a, b);
  const { page, complaints } = await open(browser, server.url);
  try {
    assert.equal(await contacts(page), 0);
    assert.equal(await page.textContent("#answer"), "no collision");
    box("moved.obj", [0.5, 0.25, 0.25], [1.5, 0.75, 0.75]);
    await page.waitForFunction(() => document.querySelector<HTMLElement>("#answer")?.dataset["contacts"] === "12");
    const good = readFileSync(b);
    writeFileSync(b, "v 1 2 nonsense\n");
    await page.waitForSelector("#alert:not([hidden])");
    assert.match((await page.textContent("#alert")) ?? "", /moved\.obj/);
    assert.equal(await contacts(page), 12, "what was there stays");
    await picture(page, "broken");
    writeFileSync(b, good);
    await page.waitForSelector("#alert", { state: "hidden" });
    assert.deepEqual(complaints, []);
  } finally {
    assert.equal(await server.stop(), 0, "Ctrl-C is a good end");
  }
  await page.waitForSelector("#alert:not([hidden])");
  assert.match((await page.textContent("#alert")) ?? "", /has stopped/);
  await page.close();
});

test("all panels are there in 1280 x 720, in light and in dark", async () => {
  const url = written(demo("nested", 4000));
  for (const dark of [false, true]) {
    const { page, complaints } = await open(browser, url, dark);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(overflow, 0);
    for (const id of ["pairs-table", "bodies", "canvas", "numbers", "timeline", "theme", "help-button", "busiest"]) {
      const inside = await page.$eval(`#${id}`, (part) => {
        const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
        return width > 0 && height > 0 && left >= 0 && right <= innerWidth && top >= 0 && Math.min(bottom, innerHeight) > top;
      });
      assert.ok(inside, id);
    }
    const nameless = await page.$$eval("button, input, select, canvas:not([aria-hidden])", (parts) =>
      parts
        .filter((part) => {
          const labels = (part as HTMLInputElement).labels;
          return !part.getAttribute("aria-label") && !part.textContent?.trim() && !labels?.[0]?.textContent?.trim();
        })
        .map((part) => part.outerHTML),
    );
    assert.deepEqual(nameless, [], "everything that can be used has a name");
    await picture(page, dark ? "nested-dark" : "nested-light");
    assert.deepEqual(complaints, []);
    await page.close();
  }
});
