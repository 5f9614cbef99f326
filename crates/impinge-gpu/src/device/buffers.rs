//! Growable buffers, and reading them back.

use super::Context;
use crate::error::GpuError;
use bytemuck::NoUninit;
use std::sync::mpsc;
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

/// A storage buffer that grows to what any frame needed so far.
#[derive(Debug)]
pub(crate) struct Growable {
    what: &'static str,
    usage: BufferUsages,
    buffer: Option<Buffer>,
}

impl Growable {
    /// `what` names the content in error messages.
    pub(crate) fn new(what: &'static str, usage: BufferUsages) -> Self {
        Self { what, usage: usage | BufferUsages::STORAGE | BufferUsages::COPY_DST, buffer: None }
    }

    /// Reserves room for `bytes`. Returns `true` if it was reallocated: the content is lost then.
    pub(crate) fn reserve(&mut self, context: &Context, bytes: u64) -> Result<bool, GpuError> {
        let bytes = bytes.max(64).next_multiple_of(16);
        if self.buffer.as_ref().is_some_and(|buffer| buffer.size() >= bytes) {
            return Ok(false);
        }
        let limit = context.max_binding();
        if bytes > limit {
            return Err(GpuError::TooLarge { what: self.what, bytes, limit });
        }
        // Half as much again, so that a growing scene does not reallocate it every frame.
        let size = (bytes + bytes / 2).next_multiple_of(16).min(limit - limit % 16);
        let size = if self.buffer.is_some() { size } else { bytes };
        let descriptor =
            BufferDescriptor { label: Some(self.what), size, usage: self.usage, mapped_at_creation: false };
        self.buffer = None; // gives its memory back before more is asked for
        self.buffer = Some(context.device.create_buffer(&descriptor));
        Ok(true)
    }

    /// Makes room for items, and uploads them.
    pub(crate) fn fill<T: NoUninit>(&mut self, context: &Context, items: &[T]) -> Result<bool, GpuError> {
        let lost = self.reserve(context, size_of_val(items) as u64)?;
        context.queue.write_buffer(self.get(), 0, bytemuck::cast_slice(items));
        Ok(lost)
    }

    /// Frees it.
    pub(crate) fn forget(&mut self) {
        self.buffer = None;
    }

    /// The buffer; room must have been reserved before.
    pub(crate) fn get(&self) -> &Buffer {
        self.buffer.as_ref().expect("every stage asks for room before it binds")
    }
}

/// A uniform buffer.
pub(crate) fn uniform(context: &Context, label: &str, size: u64) -> Buffer {
    let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
    let label = Some(label);
    context.device.create_buffer(&BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

/// Uploads an entry into one of several uniform buffers, the next of which is made when it is needed.
pub(crate) fn write_uniform<T: NoUninit>(
    context: &Context,
    uniforms: &mut Vec<Buffer>,
    at: usize,
    label: &str,
    entry: &T,
) {
    if at == uniforms.len() {
        uniforms.push(uniform(context, label, size_of::<T>() as u64));
    }
    context.queue.write_buffer(&uniforms[at], 0, bytemuck::bytes_of(entry));
}

/// Reads the beginnings of buffers with one submission.
#[derive(Debug)]
pub(crate) struct Readback {
    staging: Option<Buffer>,
}

impl Readback {
    pub(crate) fn new() -> Self {
        Self { staging: None }
    }

    /// Appends copies to the commands, submits them, waits, and passes all bytes, source after source.
    pub(crate) fn read<T>(
        &mut self,
        context: &Context,
        mut commands: wgpu::CommandEncoder,
        sources: &[(&Buffer, u64)],
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, GpuError> {
        let total: u64 = sources.iter().map(|(_, bytes)| bytes).sum();
        if self.staging.as_ref().is_none_or(|buffer| buffer.size() < total) {
            let limit = context.device.limits().max_buffer_size;
            if total > limit {
                return Err(GpuError::TooLarge { what: "triangles read back", bytes: total, limit });
            }
            self.staging = Some(context.device.create_buffer(&BufferDescriptor {
                label: Some("read back"),
                size: (total + total / 2).next_multiple_of(16).clamp(1024, limit.max(1024)),
                usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }));
        }
        let staging = self.staging.as_ref().ok_or(GpuError::TooMany)?;
        let mut at = 0;
        for (source, bytes) in sources {
            if *bytes > 0 {
                commands.copy_buffer_to_buffer(source, 0, staging, at, *bytes);
            }
            at += bytes;
        }
        context.queue.submit([commands.finish()]);
        let (sender, receiver) = mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, 0..total, move |result| {
            // The receiver is gone if waiting failed.
            let _ = sender.send(result);
        });
        context.wait()?;
        let lost = |reason: String| GpuError::Lost { reason };
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(lost(format!("a buffer cannot be mapped: {error}"))),
            Err(error) => return Err(lost(format!("a buffer was never mapped: {error}"))),
        }
        let taken = {
            let view = staging.get_mapped_range(0..total).map_err(|error| lost(error.to_string()))?;
            take(&view)
        };
        staging.unmap();
        Ok(taken)
    }
}
