//! The rule of `--method auto`: which complete method is faster, the CPU's or the GPU's.
//!
//! What is known. On software Vulkan the CPU's `bvh` is 10 to 100 times faster than `grid` at every size
//! (`impinge-lab table conservative`), so an adapter that is the CPU in disguise is never chosen. No real GPU has been measured.
//! From the memory it moves, `grid` is *estimated* at about 1 ms there for 200,000 triangles that look at themselves or
//! 800,000 that do not; `bvh` takes 4 to 20 ms for such scenes on two cores. With fewer triangles the trip to a GPU and back
//! costs what there is to gain.

use impinge::Method;
use impinge::contacts::GridOptions;
use wgpu::{AdapterInfo, DeviceType};

/// Smaller scenes are never worth a GPU: `bvh` takes a millisecond or a few, and a GPU needs about one.
pub const AUTO_TRIANGLES: usize = 200_000;

/// The complete method that should be fastest: [`Method::Grid`] for [`AUTO_TRIANGLES`] or more on a GPU that is one,
/// [`Method::Bvh`] otherwise. The contacts are the same. `adapter` is asked for only where it matters: to find adapters takes
/// longer than to check a small scene.
///
/// ```
/// use impinge::Method;
/// use impinge_gpu::{adapter, auto};
/// assert_eq!(auto(1_000, || adapter(None)), Method::Bvh);
/// assert_eq!(auto(1_000_000, || None), Method::Bvh);
/// ```
pub fn auto(triangles: usize, adapter: impl FnOnce() -> Option<AdapterInfo>) -> Method {
    if triangles < AUTO_TRIANGLES {
        return Method::Bvh;
    }
    match adapter().map(|info| info.device_type) {
        Some(DeviceType::DiscreteGpu | DeviceType::IntegratedGpu | DeviceType::VirtualGpu) => {
            Method::Grid(GridOptions::default())
        }
        // Software, no adapter, or one of unknown type: OpenGL drivers report none, and some of them are
        // software.
        Some(DeviceType::Cpu | DeviceType::Other) | None => Method::Bvh,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_up(kind: DeviceType) -> AdapterInfo {
        AdapterInfo::new(kind, wgpu::Backend::Vulkan)
    }

    #[test]
    fn large_scenes_go_to_a_gpu_that_is_one() {
        use DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, Other, VirtualGpu};
        for (kind, chosen) in [
            (DiscreteGpu, Method::Grid(GridOptions::default())),
            (IntegratedGpu, Method::Grid(GridOptions::default())),
            (VirtualGpu, Method::Grid(GridOptions::default())),
            (Cpu, Method::Bvh),
            (Other, Method::Bvh),
        ] {
            assert_eq!(auto(AUTO_TRIANGLES, || Some(made_up(kind))), chosen, "{kind:?}");
            assert_eq!(auto(usize::MAX, || Some(made_up(kind))), chosen, "{kind:?}");
        }
        assert_eq!(auto(AUTO_TRIANGLES, || None), Method::Bvh);
    }

    #[test]
    fn small_scenes_ask_for_no_adapter() {
        let asked = || -> Option<AdapterInfo> { panic!("asked for") };
        assert_eq!(auto(0, asked), Method::Bvh);
        assert_eq!(auto(AUTO_TRIANGLES - 1, asked), Method::Bvh);
    }
}
