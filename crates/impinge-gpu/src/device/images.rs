//! Images that are reused while their size stays, and reading them back.

use super::{Context, Recorder};
use crate::error::GpuError;
use wgpu::{
    Buffer, BufferUsages, Extent3d, TextureAspect, TextureDescriptor, TextureFormat, TextureUsages,
    TextureView, TextureViewDescriptor,
};

/// An image, reused while its size stays.
#[derive(Debug)]
pub(crate) struct CachedImage {
    format: TextureFormat,
    layers: u32,
    image: Option<Image>,
}

#[derive(Debug)]
struct Image {
    pixels: [u32; 2],
    /// The whole image.
    view: TextureView,
    /// Each layer; of a single layer, the same twice.
    layers: [TextureView; 2],
    /// Depth alone and stencil alone, of an image with both.
    aspects: Option<[TextureView; 2]>,
}

impl CachedImage {
    pub(crate) fn new(format: TextureFormat) -> Self {
        Self { format, layers: 1, image: None }
    }

    /// With two layers.
    pub(crate) fn two_layers(format: TextureFormat) -> Self {
        Self { format, layers: 2, image: None }
    }

    /// Frees it.
    pub(crate) fn forget(&mut self) {
        self.image = None;
    }

    pub(crate) fn view(&self) -> Option<&TextureView> {
        self.image.as_ref().map(|image| &image.view)
    }

    pub(crate) fn layer(&self, layer: u32) -> Option<&TextureView> {
        self.image.as_ref().map(|image| &image.layers[layer as usize])
    }

    /// Depth alone and stencil alone.
    pub(crate) fn aspects(&self) -> Option<&[TextureView; 2]> {
        self.image.as_ref().and_then(|image| image.aspects.as_ref())
    }

    /// Sets its size; `true` if it is a new image.
    pub(crate) fn reserve(&mut self, context: &Context, pixels: [u32; 2]) -> bool {
        if self.image.as_ref().is_some_and(|image| image.pixels == pixels) {
            return false;
        }
        self.image = None; // gives its memory back before more is asked for
        let texture = context.device.create_texture(&TextureDescriptor {
            label: Some("image"),
            size: Extent3d { width: pixels[0], height: pixels[1], depth_or_array_layers: self.layers },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: TextureUsages::RENDER_ATTACHMENT
                | TextureUsages::TEXTURE_BINDING
                | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let layer = |layer: u32| {
            texture.create_view(&TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer.min(self.layers - 1),
                array_layer_count: Some(1),
                ..TextureViewDescriptor::default()
            })
        };
        let aspect = |aspect: TextureAspect| {
            texture.create_view(&TextureViewDescriptor { aspect, ..TextureViewDescriptor::default() })
        };
        let aspects = [TextureAspect::DepthOnly, TextureAspect::StencilOnly];
        let both = self.format.has_depth_aspect() && self.format.has_stencil_aspect();
        self.image = Some(Image {
            pixels,
            view: texture.create_view(&TextureViewDescriptor::default()),
            layers: [layer(0), layer(1)],
            aspects: both.then(|| aspects.map(aspect)),
        });
        true
    }

    /// Bytes of a copy with `each` bytes per pixel, rows padded.
    pub(crate) fn bytes(&self, each: u32) -> u64 {
        let bytes = |image: &Image| u64::from(row(image.pixels[0], each)) * u64::from(image.pixels[1]);
        self.image.as_ref().map_or(0, bytes)
    }

    /// Copies it, or its first layer, into a buffer; of an image with depth and stencil, the stencil.
    pub(crate) fn copy(&self, recorder: &mut Recorder, each: u32, buffer: &Buffer) {
        self.copy_layer(recorder, 0, each, buffer);
    }

    /// Copies one layer.
    pub(crate) fn copy_layer(&self, recorder: &mut Recorder, layer: u32, each: u32, buffer: &Buffer) {
        let Some(image) = &self.image else { return };
        let bytes_per_row = Some(row(image.pixels[0], each));
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer, layout };
        let [width, height] = image.pixels;
        let extent = Extent3d { width, height, depth_or_array_layers: 1 };
        let from = wgpu::TexelCopyTextureInfo {
            texture: image.view.texture(),
            mip_level: 0,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            aspect: if image.aspects.is_some() { TextureAspect::StencilOnly } else { TextureAspect::All },
        };
        recorder.encoder().copy_texture_to_buffer(from, to, extent);
    }

    /// Its bytes in row order, `each` bytes per pixel.
    pub(crate) fn read(&self, recorder: &mut Recorder, each: u32) -> Result<Vec<u8>, GpuError> {
        self.read_layer(recorder, 0, each)
    }

    /// The bytes of one layer.
    pub(crate) fn read_layer(
        &self,
        recorder: &mut Recorder,
        layer: u32,
        each: u32,
    ) -> Result<Vec<u8>, GpuError> {
        let Some(width) = self.image.as_ref().map(|image| image.pixels[0]) else { return Ok(Vec::new()) };
        let (size, limit) = (self.bytes(each), recorder.context.device.limits().max_buffer_size);
        if size > limit {
            return Err(GpuError::TooLarge { what: "pixels read back", bytes: size, limit });
        }
        let rows = recorder.context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("an image"),
            size,
            usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.copy_layer(recorder, layer, each, &rows);
        recorder.read(&[(&rows, size)], |all| {
            let rows = all.chunks_exact(row(width, each) as usize);
            rows.flat_map(|row| &row[..(width * each) as usize]).copied().collect()
        })
    }
}

/// Checks the limits of the device.
pub(crate) fn check_size(context: &Context, pixels: [u32; 2]) -> Result<(), GpuError> {
    let limit = context.device.limits().max_texture_dimension_2d;
    if pixels.iter().any(|&n| n > limit) {
        return Err(GpuError::TooWide { width: pixels[0], height: pixels[1], limit });
    }
    Ok(())
}

/// Bytes from one row of a copy to the next.
fn row(width: u32, each: u32) -> u32 {
    (width * each).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
