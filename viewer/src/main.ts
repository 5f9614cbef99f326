// The page that shows what collides. Data come in (`data/`), are drawn (`stage/`) and told (`panels/`).

import "./style.css";
import { App } from "./app";
import { findSource } from "./data/source";
import { byId, reasonOf } from "./dom";

function fail(error: unknown): void {
  const loading = byId("loading", HTMLParagraphElement);
  loading.hidden = false;
  loading.classList.add("bad");
  loading.textContent = `This cannot be shown: ${reasonOf(error)}`;
}

try {
  new App(findSource()).start().catch(fail);
} catch (error) {
  fail(error);
}
