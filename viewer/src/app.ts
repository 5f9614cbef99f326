// What the page does: one scene, one frame of it, maybe one pair alone.

import { Box3, Vector3 } from "three";
import { Changed, Gone, type News, type Source } from "./data/source";
import type { Counts, FrameData, Pair, SceneData } from "./data/types";
import { byId, count, counted, point, reasonOf } from "./dom";
import { BodyList } from "./panels/bodies";
import { Help } from "./panels/help";
import { NumbersPanel } from "./panels/numbers";
import { keyOf, PairTable } from "./panels/pairs";
import { SeenPanel } from "./panels/seen";
import { Tabs } from "./panels/tabs";
import { Timeline } from "./panels/timeline";
import { listen } from "./keys";
import { Section } from "./section";
import { corners } from "./stage/approach";
import { Stage } from "./stage/stage";
import { Theme } from "./theme";

/** Between two questions about frames that are not counted yet, in milliseconds. */
const COUNTING = 400;

/** Points of a pair that are looked at to fly there. */
const MAX_PLACES = 4000;

export class App {
  private readonly canvas = byId("canvas", HTMLCanvasElement);
  private readonly news = byId("news", HTMLParagraphElement);
  private readonly alert = byId("alert", HTMLParagraphElement);
  private readonly alone = byId("alone", HTMLDivElement);
  private readonly picked = byId("picked", HTMLParagraphElement);
  private readonly opacity = byId("opacity", HTMLInputElement);
  private readonly outlined = byId("outlines", HTMLInputElement);
  private stage: Stage | null = null;
  private scene: SceneData | null = null;
  private frame: FrameData | null = null;
  /** The pair that is shown alone. */
  private pair: string | null = null;
  private asked = 0;
  private reloading = false;
  private connected = true;

  private readonly help = new Help();
  private readonly theme = new Theme((dark) => this.setDark(dark));
  private readonly tabs = new Tabs(() => void this.look());
  private readonly pairs = new PairTable((pair) => this.fly(pair));
  private readonly numbers = new NumbersPanel();
  private readonly seen = new SeenPanel(
    () => this.stage?.sights ?? null,
    () => this.stage?.invalidate(),
  );
  private readonly timeline = new Timeline((frame) => this.show(frame));
  private readonly section = new Section(
    () => this.stage?.bodies?.bounds() ?? new Box3(),
    () => this.scene,
    (plane) => this.stage?.setSection(plane),
  );
  private readonly bodies = new BodyList(
    (index, wanted) => this.setWanted([index], wanted),
    (wanted) => this.setWanted(this.scene?.bodies.map((_, index) => index) ?? [], wanted),
  );

  constructor(private readonly source: Source) {
    byId("fit", HTMLButtonElement).addEventListener("click", () => this.stage?.fit(true));
    byId("alone-end", HTMLButtonElement).addEventListener("click", () => this.showAll());
    this.opacity.addEventListener("input", () => this.setOpacity());
    this.outlined.addEventListener("change", () => this.stage?.setOutlined(this.outlined.checked));
    this.listenToCanvas();
    this.listenToKeys();
    source.watch((news) => this.hear(news));
  }

  async start(): Promise<void> {
    await this.read();
    document.documentElement.dataset["ready"] = "true";
  }

  /** The scene, from the beginning. */
  private async read(): Promise<void> {
    const scene = await this.source.scene();
    const before = this.scene;
    this.scene = scene;
    this.stage ??= this.raise(scene);
    this.stage.load(scene, before);
    const { numbers, begin } = this.source.frames(scene);
    this.timeline.setFrames(numbers, scene.first);
    this.bodies.show(scene.bodies);
    byId("scene-name", HTMLSpanElement).textContent = scene.name;
    document.title = `${scene.name} – impinge`;
    this.pair = null;
    const current = this.frame?.report.frame;
    const keep = before !== null && current !== undefined && numbers.includes(current);
    await this.show(keep ? current : begin);
    this.setOpacity();
    if (!before) this.stage.fit(false);
    this.section.apply();
    void this.count(scene);
    if (this.frame && !["bvh", "brute_force"].includes(this.frame.report.method) && !before) this.tabs.select("seen");
    byId("loading", HTMLParagraphElement).hidden = true;
  }

