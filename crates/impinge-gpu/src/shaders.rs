//! The shaders, each preceded by the parts that it includes.

macro_rules! shader {
    ($($file:literal),+) => {
        concat!($(include_str!(concat!("../shaders/", $file))),+)
    };
}

/// A stage of the grid that reads records.
macro_rules! of_records {
    ($($file:literal),+) => {
        shader!("grid/shared/cull.wgsl", "grid/shared/record.wgsl", "grid/shared/counts.wgsl", $($file),+)
    };
}

pub(crate) const UPLOAD: &str = shader!("shared/frame.wgsl", "external/upload.wgsl");
pub(crate) const DETAILS: &str = shader!("shared/frame.wgsl", "external/details.wgsl");
pub(crate) const GATHER: &str = shader!("shared/frame.wgsl", "image/gather.wgsl");

pub(crate) const PEEL: &str =
    shader!("shared/frame.wgsl", "depth_peel/shared/layers.wgsl", "depth_peel/peel.wgsl");
pub(crate) const RAYS: &str =
    shader!("shared/frame.wgsl", "depth_peel/shared/layers.wgsl", "depth_peel/rays.wgsl");
pub(crate) const RAY_MIPMAP: &str =
    shader!("shared/frame.wgsl", "depth_peel/shared/ray_box.wgsl", "depth_peel/ray_mipmap.wgsl");
pub(crate) const SEPARATE: &str =
    shader!("shared/frame.wgsl", "depth_peel/shared/ray_box.wgsl", "depth_peel/separate.wgsl");
pub(crate) const PACK: &str = shader!("shared/frame.wgsl", "depth_peel/pack.wgsl");

pub(crate) const EDGES: &str =
    shader!("shared/frame.wgsl", "interference/shared/cast.wgsl", "interference/edges.wgsl");
pub(crate) const COUNT: &str =
    shader!("shared/frame.wgsl", "interference/shared/cast.wgsl", "interference/count.wgsl");
pub(crate) const MARKED: &str =
    shader!("shared/frame.wgsl", "interference/shared/cast.wgsl", "interference/marked.wgsl");

pub(crate) const PROJECT: &str = shader!("overlap_cells/shared/plot.wgsl", "overlap_cells/project.wgsl");
pub(crate) const COVER: &str = shader!(
    "overlap_cells/shared/plot.wgsl",
    "image/crossed.wgsl",
    "overlap_cells/shared/stroke.wgsl",
    "overlap_cells/cover.wgsl"
);
pub(crate) const SAMPLE: &str = shader!(
    "overlap_cells/shared/plot.wgsl",
    "image/crossed.wgsl",
    "overlap_cells/shared/stroke.wgsl",
    "overlap_cells/sample.wgsl"
);
pub(crate) const PLANES: &str = shader!("overlap_cells/shared/plot.wgsl", "overlap_cells/planes.wgsl");

pub(crate) const FRAGMENTS: &str = shader!(
    "shared/frame.wgsl",
    "a_buffer/shared/sheet.wgsl",
    "image/crossed.wgsl",
    "a_buffer/fragments.wgsl"
);
pub(crate) const PAIRS: &str =
    shader!("shared/frame.wgsl", "a_buffer/shared/sheet.wgsl", "a_buffer/pairs.wgsl");

pub(crate) const OFFSETS: &str = shader!("cullide/offsets.wgsl");
pub(crate) const CANVAS: &str = shader!("shared/frame.wgsl", "cullide/canvas.wgsl");

pub(crate) const REGION: &str = shader!("grid/shared/cull.wgsl", "grid/region.wgsl");
pub(crate) const STARS: &str =
    shader!("grid/shared/cull.wgsl", "grid/shared/record.wgsl", "grid/bounds.wgsl", "grid/stars.wgsl");
