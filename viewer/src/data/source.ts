// Where data come from: the program that serves the page, or the page itself.

import { readFrame, readHead, readScene, readSeen } from "./container";
import type { Counts, FrameData, SceneData, SeenData } from "./types";

/** News of the files: other data, or why they could not be read. */
export interface News {
  changed: boolean;
  problem: string | null;
  /** Whether the program still answers. */
  connected: boolean;
}

export interface Source {
  scene(): Promise<SceneData>;
  frame(number: number): Promise<FrameData>;
  seen(number: number): Promise<SeenData | null>;
  counts(): Promise<Counts>;
  /** The frames there are, in order, and the one to begin with. */
  frames(scene: SceneData): { numbers: number[]; begin: number };
  /** A sentence on what is not here. */
  note(): string | null;
  watch(tell: (news: News) => void): void;
}

export function findSource(): Source {
  return document.getElementById("data-report") ? new Embedded() : new Served();
}

/** The files changed between two questions: what is new will be asked for in a moment. */
export class Changed extends Error {}

/** Nobody answers. */
export class Gone extends Error {}

class Served implements Source {
  private data = "0";

  private async get(path: string): Promise<Response> {
    const response = await fetch(path).catch(() => {
      throw new Gone("the program has stopped");
    });
    if (response.status === 409) throw new Changed();
    if (!response.ok) throw new Error((await response.text()).trim() || `${path}: ${response.status}`);
    return response;
  }

  async scene(): Promise<SceneData> {
    const response = await this.get("/scene");
    this.data = response.headers.get("impinge-data") ?? "0";
    return readScene(await response.arrayBuffer());
  }

  async frame(number: number): Promise<FrameData> {
    return readFrame(await (await this.get(`/frame?number=${number}&data=${this.data}`)).arrayBuffer());
  }

  async seen(number: number): Promise<SeenData> {
    return readSeen(await (await this.get(`/seen?number=${number}&data=${this.data}`)).arrayBuffer());
  }

  async counts(): Promise<Counts> {
    return (await (await this.get("/counts")).json()) as Counts;
  }

  frames(scene: SceneData): { numbers: number[]; begin: number } {
    const numbers = Array.from({ length: scene.end - scene.first }, (_, k) => scene.first + k);
    return { numbers, begin: scene.first };
  }

  note(): string | null {
    return null;
  }

  watch(tell: (news: News) => void): void {
    const ask = async (after: number): Promise<void> => {
      let lost = false;
      for (;;) {
        try {
          const response = await this.get(`/version?after=${after}`);
          const state = (await response.json()) as { version: number; data: number; problem: string | null };
          after = state.version;
          // Whoever answers after a while may be another program.
          const changed = lost || String(state.data) !== this.data;
          lost = false;
          tell({ changed, problem: state.problem, connected: true });
        } catch {
          lost = true;
          tell({ changed: false, problem: null, connected: false });
          await new Promise((wake) => setTimeout(wake, 1500));
          after = 0;
        }
      }
    };
    void ask(1);
  }
}

interface ReportHead extends Counts {
  frames: number[];
  begin: number;
  stride: number;
}

class Embedded implements Source {
  private readonly report = readHead<ReportHead>(embedded("report"));

  async scene(): Promise<SceneData> {
    return readScene(embedded("scene", true));
  }

  async frame(number: number): Promise<FrameData> {
    return readFrame(embedded(`frame-${number}`));
  }

  async seen(number: number): Promise<SeenData | null> {
    return document.getElementById(`data-seen-${number}`) ? readSeen(embedded(`seen-${number}`)) : null;
  }

  async counts(): Promise<Counts> {
    return this.report;
  }

  frames(): { numbers: number[]; begin: number } {
    return { numbers: this.report.frames, begin: this.report.begin };
  }

  note(): string | null {
    const { frames, counts, stride } = this.report;
    if (frames.length >= counts.length) return null;
    const which = `This file holds ${frames.length} of ${counts.length} frames, about every ${ordinal(stride)}`;
    return `${which}, to stay small enough to open. impinge view shows all.`;
  }

  watch(): void {
    // A file does not change under the page.
  }
}

function ordinal(n: number): string {
  return n === 2 ? "second" : `${n}th`;
}

/** Data inside the page. What is read only once is taken out, so that it is not in memory twice. */
function embedded(id: string, once = false): ArrayBuffer {
  const element = document.getElementById(`data-${id}`);
  if (!element) throw new Error(`this file has no ${id}`);
  const text = element.textContent ?? "";
  if (once) element.remove();
  const modern = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (modern.fromBase64) return modern.fromBase64(text).buffer;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}
