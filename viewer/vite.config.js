// One file of HTML with scripts and styles inside, the same bytes on every machine.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The licence of what is bundled goes with the bundle. */
function licence() {
  const text = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf8").trim();
  return `<!--\nThis page contains three.js, SPDX-License-Identifier: MIT\n\n${text}\n-->`;
}

/** Puts the script and the styles into the page, and lets it run nothing else. */
function oneFile() {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName === "index.html");
      const scripts = files.filter((file) => file.type === "chunk");
      const styles = files.filter((file) => file.type === "asset" && file.fileName.endsWith(".css"));
      if (!page || scripts.length !== 1 || styles.length !== 1) {
        this.error(`expected one script and one style sheet, got ${files.map((file) => file.fileName)}`);
      }
      // Nothing in a script may look like its end.
      const script = scripts[0].code.trim().replaceAll("</script", "<\\/script");
      const style = styles[0].source.toString().trim();
      const policy = [
        "default-src 'none'",
        `script-src ${hash(script)}`,
        `style-src ${hash(style)}`,
        "img-src data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      const html = page.source
        .toString()
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!--policy-->", () => `<meta http-equiv="content-security-policy" content="${policy}">`)
        .replace("<!--style-->", () => `<style>${style}</style>`)
        .replace("<!--script-->", () => `<script type="module">${script}</script>`)
        .replace("<!--licence-->", licence);
      page.source = html;
      for (const file of [...scripts, ...styles]) delete bundle[file.fileName];
    },
  };
}

export default defineConfig({
  base: "./",
  logLevel: "warn",
  build: {
    outDir: process.env.IMPINGE_PAGE_FOLDER ?? "../crates/impinge-cli/src/view/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4096,
  },
  plugins: [oneFile()],
});