  private raise(scene: SceneData): Stage {
    const stage = new Stage(this.canvas, byId("tools", HTMLDivElement), scene.up);
    stage.setDark(this.theme.dark);
    return stage;
  }

  /** Contacts of all frames, as far as they are known, until all are. */
  private async count(scene: SceneData): Promise<void> {
    const note = this.source.note();
    if (note) this.tell(note);
    while (scene === this.scene) {
      let counts: Counts;
      try {
        counts = await this.source.counts();
      } catch {
        return;
      }
      if (scene !== this.scene) return;
      this.timeline.setCounts(counts);
      if (this.frame) this.timeline.setFrame(this.frame.report.frame);
      if (counts.counts.every((found) => found !== null)) return;
      await new Promise((wake) => setTimeout(wake, COUNTING));
    }
  }

  private async show(number: number): Promise<void> {
    const asked = ++this.asked;
    let frame: FrameData;
    try {
      frame = await this.source.frame(number);
    } catch (error) {
      this.timeline.pause();
      // Back to the frame that is shown.
      if (asked === this.asked && this.frame) this.timeline.setFrame(this.frame.report.frame);
      if (error instanceof Gone) {
        this.connected = false;
        this.tell(`The program has stopped: frame ${number} cannot be shown. Start impinge view again to go on.`, true);
      } else if (!(error instanceof Changed)) {
        this.tell(`Frame ${number} cannot be shown: ${reasonOf(error)}`);
      }
      return;
    }
    // A later question may have been answered before.
    if (asked !== this.asked || !this.scene || !this.stage) return;
    this.frame = frame;
    const pair = this.currentPair();
    this.stage.show(frame, pair);
    this.pairs.show(frame, this.scene.bodies, this.pair);
    this.numbers.show(this.scene, frame);
    this.timeline.setFrame(number);
    this.answer(frame);
    this.showAlone(pair);
    void this.look();
  }

  /** The first line: what was found, and what it is worth. */
  private answer(frame: FrameData): void {
    const { report, pairs, remarks } = frame;
    const touching = pairs.filter((pair) => pair.kind !== "inside").length;
    const parts: string[] = [];
    if (report.interference || report.sliced) {
      if (touching > 0) parts.push(counted(touching, "pair of bodies", "pairs of bodies"));
      else if (report.interference?.any) parts.push("something interferes");
    }
    if (report.contact_count > 0) {
      parts.push(`${counted(report.contact_count, "contact", "contacts")} in ${counted(touching, "pair", "pairs")}`);
    }
    if (report.containments.length > 0) parts.push(`${count(report.containments.length)} inside others`);
    const text = parts.length > 0 ? parts.join(", ") : report.complete ? "no collision" : "no collision seen";
    const answer = byId("answer", HTMLParagraphElement);
    answer.textContent = text;
    answer.classList.toggle("bad", parts.length > 0);
    answer.classList.toggle("good", parts.length === 0 && report.complete);
    answer.dataset["contacts"] = String(report.contact_count);
    const worth = byId("worth", HTMLParagraphElement);
    worth.hidden = false;
    const sampled = remarks.some((remark) => remark.startsWith("sampled"));
    const complete = report.complete ? "complete" : sampled ? "sampled: some may be missing" : "not complete";
    worth.textContent = `${report.method}, ${complete}`;
    worth.classList.toggle("unsure", !report.complete);
    worth.title = report.complete ? "No contact is missed" : remarks.join("\n");
    const { dataset } = document.documentElement;
    dataset["frame"] = String(report.frame);
    dataset["lines"] = String(this.stage?.drawnLines ?? 0);
    const frames = this.scene && this.scene.end - this.scene.first > 1 ? `Frame ${report.frame}: ` : "";
    this.news.textContent = `${frames}${text}`;
    this.canvas.setAttribute("aria-label", `The scene in three dimensions. ${frames}${text}. Arrow keys move it, with Shift they turn it.`);
  }

