// The server, asked by others than its page: plain sockets, so that nothing is tidied up on the way.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { box, scratch, type Server, view } from "./program.js";

let server: Server;
before(async () => {
  server = await view(box("wall.obj", [0, 0, 0], [1, 1, 1]), box("ram.obj", [0.5, 0.25, 0.25], [2, 0.75, 0.75]));
});
after(() => server.stop());

/** Sends bytes and returns what comes back. */
function ask(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.setTimeout(5000, () => socket.destroy());
  });
}

async function get(path: string, ...headers: string[]): Promise<{ status: number; text: string }> {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: 127.0.0.1:${server.port}`];
  const lines = [`GET ${path} HTTP/1.1`, ...host, "Connection: close", ...headers, "", ""];
  const text = await ask(lines.join("\r\n"));
  return { status: Number(text.split(" ")[1] ?? 0), text };
}

test("its own page is answered", async () => {
  assert.equal((await get("/")).status, 200);
  const { status, text } = await get("/scene");
  assert.equal(status, 200);
  assert.match(text, /impinge1/);
  assert.equal((await get("/frame?number=0&data=1")).status, 200);
});

test("no path leads to a file", async () => {
  const up = "../".repeat(12);
  const paths = [
    `/${up}etc/passwd`,
    `/${up.replaceAll("/", "%2f")}etc/passwd`,
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%5c..%5cetc/passwd",
    "//etc/passwd",
    `${scratch}/wall.obj`,
    "/wall.obj",
    "/scene/../wall.obj",
    "file:///etc/passwd",
  ];
  for (const path of paths) {
    const { status, text } = await get(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.doesNotMatch(text, /root:|^v /m, path);
  }
});

test("foreign pages and foreign names are refused", async () => {
  const refused: string[][] = [
    ["Origin: http://evil.example"],
    ["Origin: null"],
    ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
    [`Host: evil.example:${server.port}`],
    ["Host: 127.0.0.1"],
    [`Host: 127.0.0.1.evil.example:${server.port}`],
  ];
  for (const headers of refused) {
    for (const path of ["/", "/scene", "/frame?number=0&data=1", "/counts", "/version"]) {
      const { status, text } = await get(path, ...headers);
      assert.equal(status, 403, `${path} ${headers.join(", ")}`);
      assert.doesNotMatch(text, /impinge1|wall/);
    }
  }
  assert.equal((await get("/scene", `Origin: http://127.0.0.1:${server.port}`)).status, 200);
  assert.equal((await get("/", `Host: localhost:${server.port}`)).status, 200);
});

test("a foreign page in a browser can neither read nor run what is served", async () => {
  const { text } = await get("/scene");
  const head = text.slice(0, text.indexOf("\r\n\r\n")).toLowerCase();
  assert.match(head, /cross-origin-resource-policy: same-origin/);
  assert.match(head, /x-content-type-options: nosniff/);
  assert.match(head, /frame-ancestors 'none'/);
  assert.match(head, /default-src 'none'/);
  assert.doesNotMatch(head, /access-control-allow/);
});

test("nothing but GET and HEAD, and no nonsense", async () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const text = await ask(
      `${method} /scene HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 999999999\r\nConnection: close\r\n\r\n`,
    );
    assert.match(text, /^HTTP\/1.1 405/, method);
  }
  for (const [path, status] of [
    ["/frame", 400],
    ["/frame?number=-1&data=1", 400],
    ["/frame?number=99999999999999999999&data=1", 400],
    ["/frame?number=7&data=1", 404],
    ["/frame?number=0&data=9", 409],
    ["/seen?number=7&data=1", 404],
    ["/nothing", 404],
  ] as const) {
    assert.equal((await get(path)).status, status, path);
  }
  const long = await get("/", `X-Long: ${"x".repeat(2_000_000)}`).catch(() => ({ status: 431 }));
  assert.ok(long.status !== 200, "endless headers");
  assert.equal((await get("/")).status, 200, "it still answers");
});

test("it listens on this machine only", async () => {
  assert.equal(new URL(server.url).hostname, "127.0.0.1");
});
