//! Choice of an adapter, and a device on it.

use crate::error::GpuError;
use std::env;
use wgpu::{AdapterInfo, Backends, Device, DeviceType, Features, Instance, InstanceDescriptor, Queue};

/// Optional features, for speed and timing.
const WELCOME: Features = Features::TIMESTAMP_QUERY
    .union(Features::FLOAT32_BLENDABLE)
    .union(Features::SHADER_EARLY_DEPTH_TEST)
    .union(Features::SUBGROUP);

/// The variable that names the adapter to use.
pub const ADAPTER_VARIABLE: &str = "IMPINGE_ADAPTER";

/// A device, its queue, and what is known about them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Context {
    /// The device.
    pub device: Device,
    /// Its queue.
    pub queue: Queue,
    /// Name of the adapter.
    pub adapter: String,
}

impl Context {
    /// On the adapter named by `IMPINGE_ADAPTER`; else on the best: discrete GPUs before integrated ones,
    /// software last.
    pub fn new() -> Result<Self, GpuError> {
        let wanted = env::var(ADAPTER_VARIABLE).ok().filter(|name| !name.trim().is_empty());
        Self::on(wanted.as_deref())
    }

    /// On the adapter whose name contains `wanted`, case-insensitively; `cpu` for software, `gpu` for
    /// anything else.
    pub fn on(wanted: Option<&str>) -> Result<Self, GpuError> {
        let instance = instance();
        let mut adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
        if adapters.is_empty() {
            return Err(GpuError::NoAdapter);
        }
        adapters.sort_by_key(|adapter| rank(adapter.get_info().device_type));
        let Some(adapter) = adapters.iter().find(|adapter| fits(&adapter.get_info(), wanted)) else {
            let there_are = adapters.iter().map(|adapter| adapter.get_info().name).collect();
            return Err(GpuError::NoSuchAdapter { wanted: wanted.unwrap_or_default().into(), there_are });
        };
        let info = adapter.get_info();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("impinge"),
            required_features: adapter.features() & WELCOME,
            // All that the adapter supports: large scenes need large buffers.
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::NoDevice { adapter: info.name.clone(), reason: error.to_string() })?;
        Ok(Self { device, queue, adapter: info.name })
    }

    /// On a device of the caller, so that its buffers can be used. The name is for reports.
    pub fn from_device(device: Device, queue: Queue, adapter: impl Into<String>) -> Self {
        Self { device, queue, adapter: adapter.into() }
    }

    /// Runs `work` and catches device errors. Error scopes rather than a handler: the device may be the
    /// caller's, and so may its handler.
    pub(crate) fn checked<T>(&self, work: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Internal, Validation, OutOfMemory].map(|filter| self.device.push_error_scope(filter));
        let result = work();
        let mut first = None;
        // Scopes are popped in reverse: lack of memory is reported first, not the validation errors it
        // causes.
        for scope in scopes.into_iter().rev() {
            let error = pollster::block_on(scope.pop());
            first = first.or(error);
        }
        match first {
            None => result,
            Some(wgpu::Error::OutOfMemory { source }) => {
                Err(GpuError::OutOfMemory { reason: one_line(&source.to_string()) })
            }
            Some(error) => {
                let reason = one_line(&error.to_string());
                // A lost device rejects everything; only the message tells that it was lost.
                if reason.to_lowercase().contains("lost") || matches!(result, Err(GpuError::Lost { .. })) {
                    Err(GpuError::Lost { reason })
                } else {
                    match result {
                        Err(error) => Err(error),
                        Ok(_) => Err(GpuError::Refused { reason }),
                    }
                }
            }
        }
    }

    /// The largest binding in bytes.
    pub(crate) fn max_binding(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
    }

    /// Whether the device has timestamp queries.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(Features::TIMESTAMP_QUERY)
    }

    /// Waits for all submitted work.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map(|_| ()).map_err(|error| GpuError::Lost { reason: error.to_string() })
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn instance() -> Instance {
    Instance::new(InstanceDescriptor::new_without_display_handle_from_env())
}

/// All adapters, the best first.
pub fn adapters() -> Vec<AdapterInfo> {
    let adapters = pollster::block_on(instance().enumerate_adapters(Backends::all()));
    let mut infos: Vec<AdapterInfo> = adapters.iter().map(wgpu::Adapter::get_info).collect();
    infos.sort_by_key(|info| rank(info.device_type));
    infos
}

/// The adapter that [`Context::on`] takes for the same name; `None` if there is none. No device is created.
pub fn adapter(wanted: Option<&str>) -> Option<AdapterInfo> {
    adapters().into_iter().find(|info| fits(info, wanted))
}

fn rank(kind: DeviceType) -> u8 {
    match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

fn fits(info: &AdapterInfo, wanted: Option<&str>) -> bool {
    let Some(wanted) = wanted else { return true };
    match wanted.trim().to_lowercase().as_str() {
        "cpu" => info.device_type == DeviceType::Cpu,
        "gpu" => info.device_type != DeviceType::Cpu,
        name => info.name.to_lowercase().contains(name),
    }
}