  private currentPair(): Pair | null {
    return this.frame?.pairs.find((pair) => keyOf(pair) === this.pair) ?? null;
  }

  /** To a pair, and alone with it. */
  private fly(pair: Pair): void {
    if (!this.frame || !this.stage || !this.scene) return;
    this.pair = keyOf(pair);
    this.stage.show(this.frame, pair);
    this.pairs.mark(this.pair);
    this.showAlone(pair);
    this.stage.fly(this.places(pair, this.frame), pair);
  }

  /** Where a pair meets: its lines, or else the corners of its region, or of its bodies. */
  private places(pair: Pair, frame: FrameData): Vector3[] {
    const { start, end } = pair.lines;
    if (end > start) {
      const step = Math.ceil((end - start) / MAX_PLACES);
      const places: Vector3[] = [];
      for (let line = start; line < end; line += step) places.push(new Vector3().fromArray(frame.lines, 6 * line));
      return places;
    }
    const { scene, stage } = this;
    const ends = pair.region?.map((corner) => {
      const at = corner.map((c, axis) => (c - (scene?.centre[axis] ?? 0)) / (scene?.scale ?? 1));
      return new Vector3(at[0], at[1], at[2]);
    });
    const box = ends ? new Box3().setFromPoints(ends) : (stage?.bodies?.bounds([pair.a, pair.b]) ?? new Box3());
    return corners(box);
  }

  private showAlone(pair: Pair | null): void {
    // The pair may have come apart in this frame; then everything is shown until it meets again.
    this.alone.hidden = pair === null;
    document.documentElement.dataset["alone"] = pair ? keyOf(pair) : "";
    if (!pair || !this.scene) return;
    const name = (index: number): string => this.scene?.bodies[index]?.name ?? "";
    const names = pair.a === pair.b ? name(pair.a) : `${name(pair.a)} and ${name(pair.b)}`;
    byId("alone-names", HTMLSpanElement).textContent = `Only ${names}`;
    this.news.textContent = `Only ${names} are shown`;
  }

  private showAll(): void {
    if (!this.frame || !this.stage) return;
    const was = this.pair;
    this.pair = null;
    this.stage.show(this.frame, null);
    this.pairs.mark(null);
    this.showAlone(null);
    if (was) this.stage.fit(true);
  }

  private next(by: number): void {
    const pairs = this.pairs.sorted;
    if (pairs.length === 0) return;
    const current = pairs.findIndex((pair) => keyOf(pair) === this.pair);
    const place = current < 0 ? (by > 0 ? 0 : pairs.length - 1) : (current + by + pairs.length) % pairs.length;
    const pair = pairs[place];
    if (pair) this.fly(pair);
  }

  /** What the method saw, if its panel is open. */
  private async look(): Promise<void> {
    if (!this.frame || this.tabs.selected !== "seen") {
      this.stage?.sights.clear();
      this.stage?.invalidate();
      return;
    }
    const { frame } = this;
    try {
      const seen = await this.source.seen(frame.report.frame);
      if (frame !== this.frame) return;
      if (seen) this.seen.show(seen, frame.report.method);
      else this.seen.say("This file has it for the frame that it opened with. impinge view shows it for every frame.");
    } catch (error) {
      if (!(error instanceof Changed)) this.seen.say(reasonOf(error));
    }
  }

