// The count and time of every stage, and what the method has to say of its own.

import type { FrameData, NamedIndex, Numbers, SceneData } from "../data/types";
import { byId, count, counted, element, milliseconds } from "../dom";

/** Stages in their order: what they are, their time, and what is left after them. */
const STAGES: [string, string, string, [string, string, string][]][] = [
  ["Update", "update_ms", "Finding what changed, bringing boxes and trees up to date", [["triangles", "triangle", "triangles"]]],
  ["Broad phase", "broad_phase_ms", "Bodies whose boxes overlap", [["body_pairs", "body pair", "body pairs"]]],
  ["Culling", "culling_ms", "Triangles that may touch", [["candidates", "candidate", "candidates"]]],
  ["Narrow phase", "narrow_phase_ms", "Exact tests of triangles", [["exact", "exact test", "exact tests"], ["contacts", "contact", "contacts"]]],
  ["Containment", "containment_ms", "Bodies inside bodies", []],
  ["Contact points", "shapes_ms", "Where triangles meet", []],
];

/** Candidates that are named, of those nearer than a distance. */
const MAX_CANDIDATES = 20;

export class NumbersPanel {
  private readonly panel = byId("numbers", HTMLDivElement);

  show(scene: SceneData, frame: FrameData): void {
    const { report } = frame;
    const total = report.stages["total_ms"] ?? 0;
    const rows = STAGES.map(([name, time, about, counts]) => {
      const ms = report.stages[time] ?? 0;
      const bar = element("span", { className: "bar" });
      bar.style.width = `${total > 0 ? Math.min(100, (100 * ms) / total) : 0}%`;
      const numbers = counts.map(([key, one, many]) => counted(report.stages[key] ?? 0, one, many)).join(", ");
      return element(
        "tr",
        { title: about },
        element("th", { scope: "row" }, name, element("span", { className: "quiet block" }, numbers)),
        element("td", { className: "number" }, milliseconds(ms), element("span", { className: "track" }, bar)),
      );
    });
    const inside = report.containments.length;
    rows[4]?.querySelector(".block")?.append(`${count(inside)} inside others`);
    rows.push(
      element(
        "tr",
        { className: "total" },
        element("th", { scope: "row" }, "Total"),
        element("td", { className: "number" }, milliseconds(total)),
      ),
    );
    const where = report.adapter ? `on ${report.adapter}` : "on the CPU";
    const parts: HTMLElement[] = [
      element("p", { className: "method" }, element("strong", {}, report.method), ` ${where}`),
      ...frame.remarks.map((remark) => element("p", { className: "remark" }, remark)),
      element("table", { className: "stages" }, element("tbody", {}, ...rows)),
    ];
    const more: [string, Numbers | null | undefined][] = [
      ["What rays saw", report.image],
      ["What was sifted", report.sifted],
      ["Rays cast at edges", report.interference?.stages],
      ["Depth slices", report.sliced?.stages],
      ["What hides what", report.culled?.stages],
    ];
    for (const [title, numbers] of more) if (numbers) parts.push(section(title, numbers));
    const { distance = null, pairs = [] } = report.culled ?? {};
    if (distance !== null) parts.push(candidates(distance, pairs));
    if (frame.cut) {
      const all = `${count(frame.cut.contacts)} contacts, ${count(frame.cut.lines)} lines`;
      parts.push(element("p", { className: "remark" }, `There is more than a page can draw (${all}): some lines are left out. Counts are whole.`));
    }
    parts.push(element("p", { className: "quiet" }, scene.program));
    this.panel.replaceChildren(...parts);
  }
}

/** Pairs that `--distance` asked for. */
function candidates(distance: number, pairs: { a: NamedIndex; b: NamedIndex }[]): HTMLElement {
  const found = counted(pairs.length, "pair of bodies", "pairs of bodies");
  const names = pairs.slice(0, MAX_CANDIDATES).map(({ a, b }) => `${a.name}, ${b.name}`);
  if (pairs.length > names.length) names.push(`${count(pairs.length - names.length)} more`);
  const text = `${found} with parts whose boxes are nearer than ${distance}. These are candidates: distances are not computed.`;
  return element("section", { id: "candidates" }, element("p", {}, text), element("p", { className: "quiet" }, names.join("; ")));
}

function section(title: string, numbers: Numbers): HTMLElement {
  const list = element("dl", {});
  for (const [key, value] of Object.entries(numbers)) {
    if (value === null) continue;
    const isTime = key.endsWith("_ms");
    const name = key.replace(/_ms$/, "").replaceAll("_", " ");
    const shown =
      typeof value === "number"
        ? isTime
          ? milliseconds(value)
          : count(value)
        : Array.isArray(value)
          ? value.map(count).join(" × ")
          : value
            ? "yes"
            : "no";
    list.append(element("dt", {}, name), element("dd", { className: "number" }, shown));
  }
  return element("section", {}, element("h3", {}, title), list);
}
