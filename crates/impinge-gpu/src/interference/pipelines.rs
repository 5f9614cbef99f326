//! The render pipelines of `count.wgsl`: shaders, attachments, depth and stencil states.

use crate::device::{Context, RenderRecipe, module, render_pipeline};
use crate::shaders;
use wgpu::{
    ColorTargetState, ColorWrites, CompareFunction, DepthStencilState, RenderPipeline, StencilFaceState,
    StencilOperation, TextureFormat,
};

/// Edges and bodies, by number.
pub(super) const NUMBERS: TextureFormat = TextureFormat::R32Uint;
/// Depth of the edges, and counts before them.
pub(super) const DEPTH_STENCIL: TextureFormat = TextureFormat::Depth24PlusStencil8;
/// A pass needs an attachment: nothing is written.
pub(super) const UNUSED: TextureFormat = TextureFormat::R8Unorm;
/// Counts before edges, of closed bodies and of open ones: integers up to 2048.
pub(super) const COUNTS: TextureFormat = TextureFormat::Rg16Float;
/// The stencil of a marked pixel, when counts are in an image.
pub(super) const FLAGGED: u32 = 1;
/// The stencil for a count of zero: above it, the edge is inside something.
pub(super) const ZERO_COUNT: u32 = 128;

/// One for surfaces as they are, one for those of mirrored bodies.
pub(super) type Pair = [RenderPipeline; 2];

/// Every pipeline of the method.
#[derive(Debug)]
pub(super) struct Pipelines {
    /// Pass 1: edges; further layers of them.
    pub(super) show: RenderPipeline,
    pub(super) show_below: RenderPipeline,
    /// Passes 2 and 3 in one: front faces up, back faces down (4.4.1).
    pub(super) count: Pair,
    /// The same with a color attachment that is not written.
    pub(super) count_beside: Pair,
    /// The same for some bodies, by additive blending. A shader cannot read the stencil, and fragments that a
    /// shader discards have already cost their time.
    pub(super) count_some: RenderPipeline,
    /// Pass 4: edges inside something, into an image; or for queries.
    pub(super) identify_edge: RenderPipeline,
    pub(super) query_edge: RenderPipeline,
    /// Pass 7: the body that they are in; restores the stencil.
    pub(super) identify_body: RenderPipeline,
    pub(super) query_body: RenderPipeline,
    /// Restores the stencil where an open body made it negative.
    pub(super) restore: RenderPipeline,
    pub(super) restore_beside: RenderPipeline,
    /// Pixels with a negative count.
    pub(super) negative: RenderPipeline,
    /// Sets the stencil of marked pixels; and lists the crossings of the rays to them.
    pub(super) flag: RenderPipeline,
    pub(super) list: RenderPipeline,
}

/// The descriptor of a pipeline.
struct Recipe<'a> {
    vertex: &'static str,
    fragment: Option<&'static str>,
    /// Formats of images, and whether they are written.
    colors: &'a [(TextureFormat, bool)],
    depth_stencil: Option<DepthStencilState>,
}

fn face(compare: CompareFunction, pass_op: StencilOperation) -> StencilFaceState {
    let keep = StencilOperation::Keep;
    StencilFaceState { compare, fail_op: keep, depth_fail_op: keep, pass_op }
}

/// Both faces, a depth test, and whether depth is written.
fn state([front, back]: [StencilFaceState; 2], depth: CompareFunction, write: bool) -> DepthStencilState {
    DepthStencilState {
        format: DEPTH_STENCIL,
        depth_write_enabled: Some(write),
        depth_compare: Some(depth),
        stencil: wgpu::StencilState { front, back, read_mask: 0xff, write_mask: 0xff },
        bias: wgpu::DepthBiasState::default(),
    }
}