  private hear(news: News): void {
    if (!news.connected) {
      // Once: what was asked for since then has been answered in its place.
      if (this.connected) this.tell("The program has stopped. What is here can still be looked at.", true);
    } else if (news.problem) {
      this.tell(`The files have changed, and cannot be read: ${news.problem}. The page shows what was there before.`, true);
    } else {
      this.alert.hidden = true;
    }
    this.connected = news.connected;
    if (!news.connected || !news.changed || this.reloading || !this.scene) return;
    this.reloading = true;
    this.read()
      .then(() => (this.news.textContent = "The files have changed, and were read again."))
      .catch((error: unknown) => this.tell(`The scene cannot be read again: ${reasonOf(error)}`, true))
      .finally(() => (this.reloading = false));
  }

  private tell(text: string, bad = false): void {
    this.alert.textContent = text;
    this.alert.classList.toggle("bad", bad);
    this.alert.hidden = false;
  }

  private setDark(dark: boolean): void {
    this.stage?.setDark(dark);
    // Once the page is made; the theme is its first part.
    requestAnimationFrame(() => this.timeline.draw());
  }

  private setOpacity(): void {
    this.stage?.bodies?.setOpacity(this.opacity.valueAsNumber / 100);
    this.stage?.invalidate();
  }

  private setWanted(indices: number[], wanted: boolean): void {
    this.stage?.setWanted(indices, wanted);
  }

  private listenToCanvas(): void {
    let [x, y] = [0, 0];
    this.canvas.addEventListener("pointerdown", (event) => ([x, y] = [event.clientX, event.clientY]));
    this.canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - x, event.clientY - y) > 4) return;
      const hit = this.stage?.pick(event.clientX, event.clientY);
      this.picked.hidden = !hit;
      if (!hit || !this.scene) return;
      const { centre, scale, bodies } = this.scene;
      const at = hit.at.toArray().map((c, axis) => c * scale + (centre[axis] ?? 0)) as [number, number, number];
      this.picked.textContent = `${bodies[hit.body]?.name ?? ""}, triangle ${count(hit.triangle)}, at ${point(at)}`;
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const hit = this.stage?.pick(event.clientX, event.clientY);
      if (hit) this.stage?.centreOn(hit.at);
    });
    // Arrows move, as the controls have it; with Shift they turn.
    this.canvas.addEventListener(
      "keydown",
      (event) => {
        const turns: Record<string, [number, number]> = {
          ArrowLeft: [-0.12, 0],
          ArrowRight: [0.12, 0],
          ArrowUp: [0, 0.12],
          ArrowDown: [0, -0.12],
        };
        const turn = turns[event.key];
        if (!event.shiftKey || !turn) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.stage?.turn(turn[0], turn[1]);
      },
      { capture: true },
    );
  }

  private listenToKeys(): void {
    const opacity = (by: number): void => {
      this.opacity.valueAsNumber += by;
      this.setOpacity();
    };
    listen(
      {
        "[": () => this.next(-1),
        "]": () => this.next(1),
        Escape: () => this.showAll(),
        " ": () => this.timeline.toggle(),
        ".": () => this.timeline.step(1),
        ",": () => this.timeline.step(-1),
        ArrowRight: () => this.timeline.step(1),
        ArrowLeft: () => this.timeline.step(-1),
        m: () => this.timeline.toBusiest(),
        "Shift+m": () => this.timeline.toDeepest(),
        f: () => this.stage?.fit(true),
        "1": () => this.stage?.lookAlong(new Vector3(1, 0, 0)),
        "2": () => this.stage?.lookAlong(new Vector3(0, 1, 0)),
        "3": () => this.stage?.lookAlong(new Vector3(0, 0, 1)),
        x: () => this.section.toggle(0),
        y: () => this.section.toggle(1),
        z: () => this.section.toggle(2),
        "Shift+x": () => this.section.flip(),
        o: () => opacity(-10),
        "Shift+o": () => opacity(10),
        l: () => this.outlined.click(),
        d: () => this.theme.toggle(),
        "+": () => this.stage?.zoom(0.85),
        "=": () => this.stage?.zoom(0.85),
        "-": () => this.stage?.zoom(1 / 0.85),
        "?": () => this.help.open(),
      },
      () => this.help.isOpen,
    );
  }
}
