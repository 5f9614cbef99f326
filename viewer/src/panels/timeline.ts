// The timeline: play, step, and a strip with the contacts of every frame.

import type { Counts } from "../data/types";
import { byId, count, counted } from "../dom";

const ONE: Record<string, string> = { contacts: "contact", bodies: "body", pairs: "pair" };

export class Timeline {
  private readonly footer = byId("timeline", HTMLElement);
  private readonly slider = byId("frame", HTMLInputElement);
  private readonly name = byId("frame-name", HTMLOutputElement);
  private readonly playButton = byId("play", HTMLButtonElement);
  private readonly speed = byId("speed", HTMLSelectElement);
  private readonly deepest = byId("deepest", HTMLButtonElement);
  private readonly strip = byId("strip", HTMLCanvasElement);
  private numbers: number[] = [];
  private first = 0;
  private counts: Counts = { unit: "contacts", counts: [], collides: [], depths: [] };
  private place = 0;
  /** Where the last question goes: keys may come faster than frames. */
  private aim = 0;
  private playing = false;

  constructor(private readonly go: (frame: number) => Promise<void>) {
    this.slider.addEventListener("input", () => {
      this.pause();
      void this.goTo(this.slider.valueAsNumber);
    });
    this.playButton.addEventListener("click", () => this.toggle());
    byId("back", HTMLButtonElement).addEventListener("click", () => this.step(-1));
    byId("forth", HTMLButtonElement).addEventListener("click", () => this.step(1));
    byId("busiest", HTMLButtonElement).addEventListener("click", () => this.toBusiest());
    this.deepest.addEventListener("click", () => this.toDeepest());
    new ResizeObserver(() => this.draw()).observe(this.strip);
  }

  /** Frames that can be shown, and the first of all that there are. */
  setFrames(numbers: number[], first: number): void {
    this.pause();
    this.numbers = numbers;
    this.first = first;
    this.deepest.hidden = true;
    this.footer.hidden = numbers.length < 2;
    this.slider.max = String(Math.max(0, numbers.length - 1));
  }

  setCounts(counts: Counts): void {
    this.counts = counts;
    const depths = this.numbers.map((frame) => counts.depths[frame - this.first] ?? null);
    this.deepest.hidden = !depths.every((depth) => depth !== null) || !depths.some((depth) => depth !== null && depth > 0);
    this.draw();
  }

  /** The frame that is shown. */
  setFrame(frame: number): void {
    this.place = Math.max(0, this.numbers.indexOf(frame));
    this.aim = this.place;
    this.slider.value = String(this.place);
    const found = this.counts.counts[frame - this.first];
    const text = `Frame ${count(frame)} (${count(this.numbers[0] ?? 0)} to ${count(this.numbers.at(-1) ?? 0)})`;
    this.name.textContent = text;
    this.slider.setAttribute("aria-valuetext", found == null ? text : `${text}, ${counted(found, ONE[this.counts.unit] ?? this.counts.unit, this.counts.unit)}`);
    this.draw();
  }

  step(by: number): void {
    this.pause();
    void this.goTo(this.aim + by);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else void this.play();
  }

  toBusiest(): void {
    this.toMost(this.counts.counts);
  }

  /** Nothing happens where the depth of a frame is not known: it might be the deepest. */
  toDeepest(): void {
    if (!this.deepest.hidden) this.toMost(this.counts.depths);
  }

  private toMost(values: (number | null)[]): void {
    this.pause();
    let [most, best] = [-1, 0];
    this.numbers.forEach((frame, place) => {
      const found = values[frame - this.first] ?? -1;
      if (found > most) [most, best] = [found, place];
    });
    void this.goTo(best);
  }

  pause(): void {
    this.playing = false;
    this.label();
  }

  private async play(): Promise<void> {
    if (this.numbers.length < 2) return;
    this.playing = true;
    this.label();
    while (this.playing) {
      const start = performance.now();
      await this.goTo((this.place + 1) % this.numbers.length);
      const left = 1000 / Number(this.speed.value) - (performance.now() - start);
      await new Promise((wake) => setTimeout(wake, Math.max(0, left)));
    }
  }

  private label(): void {
    this.playButton.textContent = this.playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-pressed", String(this.playing));
    document.documentElement.dataset["playing"] = String(this.playing);
  }

  private async goTo(place: number): Promise<void> {
    this.aim = Math.min(Math.max(place, 0), this.numbers.length - 1);
    const frame = this.numbers[this.aim];
    if (frame !== undefined) await this.go(frame);
  }

  /** A bar for every frame, as high as it has contacts; frames with nothing but containments have a dot. */
  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.strip;
    if (width === 0) return;
    const ratio = Math.min(window.devicePixelRatio, 2);
    this.strip.width = width * ratio;
    this.strip.height = height * ratio;
    const pen = this.strip.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name);
    const most = this.counts.counts.reduce<number>((most, n) => Math.max(most, n ?? 0), 1);
    // A bar stands over the thumb of the slider below, whose middle moves between these two.
    const inset = 8;
    const places = Math.max(1, this.numbers.length - 1);
    const wide = (width - 2 * inset) / (places + 1);
    const at = (place: number): number => inset + (place * (width - 2 * inset)) / places;
    this.numbers.forEach((frame, place) => {
      const found = this.counts.counts[frame - this.first];
      const bar = Math.max(1, Math.min(wide - 1, 18));
      const x = at(place) - bar / 2;
      if (found == null) {
        pen.fillStyle = colour("--line");
        pen.fillRect(x, height - 2, bar, 2);
        return;
      }
      pen.fillStyle = place === this.place ? colour("--contact") : colour("--bar");
      const collides = this.counts.collides[frame - this.first] ?? false;
      const tall = found > 0 ? 3 + (found / most) * (height - 4) : collides ? 4 : 1;
      pen.fillRect(x, height - tall, bar, tall);
    });
  }
}