impl Pipelines {
    pub(super) fn new(context: &Context) -> Self {
        use CompareFunction::{Always, Equal, Greater, Less};
        use StencilOperation::{DecrementWrap, IncrementWrap, Keep, Replace};
        let shader = module(context, "ray_cast", shaders::COUNT);
        let of = |recipe: Recipe| make(context, &shader, &recipe);
        let both = |compare, operation| [face(compare, operation); 2];
        let edge = |fragment, colors, depth_stencil| {
            of(Recipe { vertex: "edge", fragment, colors, depth_stencil: Some(depth_stencil) })
        };
        let surface = |fragment, colors, depth_stencil| {
            of(Recipe { vertex: "surface", fragment, colors, depth_stencil: Some(depth_stencil) })
        };
        let up_and_down = [face(Always, IncrementWrap), face(Always, DecrementWrap)];
        let counting = |fragment, colors| {
            let [up, down] = up_and_down;
            [[up, down], [down, up]].map(|faces| surface(fragment, colors, state(faces, Less, false)))
        };
        let shown = [(NUMBERS, true), (NUMBERS, true)];
        let drawn = state(both(Always, Keep), Always, true);
        // The reference, on the left, is ZERO_COUNT.
        let inside = state(both(Less, Keep), Equal, false);
        let around = state(both(Less, Replace), Less, false);
        let open = state(both(Greater, Replace), Less, false);
        let (named, unnamed): (&[_], &[_]) = (&[(NUMBERS, true)], &[(NUMBERS, false)]);
        Self {
            show: edge(Some("show"), &shown, drawn.clone()),
            show_below: edge(Some("show_below"), &shown, drawn),
            count: counting(None, &[]),
            count_some: surface(
                Some("count_some"),
                &[(COUNTS, true)],
                state(both(Always, Keep), Less, false),
            ),
            count_beside: counting(Some("nothing"), unnamed),
            identify_edge: edge(Some("identify_edge"), named, inside.clone()),
            query_edge: edge(None, &[], inside),
            identify_body: surface(Some("identify_body"), named, around.clone()),
            query_body: surface(None, &[], around),
            restore: surface(None, &[], open.clone()),
            restore_beside: surface(Some("nothing"), unnamed, open),
            negative: of(Recipe {
                vertex: "everywhere",
                fragment: None,
                colors: &[],
                depth_stencil: Some(state(both(Greater, Keep), Always, false)),
            }),
            flag: of(Recipe {
                vertex: "everywhere",
                fragment: Some("flag"),
                colors: &[],
                depth_stencil: Some(state(both(Always, Replace), Always, false)),
            }),
            list: {
                let recipe = Recipe {
                    vertex: "surface",
                    fragment: Some("list"),
                    colors: &[(UNUSED, false)],
                    depth_stencil: Some(state(both(Equal, Keep), Always, false)),
                };
                make(context, &asked_before(context), &recipe)
            },
        }
    }
}

/// The shader with early depth and stencil tests, where the device supports forcing them: writes to a buffer
/// happen even if a later test fails.
fn asked_before(context: &Context) -> wgpu::ShaderModule {
    let told = context.device.features().contains(wgpu::Features::SHADER_EARLY_DEPTH_TEST);
    let attribute =
        if told { "@early_depth_test(force)\n@fragment\nfn list(" } else { "@fragment\nfn list(" };
    module(context, "list", shaders::COUNT.replace("@fragment\nfn list(", attribute))
}

fn make(context: &Context, shader: &wgpu::ShaderModule, recipe: &Recipe) -> RenderPipeline {
    let target = |&(format, written): &(TextureFormat, bool)| {
        let write_mask = if written { ColorWrites::ALL } else { ColorWrites::empty() };
        let sum = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let blend = (format == COUNTS).then_some(wgpu::BlendState { color: sum, alpha: sum });
        Some(ColorTargetState { format, blend, write_mask })
    };
    let targets: Vec<Option<ColorTargetState>> = recipe.colors.iter().map(target).collect();
    let recipe = RenderRecipe {
        label: recipe.fragment.unwrap_or(recipe.vertex),
        module: shader,
        vertex: recipe.vertex,
        has_corners: recipe.vertex != "everywhere",
        fragment: recipe.fragment,
        targets: &targets,
        depth_stencil: recipe.depth_stencil.clone(),
    };
    render_pipeline(context, recipe)
}
