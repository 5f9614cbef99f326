// The program under test: the scenes it makes, what it prints, and the server that it is.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = process.env["IMPINGE"] ?? join(root, "target/debug/impinge");

// Mesa's Vulkan layer that asks the desktop for a GPU writes to standard error where there is no desktop.
process.env["NODEVICE_SELECT"] = "1";

/** Screenshots are kept here, to be looked at. */
export const pictures = process.env["IMPINGE_PICTURES"] ?? join(root, "target/viewer");

/** A folder that is gone when the tests are. */
export const scratch = mkdtempSync(join(tmpdir(), "impinge-e2e-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

interface NamedIndex {
  index: number;
  name: string;
}

export interface Frame {
  frame: number;
  contact_count: number;
  pairs: { a: NamedIndex; b: NamedIndex; contacts: number }[];
  containments: { inner: NamedIndex; outer: NamedIndex }[];
  contacts: { segment: number[][]; polygon?: number[][] }[];
}

/** Makes a scene, once, and returns its file. */
export function demo(name: string, triangles: number): string {
  const folder = join(scratch, `${name}-${triangles}`);
  if (!existsSync(folder)) execFileSync(program, ["demo", name, "--triangles", String(triangles), "--out", folder], { stdio: "pipe" });
  return join(folder, "scene.toml");
}

/** Every frame, as `check --json` has it. */
export function check(...args: string[]): Frame[] {
  const done = spawnSync(program, ["check", ...args, "--json"], { maxBuffer: 1 << 28, encoding: "utf8" });
  if (done.status === null || done.status > 1) throw new Error(done.stderr);
  return (JSON.parse(done.stdout) as { frames: Frame[] }).frames;
}

/** Writes a report and returns its file. */
export function report(...args: string[]): string {
  const file = join(scratch, `report-${Math.random().toString(36).slice(2)}.html`);
  const done = spawnSync(program, ["check", ...args, "--html", file], { encoding: "utf8" });
  if (done.status === null || done.status > 1) throw new Error(done.stderr);
  return file;
}

/** A box as an OBJ file. */
export function box(name: string, low: number[], high: number[]): string {
  let text = "";
  for (let corner = 0; corner < 8; corner++) {
    text += `v ${[0, 1, 2].map((axis) => (corner & (1 << axis) ? high : low)[axis]).join(" ")}\n`;
  }
  for (const [a, b, c, d] of [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]]) {
    text += `f ${a} ${b} ${c}\nf ${a} ${c} ${d}\n`;
  }
  const file = join(scratch, name);
  writeFileSync(file, text);
  return file;
}

export interface Server {
  url: string;
  port: number;
  process: ChildProcess;
  /** Ctrl-C; the exit code. */
  stop(): Promise<number | null>;
}

/** `impinge view`, as soon as it prints its address. */
export async function view(...args: string[]): Promise<Server> {
  const server = spawn(program, ["view", ...args, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve) => server.once("exit", (code) => resolve(code)));
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /(http:\/\/\S+)/.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    void ended.then((code) => reject(new Error(`the server ended with ${code} before it had an address`)));
  });
  const stop = (): Promise<number | null> => {
    server.kill("SIGINT");
    return ended;
  };
  return { url, port: Number(new URL(url).port), process: server, stop };
}
