// Builds the page again, elsewhere, and compares it with the one that is committed, byte for byte.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const committed = readFileSync(join(here, "../crates/impinge-cli/src/view/page/index.html"));
const folder = mkdtempSync(join(tmpdir(), "impinge-page-"));
try {
  const vite = join(here, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build"], {
    cwd: here,
    stdio: "inherit",
    env: { ...process.env, IMPINGE_PAGE_FOLDER: folder },
  });
  const built = readFileSync(join(folder, "index.html"));
  if (!built.equals(committed)) {
    console.error("the committed page is not what viewer/ builds: run `npm run build` in viewer/ and commit the result");
    process.exitCode = 1;
  } else {
    console.log(`the committed page is what viewer/ builds: ${built.length} bytes`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
