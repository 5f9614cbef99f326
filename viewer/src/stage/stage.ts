// The 3D view: a camera that orbits, passes in their order, and drawing only when something changed.

import {
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  Box3,
  Sphere,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { FrameData, Pair, SceneData } from "../data/types";
import { approach, corners, type Frame, hiding, standpoint } from "./approach";
import { Bodies } from "./bodies";
import { palette, type Palette } from "./colours";
import { Marks } from "./marks";
import { Outlines } from "./outlines";
import { Sights } from "./sights";

/** Milliseconds of a flight, and of a frame that is too slow to be turned smoothly. */
const FLIGHT = 700;
const SLOW = 55;

/** Milliseconds between two frames that mean that nothing was to be drawn. */
const PAUSE = 3000;

/** Pixels that stay free around the scene, beside what lies over the canvas. */
const MARGIN = 20;

/** Milliseconds without a change before everything is drawn as well as it can be. */
const REST = 160;

export interface Picked {
  body: number;
  triangle: number;
  at: Vector3;
}

interface Flight {
  from: [Vector3, Vector3];
  to: [Vector3, Vector3];
  start: number;
}

export class Stage {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly sights: Sights;
  bodies: Bodies | null = null;
  private readonly renderer: WebGLRenderer;
  private readonly solid = new Scene();
  private readonly drawnOver = new Scene();
  private readonly planes: Plane[] = [];
  private readonly marks: Marks;
  private outlines: Outlines;
  private readonly lamp = new DirectionalLight(0xffffff, 1.7);
  private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1.5);
  private colours: Palette = palette(false);
  private outlined = true;
  private flight: Flight | null = null;
  /** From where everything was last fitted into the canvas, and where that put the camera. */
  private fitted: { toward: Vector3; eye: Vector3 } | null = null;
  private shown: { frame: FrameData; pair: Pair | null } | null = null;
  private pending = false;
  private moving = false;
  private coarse = false;
  /** Whether this scene has been seen to take too long to turn smoothly. */
  private slow = false;
  private last = 0;
  private resting = 0;

  /** Controls turn about the axis that is up when they are made. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    /** What lies over the bottom of the canvas. */
    private readonly tools: HTMLElement,
    up: "y" | "z",
  ) {
    this.camera.up.set(0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
    this.sky.position.copy(this.camera.up);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.listenToKeyEvents(canvas);
    this.controls.keyPanSpeed = 24;
    this.controls.addEventListener("start", () => (this.moving = true));
    this.controls.addEventListener("end", () => (this.moving = false));
    this.controls.addEventListener("change", () => this.invalidate());
    this.marks = new Marks(this.planes);
    this.sights = new Sights(this.planes);
    this.outlines = new Outlines(this.planes);
    this.solid.add(this.sky, this.lamp, this.lamp.target);
    this.drawnOver.add(this.marks.group, this.sights.group);
    // Contacts stay on top of whatever the method saw.
    this.marks.group.renderOrder = 1;
    new ResizeObserver(() => this.refit()).observe(canvas);
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    this.setDark(false);
  }

  /** Another scene; the camera stays where it is in the world. */
  load(data: SceneData, before: SceneData | null): void {
    if (before) {
      for (const p of [this.camera.position, this.controls.target]) {
        const axis = (k: 0 | 1 | 2): number => (p.getComponent(k) * before.scale + before.centre[k] - data.centre[k]) / data.scale;
        p.set(axis(0), axis(1), axis(2));
      }
      this.controls.update();
    }
    if (this.bodies) {
      this.solid.remove(this.bodies.group);
      this.bodies.dispose();
    }
    this.bodies = new Bodies(data, this.planes);
    this.shown = null;
    this.slow = false;
    for (const body of this.bodies.all) Outlines.number(body.mesh, body.index);
    this.solid.add(this.bodies.group);
    this.sights.clear();
  }

  show(frame: FrameData, pair: Pair | null): void {
    if (!this.bodies) return;
    this.shown = { frame, pair };
    this.bodies.show(frame);
    this.bodies.isolate(pair ? [pair.a, pair.b] : null);
    this.marks.show(frame, this.bodies, pair);
    this.invalidate();
  }

  /** Shows or hides bodies, and their contacts with them. */
  setWanted(indices: number[], wanted: boolean): void {
    if (!this.bodies) return;
    this.bodies.setWanted(indices, wanted);
    if (this.shown) this.marks.show(this.shown.frame, this.bodies, this.shown.pair);
    this.invalidate();
  }

  get drawnLines(): number {
    return this.marks.drawn;
  }

  setDark(dark: boolean): void {
    this.colours = palette(dark);
    this.sky.color.copy(this.colours.sky);
    this.sky.groundColor.copy(this.colours.ground);
    this.lamp.intensity = this.colours.lamp;
    this.marks.setColour(this.colours.contact);
    this.sights.setColour(this.colours.overlay);
    this.invalidate();
  }

  setOutlined(on: boolean): void {
    this.outlined = on;
    this.invalidate();
  }

  /** Cuts away everything on one side of a plane, or nothing. */
  setSection(plane: Plane | null): void {
    const before = this.planes.length;
    this.planes.length = 0;
    if (plane) this.planes.push(plane);
    this.bodies?.setCut(plane !== null);
    if (before !== this.planes.length) {
      // Shaders count the planes they were made for.
      this.outlines.dispose();
      this.outlines = new Outlines(this.planes);
    }
    this.invalidate();
  }

  /** Everything that is shown, from three quarters, at once. */
  fit(animated: boolean): void {
    if (!this.bodies || this.bodies.bounds().isEmpty()) return;
    const up = this.camera.up.z > 0.5;
    const toward = (up ? new Vector3(0.55, -0.9, 0.42) : new Vector3(0.55, 0.42, 0.9)).normalize();
    this.enclose(toward, animated);
  }

  /** The box of everything that is shown, from a side, as large as the canvas has room for it above the tools. */
  private enclose(toward: Vector3, animated: boolean): void {
    if (!this.bodies) return;
    // The observer may not have been heard yet.
    this.resize();
    const { eye, target } = standpoint(this.camera, toward, this.free(), corners(this.bodies.extent()));
    this.fitted = { toward, eye };
    this.leave([eye, target], animated);
  }

  /** Where nothing lies over the canvas. */
  private free(): Frame {
    const { left, right, top, bottom } = this.canvas.getBoundingClientRect();
    const [wide, tall] = [right - left, bottom - top];
    if (wide === 0 || tall === 0) return { left: -1, right: 1, bottom: -1, top: 1 };
    const below = Math.max(0, bottom - this.tools.getBoundingClientRect().top);
    // However small the canvas, some of it is taken.
    const across = 1 - (2 * Math.min(MARGIN, wide / 8)) / wide;
    const margin = Math.min(MARGIN, tall / 8);
    return { left: -across, right: across, bottom: -1 + (2 * Math.min(below + margin, tall / 2)) / tall, top: 1 - (2 * margin) / tall };
  }

  /** The canvas has another size: whoever has not moved the camera still sees everything. */
  private refit(): void {
    const { fitted } = this;
    const rests = fitted !== null && (this.flight?.to[0] ?? this.camera.position).distanceTo(fitted.eye) < 1e-6;
    if (rests) this.enclose(fitted.toward, false);
    else this.resize();
  }

  private leave(to: [Vector3, Vector3], animated: boolean): void {
    const still = !animated || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.flight = { from: [this.camera.position.clone(), this.controls.target.clone()], to, start: performance.now() };
    if (still) this.flight.start -= FLIGHT;
    this.canvas.dataset["flying"] = "true";
    this.invalidate();
  }

  /** To where the pair that is alone meets, from the side that the camera looks from now. What hides it becomes glass. */
  fly(where: Vector3[], pair: Pair): void {
    if (!this.bodies) return;
    this.resize();
    const toward = this.camera.position.clone().sub(this.controls.target).normalize();
    const both = this.bodies.all.filter(({ index }) => index === pair.a || index === pair.b);
    const frame = this.free();
    const to = approach(this.camera, toward, frame, where, both, this.bodies);
    const glass = hiding(this.camera, to, frame, both, this.planes);
    this.bodies.setGlass(glass);
    this.canvas.dataset["glass"] = String(glass ?? "");
    this.leave([to.eye, to.target], true);
  }

  /** Looks along an axis, the scene upright. */
  lookAlong(axis: Vector3): void {
    if (!this.bodies?.bounds().isEmpty()) this.enclose(axis, true);
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.invalidate();
  }

  turn(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, -right);
    const across = new Vector3().crossVectors(this.camera.up, offset).normalize();
    const angle = offset.angleTo(this.camera.up);
    offset.applyAxisAngle(across, -Math.max(Math.min(up, angle - 0.02), angle - Math.PI + 0.02));
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.invalidate();
  }

  /** What is seen at a point of the canvas. */
  pick(clientX: number, clientY: number): Picked | null {
    if (!this.bodies) return null;
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const shown = this.bodies.all.filter((body) => body.mesh.visible && ray.ray.intersectsBox(body.bounds));
    const hits = ray.intersectObjects(shown.map((body) => body.mesh), false);
    const hit = hits.find(({ point }) => this.planes.every((plane) => plane.distanceToPoint(point) >= 0));
    if (!hit) return null;
    return { body: hit.object.userData["body"] as number, triangle: hit.faceIndex ?? 0, at: hit.point };
  }

  /** Turns about a point from now on. */
  centreOn(point: Vector3): void {
    const by = point.clone().sub(this.controls.target);
    this.leave([this.camera.position.clone().add(by), point.clone()], true);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.sharpen();
    this.renderer.setSize(width, height, false);
    this.marks.setSize(width, height, this.renderer.getPixelRatio());
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private sharpen(): void {
    const ratio = Math.min(window.devicePixelRatio, 2) * (this.coarse ? 0.5 : 1);
    if (this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.marks.setSize(this.canvas.clientWidth, this.canvas.clientHeight, ratio);
    }
  }

  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.pending = false;
    const between = now - this.last;
    const busy = this.moving || this.flight !== null;
    // What takes too long is drawn coarsely while it moves, and well as soon as it rests.
    if (busy && this.last > 0 && between < PAUSE) this.slow ||= between > SLOW;
    this.coarse ||= busy && this.slow;
    this.last = busy ? now : 0;
    this.advance(now);
    this.draw(this.coarse);
    clearTimeout(this.resting);
    if (this.coarse) {
      this.resting = window.setTimeout(() => {
        if (this.moving || this.flight) return;
        this.coarse = false;
        this.invalidate();
      }, REST);
    }
    if (this.flight) this.invalidate();
  }

  private advance(now: number): void {
    if (!this.flight) return;
    const { from, to, start } = this.flight;
    const part = Math.min(1, Math.max(0, (now - start) / FLIGHT));
    const eased = part * part * (3 - 2 * part);
    this.camera.position.lerpVectors(from[0], to[0], eased);
    this.controls.target.lerpVectors(from[1], to[1], eased);
    this.controls.update();
    if (part >= 1) this.flight = null;
  }

  private draw(coarse: boolean): void {
    this.sharpen();
    this.place();
    if (this.bodies) this.marks.follow(this.bodies);
    const { renderer } = this;
    const outlined = this.outlined && !coarse;
    if (outlined) this.outlines.look(renderer, this.solid, this.camera);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(this.solid, this.camera);
    if (outlined) this.outlines.draw(renderer, this.colours.outline);
    renderer.render(this.drawnOver, this.camera);
    this.canvas.dataset["camera"] = this.camera.position.toArray().map((c) => c.toFixed(4)).join(" ");
    this.canvas.dataset["target"] = this.controls.target.toArray().map((c) => c.toFixed(4)).join(" ");
    this.canvas.dataset["flying"] = String(this.flight !== null);
    this.canvas.dataset["drawn"] = String(Number(this.canvas.dataset["drawn"] ?? 0) + 1);
  }

  /** Near and far as close to the scene as they can be, and light from over the shoulder. */
  private place(): void {
    const sphere = (this.bodies?.bounds() ?? new Box3()).getBoundingSphere(new Sphere());
    if (sphere.radius > 0) {
      const distance = this.camera.position.distanceTo(sphere.center);
      this.camera.far = distance + sphere.radius * 1.05;
      this.camera.near = Math.max(distance - sphere.radius * 1.05, this.camera.far * 1e-4);
      this.camera.updateProjectionMatrix();
    }
    const back = this.camera.position.clone().sub(this.controls.target).normalize();
    const left = new Vector3().crossVectors(back, this.camera.up).normalize();
    this.lamp.position.copy(back).addScaledVector(left, 0.45).addScaledVector(this.camera.up, 0.6);
    this.lamp.target.position.set(0, 0, 0);
  }
}