pub(crate) const TRIANGLE_FILTER: &str = of_records!("grid/bounds.wgsl", "grid/triangle_filter.wgsl");
pub(crate) const CELLS: &str = of_records!("grid/cells.wgsl");
pub(crate) const BOX_PAIRS: &str = of_records!(
    "grid/shared/corners.wgsl",
    "grid/bounds.wgsl",
    "grid/shared/item.wgsl",
    "grid/shared/item_read.wgsl",
    "grid/box_pairs.wgsl"
);
/// The same where the lanes of a workgroup are one subgroup.
pub(crate) const BOX_PAIRS_SHUFFLED: &str = of_records!(
    "grid/shared/corners.wgsl",
    "grid/bounds.wgsl",
    "grid/shared/item.wgsl",
    "grid/shared/item_shuffled.wgsl",
    "grid/box_pairs.wgsl"
);
pub(crate) const PLANE_FILTER: &str = of_records!(
    "grid/shared/corners.wgsl",
    "grid/bounds.wgsl",
    "grid/neighbours.wgsl",
    "grid/plane_filter.wgsl"
);
pub(crate) const SIGNS: &str = of_records!("grid/shared/corners.wgsl", "grid/bounds.wgsl", "grid/signs.wgsl");
pub(crate) const PLACE_EXACTLY: &str = shader!("grid/shared/doubles.wgsl", "grid/place_exactly.wgsl");
pub(crate) const EXACT_SIGNS: &str = shader!("grid/shared/doubles.wgsl", "grid/exact_signs.wgsl");

