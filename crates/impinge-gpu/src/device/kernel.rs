//! Compute pipelines and bind groups.

use super::{Context, Recorder};
use wgpu::{
    BindGroup, BindGroupEntry, BindGroupLayout, BindingResource, Buffer, ComputePipeline, TextureView,
};

/// Workgroups per axis that every device supports.
const MAX_GROUPS_PER_AXIS: u32 = 65_535;

/// One compute pipeline.
#[derive(Debug)]
pub(crate) struct Kernel {
    pipeline: ComputePipeline,
    name: &'static str,
    size: u32,
}

impl Kernel {
    /// An entry point of a shader, with workgroups of `size` threads.
    pub(crate) fn new(
        context: &Context,
        source: impl Into<std::borrow::Cow<'static, str>>,
        entry: &'static str,
        size: u32,
    ) -> Self {
        let pipeline = context.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module: &module(context, entry, source),
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self { pipeline, name: entry, size }
    }

    /// Dispatches at least `threads` threads; the shader must ignore those beyond.
    pub(crate) fn run(&self, recorder: &mut Recorder, buffers: &[(u32, &Buffer)], threads: u32) {
        self.run_with_images(recorder, buffers, &[], threads);
    }

    /// The same, with those of a shader's buffers that the entry point uses.
    pub(crate) fn run_some(
        &self,
        recorder: &mut Recorder,
        all: &[(u32, &Buffer)],
        bindings: &[u32],
        threads: u32,
    ) {
        let used = all.iter().filter(|(binding, _)| bindings.contains(binding)).copied();
        self.run(recorder, &used.collect::<Vec<_>>(), threads);
    }

    /// The same, with images.
    pub(crate) fn run_with_images(
        &self,
        recorder: &mut Recorder,
        buffers: &[(u32, &Buffer)],
        images: &[(u32, &TextureView)],
        threads: u32,
    ) {
        let buffers = buffers.iter().map(|(binding, buffer)| (*binding, buffer.as_entire_binding()));
        let images = images.iter().map(|(binding, image)| (*binding, BindingResource::TextureView(image)));
        self.run_with(recorder, buffers.chain(images), threads);
    }

    /// The same, with any binding.
    pub(crate) fn run_with<'a>(
        &self,
        recorder: &mut Recorder,
        resources: impl Iterator<Item = (u32, BindingResource<'a>)>,
        threads: u32,
    ) {
        if threads == 0 {
            return;
        }
        let layout = self.pipeline.get_bind_group_layout(0);
        let group = bind_any(&recorder.context, self.name, &layout, resources);
        let groups = threads.div_ceil(self.size);
        // Shaders compute the index along x first, then along y.
        let across = groups.min(MAX_GROUPS_PER_AXIS);
        let (encoder, timestamps) = recorder.pass();
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(self.name),
            timestamp_writes: timestamps.map(|(query_set, begin)| wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(begin),
                end_of_pass_write_index: Some(begin + 1),
            }),
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(across, groups.div_ceil(across), 1);
    }
}

/// A shader module.
pub(crate) fn module(
    context: &Context,
    name: &str,
    source: impl Into<std::borrow::Cow<'static, str>>,
) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(source.into());
    context.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
}

/// Whole buffers and images, by binding number.
pub(crate) fn bind(
    context: &Context,
    name: &str,
    layout: &BindGroupLayout,
    buffers: &[(u32, &Buffer)],
    images: &[(u32, &TextureView)],
) -> BindGroup {
    let buffers = buffers.iter().map(|(binding, buffer)| (*binding, buffer.as_entire_binding()));
    let images = images.iter().map(|(binding, image)| (*binding, BindingResource::TextureView(image)));
    bind_any(context, name, layout, buffers.chain(images))
}

/// Any resources, by binding number.
pub(crate) fn bind_any<'a>(
    context: &Context,
    name: &str,
    layout: &BindGroupLayout,
    resources: impl Iterator<Item = (u32, BindingResource<'a>)>,
) -> BindGroup {
    let entries: Vec<BindGroupEntry> =
        resources.map(|(binding, resource)| BindGroupEntry { binding, resource }).collect();
    context.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(name),
        layout,
        entries: &entries,
    })
}
