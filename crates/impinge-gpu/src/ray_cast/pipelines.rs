//! The render pipelines of `ray_cast.wgsl`: what is drawn, where it goes, and what depth and stencil do.

use crate::device::Context;
use crate::kernel::module;
use crate::shaders;
use wgpu::{
    ColorTargetState, ColorWrites, CompareFunction, DepthStencilState, RenderPipeline, StencilFaceState,
    StencilOperation, TextureFormat,
};

/// Edges and bodies, by number.
pub(super) const NUMBERS: TextureFormat = TextureFormat::R32Uint;
/// Depth of the edges, and counts before them.
pub(super) const DEPTH_STENCIL: TextureFormat = TextureFormat::Depth24PlusStencil8;
/// Nothing is drawn into it, but an image must have a size.
pub(super) const UNUSED: TextureFormat = TextureFormat::R8Unorm;
/// `ZERO_COUNT` of `shared/cast.wgsl`.
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
    /// The same, of some bodies; and beside an image that nothing is written to.
    pub(super) count_some: Pair,
    pub(super) count_beside: Pair,
    /// Pass 4: edges inside something, into an image; or for queries.
    pub(super) identify_edge: RenderPipeline,
    pub(super) query_edge: RenderPipeline,
    /// Pass 7: the body that they are in; the stencil is made good again.
    pub(super) identify_body: RenderPipeline,
    pub(super) query_body: RenderPipeline,
    /// Makes the stencil good again where a body that is not closed made it negative.
    pub(super) restore: RenderPipeline,
    pub(super) restore_beside: RenderPipeline,
    /// Pixels with a negative count.
    pub(super) negative: RenderPipeline,
    /// Everything that rays to marked pixels meet.
    pub(super) list: RenderPipeline,
}

/// What a pipeline is made of.
struct Recipe<'a> {
    vertex: &'static str,
    fragment: Option<&'static str>,
    /// Formats of images, and whether they are written to.
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
        let shader = module(context, "ray_cast", shaders::RAY_CAST);
        let make = |recipe: Recipe| make(context, &shader, &recipe);
        let both = |compare, operation| [face(compare, operation); 2];
        let edge = |fragment, colors, depth_stencil| {
            make(Recipe { vertex: "edge", fragment, colors, depth_stencil: Some(depth_stencil) })
        };
        let surface = |fragment, colors, depth_stencil| {
            make(Recipe { vertex: "surface", fragment, colors, depth_stencil: Some(depth_stencil) })
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
            count_some: counting(Some("count_some"), &[]),
            count_beside: counting(Some("nothing"), unnamed),
            identify_edge: edge(Some("identify_edge"), named, inside.clone()),
            query_edge: edge(None, &[], inside),
            identify_body: surface(Some("identify_body"), named, around.clone()),
            query_body: surface(None, &[], around),
            restore: surface(None, &[], open.clone()),
            restore_beside: surface(Some("nothing"), unnamed, open),
            negative: make(Recipe {
                vertex: "everywhere",
                fragment: None,
                colors: &[],
                depth_stencil: Some(state(both(Greater, Keep), Always, false)),
            }),
            list: make(Recipe {
                vertex: "surface",
                fragment: Some("list"),
                colors: &[(UNUSED, false)],
                depth_stencil: None,
            }),
        }
    }
}

fn make(context: &Context, shader: &wgpu::ShaderModule, recipe: &Recipe) -> RenderPipeline {
    let options = wgpu::PipelineCompilationOptions::default;
    let attributes = wgpu::vertex_attr_array![0 => Float32x4];
    let vertices = wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    };
    let vertices = [Some(vertices)];
    let target = |&(format, written): &(TextureFormat, bool)| {
        let write_mask = if written { ColorWrites::ALL } else { ColorWrites::empty() };
        Some(ColorTargetState { format, blend: None, write_mask })
    };
    let targets: Vec<Option<ColorTargetState>> = recipe.colors.iter().map(target).collect();
    context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(recipe.fragment.unwrap_or(recipe.vertex)),
        layout: None,
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some(recipe.vertex),
            compilation_options: options(),
            buffers: if recipe.vertex == "everywhere" { &[] } else { &vertices },
        },
        // What faces the viewer turns left, as everywhere; no face is left out.
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: recipe.depth_stencil.clone(),
        multisample: wgpu::MultisampleState::default(),
        fragment: recipe.fragment.map(|entry| wgpu::FragmentState {
            module: shader,
            entry_point: Some(entry),
            compilation_options: options(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