pub(crate) const FLIGHT: &str = shader!(
    "particles/shared/layout.wgsl",
    "particles/shared/ticks.wgsl",
    "particles/rebirth.wgsl",
    "particles/roots.wgsl",
    "particles/curtain.wgsl",
    "particles/hit.wgsl",
    "particles/flight.wgsl"
);
pub(crate) const IMPACT_MAP: &str = shader!("particles/shared/layout.wgsl", "particles/impact_map.wgsl");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::particles::{
        ColliderEntry, FlightEntry, LegEntry, MapEntry, ParticleEntry, RecordEntry,
    };
    use crate::layout::{
        BodyEntry, BodyInRegionEntry, CastEntry, CullEntry, Details, ExactSignsEntry, Frame, LevelEntry,
        OffsetEntry, PassEntry, PlotEntry, PoseEntry, RegionEntry, SheetEntry, SpanEntry, UploadEntry,
        UploadResult,
    };
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use std::collections::BTreeSet;
    use std::mem::offset_of;
    use std::path::{Path, PathBuf};

    const ALL: &[(&str, &str)] = &[
        ("external/upload", UPLOAD),
        ("external/details", DETAILS),
        ("image/gather", GATHER),
        ("depth_peel/peel", PEEL),
        ("depth_peel/rays", RAYS),
        ("depth_peel/ray_mipmap", RAY_MIPMAP),
        ("depth_peel/separate", SEPARATE),
        ("depth_peel/pack", PACK),
        ("interference/edges", EDGES),
        ("interference/count", COUNT),
        ("interference/marked", MARKED),
        ("overlap_cells/project", PROJECT),
        ("overlap_cells/cover", COVER),
        ("overlap_cells/sample", SAMPLE),
        ("overlap_cells/planes", PLANES),
        ("a_buffer/fragments", FRAGMENTS),
        ("a_buffer/pairs", PAIRS),
        ("cullide/offsets", OFFSETS),
        ("cullide/canvas", CANVAS),
        ("grid/region", REGION),
        ("grid/stars", STARS),
        ("grid/triangle_filter", TRIANGLE_FILTER),
        ("grid/cells", CELLS),
        ("grid/box_pairs", BOX_PAIRS),
        ("grid/plane_filter", PLANE_FILTER),
        ("grid/signs", SIGNS),
        ("grid/place_exactly", PLACE_EXACTLY),
        ("grid/exact_signs", EXACT_SIGNS),
        ("particles/flight", FLIGHT),
        ("particles/impact_map", IMPACT_MAP),
    ];

    /// Shaders that need more than every WebGPU device has, and what.
    const MORE: &[(&str, &str, Capabilities)] =
        &[("grid/box_pairs", BOX_PAIRS_SHUFFLED, Capabilities::SUBGROUP)];

    /// Shaders without a CPU file of the same stem, with the reason.
    const ON_THE_GPU_ALONE: &[(&str, &str)] = &[
        ("external/upload", "bodies in a caller's buffers"),
        ("external/details", "corners of such bodies, for the exact test on the CPU"),
        ("grid/place_exactly", "`Pose::apply`: there doubles are the processor's own"),
        ("grid/exact_signs", "`exact`, several files there: one thread decides a pair in whole numbers"),
    ];

    /// Shaders, by folder and stem; files in a folder named `shared` are included by others.
    fn files(folder: &Path) -> BTreeSet<String> {
        let entries = |folder: &Path| -> Vec<_> {
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
        };
        let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
        let folders = entries(folder).into_iter().filter(|path| path.is_dir() && !path.ends_with("shared"));
        let files = folders.flat_map(|folder| {
            let files = entries(&folder).into_iter().filter(|path| path.is_file());
            files.map(move |file| format!("{}/{}", stem(&folder), stem(&file)))
        });
        files.collect()
    }

    fn crates() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn every_stage_has_the_stem_of_the_file_that_defines_it() {
        let there = |file: &str| {
            let library = crates().join("impinge/src");
            [library.clone(), library.join("contacts")]
                .iter()
                .any(|at| at.join(format!("{file}.rs")).exists())
        };
        let alone: BTreeSet<String> =
            files(&crates().join("impinge-gpu/shaders")).into_iter().filter(|file| !there(file)).collect();
        assert_eq!(alone, ON_THE_GPU_ALONE.iter().map(|(file, _)| (*file).to_owned()).collect());
    }

    #[test]
    fn every_shader_is_valid_and_every_file_is_used() {
        // No capability beyond WebGPU's.
        let all = ALL.iter().map(|&(name, source)| (name, source, Capabilities::empty()));
        for (name, source, capabilities) in all.chain(MORE.iter().copied()) {
            let module = naga::front::wgsl::parse_str(source)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
            let mut validator = Validator::new(ValidationFlags::all(), capabilities);
            if capabilities.contains(Capabilities::SUBGROUP) {
                validator
                    .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
                    .subgroup_operations(naga::valid::SubgroupOperationSet::all());
            }
            validator
                .validate(&module)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
            assert!(!module.entry_points.is_empty(), "{name}");
        }
        let folder = crates().join("impinge-gpu/shaders");
        for file in files(&folder) {
            let text = std::fs::read_to_string(folder.join(format!("{file}.wgsl"))).unwrap();
            assert!(ALL.iter().any(|(_, source)| source.contains(&text)), "{file}");
        }
    }

    /// Size and offsets of a struct in a shader.
    fn shape(source: &str, name: &str) -> (usize, Vec<usize>) {
        let module = naga::front::wgsl::parse_str(source).unwrap();
        let (_, found) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).unwrap();
        let naga::TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
        (*span as usize, members.iter().map(|member| member.offset as usize).collect())
    }

    #[test]
    fn structs_are_laid_out_alike_on_both_sides() {
        macro_rules! same {
            ($source:expr, $there:literal, $here:ident { $($($field:ident).+),+ }) => {
                let here = (size_of::<$here>(), vec![$(offset_of!($here, $($field).+)),+]);
                assert_eq!(shape($source, $there), here, $there);
            };
        }
        same!(
            GATHER,
            "Frame",
            Frame {
                width,
                height,
                words,
                near,
                vertices,
                triangles,
                sides,
                passes,
                mark,
                margin,
                external_word,
                perspective
            }
        );
        same!(
            GATHER,
            "Body",
            BodyEntry { across, down, along, away, flags, first_vertex, nearest, farthest }
        );
        same!(
            UPLOAD,
            "Upload",
            UploadEntry {
                body,
                vertices,
                triangles,
                first_vertex,
                first_triangle,
                first_tag,
                offset,
                stride,
                index_offset,
                count_offset,
                has_tags,
                tag_offset,
                slot,
                padding_0,
                padding_1,
                padding_2
            }
        );
        same!(UPLOAD, "UploadResult", UploadResult { low, high, bad_vertex, bad_triangle });
        same!(DETAILS, "Details", Details { corners, normal, vertices, tag });
        same!(SEPARATE, "Level", LevelEntry { first, width, height, padding });
        same!(RAYS, "Span", SpanEntry { first, end, first_base, second_base });
        same!(
            EDGES,
            "Cast",
            CastEntry {
                pixels_deep,
                clearance,
                nearest,
                farthest,
                first_line,
                lines,
                whose,
                first_row,
                end_row,
                capacity,
                padding_0,
                padding_1
            }
        );
        same!(
            COVER,
            "Plot",
            PlotEntry {
                across,
                down,
                along,
                wide,
                offset,
                cells,
                words,
                first_vertex,
                vertices,
                first_triangle,
                triangles,
                base,
                plane,
                flags,
                place
            }
        );
        same!(
            OFFSETS,
            "Offset",
            OffsetEntry { first, count, half, apart, deep, padding_0, padding_1, padding_2 }
        );
        same!(
            TRIANGLE_FILTER,
            "Cull",
            CullEntry {
                low,
                cell,
                high,
                most_cells,
                voxels_per_unit,
                meets,
                voxels,
                vertices,
                axis,
                triangles,
                subregion_low,
                subregion_high,
                sizes.boxes,
                sizes.records,
                sizes.list,
                sizes.chunks,
                sizes.tests,
                sizes.found,
                sizes.large,
                sizes.block_pairs,
                sizes.candidates,
                cells,
                is_subregion,
                first,
                last,
                padding
            }
        );
        same!(EXACT_SIGNS, "Task", ExactSignsEntry { count, turns, padding_0, padding_1 });
        same!(PLACE_EXACTLY, "Pose", PoseEntry { rows, source, padding });
        same!(
            TRIANGLE_FILTER,
            "BodyInRegion",
            BodyInRegionEntry { across, down, along, low, error, high, flags }
        );
        same!(
            FRAGMENTS,
            "Sheet",
            SheetEntry {
                width,
                first_row,
                end_row,
                triangles,
                capacity,
                slots,
                near,
                large,
                lanes,
                spans,
                padding_0,
                padding_1
            }
        );
        same!(PAIRS, "RegionOfInterest", RegionEntry { columns, rows, depths, with_itself, padding });
        same!(PEEL, "Pass", PassEntry { number, base_before, base_after, padding });
        same!(
            FLIGHT,
            "Flight",
            FlightEntry {
                horizon,
                from_time,
                ticks_per_unit,
                units_per_tick,
                particles,
                colliders,
                capacity,
                most_events,
                hop,
                goes_on,
                position_spread,
                velocity_spread,
                seed,
                generations,
                turns,
                padding
            }
        );
        same!(
            FLIGHT,
            "Particle",
            ParticleEntry {
                position,
                start_low,
                velocity,
                start_high,
                acceleration,
                life_low,
                life_high,
                is_endless,
                padding_0,
                padding_1
            }
        );
        same!(
            FLIGHT,
            "Leg",
            LegEntry {
                position,
                start_low,
                velocity,
                start_high,
                generation,
                bounce,
                status,
                events,
                collider,
                element,
                next_collider,
                next_node,
                found_elapsed,
                found_collider,
                found_element,
                is_done,
                runner_up,
                padding_0,
                padding_1,
                padding_2
            }
        );
        same!(
            FLIGHT,
            "Collider",
            ColliderEntry {
                row_x,
                row_y,
                row_z,
                quadric_x,
                quadric_y,
                quadric_z,
                low,
                constant,
                high,
                kind,
                first,
                count,
                response,
                restitution,
                friction,
                triangles,
                padding_0,
                padding_1
            }
        );
        same!(
            FLIGHT,
            "Record",
            RecordEntry {
                position,
                time_low,
                normal,
                time_high,
                velocity,
                particle,
                generation,
                bounce,
                collider,
                element
            }
        );
        same!(
            IMPACT_MAP,
            "Map",
            MapEntry {
                row_x,
                row_y,
                row_z,
                low,
                kind,
                high,
                collider,
                width,
                height,
                fixed_per_speed,
                capacity
            }
        );
    }
}
