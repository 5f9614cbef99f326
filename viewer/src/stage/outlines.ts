// Outlines of bodies, found in the image: where the body, the depth or the direction of the surface changes from one
// pixel to the next. That costs one more drawing of the scene, whatever the meshes are, and no memory for edges.

import {
  DepthTexture,
  DoubleSide,
  GLSL3,
  Mesh,
  NearestFilter,
  type Object3D,
  OrthographicCamera,
  type PerspectiveCamera,
  type Plane,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  UnsignedIntType,
  type Color,
  Vector2,
  WebGLRenderTarget,
  type WebGLRenderer,
} from "three";
import { NORMAL } from "./bodies";

/** Depth is linear across a plane, in the image; where it bends by this part of its range, and by most of what it changes,
 * one surface ends. */
const BEND = "0.005";
const MOSTLY = "0.55";

/** Directions that differ by more than this are an edge (cosine). */
const EDGE = "0.80";

export class Outlines {
  private readonly target = new WebGLRenderTarget(1, 1, { minFilter: NearestFilter, magFilter: NearestFilter });
  private readonly surface: ShaderMaterial;
  private readonly lines: ShaderMaterial;
  private readonly quad = new Scene();
  private readonly eye = new OrthographicCamera(-1, 1, 1, -1, 0, 1);

  constructor(clippingPlanes: Plane[]) {
    this.target.depthTexture = new DepthTexture(1, 1, UnsignedIntType);
    this.surface = new ShaderMaterial({
      glslVersion: GLSL3,
      side: DoubleSide,
      clipping: true,
      clippingPlanes,
      uniforms: { body: { value: 0 } },
      vertexShader: `
        #include <clipping_planes_pars_vertex>
        in float round;
        out float rounded;
        out vec3 vViewPosition;
        out vec3 direction;
        void main() {
          vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
          vViewPosition = -mvPosition.xyz;
          direction = normalMatrix * normal;
          rounded = round;
          gl_Position = projectionMatrix * mvPosition;
          #include <clipping_planes_vertex>
        }`,
      fragmentShader: `
        #include <clipping_planes_pars_fragment>
        in float rounded;
        in vec3 vViewPosition;
        in vec3 direction;
        uniform float body;
        layout(location = 0) out vec4 seen;
        void main() {
          #include <clipping_planes_fragment>
          vec3 normal = normalize(direction) * (gl_FrontFacing ? 1.0 : -1.0);
          ${NORMAL}
          seen = vec4(normal * 0.5 + 0.5, body);
        }`,
    });
    this.lines = new ShaderMaterial({
      glslVersion: GLSL3,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      uniforms: {
        seen: { value: this.target.texture },
        depths: { value: this.target.depthTexture },
        step: { value: new Vector2() },
        colour: { value: null },
      },
      vertexShader: `
        out vec2 at;
        void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,
      fragmentShader: `
        in vec2 at;
        uniform sampler2D seen;
        uniform sampler2D depths;
        uniform vec2 step;
        uniform vec3 colour;
        layout(location = 0) out vec4 line;
        float edge(vec2 by) {
          vec4 here = texture(seen, at), left = texture(seen, at - by), right = texture(seen, at + by);
          float bodies = float(abs(left.a - right.a) > 0.5 / 255.0);
          float d = texture(depths, at).x, dl = texture(depths, at - by).x, dr = texture(depths, at + by).x;
          float least = max(${BEND}, ${MOSTLY} * abs(dr - dl));
          float bend = smoothstep(least, 1.5 * least, abs(dl + dr - 2.0 * d));
          vec3 a = left.rgb * 2.0 - 1.0, b = right.rgb * 2.0 - 1.0;
          float turn = left.a * right.a > 0.0 ? 1.0 - smoothstep(${EDGE} - 0.1, ${EDGE}, dot(a, b)) : 0.0;
          return max(bodies, max(bend, 0.55 * turn));
        }
        void main() {
          float across = edge(vec2(step.x, 0.0)), down = edge(vec2(0.0, step.y));
          float strength = max(across, down);
          if (strength < 0.02) discard;
          line = vec4(colour, 0.62 * strength);
          #include <colorspace_fragment>
        }`.replace("#include <colorspace_fragment>", "line = linearToOutputTexel(line);"),
    });
    const plane = new Mesh(new PlaneGeometry(2, 2), this.lines);
    plane.frustumCulled = false;
    this.quad.add(plane);
  }

  /** Number every body, so that its neighbours have others. */
  static number(object: Object3D, index: number): void {
    object.onBeforeRender = (_renderer, _scene, _camera, _geometry, material) => {
      if (material instanceof ShaderMaterial && material.uniforms["body"]) {
        // Neighbouring numbers must be told apart in eight bits.
        material.uniforms["body"].value = (1 + ((index * 37) % 254)) / 255;
        material.uniformsNeedUpdate = true;
      }
    };
  }

  /** Looks at the bodies; before the picture is drawn. */
  look(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera): void {
    const size = renderer.getDrawingBufferSize(new Vector2());
    if (this.target.width !== size.x || this.target.height !== size.y) this.target.setSize(size.x, size.y);
    (this.lines.uniforms["step"]?.value as Vector2).set(0.6 / size.x, 0.6 / size.y);
    scene.overrideMaterial = this.surface;
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    scene.overrideMaterial = null;
  }

  /** Draws the lines over what is there. */
  draw(renderer: WebGLRenderer, colour: Color): void {
    const uniform = this.lines.uniforms["colour"];
    if (uniform) uniform.value = colour;
    renderer.render(this.quad, this.eye);
  }

  dispose(): void {
    this.target.dispose();
    this.surface.dispose();
    this.lines.dispose();
  }
}
